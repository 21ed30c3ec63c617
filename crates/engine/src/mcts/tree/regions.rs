//! Regions: the parts of an arena that workers hold while they look for free memory.
//!
//! The arena is a row of *tiles*: blocks of the tree and free tiles, each with its size in its first word, so the next
//! one is found from the one before. A region is a fixed number of words. One worker at a time holds a region, and only
//! the holder makes, joins or splits tiles that start there. Any worker may turn a block of a dropped subtree into a
//! free tile: it stores the tile's first word and touches it no more.
//!
//! A table at the end of the arena has one word for each region: whether a worker may claim it, the place of the first
//! tile that starts in it, and the number of its words that are in free tiles. A region with fresh words cannot be
//! claimed: the worker that takes fresh words holds their regions already. Its entry in the table is zero, but for the
//! region in which the fresh words begin: a worker may have put these back behind blocks that stay.
//!
//! # Memory orderings
//! A worker releases a region by `Release` and claims it by `Acquire`, so it sees all tiles that the last holder made.
//! Where a worker puts words back, it lowers the first fresh word of the arena by `Release`, and the worker that takes
//! fresh words raises it by `Acquire`: so their regions change hands too.
//! The first word of a free tile is stored by `Release` and read by `Acquire`: the worker that joins the tile and
//! writes over it comes after the one that read the links of the block that stood there, and after that one's count.

use std::ops::{Range, RangeInclusive};

use crate::mcts::tree::sync::{AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};
use crate::mcts::tree::words::Writers;

/// The bit of a region that a worker may claim.
const RELEASED: u64 = 1;
/// The place of the first tile, counted from the start of the region, stands from this bit on.
const FIRST_TILE: u32 = 8;
/// The number of free words stands from this bit on.
const FREE: u32 = 32;

/// The words of a region, from small arenas to large ones.
const WORDS: RangeInclusive<usize> = 16..=512;
/// The number of regions of an arena between them.
const REGIONS: usize = 256;

/// The division of an arena into regions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Regions {
    /// The binary logarithm of the number of words of a region.
    shift: u32,
    /// The number of words before the table.
    pub(super) end: u32,
    pub(super) writers: Writers,
}

impl Regions {
    /// Divides an arena of `words` words, whose tiles are multiples of `unit` words.
    pub(super) fn new(words: usize, unit: u32, writers: Writers) -> Regions {
        let size = (words / REGIONS).clamp(*WORDS.start(), *WORDS.end()).next_power_of_two();
        let end = (words - words.div_ceil(size + 1)) as u32;
        Regions { shift: size.trailing_zeros(), end: end / unit * unit, writers }
    }

    /// The number of words of a region.
    pub(super) fn size(self) -> u32 {
        1 << self.shift
    }

    /// The region of a word.
    #[inline]
    pub(super) fn of(self, word: u32) -> u32 {
        word >> self.shift
    }

    pub(super) fn start(self, region: u32) -> u32 {
        region << self.shift
    }

    /// The end of the region of the word before `end`, or of the arena.
    pub(super) fn round_up(self, end: u64) -> u64 {
        end.next_multiple_of(u64::from(self.size())).min(u64::from(self.end))
    }

    fn entry(self, words: &[AtomicU64], region: u32) -> &AtomicU64 {
        &words[(self.end + region) as usize]
    }

    /// Forgets the regions that begin before a word.
    pub(super) fn clear(self, words: &[AtomicU64], before: u32) {
        let used = before.div_ceil(self.size()) as usize;
        words[self.end as usize..][..used].iter().for_each(|entry| entry.store(0, Relaxed));
    }

    /// Returns true if a worker holds a region.
    pub(super) fn is_held(self, words: &[AtomicU64], region: u32) -> bool {
        self.entry(words, region).load(Relaxed) & RELEASED == 0
    }

    /// Claims a region that has at least this many free words. Returns the place of its first tile.
    pub(super) fn claim(self, words: &[AtomicU64], region: u32, least: u32) -> Option<u32> {
        let entry = self.entry(words, region);
        let seen = entry.load(Relaxed);
        if seen & RELEASED == 0 || seen >> FREE < u64::from(least) {
            return None;
        }
        let before = self.writers.fetch_and(entry, !RELEASED, Acquire);
        let first = (before >> FIRST_TILE) as u32 & ((1 << (FREE - FIRST_TILE)) - 1);
        (before & RELEASED != 0).then_some(self.start(region) + first)
    }

    pub(super) fn release(self, words: &[AtomicU64], region: u32) {
        self.writers.fetch_or(self.entry(words, region), RELEASED, Release);
    }

    /// Sets the place of the first tile of a region that the caller holds.
    pub(super) fn set_first(self, words: &[AtomicU64], region: u32, place: u32) {
        let entry = self.entry(words, region);
        let before = entry.load(Relaxed) >> FIRST_TILE & ((1 << (FREE - FIRST_TILE)) - 1);
        let after = u64::from((place - self.start(region)).min(self.size()));
        // No other worker changes this part of the word.
        self.writers.fetch_add(entry, after.wrapping_sub(before) << FIRST_TILE, Relaxed);
    }

    /// Adds the words of a tile to the free words of its regions, or takes them off.
    pub(super) fn count(self, words: &[AtomicU64], tile: Range<u32>, is_free: bool) {
        let mut start = tile.start;
        while start < tile.end {
            let region = self.of(start);
            let end = tile.end.min(self.start(region) + self.size());
            let count = u64::from(end - start);
            let change = if is_free { count } else { count.wrapping_neg() };
            self.writers.fetch_add(self.entry(words, region), change << FREE, Relaxed);
            start = end;
        }
    }
}
