//! The status of one running search.

use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::workers::Workers;
use crate::budget::{Budget, StopReason};
use crate::clock::now;
use crate::locks::Mutex;
use crate::mcts::SearchError;
use crate::report::Warning;
use crate::stop_flag::Wake;

/// The grace period of a search at its end. The waiting thread gives the workers twice as long to see a deadline by
/// themselves, so that a report of quick playouts is complete. Then the report is read without them. A search that is
/// told to stop waits once as long. The thread never sleeps twice: on a busy machine each sleep may end late.
pub(super) const GRACE: Duration = Duration::from_micros(100);

/// The playouts of a forced move, enough for a win rate.
const ENOUGH_OF_ONE: u64 = 64;

/// The time of a forced move under a time limit. With the grace period it is less than a millisecond.
const TIME_FOR_ONE: Duration = Duration::from_micros(500);

/// The status of one running search. The workers and the thread that waits for them share it.
pub struct RunStatus {
    started: Instant,
    budget: Budget,
    /// The deadline and the limit of playouts, which are those of the budget unless a move is forced.
    deadline: Option<Instant>,
    iterations: Option<u64>,
    /// True if the player has one action only, so that the search is as good as decided.
    is_forced: bool,
    /// 0 while the search runs, else 1 + the place of the reason in `REASONS`.
    stop: AtomicU8,
    /// One bit for each of `WARNINGS`.
    warnings: AtomicU16,
    failure: Mutex<Option<SearchError>>,
    pub(super) workers: Arc<Workers>,
}

/// All reasons in the order of their declaration.
const REASONS: [StopReason; 13] = [
    StopReason::Iterations,
    StopReason::Time,
    StopReason::Stopped,
    StopReason::Decided,
    StopReason::Proven,
    StopReason::MemoryFull,
    StopReason::CounterFull,
    StopReason::Complete,
    StopReason::GameOver,
    StopReason::Chance,
    StopReason::Panicked,
    StopReason::Failed,
    StopReason::Running,
];

// A reason that is declared behind the last one would have no place.
const _: () = assert!(StopReason::Running as usize + 1 == REASONS.len());

/// The warnings that a worker may give. The index of each is its bit in `RunStatus::warnings`.
const WARNINGS: [Warning; 9] = [
    Warning::MemoryFull,
    Warning::PlayoutCut,
    Warning::RewardClamped,
    Warning::NoLegalAction,
    Warning::UnknownPlayer,
    Warning::OutOfTurn,
    Warning::UnlistedOutcome,
    Warning::PlayoutGoesOn,
    Warning::OneDraw,
];

impl RunStatus {
    /// The status of a search that begins now with this number of workers.
    pub fn new(budget: Budget, workers: usize) -> RunStatus {
        RunStatus {
            started: now(),
            deadline: budget.deadline,
            iterations: budget.iterations,
            is_forced: false,
            budget,
            stop: AtomicU8::new(0),
            warnings: AtomicU16::new(0),
            failure: Mutex::new(None),
            workers: Arc::new(Workers::new(workers)),
        }
    }

    /// The same for a search of this number of legal actions. If it is one, the move is forced, and a search that has
    /// a limit and stops early makes 64 playouts at most, under a time limit those of half a millisecond.
    #[must_use]
    pub fn of_actions(self, actions: usize) -> RunStatus {
        let Budget { deadline, iterations, early_stop, .. } = self.budget;
        if actions != 1 || !early_stop || deadline.is_none() && iterations.is_none() {
            return self;
        }
        let soon = self.started + TIME_FOR_ONE;
        RunStatus {
            is_forced: true,
            iterations: Some(iterations.unwrap_or(u64::MAX).min(ENOUGH_OF_ONE)),
            deadline: deadline.map(|deadline| deadline.min(soon)),
            ..self
        }
    }

    /// The time at which the search began.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// The budget of the search.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The deadline of the search, if there is one.
    #[inline]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The time from the start to the deadline of the budget, if there is one.
    pub(super) fn time(&self) -> Option<Duration> {
        self.budget.deadline.map(|deadline| deadline.saturating_duration_since(self.started))
    }

    /// The limit of playouts, if there is one.
    pub fn most_iterations(&self) -> Option<u64> {
        self.iterations
    }

    /// Returns true if the limits are those of a forced move.
    pub(crate) fn is_forced(&self) -> bool {
        self.is_forced
    }

    /// The reason of a search that ends at its deadline.
    fn at_deadline(&self) -> StopReason {
        if self.deadline == self.budget.deadline { StopReason::Time } else { StopReason::Decided }
    }

    /// Adds a warning to the report.
    pub fn warn(&self, warning: &Warning) {
        let bit = WARNINGS.iter().position(|other| other == warning).map_or(0, |bit| 1 << bit);
        // A warning may come with every playout, and is written once.
        if self.warnings.load(Relaxed) & bit != bit {
            self.warnings.fetch_or(bit, Relaxed);
        }
    }

    /// The warnings so far.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        let bits = self.warnings.load(Relaxed);
        WARNINGS.into_iter().enumerate().filter(move |(bit, _)| bits >> bit & 1 == 1).map(|(_, warning)| warning)
    }

    /// Ends the search and wakes the threads that wait for its end. The first reason stands, and a search that has made
    /// all its playouts needs none.
    pub fn stop(&self, reason: StopReason) {
        if self.set_reason(reason) {
            self.workers.wake();
        }
    }

    /// Ends the search, if it goes on, and returns true if this is the first reason.
    fn set_reason(&self, reason: StopReason) -> bool {
        let is_first = || self.stop.compare_exchange(0, place_of(reason), Relaxed, Relaxed).is_ok();
        self.is_working() && is_first()
    }

    /// Returns true if the search was stopped, by a reason or by the stop flag of its budget. Workers ask before every
    /// traversal, so this reads no clock.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        if self.stop.load(Relaxed) != 0 {
            return true;
        }
        let raised = self.budget.stop.is_raised();
        if raised {
            self.stop(StopReason::Stopped);
        }
        raised
    }

    /// Returns true if the search was stopped or its deadline has passed. The waiting thread watches the clock too,
    /// but a worker that asks here need not wait for it.
    #[inline]
    pub fn is_over(&self) -> bool {
        if !self.is_stopped() && self.deadline.is_some_and(|deadline| deadline <= now()) {
            // This wakes no thread: the other workers see the deadline too, and the last one wakes the waiting thread.
            self.set_reason(self.at_deadline());
        }
        self.is_stopped()
    }

    /// The reason why the search ended. A search that ended without a given reason has made all its playouts.
    pub fn reason(&self) -> StopReason {
        // Asked first: a worker that has finished has given its reason before.
        let is_working = self.is_working();
        match self.stop.load(Relaxed) {
            0 if is_working => StopReason::Running,
            0 if self.iterations != self.budget.iterations => StopReason::Decided,
            0 => StopReason::Iterations,
            place => REASONS[usize::from(place) - 1],
        }
    }

    /// Ends the search because the game panicked.
    pub fn panicked(&self, text: &str) {
        self.fail(SearchError::GamePanicked(text.to_string()));
    }

    /// Ends the search by an error. The first one stands.
    pub fn fail(&self, error: SearchError) {
        let reason = match error {
            SearchError::GamePanicked(_) => StopReason::Panicked,
            _ => StopReason::Failed,
        };
        self.failure.lock().get_or_insert(error);
        self.stop(reason);
        self.workers.wake();
    }

    /// The first error.
    pub fn failure(&self) -> Option<SearchError> {
        self.failure.lock().clone()
    }

    /// Counts one worker as finished.
    pub(crate) fn finish_worker(&self) {
        self.workers.finish_one();
    }

    /// Returns true if a worker has not finished.
    pub fn is_working(&self) -> bool {
        self.workers.are_working()
    }

    /// The duration of the search in seconds, so far or in all.
    pub fn seconds(&self) -> f64 {
        let ended = self.workers.ended().unwrap_or_else(now);
        ended.duration_since(self.started).as_secs_f64()
    }

    /// Waits until all workers have finished, at most until `deadline`. Returns true if they have.
    pub fn wait(&self, deadline: Option<Instant>) -> bool {
        self.workers.wait_unless(deadline, &|| false)
    }

    /// Waits until the search has ended, at most until `patience`, and ends it at its own deadline, when the stop flag
    /// is raised, when it fails, or when one of several workers has ended it. Returns true if it has ended.
    ///
    /// Workers see by themselves that the deadline has come, and the last one to finish wakes the waiting thread.
    /// That is sooner than the system's timer would: the timer leaves a waiting thread behind a busy one for
    /// milliseconds. So the timer is set for later, for workers that are in a long playout.
    pub fn wait_for_end(&self, patience: Option<Instant>) -> bool {
        if !self.is_working() {
            return true;
        }
        let late = self.deadline().and_then(|deadline| deadline.checked_add(2 * GRACE));
        let patience = [late, patience].into_iter().flatten().min();
        let workers: Weak<Workers> = Arc::downgrade(&self.workers);
        let flag = &self.budget.stop;
        let waiting = flag.wakes(workers as Weak<dyn Wake>);
        let is_told_to_stop = || flag.is_raised() || self.has_to_end();
        if self.workers.wait_unless(patience, &is_told_to_stop) {
            return true;
        }
        drop(waiting);
        let reason = match self.deadline() {
            _ if is_told_to_stop() => StopReason::Stopped,
            Some(deadline) if deadline <= now() => self.at_deadline(),
            _ => return false,
        };
        self.end(reason);
        true
    }

    /// Returns true if the search has failed, or one of several workers has ended the search, but not at its deadline.
    /// A single worker ends a search only when it has nothing more to do, so its results are complete.
    fn has_to_end(&self) -> bool {
        let others = ![0, place_of(self.at_deadline())].contains(&self.stop.load(Relaxed));
        others && self.workers.were_several() || self.failure.lock().is_some()
    }

    /// Tells the workers to stop and waits for them during the grace period. A thread that the system has woken later
    /// than that does not wait: on a busy machine it would wake late once more.
    pub fn end(&self, reason: StopReason) {
        if self.is_working() {
            self.stop(reason);
            let late = self.deadline().and_then(|deadline| deadline.checked_add(2 * GRACE));
            self.wait([Some(now() + GRACE), late].into_iter().flatten().min());
        }
    }
}

/// The value of `RunStatus::stop` for a reason.
fn place_of(reason: StopReason) -> u8 {
    reason as u8 + 1
}

/// A worker's guard. Dropping it counts the worker as finished, also when the worker panics, so that the waiting thread
/// never waits in vain.
pub struct WorkerGuard<'c>(pub &'c RunStatus);

impl Drop for WorkerGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.panicked("a worker failed outside of the game; this is a fault of the engine");
        }
        self.0.finish_worker();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_read_as_it_was_given() {
        for reason in REASONS {
            let status = RunStatus::new(Budget::iterations(1), 1);
            status.stop(reason);
            assert_eq!(status.reason(), reason);
        }
    }

    #[test]
    fn a_forced_move_under_a_time_limit_is_answered_within_a_millisecond() {
        let status = RunStatus::new(Budget::time(Duration::from_secs(2)), 1).of_actions(1);
        let deadline = status.deadline().expect("a time limit");
        assert!(deadline - status.started() + 2 * GRACE < Duration::from_millis(1));
    }

    #[test]
    fn a_thread_that_wakes_late_answers_without_waiting_for_a_worker() {
        let late = |_| {
            let deadline = now().checked_sub(Duration::from_millis(5)).expect("the clock began before");
            let status = RunStatus::new(Budget::until(deadline), 1);
            let asked = now();
            assert!(status.wait_for_end(None) && status.is_working());
            asked.elapsed()
        };
        let fastest = (0..100).map(late).min().expect("a hundred times");
        assert!(fastest < GRACE / 2, "{fastest:?}");
    }
}
