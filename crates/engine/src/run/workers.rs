//! The workers of a search that have not finished, and the threads that wait for them.

use std::time::Instant;

use crate::clock::now;
use crate::locks::{Condvar, Mutex, wait};
use crate::stop_flag::Wake;

/// The workers of one search.
pub(super) struct Workers {
    /// The number of workers at the beginning.
    all: usize,
    unfinished: Mutex<Unfinished>,
    /// One more worker has finished, or the search is told to stop.
    changed: Condvar,
}

struct Unfinished {
    workers: usize,
    /// The time at which the last worker finished.
    ended: Option<Instant>,
}

impl Workers {
    pub(super) fn new(workers: usize) -> Workers {
        Workers { all: workers, unfinished: Mutex::new(Unfinished { workers, ended: None }), changed: Condvar::new() }
    }

    /// Counts one worker as finished.
    pub(super) fn finish_one(&self) {
        let mut unfinished = self.unfinished.lock();
        unfinished.workers -= 1;
        if unfinished.workers == 0 {
            unfinished.ended = Some(now());
        }
        self.changed.notify_all();
    }

    /// Returns true if a worker has not finished.
    pub(super) fn are_working(&self) -> bool {
        self.unfinished.lock().workers > 0
    }

    /// Returns true if the search began with more than one worker.
    pub(super) fn were_several(&self) -> bool {
        self.all > 1
    }

    /// The time at which the last worker finished.
    pub(super) fn ended(&self) -> Option<Instant> {
        self.unfinished.lock().ended
    }

    /// Waits until all workers have finished, at most until `deadline`, and no longer once `is_told_to_stop` holds,
    /// which is asked after each call of [`wake`](Wake::wake). Returns true if they have finished.
    pub(super) fn wait_unless(&self, deadline: Option<Instant>, is_told_to_stop: &dyn Fn() -> bool) -> bool {
        let mut unfinished = self.unfinished.lock();
        while unfinished.workers > 0 && !is_told_to_stop() {
            let is_late;
            (unfinished, is_late) = wait(&self.changed, unfinished, deadline);
            if is_late {
                break;
            }
        }
        unfinished.workers == 0
    }
}

impl Wake for Workers {
    fn wake(&self) {
        // A thread that has asked already and does not wait yet holds the lock.
        drop(self.unfinished.lock());
        self.changed.notify_all();
    }
}
