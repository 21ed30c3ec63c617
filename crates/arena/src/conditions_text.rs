//! Conditions as text: the key by which a store finds the games of a contest again.

use serde_json::Value;

use crate::Contestant;
use crate::plan::{Conditions, Limit};

/// Name of the list of contestants in the text.
const CONTESTANTS: &str = "contestants";

impl Conditions {
    /// Writes everything the games depend on, and the version of Boughs, as JSON. Equal conditions have equal texts.
    pub fn text(&self) -> String {
        let mut text = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "game": self.game,
            CONTESTANTS: self.contestants.iter().map(Contestant::to_string).collect::<Vec<_>>(),
            "pairings": self.pairings,
            "grace_ms": self.grace.as_secs_f64() * 1e3,
            "openings": self.openings,
            "seed": self.seed,
        });
        match self.limit {
            Limit::Time(time) => text["time_ms"] = (time.as_secs_f64() * 1e3).into(),
            Limit::Playouts(playouts) => text["playouts"] = playouts.into(),
        }
        if self.program_grace != self.grace {
            text["program_grace_ms"] = (self.program_grace.as_secs_f64() * 1e3).into();
        }
        text.to_string()
    }
}

/// Returns true if two texts are of the same conditions. They may differ in names that agents or their keys had in
/// older versions.
pub(crate) fn are_same(text: &str, other: &str) -> bool {
    text == other || current(text).is_some_and(|value| Some(value) == current(other))
}

/// Reads a text and writes its contestants as today. Returns `None` if the text is no JSON.
fn current(text: &str) -> Option<Value> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    if let Some(Value::Array(contestants)) = value.get_mut(CONTESTANTS) {
        for contestant in contestants {
            let parsed = contestant.as_str().and_then(|text| text.parse::<Contestant>().ok());
            if let Some(parsed) = parsed {
                *contestant = parsed.to_string().into();
            }
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_name_of_an_agent_is_the_same_agent() {
        let text = |agent: &str, seed: u64| format!(r#"{{"contestants":["{agent}","flat"],"seed":{seed}}}"#);
        assert!(are_same(&text("mcts:c=1.5,threads=2", 1), &text("mcts:threads=2,c=1.5", 1)), "another order of keys");
        assert!(are_same(&text("worlds:worlds=8", 1), &text("determinization:worlds=8", 1)));
        assert!(!are_same(&text("worlds:worlds=8", 1), &text("worlds:worlds=9", 1)));
        assert!(!are_same(&text("mcts", 1), &text("mcts", 2)), "another seed");
        assert!(!are_same(&text("no-such-agent", 1), &text("mcts", 1)));
        assert!(are_same("no JSON", "no JSON") && !are_same("no JSON", "nor this"));
    }
}
