//! What one worker sees of a tree, and how it counts: the way of a descent down and up again.

use super::choice::highest_one_by_one;
use super::counters::Counters;
use super::mirror::Mirror;
use super::prefetch::prefetch;
use super::weights::{Scales, Weight};
use super::{Block, FIRST, Link, Node, Tree};

/// A node that a descent has entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(super) block: Block,
    pub(super) index: u32,
    /// The cell of the mirror where it was counted; [`SHARED`] if that was in the tree.
    pub(super) cell: u32,
}

/// No mirror has so many cells.
const SHARED: u32 = u32::MAX;

impl Step {
    /// The block it stands in.
    pub(crate) fn block(self) -> Block {
        self.block
    }

    /// Which of its parent's children this is.
    pub(crate) fn index(self) -> usize {
        self.index as usize
    }
}

/// What a descent knows of the node it has just entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    pub(crate) step: Step,
    /// All visits from before.
    pub(crate) visits: u32,
    /// What the exploration of its children is multiplied by.
    pub(crate) exploration: f32,
    pub(crate) link: Link,
}

/// Words of a cache line.
const LINE: usize = 8;
/// How many lines of a block are asked for ahead of time: a wider one is read in order, which the processor foresees.
const LINES_AHEAD: usize = 4;

/// Blocks below a node with fewer visits are likely to have left the cache: all others together fit into it.
const SELDOM: u32 = 128;

/// A worker's way to the counters of a tree.
#[derive(Debug)]
pub(crate) struct View<'t, C: Counters> {
    tree: &'t Tree,
    scales: Scales,
    mirror: Mirror<C>,
    /// Visits of the root as seen last.
    visits: u32,
    /// Of what was proven in the tree so much has been seen.
    proofs: u32,
}

impl<'t, C: Counters> View<'t, C> {
    /// For a worker that keeps no mirror.
    pub(crate) fn new(tree: &'t Tree, scales: Scales) -> View<'t, C> {
        View { tree, scales, mirror: Mirror::off(), visits: 0, proofs: 0 }
    }

    /// For one of so many workers that keep mirrors and show at most so many visits in flight.
    pub(crate) fn with_mirror(tree: &'t Tree, scales: Scales, workers: u32, in_flight: u32) -> View<'t, C> {
        View { mirror: Mirror::new(workers, in_flight), ..View::new(tree, scales) }
    }

    /// Enters the root.
    #[inline(always)]
    pub(crate) fn enter_root(&mut self, entered: C::Words) -> Entered {
        let block = Block(FIRST);
        // Nothing is chosen, so nobody waits for the weights that were written last.
        let root = match self.mirror.find(self.tree, block, self.visits, &self.scales) {
            Some(first) => self.mirror.enter_first(self.tree, first, entered),
            None => self.enter_shared(block, 1.0, entered),
        };
        self.visits = root.visits;
        root
    }

    /// Enters the child with the highest value, the first of equals, of a node that had so many visits.
    #[inline(always)]
    pub(crate) fn enter(&mut self, block: Block, visits: u32, exploration: f32, entered: C::Words) -> Entered {
        match self.mirror.find(self.tree, block, visits, &self.scales) {
            Some(first) => self.mirror.enter(self.tree, first, exploration, entered),
            None => self.enter_shared(block, exploration, entered),
        }
    }

    /// The same by the shared counters.
    #[inline(always)]
    fn enter_shared(&mut self, block: Block, exploration: f32, entered: C::Words) -> Entered {
        let children = self.tree.width(block);
        let index = self.highest(block, children, exploration);
        self.enter_nth(block, children, index, entered)
    }

    /// Enters a child, in the tree.
    #[inline(always)]
    pub(crate) fn enter_nth(&mut self, block: Block, children: u32, index: u32, entered: C::Words) -> Entered {
        let node = self.tree.nth::<C>(block, children, index);
        let visits = C::visits(self.tree.add::<C>(node, entered));
        let step = Step { block, index, cell: SHARED };
        Entered { step, visits, exploration: self.scales.exploration(visits), link: self.tree.link(node) }
    }

    /// Enters the child that an action leads to, if there is one.
    pub(crate) fn enter_action(&mut self, block: Block, action: u32, entered: C::Words) -> Option<Entered> {
        let children = self.tree.width(block);
        let index =
            (0..children).find(|&index| self.tree.action(self.tree.nth::<C>(block, children, index)) == action)?;
        Some(self.enter_nth(block, children, index, entered))
    }

    /// The child with the highest value by the shared counters.
    #[inline(always)]
    fn highest(&self, block: Block, children: u32, exploration: f32) -> u32 {
        let words = &self.tree.arena.words[(block.0 + C::HEAD) as usize..][..children as usize * C::WORDS];
        highest_one_by_one(words.chunks_exact(C::WORDS).map(|words| {
            let Weight { mean, root } = C::weight_of_few(C::load(words), &self.scales);
            mean + exploration * root
        }))
    }

    /// Adds to the counters of a node that was entered.
    #[inline(always)]
    pub(crate) fn add(&mut self, step: Step, change: C::Words) {
        if !self.mirror.add(step, change, &self.scales) {
            // Where a link stands depends on the width of a block, where counters stand does not.
            self.tree.add::<C>(self.tree.nth::<C>(step.block, 0, step.index), change);
        }
    }

    /// The node that was entered.
    pub(crate) fn node(&self, step: Step) -> Node {
        self.tree.nth::<C>(step.block, self.tree.width(step.block), step.index)
    }

    /// Asks for the memory of a block that will be chosen from, of about so many children, if it may be far away: the
    /// parent has had few visits. Says whether it did.
    #[inline(always)]
    pub(crate) fn fetch(&self, block: Block, visits: u32, children: u32) -> bool {
        if visits >= SELDOM {
            return false;
        }
        let lines = (1 + children as usize * (C::WORDS + 1)).div_ceil(LINE).min(LINES_AHEAD);
        for line in 0..=lines {
            if let Some(word) = self.tree.arena.words.get(block.0 as usize + line * LINE) {
                prefetch(word);
            }
        }
        true
    }

    pub(crate) fn scales(&self) -> &Scales {
        &self.scales
    }

    /// Takes the bounds of scores that are known by now.
    #[inline]
    pub(crate) fn set_bounds(&mut self, bounds: (f64, f64)) {
        self.scales.set_bounds(bounds);
    }

    /// Forgets the copies, if something was proven that they do not know.
    #[inline]
    pub(crate) fn notice_proofs(&mut self) {
        let proofs = self.tree.proofs();
        if self.proofs != proofs {
            self.proofs = proofs;
            self.flush();
        }
    }

    /// Adds what this worker has kept to itself to the shared counters.
    #[cold]
    #[inline(never)]
    pub(crate) fn flush(&mut self) {
        self.mirror.flush(self.tree);
    }
}
