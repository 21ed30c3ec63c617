//! A worker's access to the counters of a tree: entering nodes on the way down, adding rewards on the way up.

use super::Tree;
use super::choice::highest_one_by_one;
use super::layout::Layout;
use super::mirror::Mirror;
use super::node::{Block, FIRST, Link, Node};
use super::prefetch::prefetch;
use super::ucb::Ucb;
use super::words::Words;

/// A node on the path of a traversal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(super) block: Block,
    pub(super) index: u32,
    /// The cell of the mirror that counted the visit; [`SHARED`] if the tree did.
    pub(super) cell: u32,
}

/// The place of a cell that no mirror has.
const SHARED: u32 = u32::MAX;

impl Step {
    /// The block of the node.
    #[inline]
    pub(crate) fn block(self) -> Block {
        self.block
    }

    /// The index of the node among its parent's children.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.index as usize
    }
}

/// The state of a node at the moment a traversal enters it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeState {
    /// All visits before this one.
    pub(crate) visits: u32,
    /// The factor before the exploration term of the node's children.
    pub(crate) exploration: f32,
    pub(crate) link: Link,
}

/// A node that was just entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    pub(crate) step: Step,
    pub(crate) state: NodeState,
}

/// Words of a cache line.
const LINE: usize = 8;
/// Cache lines of a block that are prefetched. The processor foresees the rest of a wider block, because it is read in
/// order.
const LINES_AHEAD: usize = 4;

/// Blocks below a node with fewer visits are likely to have left the cache: all others together fit into it.
const SELDOM: u32 = 128;

/// The place of one worker in a tree.
#[derive(Debug)]
pub(crate) struct TreeCursor<'t, L: Layout> {
    tree: &'t Tree,
    ucb: Ucb,
    mirror: Mirror<L>,
    /// Visits of the root when it was entered last.
    root_visits: u32,
    /// The number of the tree's proofs that the mirror knows.
    proofs: u32,
}

impl<'t, L: Layout> TreeCursor<'t, L> {
    /// A cursor without a mirror.
    pub(crate) fn new(tree: &'t Tree, ucb: Ucb) -> TreeCursor<'t, L> {
        TreeCursor { tree, ucb, mirror: Mirror::off(), root_visits: 0, proofs: 0 }
    }

    /// A cursor with a mirror, one of `workers` that show at most `in_flight` visits in flight.
    pub(crate) fn with_mirror(tree: &'t Tree, ucb: Ucb, workers: u32, in_flight: u32) -> TreeCursor<'t, L> {
        TreeCursor { mirror: Mirror::new(workers, in_flight), ..TreeCursor::new(tree, ucb) }
    }

    /// Enters the root.
    pub(crate) fn enter_root(&mut self, entered: L::Words) -> Entered {
        let block = Block(FIRST);
        // No choice is made here, so no instruction waits for the terms that were written last.
        let root = match self.mirror.find(self.tree, block, self.root_visits, &self.ucb) {
            Some(first) => self.mirror.enter_first(self.tree, first, entered),
            None => self.enter_shared(block, 1.0, entered),
        };
        self.root_visits = root.state.visits;
        root
    }

    /// Enters the child with the highest value, the first of equals, of the node that owns a block.
    #[inline(always)]
    pub(crate) fn enter(&mut self, block: Block, parent: &NodeState, entered: L::Words) -> Entered {
        match self.mirror.find(self.tree, block, parent.visits, &self.ucb) {
            Some(first) => self.mirror.enter(self.tree, first, parent.exploration, entered),
            None => self.enter_shared(block, parent.exploration, entered),
        }
    }

    /// The same by the shared counters.
    #[inline(always)]
    fn enter_shared(&mut self, block: Block, exploration: f32, entered: L::Words) -> Entered {
        let children = self.tree.width(block);
        let index = self.highest(block, children, exploration);
        self.enter_nth(block, children, index, entered)
    }

    /// Enters child number `index` of `children`, in the tree.
    #[inline(always)]
    pub(crate) fn enter_nth(&mut self, block: Block, children: u32, index: u32, entered: L::Words) -> Entered {
        let node = self.tree.nth::<L>(block, children, index);
        let visits = L::visits(self.tree.add::<L>(node, entered));
        let step = Step { block, index, cell: SHARED };
        Entered {
            step,
            state: NodeState { visits, exploration: self.ucb.exploration(visits), link: self.tree.link(node) },
        }
    }

    /// Enters the child that an action leads to, if there is one.
    pub(crate) fn enter_action(&mut self, block: Block, action: u32, entered: L::Words) -> Option<Entered> {
        let children = self.tree.width(block);
        let index =
            (0..children).find(|&index| self.tree.action(self.tree.nth::<L>(block, children, index)) == action)?;
        Some(self.enter_nth(block, children, index, entered))
    }

    /// The child with the highest value by the shared counters.
    #[inline(always)]
    fn highest(&self, block: Block, children: u32, exploration: f32) -> u32 {
        let words = &self.tree.arena.words[(block.0 + L::HEAD) as usize..][..children as usize * L::WORDS];
        highest_one_by_one(
            words
                .chunks_exact(L::WORDS)
                .map(|words| L::terms_of_few(L::Words::load(words), &self.ucb).value(exploration)),
        )
    }

    /// Adds to the counters of a node on the path.
    #[inline(always)]
    pub(crate) fn add(&mut self, step: Step, change: L::Words) {
        if !self.mirror.add(step, change, &self.ucb) {
            // The place of a link depends on the width of its block, the place of counters does not.
            self.tree.add::<L>(self.tree.nth::<L>(step.block, 0, step.index), change);
        }
    }

    /// The node of a step.
    #[inline]
    pub(crate) fn node(&self, step: Step) -> Node {
        self.tree.nth::<L>(step.block, self.tree.width(step.block), step.index)
    }

    /// Prefetches a block of about `children` children, if it may have left the cache because its parent has had few
    /// visits. Returns true if it did.
    #[inline(always)]
    pub(crate) fn prefetch(&self, block: Block, visits: u32, children: u32) -> bool {
        if visits >= SELDOM {
            return false;
        }
        let lines = (1 + children as usize * (L::WORDS + 1)).div_ceil(LINE).min(LINES_AHEAD);
        for line in 0..=lines {
            if let Some(word) = self.tree.arena.words.get(block.0 as usize + line * LINE) {
                prefetch(word);
            }
        }
        true
    }

    #[inline]
    pub(crate) fn ucb(&self) -> &Ucb {
        &self.ucb
    }

    /// Sets the bounds of scores that are known by now.
    #[inline]
    pub(crate) fn set_bounds(&mut self, bounds: (f64, f64)) {
        self.ucb.set_bounds(bounds);
    }

    /// Forgets the copies if the tree has proofs that they do not know.
    #[inline]
    pub(crate) fn notice_proofs(&mut self) {
        let proofs = self.tree.proofs();
        if self.proofs != proofs {
            self.proofs = proofs;
            self.flush();
        }
    }

    /// Adds to the shared counters what the mirror has withheld.
    #[cold]
    #[inline(never)]
    pub(crate) fn flush(&mut self) {
        self.mirror.flush(self.tree);
    }
}
