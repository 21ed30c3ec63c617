//! A worker's access to the counters of a tree: entering nodes on the way down, adding rewards on the way up.

use std::marker::PhantomData;

use super::Tree;
use super::allocation::Allocation;
use super::layout::{Layout, Seen};
use super::lines::LINE;
use super::node::{Block, Link, Node};
use super::ucb::Ucb;
use super::words::{Words, Writers};
use crate::mcts::policies::ChildStats;
use crate::mcts::tree::sync::AtomicU64;
use boughs_core::prefetch;

/// A node on the path of a traversal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    block: Block,
    index: u32,
    /// The place of its counters.
    at: u32,
}

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
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeState {
    /// All visits before this one.
    pub(crate) visits: u32,
    pub(crate) link: Link,
}

impl NodeState {
    /// A node that no traversal has entered.
    pub(crate) const NEW: NodeState = NodeState { visits: 0, link: Link::LEAF };
}

/// A node that was just entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    pub(crate) step: Step,
    pub(crate) state: NodeState,
}

impl Entered {
    #[inline(always)]
    fn new(block: Block, index: u32, seen: Seen) -> Entered {
        let step = Step { block, index, at: seen.at };
        Entered { step, state: NodeState { visits: seen.visits, link: seen.link } }
    }
}

/// The most cache lines of a block that are prefetched. The processor foresees the rest of a wider block, because it is
/// read in order.
const LINES_AHEAD: usize = 5;

/// Blocks below a node with fewer visits are likely to have left the cache: all others together fit into it.
const SELDOM: u32 = 128;

/// The access of one worker to a tree.
#[derive(Debug)]
pub(crate) struct TreeCursor<'t, L: Layout> {
    words: &'t [AtomicU64],
    writers: Writers,
    /// The block of the root.
    first: Block,
    /// The cache lines of a block that are prefetched.
    lines_ahead: usize,
    /// The visits that a node has before it is expanded.
    visits_as_leaf: u32,
    /// The usual number of children of a node.
    width: u32,
    ucb: Ucb,
    layout: PhantomData<L>,
}

impl<'t, L: Layout> TreeCursor<'t, L> {
    /// `width` is the usual number of children of a node, which is expanded by visit number `expand_at`.
    pub(crate) fn new(tree: &'t Tree, ucb: Ucb, width: u32, expand_at: u32) -> TreeCursor<'t, L> {
        TreeCursor {
            words: &tree.arena.words,
            writers: tree.writers(),
            first: tree.first(),
            lines_ahead: L::lines(width).min(LINES_AHEAD),
            visits_as_leaf: expand_at.saturating_sub(1),
            width,
            ucb,
            layout: PhantomData,
        }
    }

    /// The root, not entered.
    pub(crate) fn root(&self) -> Entered {
        self.nth(self.first, 0)
    }

    /// Enters the root.
    pub(crate) fn enter_root(&mut self, entered: L::Words) -> Entered {
        self.enter_nth(self.first, 0, entered)
    }

    /// Enters the child with the highest value, the first of equals, of the node that owns a block.
    #[inline(always)]
    pub(crate) fn enter(&mut self, block: Block, parent: &NodeState, entered: L::Words) -> Entered {
        // While the node has children that were never visited, the first of them is next. Its number is that of the
        // visits that went on from the node, as long as each visited another child, so most often nothing is compared.
        let next = parent.visits.wrapping_sub(self.visits_as_leaf);
        if next < self.width
            && self.ucb.tries_all_first()
            && let Some(seen) = L::enter_untried(self.words, block, next, entered, self.writers)
        {
            return Entered::new(block, next, seen);
        }
        let exploration = self.ucb.exploration(parent.visits);
        let (index, seen) = L::enter_highest(self.words, block, &self.ucb, exploration, entered, self.writers);
        Entered::new(block, index, seen)
    }

    /// Lists the statistics of the children of a block.
    pub(crate) fn list_children(&self, block: Block, out: &mut Vec<ChildStats>) {
        out.clear();
        L::each(self.words, block, |words| out.push(L::child_stats(words, &self.ucb)));
    }

    /// The visits of all children of a block, with those in flight.
    pub(crate) fn visits_of_children(&self, block: Block) -> u32 {
        let mut visits = 0;
        // The highest bit marks a known outcome.
        L::each(self.words, block, |words| visits += u64::from(L::visits(words) & (u32::MAX >> 1)));
        u32::try_from(visits).unwrap_or(u32::MAX)
    }

    /// Enters child number `index`.
    #[inline(always)]
    pub(crate) fn enter_nth(&mut self, block: Block, index: u32, entered: L::Words) -> Entered {
        Entered::new(block, index, L::enter(self.words, block, index, entered, self.writers))
    }

    /// Child number `index`, not entered.
    #[inline(always)]
    pub(crate) fn nth(&self, block: Block, index: u32) -> Entered {
        Entered::new(block, index, L::look(self.words, block, index))
    }

    /// Shares out simulations among the children of the node that owns a block.
    pub(crate) fn share_out(&self, block: Block, parent: &NodeState, simulations: u32, into: &mut Allocation) {
        let exploration = self.ucb.exploration(parent.visits);
        into.share_out::<L>(self.words, block, &self.ucb, exploration, simulations);
    }

    /// The number of the child that an action leads to.
    pub(crate) fn find(&self, block: Block, action: u32) -> Option<u32> {
        let children = L::width(self.words, block);
        (0..children).find(|&index| L::look(self.words, block, index).link.action == action)
    }

    /// Enters the child that an action leads to, if there is one.
    pub(crate) fn enter_action(&mut self, block: Block, action: u32, entered: L::Words) -> Option<Entered> {
        let index = self.find(block, action)?;
        Some(self.enter_nth(block, index, entered))
    }

    /// Adds to the counters of a node on the path.
    #[inline(always)]
    pub(crate) fn add(&mut self, step: Step, change: L::Words) {
        L::add(self.words, step.block, step.at, change, self.writers);
    }

    /// Adds to the counters of child number `index` and returns those before.
    pub(crate) fn add_to_child(&mut self, block: Block, index: u32, change: L::Words) -> L::Words {
        L::Words::add(&self.words[L::counters(block, index)..][..L::WORDS], change, self.writers)
    }

    /// Adds to the counters of every node on a path the change of the player who chose it.
    #[inline(always)]
    pub(crate) fn add_to_path<const N: usize>(&mut self, path: &[(Step, u8)], changes: &[L::Words; N]) {
        // The compiler cannot know that the counters are none of these, and reads them once only if they are its own.
        let (words, writers, changes) = (self.words, self.writers, *changes);
        for &(step, chooser) in path {
            L::add(words, step.block, step.at, changes[usize::from(chooser)], writers);
        }
    }

    /// The node of a step.
    #[inline]
    pub(crate) fn node(&self, step: Step) -> Node {
        L::nth(self.words, step.block, step.index)
    }

    /// Prefetches the children of a node, if they may have left the cache because the node has had few visits. Returns
    /// true if there are any.
    #[inline(always)]
    pub(crate) fn prefetch_below(&self, node: &NodeState) -> bool {
        match node.link.children() {
            Some(block) if node.visits < SELDOM => {
                self.prefetch(block);
                true
            }
            _ => false,
        }
    }

    /// Prefetches a block.
    #[inline(always)]
    pub(crate) fn prefetch(&self, block: Block) {
        let first = L::place(block);
        for line in 0..self.lines_ahead {
            if let Some(word) = self.words.get(first + line * LINE) {
                prefetch(word);
            }
        }
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
}
