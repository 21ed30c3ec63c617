//! How long a search may go on, and why it ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::clock::{GameClock, now};

/// How long a search may go on: until the first of its limits is met.
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
    /// Until told to stop: to think while the opponent does.
    pub fn unlimited() -> Budget {
        Budget { iterations: None, deadline: None, until_full: false, early_stop: true, stop: StopFlag::default() }
    }

    /// This many playouts: exactly so many where [`early_stop`](Budget::early_stop) is off, else at most.
    pub fn iterations(count: u64) -> Budget {
        Budget::unlimited().or_iterations(count)
    }

    /// This long from now, not from when the search starts: what happens in between counts.
    pub fn time(time: Duration) -> Budget {
        Budget::unlimited().or_time(time)
    }

    /// Until this instant.
    pub fn until(deadline: Instant) -> Budget {
        Budget::unlimited().or_until(deadline)
    }

    /// Or after this many playouts.
    pub fn or_iterations(self, count: u64) -> Budget {
        Budget { iterations: Some(self.iterations.map_or(count, |other| other.min(count))), ..self }
    }

    /// Or this long from now. A time too long for the system's clock is no limit.
    pub fn or_time(self, time: Duration) -> Budget {
        match now().checked_add(time) {
            Some(deadline) => self.or_until(deadline),
            None => self,
        }
    }

    /// Or at this instant.
    pub fn or_until(self, deadline: Instant) -> Budget {
        Budget { deadline: Some(self.deadline.map_or(deadline, |other| other.min(deadline))), ..self }
    }

    /// Or when the clock of the whole game says that this move has had its share.
    pub fn or_clock(self, clock: &GameClock) -> Budget {
        self.or_time(clock.for_move())
    }

    /// Or when the memory of the tree is used up. Without this, search goes on in the tree it has.
    pub fn or_full(self) -> Budget {
        Budget { until_full: true, ..self }
    }

    /// Or when this flag is raised, instead of the one there was.
    pub fn or_stopped_by(self, flag: StopFlag) -> Budget {
        Budget { stop: flag, ..self }
    }

    /// Whether to stop as soon as the best move can no longer be overtaken, which under a time limit supposes that the
    /// search becomes at most twice as fast. On by default; it only ever applies where the final move is the one with
    /// the most playouts.
    pub fn early_stop(self, on: bool) -> Budget {
        Budget { early_stop: on, ..self }
    }

    /// The instant at which to stop, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The most playouts there may be, if that is limited.
    pub fn most_iterations(&self) -> Option<u64> {
        self.iterations
    }

    /// Why a search that has made so many playouts has to stop here and now, if it has to. For agents of one's own; it looks at
    /// the clock, so ask not more often than every microsecond.
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

/// Ends a search from anywhere: another thread, a signal handler.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Ends every search that has this flag in its budget.
    pub fn raise(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether it was raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All playouts of the budget were made.
    Iterations,
    /// The deadline was reached.
    Time,
    /// It was told to stop.
    Stopped,
    /// The best move could no longer be overtaken.
    Decided,
    /// It is known for certain what the best move comes to.
    Proven,
    /// The memory of the tree was used up, and the budget ends there.
    MemoryFull,
    /// A counter could overflow: a node has been visited two thousand million times, or scores without declared bounds add
    /// up to more than there is room for, which is about 5 * 10^11 for all threads together.
    CounterFull,
    /// All that there was to do is done, and no budget was in the way.
    Complete,
    /// There was nothing to search: the game is over or has no legal action.
    GameOver,
    /// There was nothing to decide: chance acts.
    Chance,
    /// The game panicked. The search returns an error; a report that was read before carries this.
    Panicked,
    /// It still goes on; a report was read on the way.
    Running,
}

impl StopReason {
    /// One or two words, as they stand in reports and JSON.
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
