//! The wait of the next search for the workers of the one before.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::status::{GRACE, RunStatus};
use super::workers::Workers;
use crate::budget::{Budget, StopReason};
use crate::clock::now;
use crate::stop_flag::Wake;

/// The wait of the next search for workers that are in a playout of which nothing is known. A worker that waits for a
/// processor, because others use it, has one again by then.
const PATIENCE: Duration = Duration::from_millis(20);

/// The longest wait of the next search for workers in a playout, where playouts are known to take long.
const MOST_PATIENCE: Duration = Duration::from_millis(200);

impl RunStatus {
    /// Tells the workers to stop and waits for them, but not long: 20 ms, or if the budget of the next search has a
    /// deadline, a quarter of the time until then at most, or else a quarter of the time that this search had. A raised
    /// stop flag of that budget ends the wait. Returns true if they have finished. Otherwise the next search has to
    /// leave everything that they use to them.
    pub fn join(&self, next: Option<&Budget>) -> bool {
        self.join_playouts(next, Duration::ZERO)
    }

    /// The same where workers come back after about this time. The wait is twice as long at least, up to 200 ms, but
    /// ends at the deadline of the next search.
    pub(crate) fn join_playouts(&self, next: Option<&Budget>, time: Duration) -> bool {
        let known = time.saturating_mul(2).clamp(GRACE, MOST_PATIENCE);
        let now = now();
        let patience = match next.and_then(Budget::deadline).map(|deadline| deadline.saturating_duration_since(now)) {
            // The next search is likely to have as long as this one had.
            None => self.time().map_or(PATIENCE, |time| PATIENCE.min(time / 4)).max(known),
            Some(left) => PATIENCE.min(left / 4).max(known).min(left + GRACE),
        };
        self.join_until(next, now.checked_add(patience))
    }

    /// Tells the workers to stop and waits for them until the budget of the next search is spent. Returns true if they
    /// have finished.
    pub(crate) fn join_all(&self, next: Option<&Budget>) -> bool {
        self.join_until(next, next.and_then(Budget::deadline).and_then(|deadline| deadline.checked_add(GRACE)))
    }

    fn join_until(&self, next: Option<&Budget>, until: Option<Instant>) -> bool {
        self.stop(StopReason::Stopped);
        let Some(next) = next else { return self.wait(until) };
        let workers: Weak<Workers> = Arc::downgrade(&self.workers);
        let _waiting = next.stop.wakes(workers as Weak<dyn Wake>);
        // One sleep alone, because a busy machine may end each late.
        self.workers.wait_unless(until, &|| next.stop.is_raised())
            || next.stop.is_raised() && self.wait(now().checked_add(GRACE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_after_a_short_search_is_short() {
        let waited = |_| {
            let status = RunStatus::new(Budget::time(PATIENCE / 5), 1);
            let asked = now();
            assert!(!status.join(None));
            asked.elapsed()
        };
        let fastest = (0..20).map(waited).min().expect("twenty times");
        assert!(fastest < PATIENCE / 4, "{fastest:?}");
    }
}
