//! The course of one search, whoever makes it: when it has to stop, why it did, what was noticed on the way, and who is
//! still at work.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::budget::{Budget, StopReason};
use crate::clock::now;
use crate::report::Warning;

/// At its deadline a search waits this long for its workers to see that by themselves, and as long again when it has told
/// them to stop, so that a report of quick playouts is complete; then the report is read without them.
const GRACE: Duration = Duration::from_micros(100);

/// One search, from the point of view of those who make it and those who wait for it.
pub(crate) struct Course {
    started: Instant,
    budget: Budget,
    /// 0, or 1 + the place of the reason in `REASONS`.
    stop: AtomicU8,
    /// Each a bit, in the order of `WARNINGS`.
    warnings: AtomicU8,
    panic: Mutex<Option<String>>,
    working: Mutex<Working>,
    one_finished: Condvar,
}

/// Who is at work.
struct Working {
    workers: usize,
    /// When the last one left.
    ended: Option<Instant>,
}

/// Reasons a worker or the driver may give while the search is running.
const REASONS: [StopReason; 8] = [
    StopReason::Time,
    StopReason::Stopped,
    StopReason::Decided,
    StopReason::Proven,
    StopReason::MemoryFull,
    StopReason::CounterFull,
    StopReason::Complete,
    StopReason::Panicked,
];

/// Warnings a worker may give, each a bit in `Course::warnings`.
const WARNINGS: [Warning; 7] = [
    Warning::MemoryFull,
    Warning::PlayoutCut,
    Warning::RewardClamped,
    Warning::NoLegalAction,
    Warning::UnknownPlayer,
    Warning::OutOfTurn,
    Warning::UnlistedOutcome,
];

impl Course {
    /// Of a search that begins now, with so many workers.
    pub(crate) fn new(budget: Budget, workers: usize) -> Course {
        Course {
            started: now(),
            budget,
            stop: AtomicU8::new(0),
            warnings: AtomicU8::new(0),
            panic: Mutex::new(None),
            working: Mutex::new(Working { workers, ended: None }),
            one_finished: Condvar::new(),
        }
    }

    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.budget.deadline
    }

    pub(crate) fn warn(&self, warning: &Warning) {
        let bit = WARNINGS.iter().position(|other| other == warning);
        self.warnings.fetch_or(bit.map_or(0, |bit| 1 << bit), Relaxed);
    }

    pub(crate) fn warnings(&self) -> impl Iterator<Item = Warning> {
        let bits = self.warnings.load(Relaxed);
        WARNINGS.into_iter().enumerate().filter(move |(bit, _)| bits >> bit & 1 == 1).map(|(_, warning)| warning)
    }

    /// Ends the search; the first reason stands.
    pub(crate) fn stop(&self, reason: StopReason) {
        let place = REASONS.iter().position(|&other| other == reason).unwrap_or(REASONS.len() - 1);
        // Losing to an earlier reason is fine.
        let _ = self.stop.compare_exchange(0, place as u8 + 1, Relaxed, Relaxed);
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        if self.stop.load(Relaxed) != 0 {
            return true;
        }
        let raised = self.budget.stop.is_raised();
        if raised {
            self.stop(StopReason::Stopped);
        }
        raised
    }

    /// Whether the search was stopped or is stopped by the clock. Who waits for it looks at the clock too, but nobody has
    /// to wait.
    pub(crate) fn is_over(&self) -> bool {
        if !self.is_stopped() && self.budget.deadline.is_some_and(|deadline| deadline <= now()) {
            self.stop(StopReason::Time);
        }
        self.is_stopped()
    }

    /// Why the search ended; where nobody gave a reason, because all its playouts were made.
    pub(crate) fn reason(&self) -> StopReason {
        match self.stop.load(Relaxed) {
            0 if self.is_working() => StopReason::Running,
            0 => StopReason::Iterations,
            place => REASONS[usize::from(place) - 1],
        }
    }

    /// Ends the search because the game panicked.
    pub(crate) fn panicked(&self, text: &str) {
        self.panic.lock().get_or_insert_with(|| text.to_string());
        self.stop(StopReason::Panicked);
    }

    pub(crate) fn panic(&self) -> Option<String> {
        self.panic.lock().clone()
    }

    /// A worker has left the search for good.
    pub(crate) fn leave(&self) {
        let mut working = self.working.lock();
        working.workers -= 1;
        if working.workers == 0 {
            working.ended = Some(now());
        }
        self.one_finished.notify_all();
    }

    pub(crate) fn is_working(&self) -> bool {
        self.working.lock().workers > 0
    }

    /// How long the search has taken, so far or in all.
    pub(crate) fn seconds(&self) -> f64 {
        let ended = self.working.lock().ended.unwrap_or_else(now);
        ended.duration_since(self.started).as_secs_f64()
    }

    /// Waits until nobody is at work any more, at most until `deadline`. Says whether that was so.
    pub(crate) fn wait(&self, deadline: Option<Instant>) -> bool {
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

    /// Waits until the search has ended, at most until `patience`, and ends it at its own deadline. Says whether it has
    /// ended.
    ///
    /// Workers see by themselves that the deadline has come, and the last one to leave wakes whoever waits. That is sooner
    /// than the system's timer would: it leaves a waiting thread behind a busy one for milliseconds. So the timer is set
    /// for later, for workers that are in a long playout.
    pub(crate) fn wait_for_end(&self, patience: Option<Instant>) -> bool {
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

    /// Tells the workers to stop and gives them a moment to do so.
    pub(crate) fn end(&self, reason: StopReason) {
        if self.is_working() {
            self.stop(reason);
            self.wait(Some(now() + GRACE));
        }
    }
}

/// Says that a worker has left, whatever happened to it: somebody waits for that.
pub(crate) struct Leaving<'c>(pub(crate) &'c Course);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.panicked("a worker failed outside of the game; this is a fault of the engine");
        }
        self.0.leave();
    }
}
