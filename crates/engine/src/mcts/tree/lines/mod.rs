//! Blocks of whole cache lines: one line for up to seven children, and more lines for more.
//!
//! For games whose rewards are halves and whose actions are numbers below 256. A traversal waits for one line at each
//! node, where a block of words takes two or three. A line is
//!
//! ```text
//! word  0..3  counters of children 0 to 6, 32 bits each: 15 for the visits, 1 that marks a known outcome, 16 for the
//!             halves; low half of the head
//! word  4..7  links of children 0 to 6, 32 bits each; high half of the head
//! head        3 bits: children of this line; 1: another line follows; 4: the outcome, of two players; 7 x 8: actions
//! ```
//!
//! # Wide lines
//! Sixteen bits are soon full. So before a node has [`WIDEN_AT`] visits, its block gets as many *wide* lines, each with
//! a word of visits and halves for every child, as [`Packed`](super::layouts::Packed) has them. The link of the node is
//! swung to them by one compare-exchange, and they know the narrow lines. Nothing is moved: a count is always the
//! narrow one plus the wide one. Workers that came by the old link go on adding to the narrow counters, and have room
//! for that ([`MOST_LATE`]): no field ever carries into the next one.
//!
//! # Tiles
//! The arena has to tell blocks from free memory ([`regions`](super::regions)) and finds their sizes in the lines.
//!
//! A block is named by the place of its first line, a multiple of eight; the lowest bit marks a wide one.

mod choose;
mod counters;
mod links;
#[cfg(all(test, not(loom)))]
mod tests;

use choose::enter_narrow;
pub(super) use choose::{enter_highest_of_few, enter_untried};
pub(super) use counters::add;
use counters::{NARROW_CLOSED, packed, sum, visits};
use links::link_in;

use super::layout::Seen;
use super::layouts::CLOSED;
use super::node::{Block, Node};
use super::outcome::Outcome;
use super::words::{READ, Writers, add_to};
use crate::mcts::tree::sync::{AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

/// Words of a line.
pub(super) const LINE: usize = 8;
/// Children of a line.
pub(super) const CHILDREN: usize = LINE - 1;

/// The visits of a node from which on its block gets wide lines.
pub(super) const WIDEN_AT: u32 = 4096;
/// Where there is no memory for wide lines, a block of narrow ones is not entered any more from this many visits of its
/// node on.
pub(crate) const MOST_NARROW: u32 = 16_000;
/// The most visits that all workers together may have under way through one block of narrow counters. With those
/// before they are at most 32,384, each with two halves at most: 64,768 of 65,535.
pub(crate) const MOST_LATE: u32 = 16_384;

/// The mark of a block that has wide lines.
const WIDE: u32 = 1;

/// The first words of a free tile and of wide lines say what they are: their low half is no counter, because it has
/// halves and no visits. The high half of a free tile has its size; that of wide lines has the place of the narrow
/// ones.
const FREE: u32 = 1 << 16;
const WIDE_LINES: u32 = 2 << 16;
const KIND: u32 = 3 << 16;
/// The number of wide lines stands from this bit on.
const WIDE_COUNT: u32 = 18;

/// The part of a head that counts the children of a line.
const COUNT: u64 = 7;
const FOLLOWED: u64 = 1 << 3;
const OUTCOME_AT: u32 = 4;
const OUTCOME: u64 = 0xf << OUTCOME_AT;
const ACTIONS_AT: u32 = 8;

/// The lines of a block.
#[derive(Clone, Copy)]
pub(super) struct Lines<'w> {
    words: &'w [AtomicU64],
    narrow: usize,
    wide: Option<usize>,
}

/// The place of a child in its block.
#[derive(Clone, Copy)]
pub(super) struct Place {
    line: usize,
    child: usize,
}

impl Place {
    /// The place of a child with this number.
    #[inline(always)]
    pub(super) fn of(child: u32) -> Place {
        let child = child as usize;
        // A division takes long, and most blocks have one line.
        if child < CHILDREN {
            Place { line: 0, child }
        } else {
            Place { line: child / CHILDREN, child: child % CHILDREN }
        }
    }

    /// The word of its line that has its narrow counter, and the shift.
    #[inline(always)]
    fn half(self) -> (usize, u32) {
        (self.child / 2, shift(self.child))
    }
}

/// The shift of a half of a word.
#[inline(always)]
fn shift(half: usize) -> u32 {
    (half as u32 & 1) * 32
}

impl Block {
    #[inline(always)]
    pub(super) fn is_wide(self) -> bool {
        self.0 & WIDE != 0
    }

    #[inline(always)]
    pub(super) fn line(self) -> usize {
        (self.0 & !WIDE) as usize
    }
}

/// The number of lines for this many children.
pub(super) fn lines_for(children: usize) -> usize {
    children.div_ceil(CHILDREN).max(1)
}

/// The child of a block as a node.
#[inline(always)]
pub(super) fn node(block: Block, child: u32) -> Node {
    Node { counters: block.0, link: child }
}

impl<'w> Lines<'w> {
    #[inline(always)]
    pub(super) fn of(words: &'w [AtomicU64], block: Block) -> Lines<'w> {
        let line = block.line();
        match block.is_wide() {
            true => Lines { words, narrow: (words[line].load(Relaxed) >> 32) as usize, wide: Some(line) },
            false => Lines { words, narrow: line, wide: None },
        }
    }

    #[inline(always)]
    fn line(self, line: usize) -> &'w [AtomicU64; LINE] {
        line_at(self.words, self.narrow + line * LINE)
    }

    #[inline(always)]
    fn head(line: &[AtomicU64; LINE]) -> u64 {
        line[3].load(Relaxed) >> 32 | line[7].load(Relaxed) >> 32 << 32
    }

    /// The place of the narrow lines.
    pub(super) fn narrow(self) -> usize {
        self.narrow
    }

    /// The number of lines.
    pub(super) fn count(self) -> usize {
        1 + (0..).take_while(|&line| Lines::head(self.line(line)) & FOLLOWED != 0).count()
    }

    /// The number of children.
    #[inline]
    pub(super) fn width(self) -> u32 {
        let mut line = 0;
        loop {
            let head = self.line(line)[3].load(Relaxed) >> 32;
            if head & FOLLOWED == 0 {
                return (line * CHILDREN) as u32 + (head & COUNT) as u32;
            }
            line += 1;
        }
    }

    /// The counters of a child as [`Packed`](super::layouts::Packed) has them.
    #[inline(always)]
    pub(super) fn load(self, place: Place) -> u64 {
        let (word, shift) = place.half();
        self.total(self.line(place.line)[word].load(READ) >> shift, place)
    }

    /// A narrow counter and the wide one, if there is one.
    #[inline(always)]
    fn total(self, narrow: u64, place: Place) -> u64 {
        let narrow = packed(narrow as u32);
        match self.wide_word(place) {
            Some(word) => sum(narrow, word.load(READ)),
            None => narrow,
        }
    }

    /// The place of a child's counters: that of the wide word, or that of the narrow half of a word.
    #[inline(always)]
    fn at(self, place: Place) -> u32 {
        match self.wide {
            Some(wide) => (wide + place.line * LINE + 1 + place.child) as u32,
            None => ((self.narrow + place.line * LINE) * 2 + place.child) as u32,
        }
    }

    #[inline(always)]
    fn wide_word(self, place: Place) -> Option<&'w AtomicU64> {
        self.wide.map(|wide| &self.words[wide + place.line * LINE + 1 + place.child])
    }

    /// The state of a child.
    #[inline(always)]
    pub(super) fn look(self, place: Place) -> Seen {
        Seen { visits: visits(self.load(place)), at: self.at(place), link: self.link(place) }
    }

    /// Adds to the counters of a child a change as [`Packed`](super::layouts::Packed) has it, and returns the state of
    /// the child from before the addition.
    #[inline(always)]
    pub(super) fn enter(self, place: Place, change: u64, writers: Writers) -> Seen {
        let line = self.line(place.line);
        let Some(wide) = self.wide_word(place) else {
            return enter_narrow(line, self.narrow + place.line * LINE, place.child, change, writers);
        };
        let narrow = packed((line[place.child / 2].load(READ) >> shift(place.child)) as u32);
        let visits = visits(sum(narrow, add_to(wide, change, writers)));
        Seen { visits, at: self.at(place), link: link_in(line, place.child) }
    }

    /// Calls `see` with the counters of each child.
    #[inline(always)]
    pub(super) fn each(self, mut see: impl FnMut(u64)) {
        let mut line = 0;
        loop {
            let words = self.line(line);
            let head = words[3].load(Relaxed) >> 32;
            for place in 0..(head & COUNT) as usize {
                let place = Place { line, child: place };
                see(self.total(words[place.child / 2].load(READ) >> shift(place.child), place));
            }
            if head & FOLLOWED == 0 {
                return;
            }
            line += 1;
        }
    }

    /// Marks a child as closed.
    pub(super) fn close(self, place: Place, writers: Writers) {
        let (word, shift) = place.half();
        match self.wide_word(place) {
            Some(word) => writers.fetch_or(word, CLOSED, Relaxed),
            None => writers.fetch_or(&self.line(place.line)[word], u64::from(NARROW_CLOSED) << shift, Relaxed),
        };
    }

    /// Sets the counters of a child of a wide block. No worker may be in the tree.
    pub(super) fn set(self, place: Place, counters: u64) {
        let (word, shift) = place.half();
        let narrow = &self.line(place.line)[word];
        let rest = narrow.load(Relaxed) & !(u64::from(u32::MAX) << shift);
        let wide = self.wide_word(place);
        debug_assert!(wide.is_some(), "this block has wide counters");
        if let Some(word) = wide {
            narrow.store(rest, Relaxed);
            word.store(counters, Relaxed);
        }
    }

    /// The outcome in the head.
    pub(super) fn outcome(self) -> Outcome {
        Outcome::from_bits(((Lines::head(self.line(0)) & OUTCOME) >> OUTCOME_AT) as u16)
    }

    /// Writes an outcome into the head if it is better than the one that stands there.
    pub(super) fn set_outcome(self, is_better: impl Fn(Outcome) -> bool, outcome: Outcome, writers: Writers) {
        let (mask, at) = (OUTCOME << 32, OUTCOME_AT + 32);
        let better = |word: u64| {
            let before = Outcome::from_bits(((word & mask) >> at) as u16);
            is_better(before).then(|| word & !mask | u64::from(outcome.bits()) << at & mask)
        };
        // An outcome that is no worse may stay.
        let _ = writers.fetch_update(&self.line(0)[3], Relaxed, Relaxed, better);
    }
}

/// The eight words of a line.
#[inline(always)]
fn line_at(words: &[AtomicU64], at: usize) -> &[AtomicU64; LINE] {
    words[at..at + LINE].first_chunk().expect("a line has its words")
}

/// Writes narrow lines with these actions and no visits. No other worker can see them yet.
pub(super) fn write(words: &[AtomicU64], actions: &[u32]) {
    let count = words.len() / LINE;
    for (line, words) in words.chunks_exact(LINE).enumerate() {
        let actions = &actions[line * CHILDREN..actions.len().min((line + 1) * CHILDREN)];
        let followed = if line + 1 < count { FOLLOWED } else { 0 };
        let mut head = actions.len() as u64 | followed;
        for (place, &action) in actions.iter().enumerate() {
            head |= u64::from(action & 0xff) << (ACTIONS_AT + 8 * place as u32);
        }
        for (place, word) in words.iter().enumerate() {
            let half = match place {
                3 => head << 32,
                7 => head >> 32 << 32,
                _ => 0,
            };
            word.store(half, Relaxed);
        }
    }
}

/// Writes wide lines without visits for the narrow ones at `narrow`. No other worker can see them yet.
pub(super) fn write_wide(words: &[AtomicU64], narrow: usize) {
    words.iter().skip(1).for_each(|word| word.store(0, Relaxed));
    let kind = WIDE_LINES | ((words.len() / LINE) as u32) << WIDE_COUNT;
    words[0].store((narrow as u64) << 32 | u64::from(kind), Relaxed);
}

/// The words of the tile that begins at a place, and whether it is free.
pub(super) fn read_tile(words: &[AtomicU64], at: usize) -> (u32, bool) {
    let word = words[at].load(Acquire);
    let low = word as u32;
    match low & KIND {
        // Halves without visits.
        FREE if low == FREE => ((word >> 32) as u32, true),
        WIDE_LINES if low & u32::from(u16::MAX) == 0 => ((low >> WIDE_COUNT) * LINE as u32, false),
        _ => ((Lines { words, narrow: at, wide: None }.count() * LINE) as u32, false),
    }
}

/// Makes a free tile. The caller reads and writes nothing of it any more.
pub(super) fn write_free_tile(first: &AtomicU64, size: u32) {
    first.store(u64::from(size) << 32 | u64::from(FREE), Release);
}

/// The name of a block whose wide lines begin at this place.
pub(super) fn wide_block(place: u32) -> Block {
    Block(place | WIDE)
}
