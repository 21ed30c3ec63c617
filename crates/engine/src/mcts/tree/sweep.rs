//! Sweeping: joining free tiles, region by region, until a run is long enough for a block.
//!
//! A worker goes up from tile to tile through a region it holds, and on into the next region where a run of free words
//! reaches over the border. Runs that are too short are left as one free tile each, for smaller blocks.

use super::arena::{Arena, REST};
use super::stock::Stock;
use crate::mcts::tree::sync::Ordering::Relaxed;

/// The most regions that are swept for one new block.
const SWEPT_AT_ONCE: u32 = 8;
/// A worker leaves as many regions behind that of another worker to the other one.
const DISTANCE: u32 = 8;
/// The most entries of the table of regions that are read for one new block.
const READ_AT_ONCE: u32 = 1024;

impl Arena {
    /// Sweeps regions in which at least one word in `share` is free, until the run has `size` words. Returns false if
    /// they do not get that long in a short time.
    pub(super) fn sweep(&self, size: u32, share: u32, stock: &mut Stock) -> bool {
        for _ in 0..SWEPT_AT_ONCE {
            if !stock.held.is_empty() && self.sweep_held(size, stock) {
                stock.begin_pass();
                return true;
            }
            if !self.claim_next(share, stock) {
                return false;
            }
        }
        false
    }

    /// Claims the next region in which at least one word in `share` is free.
    fn claim_next(&self, share: u32, stock: &mut Stock) -> bool {
        let regions = self.regions_in_use();
        let least = (self.regions.size() / share).max(1);
        // A sweep of all regions with free memory has a place of its own: where other sweeps come to, it would look at
        // the same regions again and again.
        let is_rest = share == REST;
        let next = if is_rest { &mut stock.next_rest } else { &mut stock.next };
        for _ in 0..READ_AT_ONCE.min(regions) {
            let region = if *next < regions { *next } else { 0 };
            *next = region + 1;
            // Regions with less free memory than a sweep pays for are not looked at.
            stock.passed = stock.passed.saturating_add(u32::from(is_rest));
            if !is_rest && self.regions.is_held(&self.words, region) {
                // Its holder comes to the regions behind it, and where the runs of two workers meet they leave a hole.
                *next += DISTANCE;
                continue;
            }
            if let Some(first) = self.regions.claim(&self.words, region, least) {
                stock.held = region..region + 1;
                stock.run = first..first;
                return true;
            }
        }
        false
    }

    /// Sweeps on from the end of the run, as far as the worker holds regions or a run goes on into the next one.
    fn sweep_held(&self, size: u32, stock: &mut Stock) -> bool {
        let mut joined = 0;
        while stock.run.len() < size as usize {
            let (next, is_run) = (stock.run.end, !stock.run.is_empty());
            if next >= self.regions.end || !(self.holds(next, stock) || is_run && self.hold_through(next, stock)) {
                break;
            }
            let (length, is_free) = self.tiles.read(&self.words, next);
            let end = next + length;
            if is_free && self.hold_through(end - 1, stock) {
                self.regions.count(&self.words, next..end, false);
                joined += u64::from(length);
                stock.run.end = end;
            } else {
                self.leave_short_run(stock);
                stock.run = end..end;
            }
        }
        self.writers().fetch_sub(&self.free, joined, Relaxed);
        let found = stock.run.len() >= size as usize;
        if !found {
            self.leave_run(stock);
        }
        found
    }

    fn holds(&self, word: u32, stock: &Stock) -> bool {
        stock.held.contains(&self.regions.of(word))
    }

    /// Claims the regions up to that of a word. Returns false if another worker holds one of them.
    fn hold_through(&self, word: u32, stock: &mut Stock) -> bool {
        while stock.held.end <= self.regions.of(word) {
            if self.regions.claim(&self.words, stock.held.end, 0).is_none() {
                return false;
            }
            stock.held.end += 1;
        }
        true
    }

    /// Leaves a run in the midst of a region, and the regions before its end.
    fn leave_short_run(&self, stock: &mut Stock) {
        let run = stock.run.clone();
        if !run.is_empty() {
            self.leave_tile(run.clone(), stock);
        }
        let passed = self.regions.of(run.end).clamp(stock.held.start, stock.held.end);
        (stock.held.start..passed).for_each(|region| self.regions.release(&self.words, region));
        stock.held.start = passed;
    }
}
