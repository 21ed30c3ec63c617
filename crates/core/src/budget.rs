//! The limits of a search, and the pace at which it looks at them.

use std::time::{Duration, Instant};

use crate::clock::{now, GameClock};

/// The limits of a search. It goes on until the first one is reached.
///
/// ```
/// use boughs_core::Budget;
/// use std::time::Duration;
///
/// let budget = Budget::time(Duration::from_millis(50)).or_iterations(1_000_000).early_stop(false);
/// # assert_eq!(budget.most_iterations(), Some(1_000_000));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    iterations: Option<u64>,
    deadline: Option<Instant>,
    early_stop: bool,
}

impl Budget {
    /// Limits the number of playouts.
    pub fn iterations(count: u64) -> Budget {
        Budget { iterations: Some(count), deadline: None, early_stop: true }
    }

    /// Limits the time, from this call on. A time too long for the system's clock is no limit.
    pub fn time(time: Duration) -> Budget {
        Budget { iterations: None, deadline: now().checked_add(time), early_stop: true }
    }

    /// Limits the time by a deadline.
    pub fn until(deadline: Instant) -> Budget {
        Budget { iterations: None, deadline: Some(deadline), early_stop: true }
    }

    /// Limits the time to the share of a clock for one move ([`GameClock::for_move`]).
    pub fn clock(clock: &GameClock) -> Budget {
        Budget::time(clock.for_move())
    }

    /// Adds a limit of playouts.
    pub fn or_iterations(self, count: u64) -> Budget {
        Budget { iterations: Some(self.iterations.map_or(count, |other| other.min(count))), ..self }
    }

    /// Adds a deadline.
    pub fn or_until(self, deadline: Instant) -> Budget {
        Budget { deadline: Some(self.deadline.map_or(deadline, |other| other.min(deadline))), ..self }
    }

    /// Sets whether the search ends as soon as no other move can overtake the best one. On by default. Under a time
    /// limit alone this assumes that the search becomes at most twice as fast. It applies if the final move is the one
    /// with the most playouts. A forced move, the only legal one, needs no playout then.
    pub fn early_stop(self, on: bool) -> Budget {
        Budget { early_stop: on, ..self }
    }

    /// The limit of playouts, if there is one.
    pub fn most_iterations(&self) -> Option<u64> {
        self.iterations
    }

    /// The deadline, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns true if the search stops as soon as the best move can no longer be overtaken.
    pub fn stops_early(&self) -> bool {
        self.early_stop
    }

    /// Returns true if the deadline has come. It reads the clock.
    pub fn is_late(&self) -> bool {
        self.deadline.map_or(false, |deadline| now() >= deadline)
    }
}

/// The longest time that a search is meant to go on after its deadline, but for the playout under way.
const RESOLUTION: Duration = Duration::from_micros(20);

/// The playouts between two looks at the lead of the best move.
const DECISION: u64 = 64;

/// Counts the playouts of a search. Between two looks at its limits this is one addition and one comparison.
pub(crate) struct Pacer {
    budget: Budget,
    done: u64,
    /// The number of playouts after which the search looks at its limits.
    next_look: u64,
    /// The same for the clock alone, and the playouts between two looks at it.
    next_reading: u64,
    step: u64,
    began: Instant,
    last_reading: Instant,
}

impl Pacer {
    pub(crate) fn new(budget: Budget) -> Pacer {
        let now = now();
        Pacer { budget, done: 0, next_look: 0, next_reading: 0, step: 1, began: now, last_reading: now }
    }

    /// The playouts so far.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Counts a playout that is to be made. Returns false if the budget is spent, or if the search has made a number of
    /// playouts that is a multiple of 64 and `is_decided` holds for the number of those to come.
    #[inline]
    pub(crate) fn goes_on(&mut self, is_decided: impl FnOnce(u64) -> bool) -> bool {
        if self.done == self.next_look && self.is_over(is_decided) {
            return false;
        }
        self.done += 1;
        true
    }

    #[cold]
    fn is_over(&mut self, is_decided: impl FnOnce(u64) -> bool) -> bool {
        if self.budget.deadline.is_some() && self.done == self.next_reading && self.is_late() {
            return true;
        }
        let most = self.budget.iterations.unwrap_or(u64::MAX);
        let looks_at_lead = self.budget.early_stop && self.done % DECISION == 0;
        if self.done >= most || looks_at_lead && is_decided(self.to_come()) {
            return true;
        }
        let next_lead = if self.budget.early_stop { (self.done / DECISION + 1) * DECISION } else { u64::MAX };
        let next_reading = if self.budget.deadline.is_some() { self.next_reading } else { u64::MAX };
        self.next_look = most.min(next_lead).min(next_reading);
        false
    }

    /// Reads the clock, and more seldom where readings follow each other too soon.
    fn is_late(&mut self) -> bool {
        let now = now();
        let is_soon = now.duration_since(self.last_reading) < RESOLUTION;
        self.step = if is_soon { self.step * 2 } else { (self.step / 2).max(1) };
        self.last_reading = now;
        self.next_reading = self.done + self.step;
        self.budget.deadline.map_or(false, |deadline| now >= deadline)
    }

    /// The most playouts to come. With a limit of playouts that is what is left of them, so that the search does not
    /// depend on a deadline which it does not reach.
    fn to_come(&self) -> u64 {
        match (self.budget.iterations, self.budget.deadline) {
            (Some(most), _) => most - self.done.min(most),
            (None, Some(deadline)) => {
                let now = now();
                let (left, taken) = (deadline.saturating_duration_since(now), now.duration_since(self.began));
                let rate = 2.0 * self.done as f64 / taken.as_secs_f64().max(1e-9);
                (rate * left.as_secs_f64()) as u64 + DECISION
            }
            (None, None) => u64::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playouts(budget: Budget, is_decided: impl Fn(u64) -> bool) -> u64 {
        let mut pacer = Pacer::new(budget);
        while pacer.goes_on(&is_decided) {}
        pacer.done()
    }

    #[test]
    fn the_tighter_of_two_limits_holds() {
        let budget = Budget::iterations(5).or_iterations(3).or_iterations(9);
        assert_eq!((budget.most_iterations(), playouts(budget, |_| false)), (Some(3), 3));
        let soon = now();
        assert_eq!(Budget::time(Duration::from_secs(9)).or_until(soon).deadline(), Some(soon));
        assert_eq!(playouts(Budget::iterations(1 << 40).or_until(soon), |_| false), 0);
        assert_eq!(Budget::time(Duration::MAX).deadline(), None);
    }

    #[test]
    fn a_deadline_is_kept() {
        let began = now();
        let time = Duration::from_millis(30);
        assert!(playouts(Budget::time(time), |_| false) > 1_000);
        assert!(began.elapsed() >= time);
    }

    #[test]
    fn a_decision_counts_the_playouts_to_come_and_not_a_deadline_that_is_not_reached() {
        let far = now() + Duration::from_secs(3_600);
        for budget in [Budget::iterations(1_000), Budget::iterations(1_000).or_until(far)] {
            assert_eq!(playouts(budget, |to_come| to_come <= 500), 512);
            assert_eq!(playouts(budget.early_stop(false), |_| true), 1_000);
            assert_eq!(playouts(budget, |_| true), 0);
        }
    }
}
