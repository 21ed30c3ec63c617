//! Answers to requests that cannot be met.

use serde_json::{Value, json};

use crate::http::Response;

/// The most letters of a sentence. Parts of the question may stand in it.
const MOST_LETTERS: usize = 4_000;

/// The reason why a request is refused: a status of HTTP, and one sentence for the person at the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) sentence: String,
}

impl Refusal {
    pub(crate) fn new(status: u16, sentence: impl ToString) -> Refusal {
        let mut sentence = sentence.to_string();
        if let Some((end, _)) = sentence.char_indices().nth(MOST_LETTERS) {
            sentence.truncate(end);
            sentence.push_str("...");
        }
        Refusal { status, sentence }
    }

    /// The refusal of a request that is wrong.
    pub(crate) fn bad(sentence: impl ToString) -> Refusal {
        Refusal::new(400, sentence)
    }

    /// The refusal of a request for a thing that is not there.
    pub(crate) fn missing(sentence: impl ToString) -> Refusal {
        Refusal::new(404, sentence)
    }

    /// The refusal of a request from another site.
    pub(crate) fn forbidden(sentence: impl ToString) -> Refusal {
        Refusal::new(403, sentence)
    }

    /// The answer to a request that the server fails at.
    pub(crate) fn failed(sentence: impl ToString) -> Refusal {
        Refusal::new(500, sentence)
    }
}

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Response {
        json_response(refusal.status, &json!({ "fault": refusal.sentence }))
    }
}

/// An answer in JSON.
pub(crate) fn json_response(status: u16, value: &Value) -> Response {
    Response::text(status, "application/json", value.to_string())
}
