//! A query: a game with its moves, the turns to analyse, and what to tell of them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
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

/// A query.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) id: String,
    pub(super) moves: Vec<Played>,
    pub(super) initial_stones: Vec<Played>,
    pub(super) initial_player: Option<String>,
    pub(super) komi: Option<f64>,
    pub(super) columns: Option<u8>,
    pub(super) rows: Option<u8>,
    pub(super) analyze_turns: Option<Vec<usize>>,
    pub(super) max_visits: Option<u64>,
    pub(super) priority: i64,
    pub(super) priorities: Option<Vec<i64>>,
    pub(super) report_during_search_every: Option<f64>,
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

/// The kinds of fields with moves, as a sentence about a fault names them.
const MOVES: &str = "a list of moves, each a colour and a name, as in [\"B\",\"C3\"], or a name alone";

/// The fields of a line.
struct Fields<'a>(&'a Value);

/// A field at fault, and a sentence about it.
type Fault = (&'static str, String);

impl Fields<'_> {
    /// Reads a field, which `kind` names in the sentence about a fault. `None` if it is missing or null.
    fn read<T: DeserializeOwned>(&self, name: &'static str, kind: &str) -> Result<Option<T>, Fault> {
        self.read_if(name, kind, |_| true)
    }

    /// Reads a field whose value has to be accepted.
    fn read_if<T: DeserializeOwned>(
        &self,
        name: &'static str,
        kind: &str,
        is_fit: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, Fault> {
        let Some(value) = self.0.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let value = T::deserialize(value).ok().filter(is_fit);
        value.map(Some).ok_or_else(|| (name, format!("'{name}' should be {kind}")))
    }

    /// Reads an action.
    fn action(&self, id: &str, name: String) -> Result<Action, Fault> {
        Ok(Action {
            name,
            of: self.read("terminateId", "the id of a query")?,
            turns: self.read("turnNumbers", "a list of turns")?,
            id: id.to_string(),
            line: self.0.clone(),
        })
    }

    /// Reads a query, with the names of KataGo.
    fn query(&self, id: &str) -> Result<Query, Fault> {
        let size = "a whole number from 1 to 255";
        let moves = self.read("moves", MOVES)?.ok_or_else(|| ("moves", format!("'moves' is missing: {MOVES}")))?;
        Ok(Query {
            id: id.to_string(),
            moves,
            initial_stones: self.read("initialStones", MOVES)?.unwrap_or_default(),
            initial_player: self.read("initialPlayer", "a colour, B or W")?,
            komi: self.read("komi", "a number")?,
            columns: self.read_if("boardXSize", size, |&columns| columns > 0)?,
            rows: self.read_if("boardYSize", size, |&rows| rows > 0)?,
            analyze_turns: self.read_if(
                "analyzeTurns",
                "a list of one turn or more, counted from 0",
                |turns: &Vec<_>| !turns.is_empty(),
            )?,
            max_visits: self.read_if("maxVisits", "a whole number above 0", |&visits| visits > 0)?,
            priority: self.read("priority", "a whole number")?.unwrap_or_default(),
            priorities: self.read("priorities", "a list of whole numbers")?,
            report_during_search_every: self.read_if(
                "reportDuringSearchEvery",
                "a number of seconds, 0 or more",
                |&every| every >= 0.0,
            )?,
            includes_visits: self.read("includePVVisits", "true or false")?.unwrap_or_default(),
        })
    }
}

/// Reads a line.
pub(super) fn read(line: &str) -> Result<Request, BadRequest> {
    let value: Value = serde_json::from_str(line).map_err(|error| BadRequest {
        id: None,
        field: None,
        why: format!("this is no JSON: {error}"),
    })?;
    let fields = Fields(&value);
    let bad =
        |id: Option<&str>, (field, why): Fault| BadRequest { id: id.map(str::to_string), field: Some(field), why };
    let kind = format!("a text of at most {LONGEST_ID} bytes");
    let id: Option<String> =
        fields.read_if("id", &kind, |id: &String| id.len() <= LONGEST_ID).map_err(|fault| bad(None, fault))?;
    let id = id.ok_or_else(|| bad(None, ("id", format!("'id' should be {kind}"))))?;
    let action = fields.read("action", "the name of an action").map_err(|fault| bad(Some(&id), fault))?;
    let request = match action {
        Some(name) => fields.action(&id, name).map(Request::Action),
        None => fields.query(&id).map(|query| Request::Query(Box::new(query))),
    };
    request.map_err(|fault| bad(Some(&id), fault))
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
        assert!(why(r#"{"id":"a"}"#).1.starts_with("'moves' is missing"));
        assert_eq!(why(r#"{"id":"a","moves":3}"#).0, Some("a".to_string()));
    }
}
