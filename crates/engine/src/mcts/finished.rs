//! Counts of finished playouts, one table for each worker, so that no worker waits for another's cache line.
//!
//! The tree counts visits in flight too, and those of a bulk only when all of it has come back. Reports, budgets and
//! the early stop need exact counts, and read them here.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};

use super::cache_padded::CachePadded;

/// The finished playouts of all workers.
pub(super) struct Finished {
    workers: Box<[CachePadded<OfWorker>]>,
}

/// The finished playouts of one worker, which alone writes here.
struct OfWorker {
    all: AtomicU64,
    /// By the child of the root they went through, in cache lines that no other worker writes.
    by_child: Box<[CachePadded<[OfChild; CHILDREN]>]>,
}

#[derive(Default)]
struct OfChild {
    playouts: AtomicU64,
    /// Rewards of the player at the root, in the units of the layout.
    sum: AtomicU64,
}

/// The number of children that share two cache lines, which is what processors fetch at a time.
const CHILDREN: usize = 8;

impl OfWorker {
    fn new(children: usize) -> OfWorker {
        let some = || CachePadded::new(std::array::from_fn(|_| OfChild::default()));
        OfWorker { all: AtomicU64::new(0), by_child: (0..children.div_ceil(CHILDREN)).map(|_| some()).collect() }
    }

    #[inline]
    fn of_child(&self, child: usize) -> Option<&OfChild> {
        self.by_child.get(child / CHILDREN).map(|some| &some[child % CHILDREN])
    }
}

impl Finished {
    pub(super) fn new(workers: usize, children: usize) -> Finished {
        Finished { workers: (0..workers).map(|_| CachePadded::new(OfWorker::new(children))).collect() }
    }

    pub(super) fn workers(&self) -> usize {
        self.workers.len()
    }

    /// Counts a playout of a worker, with the child of the root it went through and the sum it added there.
    #[inline]
    pub(super) fn count(&self, worker: usize, child: Option<(usize, u64)>) {
        let worker = &self.workers[worker];
        if let Some((child, sum)) = child
            && let Some(child) = worker.of_child(child)
        {
            add(&child.sum, sum, Relaxed);
            // Release: a reader that sees the playout sees its reward.
            add(&child.playouts, 1, Release);
        }
        // Release: a reader that sees it counted as done sees its child.
        add(&worker.all, 1, Release);
    }

    /// The number of finished playouts of one worker.
    pub(super) fn of(&self, worker: usize) -> u64 {
        self.workers[worker].all.load(Relaxed)
    }

    /// The number of finished playouts.
    pub(super) fn all(&self) -> u64 {
        self.workers.iter().map(|worker| worker.all.load(Acquire)).sum()
    }

    /// The number of playouts through a child of the root and the sum of their rewards.
    pub(super) fn through(&self, child: usize) -> (u64, i64) {
        let (mut playouts, mut sum) = (0, 0u64);
        for child in self.workers.iter().filter_map(|worker| worker.of_child(child)) {
            playouts += child.playouts.load(Acquire);
            sum = child.sum.load(Relaxed).wrapping_add(sum);
        }
        (playouts, sum.cast_signed())
    }
}

/// Adds to a counter that only this thread writes.
#[inline(always)]
fn add(counter: &AtomicU64, more: u64, ordering: Ordering) {
    counter.store(counter.load(Relaxed).wrapping_add(more), ordering);
}
