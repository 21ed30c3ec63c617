//! The limits of a search, and the reasons why it ends.

use std::time::{Duration, Instant};

use crate::GameClock;
use crate::clock::now;
pub use crate::stop_flag::StopFlag;

/// The limits of a search. It goes on until the first one is reached.
///
/// ```
/// use boughs::Budget;
/// use std::time::Duration;
///
/// let budget = Budget::time(Duration::from_millis(50)).or_iterations(1_000_000).early_stop(false);
/// # let _ = budget;
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    pub(crate) iterations: Option<u64>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) until_full: bool,
    pub(crate) early_stop: bool,
    pub(crate) stop: StopFlag,
}

impl Budget {
    /// No limit: the search goes on until it is stopped. For pondering.
    pub fn unlimited() -> Budget {
        Budget { early_stop: true, ..Budget::whole() }
    }

    /// No limit and no early stop: the search uses the whole of the limits that are added. For bots, whose trees serve
    /// the next answer.
    pub fn whole() -> Budget {
        Budget { iterations: None, deadline: None, until_full: false, early_stop: false, stop: StopFlag::default() }
    }

    /// Limits the number of playouts. A search with [`early_stop`](Budget::early_stop) on may make fewer.
    pub fn iterations(count: u64) -> Budget {
        Budget::unlimited().or_iterations(count)
    }

    /// Limits the time, from this call on. Time that passes before the search starts counts.
    pub fn time(time: Duration) -> Budget {
        Budget::unlimited().or_time(time)
    }

    /// Limits the time by a deadline.
    pub fn until(deadline: Instant) -> Budget {
        Budget::unlimited().or_until(deadline)
    }

    /// Adds a limit of playouts.
    pub fn or_iterations(self, count: u64) -> Budget {
        Budget { iterations: Some(self.iterations.map_or(count, |other| other.min(count))), ..self }
    }

    /// Adds a limit of time from now. A time too long for the system's clock is no limit.
    pub fn or_time(self, time: Duration) -> Budget {
        match now().checked_add(time) {
            Some(deadline) => self.or_until(deadline),
            None => self,
        }
    }

    /// Adds a deadline.
    pub fn or_until(self, deadline: Instant) -> Budget {
        Budget { deadline: Some(self.deadline.map_or(deadline, |other| other.min(deadline))), ..self }
    }

    /// Adds a limit of time: the share of the clock for one move ([`GameClock::for_move`]).
    pub fn or_clock(self, clock: &GameClock) -> Budget {
        self.or_time(clock.for_move())
    }

    /// Also ends the search when the memory of the tree is full. Without it, the search goes on in the tree it has,
    /// which no longer grows.
    pub fn or_full(self) -> Budget {
        Budget { until_full: true, ..self }
    }

    /// Replaces the stop flag.
    pub fn or_stopped_by(self, flag: StopFlag) -> Budget {
        Budget { stop: flag, ..self }
    }

    /// Sets whether the search ends as soon as no other move can overtake the best one. On by default. Under a time
    /// limit this assumes that the search becomes at most twice as fast. It applies only if the final move is the one
    /// with the most playouts. With the solver, whose next proof may be about the best move, the search ends early only
    /// if all other moves are proven losses.
    ///
    /// A forced move, the only legal one, is decided from the start. Such a search makes 64 playouts, for a win rate,
    /// or as many as it can in half a millisecond if it has a time limit and that is fewer. Without a limit
    /// of time or of playouts it goes on, because the tree serves later moves.
    pub fn early_stop(self, on: bool) -> Budget {
        Budget { early_stop: on, ..self }
    }

    /// Returns true if the search stops as soon as the best move can no longer be overtaken.
    pub fn stops_early(&self) -> bool {
        self.early_stop
    }

    /// The flag that ends the search.
    pub fn stop_flag(&self) -> StopFlag {
        self.stop.clone()
    }

    /// The deadline, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The limit of playouts, if there is one.
    pub fn most_iterations(&self) -> Option<u64> {
        self.iterations
    }

    /// The reason to stop now for a search that has made this number of playouts, if there is one. For implementing
    /// an agent. It reads the clock, so call it no more often than every microsecond.
    #[inline]
    pub fn is_spent(&self, iterations: u64) -> Option<StopReason> {
        if self.iterations.is_some_and(|most| iterations >= most) {
            Some(StopReason::Iterations)
        } else if self.stop.is_raised() {
            Some(StopReason::Stopped)
        } else {
            self.deadline.filter(|&deadline| now() >= deadline).map(|_| StopReason::Time)
        }
    }
}

/// The reason why a search ended.
// Searches keep it as its number, which stays the same in a file where some reasons are never given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All playouts of the budget were made.
    Iterations = 0,
    /// The deadline was reached.
    Time = 1,
    /// The stop flag was raised, or the search was stopped by a call.
    Stopped = 2,
    /// No other move could overtake the best one.
    Decided = 3,
    /// The solver has proven the value of the best move.
    Proven = 4,
    /// The memory of the tree was used up, and the budget ends there.
    MemoryFull = 5,
    /// A counter could overflow: a node has been visited two thousand million times, or scores without declared
    /// bounds add up to more than there is room for, which is about 5 * 10^11 for all threads together.
    CounterFull = 6,
    /// The search was complete before a limit was reached.
    Complete = 7,
    /// The game is over or has no legal action.
    GameOver = 8,
    /// Chance acts in the position.
    Chance = 9,
    /// The game panicked. The search returns an error; only a report that was read while it ran has this reason.
    Panicked = 10,
    /// The search failed without a panic, for example for lack of memory. It returns an error.
    Failed = 11,
    /// The search still goes on, and the report is an intermediate one.
    Running = 12,
}

impl StopReason {
    /// The reason in one or two words, for reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Iterations => "iterations",
            StopReason::Time => "time",
            StopReason::Stopped => "stopped",
            StopReason::Decided => "decided",
            StopReason::Proven => "proven",
            StopReason::MemoryFull => "memory full",
            StopReason::CounterFull => "counter full",
            StopReason::Complete => "complete",
            StopReason::GameOver => "game over",
            StopReason::Chance => "chance acts",
            StopReason::Panicked => "panicked",
            StopReason::Failed => "failed",
            StopReason::Running => "running",
        }
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tighter_of_two_limits_holds() {
        let budget = Budget::iterations(5).or_iterations(3).or_iterations(9);
        assert_eq!(budget.iterations, Some(3));
        let soon = now();
        let budget = Budget::until(soon).or_time(Duration::from_secs(9));
        assert_eq!(budget.deadline, Some(soon));
        assert_eq!(Budget::time(Duration::MAX).deadline, None);
    }
}
