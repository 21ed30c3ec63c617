//! The deadlines of a player that answers turn by turn.

use std::time::{Duration, Instant};

use boughs::{Budget, DelayMeter, Rng};
use boughs_games::FIRST_ANSWER;

use crate::{Setup, budget};

/// The deadlines of a player that answers turn by turn.
pub(crate) struct Turns {
    time: Duration,
    margin: Duration,
    meter: DelayMeter,
    began: Instant,
    iterations: Option<u64>,
    /// The time of the last answer. No question is asked before it.
    answered: Instant,
    is_first: bool,
    /// Draws a move when there was no time for a playout.
    pub(crate) rng: Rng,
}

/// The least margin of the first answer. The start of the program counts for its time.
const FIRST_MARGIN: Duration = Duration::from_millis(200);

/// A first question that comes this soon was asked before the program started.
const START: Duration = Duration::from_millis(500);

impl Turns {
    pub(crate) fn new(setup: &Setup<'_>) -> Turns {
        let (&Setup { time, margin, began, iterations, .. }, rng) = (setup, Rng::new(setup.seed, 0));
        Turns { time, margin, meter: setup.meter.clone(), began, iterations, answered: began, is_first: true, rng }
    }

    /// The deadline of the next turn, whose question arrived at this time; `None` if playouts are counted instead, or
    /// the time is longer than the clock can tell.
    pub(crate) fn next(&mut self, arrived: Instant) -> Option<Instant> {
        let asked = arrived.max(self.answered);
        self.meter.asked(asked);
        let (asked, time, margin) = match std::mem::take(&mut self.is_first) {
            true => {
                let asked = if asked.duration_since(self.began) < START { self.began } else { asked };
                (asked, self.time.max(FIRST_ANSWER), self.margin.max(FIRST_MARGIN))
            }
            false => (asked, self.time, self.margin),
        };
        let deadline = asked.checked_add(time.saturating_sub(self.meter.margin(margin, time)));
        deadline.filter(|_| self.iterations.is_none())
    }

    /// The budget of a turn with this deadline.
    pub(crate) fn budget(&self, deadline: Option<Instant>) -> Budget {
        match self.iterations {
            Some(iterations) => Budget::whole().or_iterations(iterations),
            None => budget(deadline),
        }
    }

    /// Notes that a turn with this deadline has been answered.
    pub(crate) fn answered(&mut self, deadline: Option<Instant>) {
        self.answered = Instant::now();
        self.meter.answered(deadline);
    }
}
