//! The clock of a case, which divides the time among the turns.

use std::time::{Duration, Instant};

use boughs::Budget;
use boughs_games::ahc015::CELLS;

/// The rest of a case's budget: a time, a number of playouts, or both. Each turn gets a share in proportion to the
/// turns it has to look ahead, so the time that one turn leaves over is divided among the others.
///
/// A turn takes more than its search: the lines have to travel, and on a busy machine the agent waits for a core. The
/// clock measures these losses and reserves as much for the turns to come, so the last answer is in time on any
/// machine.
///
/// ```
/// use boughs_agents::ahc015::CaseClock;
/// use std::time::Duration;
///
/// let mut clock = CaseClock::time(Duration::from_millis(1_900));
/// let budget = clock.for_turn(0);
/// assert!(budget.deadline().is_some());
/// // ... a search with that budget ...
/// clock.spend(40_000); // playouts
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CaseClock {
    deadline: Option<Instant>,
    playouts: Option<u64>,
    /// The loss of a turn beside its search, in seconds: a mean in which the last turns count most.
    beside: f64,
    /// The time that is kept back for the last answer.
    reserved: Duration,
}

/// The weight of the last turn in the mean of the losses.
const LAST: f64 = 1.0 / 16.0;

/// The factor by which that mean is reserved for each turn.
const SAFETY: f64 = 2.0;

impl CaseClock {
    /// A clock that starts now. A time beyond the range of the system's clock is no limit.
    pub fn time(time: Duration) -> CaseClock {
        CaseClock { deadline: Instant::now().checked_add(time), playouts: None, beside: 0.0, reserved: Duration::ZERO }
    }

    /// A clock that ends at this instant.
    pub fn until(deadline: Instant) -> CaseClock {
        CaseClock { deadline: Some(deadline), playouts: None, beside: 0.0, reserved: Duration::ZERO }
    }

    /// A clock that counts playouts.
    pub fn playouts(playouts: u64) -> CaseClock {
        CaseClock { deadline: None, playouts: Some(playouts), beside: 0.0, reserved: Duration::ZERO }
    }

    /// The budget of the turn with this number, counted from 0.
    pub fn for_turn(&self, turn: usize) -> Budget {
        // Turn t looks n - t turns ahead, and those after it n - t - 1, n - t - 2, ..., 1.
        let turns = (CELLS - turn.min(CELLS - 1)) as u32;
        let mut budget = Budget::unlimited();
        if let Some(deadline) = self.deadline {
            let now = Instant::now();
            let kept = Duration::try_from_secs_f64(SAFETY * self.beside * f64::from(turns)).unwrap_or(Duration::MAX);
            let kept = kept.saturating_add(self.reserved);
            let share = deadline.saturating_duration_since(now).saturating_sub(kept) * 2 / (turns + 1);
            budget = budget.or_until(now + share);
        }
        if let Some(playouts) = self.playouts {
            // Later playouts are shorter, so playouts need no weights.
            budget = budget.or_iterations((playouts / u64::from(turns)).max(1));
        }
        budget
    }

    /// Returns true if the time is over.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| deadline.saturating_duration_since(Instant::now()) <= self.reserved)
    }

    /// Records the time that a turn took beside its search.
    pub fn lose(&mut self, time: Duration) {
        self.beside += LAST * (time.as_secs_f64() - self.beside);
    }

    /// Keeps this much of the time back, instead of what was kept back before.
    pub fn reserve(&mut self, time: Duration) {
        self.reserved = time;
    }

    /// Takes off the playouts of a turn. Time runs by itself.
    pub fn spend(&mut self, playouts: u64) {
        self.playouts = self.playouts.map(|left| left.saturating_sub(playouts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reserved_is_left_at_the_end() {
        let second = Duration::from_secs(1);
        let mut clock = CaseClock::time(10 * second);
        clock.reserve(4 * second);
        let last = clock.for_turn(CELLS - 1).deadline().expect("a time limit");
        let left = last.saturating_duration_since(Instant::now());
        assert!((5 * second..=6 * second).contains(&left), "{left:?}");
        assert!(!clock.is_over());
        clock.reserve(11 * second);
        assert!(clock.is_over());
    }
}
