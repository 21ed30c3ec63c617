//! Recorded games of Green Circle with every field of the official referee: all cards in their order, the questions and
//! offers, the judgement of every answer, the outcomes of chance, and the end.

mod replay;
mod trace;

use self::replay::Replay;
use self::trace::Record;
use crate::{Difference, Found};

/// Checks recorded games, each of which is a line about its start, one for each decision, and one about its end.
pub(crate) fn check() -> Box<dyn crate::Check> {
    Box::new(Check::default())
}

/// A file that is being checked.
#[derive(Default)]
struct Check {
    /// The game under way.
    open: Option<Open>,
}

struct Open {
    number: u64,
    name: String,
    line: usize,
    /// The game so far; `None` once it differs, because later lines cannot be compared.
    replay: Option<Replay>,
}

impl crate::Check for Check {
    fn line(&mut self, line: usize, text: &str, found: &mut Found) -> Result<(), String> {
        match serde_json::from_str(text).map_err(|error| error.to_string())? {
            Record::Game(game) => {
                self.close("the game has no end", found);
                let [one, other] = &game.policies;
                let name = format!("game {}, {one} against {other}", game.g);
                let replay = judge(line, &name, Replay::new(&game), found);
                self.open = Some(Open { number: game.g, name, line, replay });
            }
            Record::Step(step) => {
                let (number, n) = (step.g, step.n);
                self.go_on(line, number, found, |replay| {
                    replay.step(&step).map_err(|what| format!("decision {n}: {what}"))
                });
            }
            Record::End(end) => {
                self.go_on(line, end.g, found, |replay| replay.end(&end).map_err(|what| format!("end: {what}")));
                if let Some(replay) = self.open.take().and_then(|open| open.replay) {
                    found.right.games += 1;
                    found.right.steps += replay.steps();
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, found: &mut Found) {
        self.close("the game has no end", found);
    }
}

impl Check {
    /// Goes on with the game under way, which must have this number.
    fn go_on(
        &mut self,
        line: usize,
        number: u64,
        found: &mut Found,
        step: impl FnOnce(&mut Replay) -> Result<(), String>,
    ) {
        let Some(mut open) = self.open.take().filter(|open| open.number == number) else {
            let what = format!("game {number} has not begun");
            return found.games.push(Difference { line, game: String::new(), what });
        };
        if let Some(mut replay) = open.replay.take() {
            let result = step(&mut replay).map(|()| replay);
            open.replay = judge(line, &open.name, result, found);
        }
        self.open = Some(open);
    }

    /// Fails a game without an end.
    fn close(&mut self, what: &str, found: &mut Found) {
        if let Some(open) = self.open.take().filter(|open| open.replay.is_some()) {
            found.games.push(Difference { line: open.line, game: open.name, what: what.to_string() });
        }
    }
}

fn judge(line: usize, game: &str, result: Result<Replay, String>, found: &mut Found) -> Option<Replay> {
    result.map_err(|what| found.games.push(Difference { line, game: game.to_string(), what })).ok()
}
