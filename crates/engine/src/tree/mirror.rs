//! A worker's private copies of the blocks that everybody goes through.
//!
//! Two workers in one tree follow the same best line, and on that line they write the same counters: every write takes
//! the cache line from the other worker, and waiting for lines is most of what a cheap playout costs. So a worker keeps
//! a copy of each block whose parent has been visited often. It reads and writes its copy, and now and then adds
//! what it has gathered to the shared counters and reads them again.
//!
//! - **Nothing is lost or counted twice.** The shared counters only ever receive additions, each once, and a worker that
//!   leaves the tree adds what it still has ([`Mirror::flush`]). A copy may be given up for another block while a
//!   descent is under way: what it held is added then, and the rest of the descent goes to the shared counters.
//! - **Little is withheld.** A copy of a block with N visits is renewed after N / (32 T) uses, at most 256, where T is the
//!   number of workers; so all of them together withhold at most one visit in 32, and each sees at once what it counts in
//!   its copy.
//! - **It is quicker even alone**, because a copy holds for each child what its value is made of.

use super::choice::{GROUP, Group, highest};
use super::counters::Counters;
use super::weights::Scales;
use super::{Block, Link, Tree};

/// How many blocks a mirror holds, at most.
const MOST_SLOTS: usize = 512;
/// Bytes a mirror takes, at most; where blocks are wide it holds fewer of them.
const MOST_BYTES: usize = 1 << 20;
/// Cells of a block that is copied, at most: a thousand children. So the bytes have room for a few.
const MOST_CELLS: usize = 128;
/// Blocks are mirrored when their parent has this many visits, with one or two workers and little in flight.
const HOT: u32 = 512;
/// A copy is renewed at the latest after this many uses.
const MOST_USES: u32 = 256;
/// A copy that is renewed after fewer uses than this is not worth its making.
const LEAST_USES: u32 = 8;
/// All workers together withhold at most one visit in this many.
const SHARE_WITHHELD: u32 = 32;

/// Copies of blocks. The place of a block in the arena gives it a slot: a row of cells, one for each eight children.
#[derive(Debug)]
pub(super) struct Mirror<C: Counters> {
    workers: u32,
    hot: u32,
    /// How many cells a slot has.
    row: usize,
    /// What a hash of 32 bits is shifted by to give a slot.
    shift: u32,
    cells: Box<[Cell<C>]>,
}

/// The copy of eight children.
#[derive(Clone, Copy, Debug)]
struct Cell<C: Counters> {
    /// What their values are made of, next to each other for the choice.
    weights: Group,
    block: Block,
    children: u32,
    /// Counted in the first cell of a row.
    uses_left: u32,
    copies: [Copied<C>; GROUP],
}

/// What a copy has of a child.
#[derive(Clone, Copy, Debug)]
struct Copied<C: Counters> {
    /// The counters as this worker sees them.
    seen: C::Words,
    /// The part of them that the shared counters have too.
    shared: C::Words,
    /// The link as it was read last.
    link: Link,
}

/// Where in a mirror the copy of a child is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy {
    cell: u32,
    place: u32,
}

impl<C: Counters> Mirror<C> {
    /// A mirror for one of so many workers, who show at most so many visits in flight.
    pub(super) fn new(workers: u32, in_flight: u32) -> Mirror<C> {
        // Of the visits that make a block hot most have to be real.
        let hot = HOT.max(LEAST_USES * SHARE_WITHHELD * workers).saturating_add(2 * in_flight);
        Mirror { workers, hot, ..Mirror::with_row(0) }
    }

    /// A mirror that nothing is hot enough for.
    pub(super) fn off() -> Mirror<C> {
        Mirror::with_row(0)
    }

    fn with_row(row: usize) -> Mirror<C> {
        let copied = Copied { seen: C::Words::default(), shared: C::Words::default(), link: Link::default() };
        let cell =
            Cell { weights: Group::default(), block: Block(0), children: 0, uses_left: 0, copies: [copied; GROUP] };
        let slots = (MOST_BYTES / (size_of::<Cell<C>>() * row.max(1))).clamp(1, MOST_SLOTS);
        let bits = slots.ilog2();
        Mirror { workers: 1, hot: u32::MAX, row, shift: u32::BITS - bits, cells: vec![cell; row << bits].into() }
    }

    /// Whether the children of a node with so many visits are worth a copy.
    #[inline(always)]
    pub(super) fn is_for(&self, visits: u32) -> bool {
        visits >= self.hot
    }

    /// The copy of the first child of a block that is worth one; made now if there is room for it or it is used up.
    #[inline(always)]
    pub(super) fn copy(&mut self, tree: &Tree, block: Block, visits: u32, scales: &Scales) -> Option<Copy> {
        let mut first = self.slot(block);
        match self.cells.get_mut(first) {
            Some(cell) if cell.uses_left > 0 => {
                // Who finds another block uses that up, so the one asked for most often stays.
                cell.uses_left -= 1;
                if cell.block != block {
                    return None;
                }
            }
            _ => {
                first = self.renew(tree, block, visits, scales)?;
                self.cells[first].uses_left -= 1;
            }
        }
        Some(Copy { cell: first as u32, place: 0 })
    }

    /// Chooses the child with the highest value, given the copy of the first. Returns its index and its copy.
    #[inline(always)]
    pub(super) fn select(&self, first: Copy, exploration: f32) -> (u32, Copy) {
        let row = &self.cells[first.cell as usize..];
        if row[0].children as usize <= GROUP {
            let index = row[0].weights.best(exploration).place();
            return (index, Copy { place: index, ..first });
        }
        let index = highest(row[0].children as usize, |child| row[child / GROUP].weights.best(exploration));
        (index, Copy { cell: first.cell + index / GROUP as u32, place: index % GROUP as u32 })
    }

    /// The first cell of the row that a block has.
    #[inline(always)]
    fn slot(&self, block: Block) -> usize {
        // Fibonacci hashing: blocks stand at all distances from each other.
        let hash = u64::from(block.0.wrapping_mul(0x9e37_79b9));
        (hash >> self.shift) as usize * self.row
    }

    /// Whether this is still the copy of a child of this block. A row has a power of two of cells: so when rows have
    /// become longer, a cell of the block is in the same place of its row as before or elsewhere, and never another of
    /// the block's cells.
    #[inline(always)]
    pub(super) fn holds(&self, copy: Copy, block: Block) -> bool {
        self.cells.get(copy.cell as usize).is_some_and(|cell| cell.block == block)
    }

    /// Adds to the counters of a child in its copy, and returns what they were.
    #[inline(always)]
    pub(super) fn add(&mut self, copy: Copy, change: C::Words, scales: &Scales) -> C::Words {
        let cell = &mut self.cells[copy.cell as usize];
        let place = copy.place as usize % GROUP;
        let copied = &mut cell.copies[place];
        let before = copied.seen;
        copied.seen = C::plus(before, change);
        cell.weights.set(place, C::weight(copied.seen, scales));
        before
    }

    /// The link of a child, as it was read last if it had children by then.
    #[inline(always)]
    pub(super) fn link(&mut self, tree: &Tree, copy: Copy, index: u32) -> Link {
        let cell = &mut self.cells[copy.cell as usize];
        let copied = &mut cell.copies[copy.place as usize % GROUP];
        if copied.link.children().is_none() {
            copied.link = tree.link(tree.nth::<C>(cell.block, cell.children, index));
        }
        copied.link
    }

    /// Makes a copy of a block as it is now, with all of its own in it. Returns its first cell.
    #[cold]
    #[inline(never)]
    fn renew(&mut self, tree: &Tree, block: Block, visits: u32, scales: &Scales) -> Option<usize> {
        let children = tree.width(block);
        let wanted = (children as usize).div_ceil(GROUP);
        if wanted > MOST_CELLS {
            return None;
        }
        if wanted > self.row {
            self.flush(tree);
            *self = Mirror { workers: self.workers, hot: self.hot, ..Mirror::with_row(wanted.next_power_of_two()) };
        }
        let first = self.slot(block);
        self.give_up(tree, first);
        let uses_left = (visits / (SHARE_WITHHELD * self.workers)).clamp(1, MOST_USES);
        for (number, cell) in self.cells[first..first + wanted].iter_mut().enumerate() {
            (cell.block, cell.children, cell.uses_left) = (block, children, uses_left);
            cell.weights = Group::default();
            for place in 0..(children as usize - number * GROUP).min(GROUP) {
                let node = tree.nth::<C>(block, children, (number * GROUP + place) as u32);
                let seen = C::load(tree.counters::<C>(node));
                cell.copies[place] = Copied { seen, shared: seen, link: tree.link(node) };
                cell.weights.set(place, C::weight(seen, scales));
            }
        }
        Some(first)
    }

    /// Adds what a copy has gathered to the shared counters, and forgets it.
    fn give_up(&mut self, tree: &Tree, first: usize) {
        let Cell { block, children, .. } = self.cells[first];
        for (number, cell) in self.cells[first..].iter_mut().take((children as usize).div_ceil(GROUP)).enumerate() {
            for (place, copied) in cell.copies.iter().enumerate().take(children as usize - number * GROUP) {
                let node = tree.nth::<C>(block, children, (number * GROUP + place) as u32);
                if copied.seen != copied.shared {
                    tree.add::<C>(node, C::minus(copied.seen, copied.shared));
                }
            }
            (cell.block, cell.children, cell.uses_left) = (Block(0), 0, 0);
        }
    }

    /// Adds all that the shared counters do not have yet, and forgets every copy.
    pub(super) fn flush(&mut self, tree: &Tree) {
        (0..self.cells.len()).step_by(self.row.max(1)).for_each(|first| self.give_up(tree, first));
    }
}
