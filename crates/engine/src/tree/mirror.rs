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
//! - **It is quicker even alone**, because a copy holds for each child what its value is made of, and what the values of
//!   its own children will be multiplied by. These are found out when a reward comes back, when nothing waits for them. So
//!   a descent in flight counts in a copy at once, but makes a child look worse only where there is no copy: below.

use super::choice::{GROUP, Group, highest};
use super::counters::Counters;
use super::view::{Entered, Step};
use super::weights::Scales;
use super::{Block, Link, Tree};

/// How many blocks a mirror holds, at most.
const MOST_SLOTS: usize = 512;
/// Bytes a mirror takes, at most; where blocks are wide it holds fewer of them.
const MOST_BYTES: usize = 1 << 20;
/// Cells of a block that is copied, at most: a thousand children. So the bytes have room for a few.
const MOST_CELLS: usize = 128;
/// Blocks are mirrored when their parent has this many visits, with one or two workers and little in flight.
pub(super) const HOT: u32 = 512;
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
    /// What the exploration of its own children is multiplied by.
    exploration: f32,
}

impl<C: Counters> Cell<C> {
    /// Enters child number `index` of its block. What it is worth is left as it is until the reward is there.
    #[inline(always)]
    fn enter(&mut self, tree: &Tree, index: u32, cell: usize, change: C::Words) -> Entered {
        let copied = &mut self.copies[index as usize % GROUP];
        let visits = C::visits(copied.seen);
        copied.seen = C::plus(copied.seen, change);
        if copied.link.children().is_none() {
            copied.link = tree.link(tree.nth::<C>(self.block, self.children, index));
        }
        let step = Step { block: self.block, index, cell: cell as u32 };
        Entered { step, visits, exploration: copied.exploration, link: copied.link }
    }

    /// Adds to the counters of a child.
    #[inline(always)]
    fn add(&mut self, place: usize, change: C::Words, scales: &Scales) {
        let copied = &mut self.copies[place];
        copied.seen = C::plus(copied.seen, change);
        copied.exploration = scales.exploration(C::visits(copied.seen));
        self.weights.set(place, C::weight(copied.seen, scales));
    }
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
        let none = C::Words::default();
        let copied = Copied { seen: none, shared: none, link: Link::default(), exploration: 0.0 };
        let cell =
            Cell { weights: Group::default(), block: Block(0), children: 0, uses_left: 0, copies: [copied; GROUP] };
        let slots = (MOST_BYTES / (size_of::<Cell<C>>() * row.max(1))).clamp(1, MOST_SLOTS);
        let bits = slots.ilog2();
        Mirror { workers: 1, hot: u32::MAX, row, shift: u32::BITS - bits, cells: vec![cell; row << bits].into() }
    }

    /// Enters the child with the highest value of a block, given the first cell of its copy.
    #[inline(always)]
    pub(super) fn enter(&mut self, tree: &Tree, first: usize, exploration: f32, change: C::Words) -> Entered {
        let row = &mut self.cells[first..];
        if row[0].children as usize <= GROUP {
            let index = row[0].weights.best(exploration).place();
            return row[0].enter(tree, index, first, change);
        }
        let index = highest(row[0].children as usize, |child| row[child / GROUP].weights.best(exploration));
        let number = index as usize / GROUP;
        row[number].enter(tree, index, first + number, change)
    }

    /// Enters the first child of a block.
    #[inline(always)]
    pub(super) fn enter_first(&mut self, tree: &Tree, first: usize, change: C::Words) -> Entered {
        self.cells[first].enter(tree, 0, first, change)
    }

    /// The first cell of the copy of a block whose parent has so many visits, if it has one or now gets one.
    #[inline(always)]
    pub(super) fn find(&mut self, tree: &Tree, block: Block, visits: u32, scales: &Scales) -> Option<usize> {
        if visits < self.hot {
            return None;
        }
        let first = self.slot(block);
        match self.cells.get_mut(first) {
            Some(cell) if cell.uses_left > 0 => {
                // Who finds another block uses that up, so the one asked for most often stays.
                cell.uses_left -= 1;
                (cell.block == block).then_some(first)
            }
            _ => self.renew(tree, block, visits, scales),
        }
    }

    /// The first cell of the row that a block has.
    #[inline(always)]
    fn slot(&self, block: Block) -> usize {
        // Fibonacci hashing: blocks stand at all distances from each other.
        let hash = u64::from(block.0.wrapping_mul(0x9e37_79b9));
        (hash >> self.shift) as usize * self.row
    }

    /// Adds to the counters of a child that was entered, if it still has its copy.
    ///
    /// A row has a power of two of cells: so when rows have become longer, a cell of the block is in the same place of
    /// its row as before or elsewhere, and never another of the block's cells.
    #[inline(always)]
    pub(super) fn add(&mut self, step: Step, change: C::Words, scales: &Scales) -> bool {
        match self.cells.get_mut(step.cell as usize) {
            Some(cell) if cell.block == step.block => {
                cell.add(step.index as usize % GROUP, change, scales);
                true
            }
            _ => false,
        }
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
        // This use is the first.
        let uses_left = (visits / (SHARE_WITHHELD * self.workers)).clamp(1, MOST_USES) - 1;
        for (number, cell) in self.cells[first..first + wanted].iter_mut().enumerate() {
            (cell.block, cell.children, cell.uses_left) = (block, children, uses_left);
            cell.weights = Group::default();
            for place in 0..(children as usize - number * GROUP).min(GROUP) {
                let node = tree.nth::<C>(block, children, (number * GROUP + place) as u32);
                let seen = C::load(tree.counters::<C>(node));
                let exploration = scales.exploration(C::visits(seen));
                cell.copies[place] = Copied { seen, shared: seen, link: tree.link(node), exploration };
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
