//! What one worker sees of a tree, and how it counts: the way of a descent down and up again.

use super::choice::{Best, GROUP, Group, highest};
use super::counters::Counters;
use super::mirror::{Copy, Mirror};
use super::prefetch::prefetch;
use super::weights::Scales;
use super::{Block, FIRST, Link, Node, Tree};
use crate::sync::AtomicU64;

/// A node that a descent has entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    block: Block,
    index: u32,
    /// Where it was counted, if not in the tree.
    copy: Option<Copy>,
}

impl Step {
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
}

impl<'t, C: Counters> View<'t, C> {
    /// For a worker that keeps no mirror.
    pub(crate) fn new(tree: &'t Tree, scales: Scales) -> View<'t, C> {
        View { tree, scales, mirror: Mirror::off(), visits: 0 }
    }

    /// For one of so many workers that keep mirrors and show at most so many visits in flight.
    pub(crate) fn with_mirror(tree: &'t Tree, scales: Scales, workers: u32, in_flight: u32) -> View<'t, C> {
        View { mirror: Mirror::new(workers, in_flight), ..View::new(tree, scales) }
    }

    /// Enters the root.
    #[inline(always)]
    pub(crate) fn enter_root(&mut self, entered: C::Words) -> Entered {
        let (block, index) = (Block(FIRST), 0);
        let root = match self.copy(block, self.visits) {
            Some(copy) => self.enter_copy(block, index, copy, entered),
            None => self.enter_shared(block, 1, index, entered),
        };
        self.visits = root.visits;
        root
    }

    /// Enters the child with the highest value, the first of equals, of a node that had so many visits.
    #[inline(always)]
    pub(crate) fn enter(&mut self, block: Block, visits: u32, entered: C::Words) -> Entered {
        let exploration = self.scales.exploration(visits);
        if let Some(copy) = self.copy(block, visits) {
            let (index, copy) = self.mirror.select(copy, exploration);
            return self.enter_copy(block, index, copy, entered);
        }
        let children = self.tree.width(block);
        let index = self.highest(block, children, visits, exploration);
        self.enter_shared(block, children, index, entered)
    }

    /// The copy of the first child of a block whose parent has so many visits, if there is one.
    #[inline(always)]
    fn copy(&mut self, block: Block, visits: u32) -> Option<Copy> {
        if self.mirror.is_for(visits) { self.mirror.copy(self.tree, block, visits, &self.scales) } else { None }
    }

    #[inline(always)]
    fn enter_copy(&mut self, block: Block, index: u32, copy: Copy, entered: C::Words) -> Entered {
        let before = self.mirror.add(copy, entered, &self.scales);
        let link = self.mirror.link(self.tree, copy, index);
        Entered { step: Step { block, index, copy: Some(copy) }, visits: C::visits(before), link }
    }

    #[inline(always)]
    fn enter_shared(&mut self, block: Block, children: u32, index: u32, entered: C::Words) -> Entered {
        let node = self.tree.nth::<C>(block, children, index);
        let before = self.tree.add::<C>(node, entered);
        Entered { step: Step { block, index, copy: None }, visits: C::visits(before), link: self.tree.link(node) }
    }

    /// The child with the highest value by the shared counters.
    #[inline(always)]
    fn highest(&self, block: Block, children: u32, visits: u32, exploration: f32) -> u32 {
        let words = &self.tree.arena.words[block.0 as usize + 1..];
        let children = children as usize;
        if children <= GROUP
            && let Some(halves) = C::halves(words, visits, &self.scales)
        {
            return Best::of_some(children, halves, exploration).place();
        }
        self.highest_of_many(words, children, visits, exploration)
    }

    #[inline(never)]
    fn highest_of_many(&self, words: &[AtomicU64], children: usize, visits: u32, exploration: f32) -> u32 {
        highest(children, |first| {
            let words = &words[first * C::WORDS..];
            let children = (children - first).min(GROUP);
            if let Some(halves) = C::halves(words, visits, &self.scales) {
                return Best::of_some(children, halves, exploration);
            }
            let mut group = Group::default();
            for (place, words) in words.chunks_exact(C::WORDS).take(children).enumerate() {
                group.set(place, C::weight(C::load(words), &self.scales));
            }
            group.best(exploration)
        })
    }

    /// Adds to the counters of a node that was entered.
    #[inline(always)]
    pub(crate) fn add(&mut self, step: Step, change: C::Words) {
        match step.copy {
            Some(copy) if self.mirror.holds(copy, step.block) => {
                self.mirror.add(copy, change, &self.scales);
            }
            // Where a link stands depends on the width of a block, where counters stand does not.
            _ => _ = self.tree.add::<C>(self.tree.nth::<C>(step.block, 0, step.index), change),
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

    /// Adds what this worker has kept to itself to the shared counters.
    pub(crate) fn flush(&mut self) {
        self.mirror.flush(self.tree);
    }
}
