//! One case, from the first candy to the last.

use std::collections::BTreeMap;
use std::time::Duration;

use boughs::{Action, Position};
use boughs_games::ahc015::{Ahc015, CELLS, Case, Step, Tilt};
use serde::{Deserialize, Serialize};

use crate::{Fault, exact};

/// The verdict on a case. Without its turns it can be written and read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseVerdict {
    /// The score of the contest, 0 after a fault.
    pub score: u32,
    /// The fault that ended the case too early.
    pub fault: Option<Fault>,
    /// Number of turns that were played.
    pub played: u32,
    /// Time of the whole case, measured outside of the contestant.
    #[serde(with = "exact::nanos")]
    pub time: Duration,
    /// Time of the slowest turn.
    #[serde(with = "exact::nanos")]
    pub slowest: Duration,
    /// Number of playouts of an agent in the whole case.
    pub playouts: u64,
    /// The turns, if they are kept.
    #[serde(skip)]
    pub turns: Vec<CaseTurn>,
    /// Standard error of a program in a case with a fault, shortened to its end.
    pub said: String,
    /// Numbers that a program counted: the mean of each `[PDATA] name = number`.
    #[serde(with = "exact::named")]
    pub columns: BTreeMap<String, f64>,
}

/// The answer to one candy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseTurn {
    /// The tilt.
    pub tilt: Tilt,
    /// The estimated value of each tilt, in the order of [`Tilt::ALL`], where it is known.
    pub values: [Option<f64>; 4],
}

impl CaseVerdict {
    /// The fault as a sentence about the contestant, with its turn and a program's last words, if there is one.
    pub fn reason(&self) -> Option<String> {
        let fault = self.fault.as_ref()?;
        let when = match fault {
            Fault::NotStarted(_) => String::new(),
            _ => format!("in turn {} ", self.played + 1),
        };
        Some(format!("{when}it {}", fault.with_last_words(&self.said)))
    }

    /// Drops the turns unless they are to be kept.
    pub(super) fn keep(self, turns: bool) -> CaseVerdict {
        CaseVerdict { turns: if turns { self.turns } else { Vec::new() }, ..self }
    }
}

/// An answer and its cost.
#[derive(Clone, Copy, Debug)]
pub struct CaseAnswer {
    /// The turn.
    pub turn: CaseTurn,
    /// Time it took.
    pub took: Duration,
    /// Number of playouts it took.
    pub playouts: u64,
}

/// Plays a case to its end or to the first fault. `answer` gets the number of the turn, counted from 0, and the empty
/// cell that the candy is put into. It enforces the limit of the case itself.
pub fn play_case(case: &Case, answer: &mut dyn FnMut(usize, u8) -> Result<CaseAnswer, Fault>) -> CaseVerdict {
    let mut verdict = CaseVerdict {
        score: 0,
        fault: None,
        played: 0,
        time: Duration::ZERO,
        slowest: Duration::ZERO,
        playouts: 0,
        turns: Vec::with_capacity(CELLS),
        said: String::new(),
        columns: BTreeMap::new(),
    };
    let mut position = Ahc015::new(case.flavours);
    for (number, placement) in case.placements.into_iter().enumerate() {
        position.apply(Step::Place(placement).code());
        match answer(number, placement) {
            Ok(CaseAnswer { turn, took, playouts }) => {
                position.apply(Step::Tilt(turn.tilt).code());
                verdict.turns.push(turn);
                verdict.played += 1;
                verdict.time += took;
                verdict.slowest = verdict.slowest.max(took);
                verdict.playouts += playouts;
            }
            Err(fault) => {
                if let Fault::Late { after, .. } = fault {
                    verdict.slowest = verdict.slowest.max(after.saturating_sub(verdict.time));
                    verdict.time = after;
                }
                verdict.fault = Some(fault);
                return verdict;
            }
        }
    }
    verdict.score = position.score();
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(took: Duration) -> CaseAnswer {
        CaseAnswer { turn: CaseTurn { tilt: Tilt::Front, values: [None; 4] }, took, playouts: 2 }
    }

    #[test]
    fn a_case_is_scored_as_the_rules_say_and_its_times_are_added_up() {
        let case = Case::generate(3);
        let mut position = Ahc015::new(case.flavours);
        for placement in case.placements {
            position.apply(Step::Place(placement).code());
            position.apply(Step::Tilt(Tilt::Front).code());
        }
        let millis = |number| Duration::from_millis(if number == 7 { 5 } else { 1 });
        let verdict = play_case(&case, &mut |number, _| Ok(front(millis(number))));
        assert_eq!((verdict.score, verdict.playouts, verdict.turns.len()), (position.score(), 200, 100));
        assert_eq!((verdict.time, verdict.slowest), (Duration::from_millis(104), Duration::from_millis(5)));
    }

    #[test]
    fn a_fault_ends_the_case_with_nothing() {
        let case = Case::generate(3);
        let late = Fault::Late { after: Duration::from_secs(3), allowed: Duration::from_secs(2) };
        let verdict = play_case(&case, &mut |number, _| match number {
            40 => Err(late.clone()),
            _ => Ok(front(Duration::from_millis(1))),
        });
        assert_eq!((verdict.score, verdict.turns.len(), verdict.time), (0, 40, Duration::from_secs(3)));
        assert_eq!(verdict.fault, Some(late));
        assert_eq!(verdict.reason().unwrap(), "in turn 41 it was late: no answer after 3000.0 ms, 2000.0 allowed");
        let words = |fault, said: &str| {
            CaseVerdict { fault: Some(fault), said: said.into(), ..verdict.clone() }.reason().unwrap()
        };
        let exited = || Fault::Exited("exit status: 1".into());
        let expected = "in turn 41 it ended before it answered (exit status: 1)";
        assert_eq!(words(exited(), ""), expected);
        assert_eq!(
            words(exited(), "Traceback\nValueError: 7\n\n"),
            format!("{expected}, and said last 'ValueError: 7'")
        );
        assert_eq!(words(Fault::NotStarted("no".into()), "x"), "it could not be started: no, and said last 'x'");
    }
}
