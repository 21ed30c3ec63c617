//! The workers of a search that have not finished, and the threads that wait for them.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::Instant;

use crate::clock::now;
use crate::locks::{Condvar, Mutex, wait};
use crate::stop_flag::Wake;

/// The workers of one search.
pub(super) struct Workers {
    /// The number of workers at the beginning.
    all: usize,
    /// The number of those that have not finished. It changes under the lock of `ended`.
    unfinished: AtomicUsize,
    /// The time at which the last worker finished.
    ended: Mutex<Option<Instant>>,
    /// One more worker has finished, or the search is told to stop.
    changed: Condvar,
}

impl Workers {
    pub(super) fn new(workers: usize) -> Workers {
        Workers {
            all: workers,
            unfinished: AtomicUsize::new(workers),
            ended: Mutex::new(None),
            changed: Condvar::new(),
        }
    }

    /// Counts one worker as finished.
    pub(super) fn finish_one(&self) {
        let mut ended = self.ended.lock();
        let left = self.unfinished.load(Relaxed) - 1;
        if left == 0 {
            *ended = Some(now());
        }
        self.unfinished.store(left, Release);
        // A thread that wakes may take this one's processor, and must not wait then for the lock that it holds.
        drop(ended);
        self.changed.notify_all();
    }

    /// Returns true if a worker has not finished. Who sees that all have finished sees all they have done.
    pub(super) fn are_working(&self) -> bool {
        self.unfinished.load(Acquire) > 0
    }

    /// Returns true if the search began with more than one worker.
    pub(super) fn were_several(&self) -> bool {
        self.all > 1
    }

    /// The time at which the last worker finished.
    pub(super) fn ended(&self) -> Option<Instant> {
        *self.ended.lock()
    }

    /// Waits until all workers have finished, at most until `deadline`, and no longer once `is_told_to_stop` holds,
    /// which is asked after each call of [`wake`](Wake::wake). Returns true if they have finished.
    pub(super) fn wait_unless(&self, deadline: Option<Instant>, is_told_to_stop: &dyn Fn() -> bool) -> bool {
        let mut lock = self.ended.lock();
        while self.are_working() && !is_told_to_stop() {
            let is_late;
            (lock, is_late) = wait(&self.changed, lock, deadline);
            if is_late {
                break;
            }
        }
        !self.are_working()
    }
}

impl Wake for Workers {
    fn wake(&self) {
        // A thread that has asked already and does not wait yet holds the lock.
        drop(self.ended.lock());
        self.changed.notify_all();
    }
}
