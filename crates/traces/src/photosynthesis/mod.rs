//! Recorded games of Photosynthesis with every field of the official referee: the map, shadows, income, lists of legal
//! actions in their order, the outcome of every command, and the scores.

mod maps;
mod replay;
mod trace;

use crate::{Difference, Found};

pub(crate) use maps::check as check_maps;

/// Checks recorded games, one a line.
pub(crate) fn check() -> Box<dyn crate::Check> {
    Box::new(Check)
}

struct Check;

impl crate::Check for Check {
    fn line(&mut self, number: usize, text: &str, found: &mut Found) -> Result<(), String> {
        let trace: trace::Trace = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match replay::replay(&trace) {
            Ok(turns) => {
                found.right.games += 1;
                found.right.steps += turns;
            }
            Err(what) => {
                let game = format!("{} with seed {}", trace.mix, trace.seed);
                found.games.push(Difference { line: number, game, what });
            }
        }
        Ok(())
    }
}
