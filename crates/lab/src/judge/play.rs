//! One case, from the first candy to the last.

use std::collections::BTreeMap;
use std::time::Duration;

use boughs::Game;
use boughs_arena::Fault;
use boughs_games::ahc015::{Ahc015, CELLS, Case, Step, Tilt};

/// How a case went.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The score of the contest, 0 after a fault.
    pub score: u32,
    /// What ended it too early.
    pub fault: Option<Fault>,
    /// The time of the whole case, taken outside of who played.
    pub time: Duration,
    /// That of its slowest turn.
    pub slowest: Duration,
    /// Playouts of an agent in the whole case.
    pub playouts: u64,
    /// What was played, turn by turn, where that is kept.
    pub turns: Vec<Turn>,
    /// What a program said on standard error in a case with a fault, shortened to its end.
    pub said: String,
    /// What a program counted: the mean of each `[PDATA] name = number`.
    pub columns: BTreeMap<String, f64>,
}

/// What was played after a candy had come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The tilt.
    pub tilt: Tilt,
    /// What each tilt was thought to be worth, in the order of [`Tilt::ALL`], where that is known.
    pub values: [Option<f64>; 4],
}

impl Verdict {
    /// The same with its turns or without them.
    pub(super) fn keep(self, turns: bool) -> Verdict {
        Verdict { turns: if turns { self.turns } else { Vec::new() }, ..self }
    }
}

/// An answer to a candy.
pub(super) struct Answer {
    pub(super) turn: Turn,
    pub(super) took: Duration,
    pub(super) playouts: u64,
}

/// Plays a case with who answers, to its end or to the first fault. What is allowed is for who answers to keep.
pub(super) fn play(case: &Case, answer: &mut dyn FnMut(usize, u8) -> Result<Answer, Fault>) -> Verdict {
    let mut verdict = Verdict {
        score: 0,
        fault: None,
        time: Duration::ZERO,
        slowest: Duration::ZERO,
        playouts: 0,
        turns: Vec::with_capacity(CELLS),
        said: String::new(),
        columns: BTreeMap::new(),
    };
    let mut position = Ahc015::new(case.flavours);
    for (number, placement) in case.placements.into_iter().enumerate() {
        position.apply(Step::Place(placement));
        match answer(number, placement) {
            Ok(Answer { turn, took, playouts }) => {
                position.apply(Step::Tilt(turn.tilt));
                verdict.turns.push(turn);
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

    fn front(took: Duration) -> Answer {
        Answer { turn: Turn { tilt: Tilt::Front, values: [None; 4] }, took, playouts: 2 }
    }

    #[test]
    fn a_case_is_scored_as_the_rules_say_and_its_times_are_added_up() {
        let case = Case::generate(3);
        let mut position = Ahc015::new(case.flavours);
        for placement in case.placements {
            position.apply(Step::Place(placement));
            position.apply(Step::Tilt(Tilt::Front));
        }
        let millis = |number| Duration::from_millis(if number == 7 { 5 } else { 1 });
        let verdict = play(&case, &mut |number, _| Ok(front(millis(number))));
        assert_eq!((verdict.score, verdict.playouts, verdict.turns.len()), (position.score(), 200, 100));
        assert_eq!((verdict.time, verdict.slowest), (Duration::from_millis(104), Duration::from_millis(5)));
    }

    #[test]
    fn a_fault_ends_the_case_with_nothing() {
        let case = Case::generate(3);
        let late = Fault::Late { after: Duration::from_secs(3), allowed: Duration::from_secs(2) };
        let verdict = play(&case, &mut |number, _| match number {
            40 => Err(late.clone()),
            _ => Ok(front(Duration::from_millis(1))),
        });
        assert_eq!((verdict.score, verdict.turns.len(), verdict.time), (0, 40, Duration::from_secs(3)));
        assert_eq!(verdict.fault, Some(late));
    }
}
