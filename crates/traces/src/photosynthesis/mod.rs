//! Recorded games of Photosynthesis, the official referee's every field of them: the map, shadows, income, lists of legal
//! actions in their order, what came of every command, and the scores.

mod maps;
mod replay;
mod trace;

use crate::{Difference, Found};

pub(crate) use maps::check as check_maps;

/// Checks recorded games, each of which is a line.
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
