//! Answers to requests that cannot be met.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// The reason why a request is refused: a status of HTTP, and one sentence for the person at the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) sentence: String,
}

impl Refusal {
    /// The refusal of a request that is wrong.
    pub(crate) fn bad(sentence: impl ToString) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, sentence: sentence.to_string() }
    }

    /// The refusal of a request for a thing that is not there.
    pub(crate) fn missing(sentence: impl ToString) -> Refusal {
        Refusal { status: StatusCode::NOT_FOUND, sentence: sentence.to_string() }
    }

    /// The refusal of a request from another site.
    pub(crate) fn forbidden(sentence: impl ToString) -> Refusal {
        Refusal { status: StatusCode::FORBIDDEN, sentence: sentence.to_string() }
    }

    /// The answer to a request that the server fails at.
    pub(crate) fn failed(sentence: impl ToString) -> Refusal {
        Refusal { status: StatusCode::INTERNAL_SERVER_ERROR, sentence: sentence.to_string() }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        json_response(self.status, &json!({ "fault": self.sentence }))
    }
}

/// An answer in JSON.
pub(crate) fn json_response(status: StatusCode, value: &serde_json::Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}
