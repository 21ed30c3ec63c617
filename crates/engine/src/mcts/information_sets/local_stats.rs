//! Local statistics: a worker's own copies of the counters that all workers write.
//!
//! The blocks next to the roots are written on every traversal. Where several workers write them, each addition waits
//! for the cache line, which another worker has: that took half of the time of two workers. So a worker copies a block
//! that is visited often, adds to the copy, and now and then adds to the tree what the copy has gained and takes over
//! what others have. Until then other workers do not see these visits, which are at most a part of those of the block.

use crate::mcts::tree::layouts::InformationSets;
use crate::mcts::tree::{Block, Entered, Layout, NodeState, Step, TreeCursor};

/// A block is copied from this many visits on.
const BUSY: u32 = 256;

/// A copy is merged after one addition for this many visits of its block; a traversal adds twice. Merged more often,
/// the copies of small blocks cost more than they save.
const VISITS_AN_ADDITION: u32 = 2;
const FEWEST_ADDITIONS: u32 = 128;
const MOST_ADDITIONS: u32 = 8192;

/// The most blocks that are copied.
const SLOTS: usize = 4096;

type Words = [u64; 3];
type Cursor<'t> = TreeCursor<'t, InformationSets>;

/// The copies of one worker.
pub(super) struct LocalStats {
    /// Each block has one place, given by its number. There are no places before the first copy.
    slots: Vec<Option<LocalBlock>>,
    /// False in a tree that one worker writes.
    is_on: bool,
}

/// A copied block.
struct LocalBlock {
    block: Block,
    children: Vec<LocalChild>,
    /// Additions until the next merge.
    left: u32,
}

/// A child of a copied block.
#[derive(Clone, Copy)]
struct LocalChild {
    /// The counters, with what this worker has added.
    words: Words,
    /// The part of them that the tree does not have yet.
    gained: Words,
}

impl LocalStats {
    /// Copies for a worker of a tree that several write, or none.
    pub(super) fn new(has_several_writers: bool) -> LocalStats {
        LocalStats { slots: Vec::new(), is_on: has_several_writers }
    }

    /// The counters of the children of a block, if it is copied.
    #[inline(always)]
    pub(super) fn words(&self, block: Block) -> Option<impl Iterator<Item = Words> + Clone + '_> {
        let slot = self.slots.get(block.number() % SLOTS)?.as_ref();
        slot.filter(|local| local.block == block).map(|local| local.children.iter().map(|child| child.words))
    }

    /// Copies a block with these counters if it is busy and its place is free.
    #[inline(always)]
    pub(super) fn admit(&mut self, block: Block, words: impl Iterator<Item = Words> + Clone) {
        let place = block.number() % SLOTS;
        let is_free = self.slots.get(place).is_none_or(Option::is_none);
        if self.is_on && is_free && words.clone().map(InformationSets::visits).sum::<u32>() >= BUSY {
            if self.slots.is_empty() {
                self.slots.resize_with(SLOTS, || None);
            }
            let children = words.map(|words| LocalChild { words, gained: [0; 3] }).collect();
            self.slots[place] = Some(LocalBlock { block, children, left: FEWEST_ADDITIONS });
        }
    }

    /// Enters a child.
    #[inline(always)]
    pub(super) fn enter(&mut self, cursor: &mut Cursor<'_>, block: Block, index: u32, entered: Words) -> Entered {
        match self.add(cursor, block, index as usize, entered) {
            None => cursor.enter_nth(block, index, entered),
            Some(before) => {
                let Entered { step, state } = cursor.nth(block, index);
                Entered { step, state: NodeState { visits: InformationSets::visits(before), ..state } }
            }
        }
    }

    /// Adds to every node on a path the change of the player who chose it.
    #[inline(always)]
    pub(super) fn add_to_path<const N: usize>(
        &mut self,
        cursor: &mut Cursor<'_>,
        path: &[(Step, u8)],
        changes: &[Words; N],
    ) {
        if self.slots.is_empty() {
            return cursor.add_to_path(path, changes);
        }
        for &(step, chooser) in path {
            let change = changes[usize::from(chooser)];
            if self.add(cursor, step.block(), step.index(), change).is_none() {
                cursor.add(step, change);
            }
        }
    }

    /// Adds to the counters of a child and returns those before. `None` if its block is not copied.
    #[inline(always)]
    fn add(&mut self, cursor: &mut Cursor<'_>, block: Block, index: usize, change: Words) -> Option<Words> {
        let slot = self.slots.get_mut(block.number() % SLOTS)?.as_mut();
        let local = slot.filter(|local| local.block == block)?;
        let LocalChild { words, gained } = &mut local.children[index];
        let before = *words;
        (*words, *gained) = (sum(*words, change), sum(*gained, change));
        local.left -= 1;
        if local.left == 0 {
            local.merge(cursor);
        }
        Some(before)
    }

    /// Merges all copies.
    pub(super) fn merge(&mut self, cursor: &mut Cursor<'_>) {
        self.slots.iter_mut().flatten().for_each(|local| local.merge(cursor));
    }
}

impl LocalBlock {
    /// Adds to the tree what this worker has gained, and takes over what others have.
    #[inline(never)]
    fn merge(&mut self, cursor: &mut Cursor<'_>) {
        let mut visits = 0;
        for (index, child) in (0..).zip(&mut self.children) {
            let gained = std::mem::take(&mut child.gained);
            child.words = sum(cursor.add_to_child(self.block, index, gained), gained);
            visits += InformationSets::visits(child.words);
        }
        self.left = (visits / VISITS_AN_ADDITION).clamp(FEWEST_ADDITIONS, MOST_ADDITIONS);
    }
}

fn sum(one: Words, other: Words) -> Words {
    std::array::from_fn(|word| one[word].wrapping_add(other[word]))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::mcts::tables::Tables;
    use crate::mcts::tree::ucb::Ucb;
    use crate::mcts::tree::words::Writers;
    use crate::mcts::tree::{Stock, Tree};

    #[test]
    fn what_a_copy_has_gained_reaches_the_tree_while_it_is_used_and_all_of_it_in_the_end() {
        let tree = Tree::new(1 << 16, InformationSets::KIND, Writers::Many).expect("room for a root");
        let mut stock = Stock::default();
        let block = tree.find_or_attach(tree.root(), 1, &[5, 6, 7], &mut stock).expect("room for children");
        let ucb = Ucb::new(Arc::new(Tables::new()), 1.0, f64::INFINITY);
        let [mut one, mut other] = [(); 2].map(|()| Cursor::new(&tree, ucb.clone(), 3, 1));
        let visits = |index: usize| InformationSets::visits(tree.keyed_words(block).nth(index).expect("a child"));
        let mut local = LocalStats::new(true);
        let add = |local: &mut LocalStats, cursor: &mut Cursor<'_>, times: u32| {
            for _ in 0..times {
                local.enter(cursor, block, 1, InformationSets::finished(1, 0));
            }
        };

        local.admit(block, tree.keyed_words(block));
        assert!(local.words(block).is_none(), "a block with few visits is not copied");
        add(&mut local, &mut one, BUSY);
        assert_eq!(visits(1), BUSY, "every visit goes into the tree");

        local.admit(block, tree.keyed_words(block));
        other.enter_nth(block, 2, InformationSets::finished(9, 0));
        add(&mut local, &mut one, FEWEST_ADDITIONS - 1);
        let of_copy = |local: &LocalStats| -> Vec<u32> {
            local.words(block).expect("a copy").map(InformationSets::visits).collect()
        };
        assert_eq!(visits(1), BUSY, "the copy has these visits alone");
        assert_eq!(of_copy(&local), [0, BUSY + FEWEST_ADDITIONS - 1, 0]);
        add(&mut local, &mut one, 1);
        assert_eq!(visits(1), BUSY + FEWEST_ADDITIONS);
        assert_eq!(of_copy(&local), [0, BUSY + FEWEST_ADDITIONS, 9], "the copy has what another worker added");

        add(&mut local, &mut one, 5);
        local.merge(&mut one);
        assert_eq!([0, 1, 2].map(visits), [0, BUSY + FEWEST_ADDITIONS + 5, 9]);
    }
}
