//! The memory of a tree: one slice of words, handed out from the bottom up and where blocks fell out of use.
//!
//! Nothing is ever moved or returned to the system before the tree is dropped. A block is written in full when it is
//! handed out, so emptying the arena touches no block.
//!
//! A worker cuts blocks from a *run* of free words that it alone has. When the run is too short it takes fresh words,
//! or it *sweeps*: it claims a region ([`regions`](super::regions)) and goes from tile to tile, joining free
//! neighbours, until their run is long enough (lazy sweeping: Hughes 1982). So free memory has no lists to keep, and
//! free neighbours are joined whenever a worker comes along.

use std::ops::Range;

use super::node::{Block, PLACE};
use super::regions::Regions;
use super::stock::Stock;
use super::tiles::Tiles;
use crate::locks::Mutex;
use crate::mcts::cache_padded::CachePadded;
use crate::mcts::tree::huge_pages::{self, Words};
use crate::mcts::tree::sync::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use crate::mcts::tree::words::Writers;

/// A sweep pays if one word in this many is free.
const PAYS: u32 = 8;
/// Where there are no fresh words, regions are swept until one word in this many is free. Where no more are left, fresh
/// ones included, a worker stops looking.
pub(super) const REST: u32 = 64;

/// Lists the blocks below a block. Returns a further tile that belongs to the block.
pub(super) type BlocksBelow<'f> = dyn Fn(Block, &mut Vec<u32>) -> Option<Block> + 'f;

/// In an arena of lines, one word in this many is kept for the wide lines of nodes that are visited often.
const RESERVE: u64 = 64;

#[derive(Debug)]
pub(super) struct Arena {
    pub(super) words: Words,
    pub(super) regions: Regions,
    pub(super) tiles: Tiles,
    /// The first word not handed out yet. Away from the words, whose place all workers read all the time.
    pub(super) top: CachePadded<AtomicU64>,
    /// Words in free tiles. It may be negative for a moment.
    pub(super) free: CachePadded<AtomicU64>,
    /// No place was found for some block.
    pub(super) full: AtomicBool,
    /// The number of lists of dropped subtrees that are not empty, those that workers hold included.
    pub(super) lists: AtomicU64,
    /// True if there is something in `shared`.
    pub(super) has_shared: AtomicBool,
    /// Lists of dropped subtrees that no worker holds.
    pub(super) shared: Mutex<Vec<Vec<u32>>>,
    /// The number of stocks that were taken, so that each starts to sweep elsewhere.
    taken: AtomicU32,
}

impl Arena {
    /// An arena of at most `bytes`, or `None` if the system refuses or it would have no room at all.
    pub(super) fn new(bytes: usize, tiles: Tiles, writers: Writers) -> Option<Arena> {
        let words = (bytes / size_of::<AtomicU64>()).min(PLACE as usize);
        let regions = Regions::new(words, tiles.unit(), writers);
        if regions.end <= tiles.first() {
            return None;
        }
        let arena = Arena {
            words: huge_pages::zeroed(words)?,
            regions,
            tiles,
            top: CachePadded::new(AtomicU64::new(u64::from(tiles.first()))),
            free: CachePadded::new(AtomicU64::new(0)),
            full: AtomicBool::new(false),
            lists: AtomicU64::new(0),
            has_shared: AtomicBool::new(false),
            shared: Mutex::new(Vec::new()),
            taken: AtomicU32::new(0),
        };
        arena.regions.set_first(&arena.words, 0, tiles.first());
        Some(arena)
    }

    pub(super) fn clear(&self) {
        self.shared.lock().clear();
        self.has_shared.store(false, Relaxed);
        self.full.store(false, Relaxed);
        self.lists.store(0, Relaxed);
        self.taken.store(0, Relaxed);
        self.free.store(0, Relaxed);
        self.regions.clear(&self.words, self.top.load(Relaxed) as u32);
        self.regions.set_first(&self.words, 0, self.tiles.first());
        self.top.store(u64::from(self.tiles.first()), Relaxed);
    }

    /// Returns true if no place was found for some block.
    pub(super) fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    /// Bytes that were handed out and are not free again.
    pub(super) fn bytes(&self) -> usize {
        self.top.load(Relaxed).saturating_sub(self.free()) as usize * size_of::<AtomicU64>()
    }

    /// Words in free tiles.
    fn free(&self) -> u64 {
        self.free.load(Relaxed).cast_signed().max(0).cast_unsigned()
    }

    /// The number of workers that take memory.
    #[inline(always)]
    pub(super) fn writers(&self) -> Writers {
        self.regions.writers
    }

    pub(super) fn new_stock(&self) -> Stock {
        // Far from where the others begin.
        let number = self.taken.fetch_add(1, Relaxed).wrapping_mul(0x9e37_79b9);
        let regions = u64::from(self.regions.of(self.top.load(Relaxed) as u32));
        let next = ((u64::from(number) * regions) >> 32) as u32;
        Stock { next, next_rest: next, ..Stock::default() }
    }

    pub(super) fn give_back(&self, mut stock: Stock) {
        self.leave_run(&mut stock);
        for dropped in [stock.half, stock.dropped] {
            if !dropped.is_empty() {
                self.leave_dropped(dropped);
            }
        }
    }

    /// A block of `size` words, or `None` if there is no room.
    ///
    /// `children` lists the blocks below a block of a dropped subtree.
    #[inline]
    pub(super) fn allocate(&self, size: u32, stock: &mut Stock, children: &BlocksBelow<'_>) -> Option<Block> {
        if stock.run.len() < size as usize && !self.refill(size, stock, children) {
            return None;
        }
        let start = stock.run.start;
        stock.run.start += size;
        self.lay(start..start + size, stock);
        Some(Block(start))
    }

    /// A block of `size` words, from the reserve too if there is no other room.
    #[cold]
    pub(super) fn allocate_from_reserve(
        &self,
        size: u32,
        stock: &mut Stock,
        children: &BlocksBelow<'_>,
    ) -> Option<Block> {
        if stock.run.len() < size as usize {
            if stock.saw_no_reserve {
                return None;
            }
            self.take_apart(size, stock, children);
            if !(self.take_fresh(size, stock) || self.sweep(size, PAYS, stock) || self.sweep(size, REST, stock)) {
                // For good, once all regions were looked at and no subtree is left to be taken apart.
                stock.saw_no_reserve = self.lists.load(Relaxed) == 0 && stock.passed >= self.regions_in_use();
                return None;
            }
        }
        let start = stock.run.start;
        stock.run.start += size;
        self.lay(start..start + size, stock);
        Some(Block(start))
    }

    /// Returns true if only the reserve for wide lines is left.
    fn is_at_reserve(&self) -> bool {
        let left = u64::from(self.regions.end).saturating_sub(self.top.load(Relaxed)) + self.free();
        self.tiles == Tiles::Lines && left * RESERVE < u64::from(self.regions.end)
    }

    /// Frees a block that no other worker has seen.
    pub(super) fn free_block(&self, block: Block, stock: &mut Stock) {
        let end = block.0 + self.tiles.read(&self.words, block.0).0;
        if end == stock.run.start && stock.held.contains(&self.regions.of(block.0)) {
            stock.run.start = block.0;
        } else {
            let freed = self.free_tile(block);
            self.writers().fetch_add(&self.free, freed, Relaxed);
        }
    }

    /// Makes a free tile of a block that is not in the tree any more, and returns its size.
    pub(super) fn free_tile(&self, block: Block) -> u64 {
        let size = self.tiles.read(&self.words, block.0).0;
        // Counted first: the worker that joins the tile takes it off the count.
        self.regions.count(&self.words, block.0..block.0 + size, true);
        self.tiles.write_free(&self.words[block.0 as usize], size);
        u64::from(size)
    }

    /// Records the first tiles of the regions that begin inside a new tile or at its end.
    #[inline]
    fn lay(&self, tile: Range<u32>, stock: &Stock) {
        let (first, last) = (self.regions.of(tile.start), self.regions.of(tile.end));
        if first != last {
            self.lay_across(first + 1..last + 1, tile.end, stock);
        }
    }

    #[cold]
    fn lay_across(&self, regions: Range<u32>, end: u32, stock: &Stock) {
        // A region that is not held begins where the run ends, and so does its first tile.
        for region in regions.filter(|region| stock.held.contains(region)) {
            self.regions.set_first(&self.words, region, end);
        }
    }

    /// Finds a run of at least `size` words. Returns false if there is none, or none was found in a short time.
    #[cold]
    fn refill(&self, size: u32, stock: &mut Stock, children: &BlocksBelow<'_>) -> bool {
        if stock.too_large != 0 && size >= stock.too_large {
            return false;
        }
        self.take_apart(size, stock, children);
        if self.is_at_reserve() {
            // As long as there are dropped subtrees, other workers may free more.
            if self.lists.load(Relaxed) == 0 {
                self.full.store(true, Relaxed);
                stock.exhausted = true;
            }
            return false;
        }
        let pays = self.free() * u64::from(PAYS) > self.top.load(Relaxed);
        // Memory that was used before comes first, because more memory is more pages.
        let found = !pays && self.take_fresh(size, stock)
            || self.sweep(size, PAYS, stock)
            || self.take_fresh(size, stock)
            || self.sweep(size, REST, stock);
        if !found {
            self.give_up(size, stock);
        }
        found
    }

    /// Stops looking for places for blocks of this size, once all regions were looked at and no subtree is left.
    fn give_up(&self, size: u32, stock: &mut Stock) {
        stock.largest = stock.largest.max(size);
        let all = u64::from(self.regions.end);
        let fresh = all.saturating_sub(self.top.load(Relaxed)) + stock.run.len() as u64;
        let is_rest = (self.free() + fresh) * u64::from(REST) <= all;
        if self.lists.load(Relaxed) > 0 {
            // Regions that were looked at may have more free memory once all dropped subtrees are taken apart.
            stock.begin_pass();
            return;
        }
        if !is_rest && stock.passed < self.regions_in_use() {
            return;
        }
        self.full.store(true, Relaxed);
        stock.too_large = stock.largest;
        stock.begin_pass();
        stock.exhausted = is_rest;
    }

    /// Gives back the run and all regions of a worker.
    pub(super) fn leave_run(&self, stock: &mut Stock) {
        let run = std::mem::take(&mut stock.run);
        let mut left = stock.held.clone();
        if !run.is_empty() {
            if self.put_back(&run) {
                // The worker that takes these words again holds their regions.
                left.end = self.regions.of(run.start);
            } else {
                self.leave_tile(run, stock);
            }
        }
        left.for_each(|region| self.regions.release(&self.words, region));
        stock.held = 0..0;
    }

    /// Makes a free tile of a run.
    pub(super) fn leave_tile(&self, run: Range<u32>, stock: &Stock) {
        self.regions.count(&self.words, run.clone(), true);
        self.writers().fetch_add(&self.free, run.len() as u64, Relaxed);
        self.tiles.write_free(&self.words[run.start as usize], run.len() as u32);
        self.lay(run, stock);
    }
}

#[cfg(all(test, not(loom)))]
#[path = "arena_tests.rs"]
mod tests;
