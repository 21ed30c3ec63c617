//! A worker's private copies of the blocks that all workers go through.
//!
//! Two workers in one tree follow the same best line, and on that line they write the same counters: every write takes
//! the cache line from the other worker, and waiting for lines is most of what a cheap playout costs. So a worker keeps
//! a copy of each block whose parent has been visited often. It reads and writes its copy, and now and then adds
//! what it has gathered to the shared counters and reads them again.
//!
//! - **Nothing is lost or counted twice.** The shared counters only ever receive additions, each once, and a worker
//!   that leaves the tree adds what it still has ([`Mirror::flush`]). A copy may be given up for another block while a
//!   traversal is under way: what it held is added then, and the rest of the traversal goes to the shared counters.
//! - **Little is withheld.** A copy of a block with N visits is renewed after N / (32 T) uses, at most 256, where T is
//!   the number of workers; so all of them together withhold at most one visit in 32, and each sees at once what it
//!   counts in its copy.
//! - **It is quicker even alone**, because a copy caches the UCB terms of each child and the exploration factor of the
//!   child's own children. They are recomputed during backpropagation, off the latency-critical selection path. So a
//!   traversal in flight counts in a copy at once, but makes a child look worse only where there is no copy: below.

use super::choice::{GROUP, Group, highest};
use super::cursor::{Entered, NodeState, Step};
use super::layout::Layout;
use super::ucb::Ucb;
use super::words::Words;
use super::{Block, Link, Tree};

/// The most blocks a mirror holds.
const MOST_SLOTS: usize = 512;
/// The most bytes a mirror takes; where blocks are wide it holds fewer of them.
const MOST_BYTES: usize = 1 << 20;
/// The most cells of a block that is copied: a thousand children. So the bytes have room for a few.
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
pub(super) struct Mirror<L: Layout> {
    workers: u32,
    hot: u32,
    /// The number of cells of a slot.
    row: usize,
    /// The shift that turns a hash of 32 bits into a slot.
    shift: u32,
    cells: Box<[Cell<L>]>,
}

/// The copy of eight children.
#[derive(Clone, Copy, Debug)]
struct Cell<L: Layout> {
    /// Their UCB terms, next to each other for the choice.
    terms: Group,
    block: Block,
    children: u32,
    /// Counted in the first cell of a row.
    uses_left: u32,
    copies: [Copied<L>; GROUP],
}

/// The copy of one child.
#[derive(Clone, Copy, Debug)]
struct Copied<L: Layout> {
    /// The counters as this worker sees them.
    seen: L::Words,
    /// The part of them that the shared counters have too.
    shared: L::Words,
    /// The link as it was read last.
    link: Link,
    /// The factor before the exploration term of its own children.
    exploration: f32,
}

impl<L: Layout> Cell<L> {
    /// Enters child number `index` of its block. Its UCB terms are left as they are until the reward arrives.
    #[inline(always)]
    fn enter(&mut self, tree: &Tree, index: u32, cell: usize, change: L::Words) -> Entered {
        let copied = &mut self.copies[index as usize % GROUP];
        let visits = L::visits(copied.seen);
        copied.seen = copied.seen.plus(change);
        if copied.link.children().is_none() {
            copied.link = tree.link(tree.nth::<L>(self.block, self.children, index));
        }
        let step = Step { block: self.block, index, cell: cell as u32 };
        Entered { step, state: NodeState { visits, exploration: copied.exploration, link: copied.link } }
    }

    /// Adds to the counters of a child.
    #[inline(always)]
    fn add(&mut self, place: usize, change: L::Words, ucb: &Ucb) {
        let copied = &mut self.copies[place];
        copied.seen = copied.seen.plus(change);
        copied.exploration = ucb.exploration(L::visits(copied.seen));
        self.terms.set(place, L::terms(copied.seen, ucb));
    }
}

impl<L: Layout> Mirror<L> {
    /// A mirror for one of `workers` workers, who show at most `in_flight` visits in flight.
    pub(super) fn new(workers: u32, in_flight: u32) -> Mirror<L> {
        // Of the visits that make a block hot most have to be real.
        let hot = HOT.max(LEAST_USES * SHARE_WITHHELD * workers).saturating_add(2 * in_flight);
        Mirror { workers, hot, ..Mirror::with_row(0) }
    }

    /// A mirror that nothing is hot enough for.
    pub(super) fn off() -> Mirror<L> {
        Mirror::with_row(0)
    }

    fn with_row(row: usize) -> Mirror<L> {
        let none = L::Words::ZERO;
        let copied = Copied { seen: none, shared: none, link: Link::default(), exploration: 0.0 };
        let cell =
            Cell { terms: Group::default(), block: Block(0), children: 0, uses_left: 0, copies: [copied; GROUP] };
        let slots = (MOST_BYTES / (size_of::<Cell<L>>() * row.max(1))).clamp(1, MOST_SLOTS);
        let bits = slots.ilog2();
        Mirror { workers: 1, hot: u32::MAX, row, shift: u32::BITS - bits, cells: vec![cell; row << bits].into() }
    }

    /// Enters the child with the highest value of a block, given the first cell of its copy.
    #[inline(always)]
    pub(super) fn enter(&mut self, tree: &Tree, first: usize, exploration: f32, change: L::Words) -> Entered {
        let row = &mut self.cells[first..];
        if row[0].children as usize <= GROUP {
            let index = row[0].terms.best(exploration).place();
            return row[0].enter(tree, index, first, change);
        }
        let index = highest(row[0].children as usize, |child| row[child / GROUP].terms.best(exploration));
        let number = index as usize / GROUP;
        row[number].enter(tree, index, first + number, change)
    }

    /// Enters the first child of a block.
    #[inline(always)]
    pub(super) fn enter_first(&mut self, tree: &Tree, first: usize, change: L::Words) -> Entered {
        self.cells[first].enter(tree, 0, first, change)
    }

    /// The first cell of a block's copy, if it has one or now gets one, given the visits of its parent.
    #[inline(always)]
    pub(super) fn find(&mut self, tree: &Tree, block: Block, visits: u32, ucb: &Ucb) -> Option<usize> {
        if visits < self.hot {
            return None;
        }
        let first = self.slot(block);
        match self.cells.get_mut(first) {
            Some(cell) if cell.uses_left > 0 => {
                // A look that finds another block uses that up, so the block asked for most often stays.
                cell.uses_left -= 1;
                (cell.block == block).then_some(first)
            }
            _ => self.renew(tree, block, visits, ucb),
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
    pub(super) fn add(&mut self, step: Step, change: L::Words, ucb: &Ucb) -> bool {
        match self.cells.get_mut(step.cell as usize) {
            Some(cell) if cell.block == step.block => {
                cell.add(step.index as usize % GROUP, change, ucb);
                true
            }
            _ => false,
        }
    }

    /// Copies a block as it is now, after adding what its old copy has gathered. Returns its first cell.
    #[cold]
    #[inline(never)]
    fn renew(&mut self, tree: &Tree, block: Block, visits: u32, ucb: &Ucb) -> Option<usize> {
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
            cell.terms = Group::default();
            for place in 0..(children as usize - number * GROUP).min(GROUP) {
                let node = tree.nth::<L>(block, children, (number * GROUP + place) as u32);
                let seen = L::Words::load(tree.counters(node, L::WORDS));
                let exploration = ucb.exploration(L::visits(seen));
                cell.copies[place] = Copied { seen, shared: seen, link: tree.link(node), exploration };
                cell.terms.set(place, L::terms(seen, ucb));
            }
        }
        Some(first)
    }

    /// Adds to the shared counters what a copy has gathered, and forgets it.
    fn give_up(&mut self, tree: &Tree, first: usize) {
        let Cell { block, children, .. } = self.cells[first];
        for (number, cell) in self.cells[first..].iter_mut().take((children as usize).div_ceil(GROUP)).enumerate() {
            for (place, copied) in cell.copies.iter().enumerate().take(children as usize - number * GROUP) {
                let node = tree.nth::<L>(block, children, (number * GROUP + place) as u32);
                if copied.seen != copied.shared {
                    tree.add::<L>(node, copied.seen.minus(copied.shared));
                }
            }
            (cell.block, cell.children, cell.uses_left) = (Block(0), 0, 0);
        }
    }

    /// Adds to the shared counters all that they do not have yet, and forgets every copy.
    pub(super) fn flush(&mut self, tree: &Tree) {
        (0..self.cells.len()).step_by(self.row.max(1)).for_each(|first| self.give_up(tree, first));
    }
}
