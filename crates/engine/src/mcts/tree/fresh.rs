//! Fresh words: those at the end of an arena that no worker has taken yet, or that were put back.

use std::ops::Range;

use super::arena::Arena;
use super::stock::Stock;
use crate::mcts::tree::sync::Ordering::{Acquire, Relaxed, Release};

/// The most blocks that a worker takes fresh words for at a time. So its blocks stand together, away from those that
/// other workers are writing, no worker waits for the counter of fresh words, and little is lost where a run ends.
const BLOCKS: u64 = 32;
/// A worker takes at most one in this many of the fresh words that are left, so that all have some to the end.
const PART: u64 = 32;

impl Arena {
    /// The number of regions that have no fresh words.
    pub(super) fn regions_in_use(&self) -> u32 {
        let top = self.top.load(Relaxed) as u32;
        // The last region may be a short one.
        self.regions.of(if top == self.regions.end { top + self.regions.size() - 1 } else { top })
    }

    /// Takes fresh words until a worker has a run of `size`. Returns false if there are too few left.
    pub(super) fn take_fresh(&self, size: u32, stock: &mut Stock) -> bool {
        let (all, run) = (u64::from(self.regions.end), stock.run.clone());
        let end = |top: u64| {
            let has = if u64::from(run.end) == top { run.len() as u64 } else { 0 };
            let needed = u64::from(size).saturating_sub(has);
            // The rest may be of no use for a while, so a block is small beside what is taken while there is much left.
            let wanted = (all.saturating_sub(top) / PART).clamp(needed, needed.max(BLOCKS * u64::from(size)));
            (top + needed <= all).then(|| self.regions.round_up(top + wanted))
        };
        let Ok(top) = self.writers().fetch_update(&self.top, Acquire, Relaxed, end) else { return false };
        let (start, end) = (top as u32, end(top).unwrap_or(top) as u32);
        if run.end == start && !run.is_empty() {
            stock.run.end = end;
            stock.held.end = self.regions.of(end - 1) + 1;
        } else {
            self.leave_run(stock);
            stock.run = start..end;
            stock.held = self.regions.of(start)..self.regions.of(end - 1) + 1;
        }
        true
    }

    /// Makes the last words that were handed out fresh again. Returns false if the run is not at the end of them.
    pub(super) fn put_back(&self, run: &Range<u32>) -> bool {
        if self.top.load(Relaxed) != u64::from(run.end) {
            return false;
        }
        for region in self.regions.of(run.start) + 1..=self.regions.of(run.end - 1) {
            self.regions.set_first(&self.words, region, self.regions.start(region));
        }
        let (from, to) = (u64::from(run.end), u64::from(run.start));
        self.writers().compare_exchange(&self.top, from, to, [Release, Relaxed]).is_ok()
    }
}
