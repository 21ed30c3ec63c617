//! A query: a game with its moves, the turns to analyse, and what to tell of them.

use serde::Deserialize;
use serde_json::Value;

/// The most bytes of an id that an answer repeats.
const LONGEST_ID: usize = 1_000;

/// A line of a client.
pub(super) enum Request {
    Query(Box<Query>),
    /// `query_version` and others: an action and all of its line, which the answer repeats.
    Action(Action),
}

/// An action beside queries.
pub(super) struct Action {
    pub(super) id: String,
    pub(super) name: String,
    /// The query to end, of `terminate`.
    pub(super) of: Option<String>,
    /// The turns to end; all if there are none.
    pub(super) turns: Option<Vec<usize>>,
    pub(super) line: Value,
}

/// A query, with the names of KataGo.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Query {
    pub(super) id: String,
    pub(super) moves: Vec<Played>,
    #[serde(default)]
    pub(super) initial_stones: Vec<Played>,
    pub(super) initial_player: Option<String>,
    pub(super) komi: Option<f64>,
    #[serde(rename = "boardXSize")]
    pub(super) columns: Option<u8>,
    #[serde(rename = "boardYSize")]
    pub(super) rows: Option<u8>,
    pub(super) analyze_turns: Option<Vec<usize>>,
    pub(super) max_visits: Option<u64>,
    #[serde(default)]
    pub(super) priority: i64,
    pub(super) priorities: Option<Vec<i64>>,
    pub(super) report_during_search_every: Option<f64>,
    #[serde(default, rename = "includePVVisits")]
    pub(super) includes_visits: bool,
}

/// A move of a query: its colour and its name, or the name alone.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Played {
    Of(String, String),
    Next(String),
}

/// The reason why a line is no request, with the id if the line has one.
pub(super) struct BadRequest {
    pub(super) id: Option<String>,
    /// The field at fault, if it is one.
    pub(super) field: Option<&'static str>,
    pub(super) why: String,
}

/// Reads a line.
pub(super) fn read(line: &str) -> Result<Request, BadRequest> {
    let bad = |id: Option<&str>, why: String| BadRequest { id: id.map(str::to_string), field: None, why };
    let value: Value = serde_json::from_str(line).map_err(|error| bad(None, format!("this is no JSON: {error}")))?;
    let id = value.get("id").and_then(Value::as_str).filter(|id| id.len() <= LONGEST_ID).map(str::to_string);
    let Some(id) = id else {
        return Err(bad(None, format!("'id' should be a text of at most {LONGEST_ID} bytes")));
    };
    if let Some(name) = value.get("action").and_then(Value::as_str) {
        let turns = value.get("turnNumbers").map(Vec::<usize>::deserialize).transpose();
        let turns = turns.map_err(|error| BadRequest {
            id: Some(id.clone()),
            field: Some("turnNumbers"),
            why: format!("'turnNumbers' should be a list of turns: {error}"),
        })?;
        return Ok(Request::Action(Action {
            name: name.to_string(),
            of: value.get("terminateId").and_then(Value::as_str).map(str::to_string),
            turns,
            id,
            line: value,
        }));
    }
    let query = serde_json::from_value(value).map_err(|error| bad(Some(&id), error.to_string()))?;
    Ok(Request::Query(Box::new(query)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(line: &str) -> (Option<String>, String) {
        match read(line) {
            Err(BadRequest { id, why, .. }) => (id, why),
            Ok(_) => panic!("{line} is a request"),
        }
    }

    #[test]
    fn a_query_has_the_names_of_katago() {
        let line = r#"{"id":"a","moves":[["B","C4"],["w","pass"]],"boardXSize":9,"boardYSize":9,"komi":6.5,"rules":"x",
            "analyzeTurns":[0,2],"maxVisits":50,"reportDuringSearchEvery":0.1,"includePVVisits":true,"priority":-3}"#;
        let Ok(Request::Query(query)) = read(line) else { panic!("a query") };
        assert_eq!((query.id.as_str(), query.moves.len(), query.columns), ("a", 2, Some(9)));
        assert!(matches!(&query.moves[1], Played::Of(colour, name) if colour == "w" && name == "pass"));
        assert_eq!((query.analyze_turns, query.max_visits, query.priority), (Some(vec![0, 2]), Some(50), -3));
        let Ok(Request::Query(query)) = read(r#"{"id":"b","moves":["a2a3"]}"#) else { panic!("a query") };
        assert!(matches!(&query.moves[0], Played::Next(name) if name == "a2a3"));
    }

    #[test]
    fn a_fault_is_told_with_the_id() {
        assert!(why("hello").1.starts_with("this is no JSON"));
        assert_eq!(why("{}").0, None);
        assert_eq!(why(r#"{"id":"a"}"#), (Some("a".to_string()), "missing field `moves`".to_string()));
        assert_eq!(why(r#"{"id":"a","moves":3}"#).0, Some("a".to_string()));
    }
}
