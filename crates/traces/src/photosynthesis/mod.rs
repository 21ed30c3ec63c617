//! Recorded games of Photosynthesis, the official referee's every field of them: the map, shadows, income, lists of legal
//! actions in their order, what came of every command, and the scores.

mod replay;
mod trace;

use crate::{Difference, Found};

/// Checks recorded games, each of which is a line.
pub(crate) fn check() -> Box<dyn crate::Check> {
    Box::new(Check)
}

struct Check;

impl crate::Check for Check {
    fn line(&mut self, number: usize, text: &str, found: &mut Found) {
        match check_game(text) {
            Ok(turns) => {
                found.right.games += 1;
                found.right.steps += turns;
            }
            Err((game, what)) => found.games.push(Difference { line: number, game, what }),
        }
    }
}

/// Replays one game. An error is the name of the game and where it differs.
fn check_game(line: &str) -> Result<u32, (String, String)> {
    let trace: trace::Trace =
        serde_json::from_str(line).map_err(|error| (String::new(), format!("this is not a recorded game: {error}")))?;
    replay::replay(&trace).map_err(|what| (format!("{} with seed {}", trace.mix, trace.seed), what))
}
