//! The status of one running search.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::budget::{Budget, StopReason};
use crate::clock::now;
use crate::report::Warning;

/// The grace period of a search at its deadline. The waiting thread gives the workers this long to see the deadline
/// by themselves, tells them to stop, and gives them as long again, so that a report of quick playouts is complete.
/// Then the report is read without them.
const GRACE: Duration = Duration::from_micros(100);

/// The status of one running search. The workers and the thread that waits for them share it.
pub struct RunStatus {
    started: Instant,
    budget: Budget,
    /// 0 while the search runs, else 1 + the index of the reason in `REASONS`.
    stop: AtomicU8,
    /// One bit for each of `WARNINGS`.
    warnings: AtomicU8,
    panic: Mutex<Option<String>>,
    working: Mutex<Working>,
    one_finished: Condvar,
}

/// The workers that have not finished.
struct Working {
    workers: usize,
    /// The time at which the last worker finished.
    ended: Option<Instant>,
}

/// The reasons that a worker or the driver may give while the search is running.
const REASONS: [StopReason; 9] = [
    StopReason::Time,
    StopReason::Stopped,
    StopReason::Decided,
    StopReason::Proven,
    StopReason::MemoryFull,
    StopReason::CounterFull,
    StopReason::Complete,
    StopReason::Failed,
    StopReason::Panicked,
];

/// The warnings that a worker may give. The index of each is its bit in `RunStatus::warnings`.
const WARNINGS: [Warning; 7] = [
    Warning::MemoryFull,
    Warning::PlayoutCut,
    Warning::RewardClamped,
    Warning::NoLegalAction,
    Warning::UnknownPlayer,
    Warning::OutOfTurn,
    Warning::UnlistedOutcome,
];

impl RunStatus {
    /// The status of a search that begins now with this number of workers.
    pub fn new(budget: Budget, workers: usize) -> RunStatus {
        RunStatus {
            started: now(),
            budget,
            stop: AtomicU8::new(0),
            warnings: AtomicU8::new(0),
            panic: Mutex::new(None),
            working: Mutex::new(Working { workers, ended: None }),
            one_finished: Condvar::new(),
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

    /// The deadline of the budget.
    #[inline]
    pub fn deadline(&self) -> Option<Instant> {
        self.budget.deadline
    }

    /// Adds a warning to the report.
    pub fn warn(&self, warning: &Warning) {
        let bit = WARNINGS.iter().position(|other| other == warning);
        self.warnings.fetch_or(bit.map_or(0, |bit| 1 << bit), Relaxed);
    }

    /// The warnings so far.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        let bits = self.warnings.load(Relaxed);
        WARNINGS.into_iter().enumerate().filter(move |(bit, _)| bits >> bit & 1 == 1).map(|(_, warning)| warning)
    }

    /// Ends the search. The first reason stands.
    pub fn stop(&self, reason: StopReason) {
        let index = REASONS.iter().position(|&other| other == reason).unwrap_or(REASONS.len() - 1);
        // Losing to an earlier reason is fine.
        let _ = self.stop.compare_exchange(0, index as u8 + 1, Relaxed, Relaxed);
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
        if !self.is_stopped() && self.budget.deadline.is_some_and(|deadline| deadline <= now()) {
            self.stop(StopReason::Time);
        }
        self.is_stopped()
    }

    /// The reason why the search ended. A search that ended without a given reason has made all its playouts.
    pub fn reason(&self) -> StopReason {
        match self.stop.load(Relaxed) {
            0 if self.is_working() => StopReason::Running,
            0 => StopReason::Iterations,
            place => REASONS[usize::from(place) - 1],
        }
    }

    /// Ends the search because the game panicked.
    pub fn panicked(&self, text: &str) {
        self.panic.lock().get_or_insert_with(|| text.to_string());
        self.stop(StopReason::Panicked);
    }

    /// The message of the first panic.
    pub fn panic(&self) -> Option<String> {
        self.panic.lock().clone()
    }

    /// Counts one worker as finished.
    fn finish_worker(&self) {
        let mut working = self.working.lock();
        working.workers -= 1;
        if working.workers == 0 {
            working.ended = Some(now());
        }
        self.one_finished.notify_all();
    }

    /// Returns true if a worker has not finished.
    pub fn is_working(&self) -> bool {
        self.working.lock().workers > 0
    }

    /// The duration of the search in seconds, so far or in all.
    pub fn seconds(&self) -> f64 {
        let ended = self.working.lock().ended.unwrap_or_else(now);
        ended.duration_since(self.started).as_secs_f64()
    }

    /// Waits until all workers have finished, at most until `deadline`. Returns true if they have.
    pub fn wait(&self, deadline: Option<Instant>) -> bool {
        let mut working = self.working.lock();
        while working.workers > 0 {
            match deadline {
                None => self.one_finished.wait(&mut working),
                Some(deadline) => {
                    if self.one_finished.wait_until(&mut working, deadline).timed_out() {
                        return working.workers == 0;
                    }
                }
            }
        }
        true
    }

    /// Waits until the search has ended, at most until `patience`, and ends it at its own deadline. Returns true if
    /// it has ended.
    ///
    /// Workers see by themselves that the deadline has come, and the last one to finish wakes the waiting thread.
    /// That is sooner than the system's timer would: the timer leaves a waiting thread behind a busy one for
    /// milliseconds. So the timer is set for later, for workers that are in a long playout.
    pub fn wait_for_end(&self, patience: Option<Instant>) -> bool {
        let late = self.deadline().and_then(|deadline| deadline.checked_add(GRACE));
        if self.wait([late, patience].into_iter().flatten().min()) {
            return true;
        }
        let is_over = self.deadline().is_some_and(|deadline| deadline <= now());
        if is_over {
            self.end(StopReason::Time);
        }
        is_over
    }

    /// Tells the workers to stop and waits for them during the grace period.
    pub fn end(&self, reason: StopReason) {
        if self.is_working() {
            self.stop(reason);
            self.wait(Some(now() + GRACE));
        }
    }
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
