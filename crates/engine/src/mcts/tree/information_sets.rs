//! Trees of information sets, for games with chance that is not in the tree, hidden information or simultaneous
//! choices.
//!
//! In a plain tree a node is a position. Here a node is an information set, so several blocks may stand below one
//! child: one for each observation since. A block carries the *key* of its information set, and the blocks below a
//! child are a chain:
//!
//! ```text
//! header | key | next block of the chain, further actions | counters ... | links ...
//! ```
//!
//! A chain only ever grows at its end. A worker writes a block that no other worker can see, and publishes it by one
//! compare-exchange where the chain ends. A worker that loses that race looks at the winner's block, and frees its own
//! if the winner's has the same key. Actions that are legal in some positions only are chained to the first block in
//! the same way.
//!
//! Publication is `Release` and a reader of a chain loads by `Acquire`, as everywhere in the tree.

use super::layout::{Layout, NodeStats};
use super::layouts::InformationSets;
use super::node::{BELOW, Block, Node, PLACE, PUBLISH, UNEXPANDED};
use super::words::Words;
use super::{FreeList, Tree};
use crate::mcts::tree::sync::{Ordering::Acquire, Ordering::Relaxed};

/// The word of a block that has its key.
const KEY: u32 = 1;
/// The word with the next block of its chain, in the low half, and the block with further actions, in the high half.
const NEXT: u32 = 2;
/// The halves of that word, in bits.
const CHAIN: u32 = 0;
const MORE: u32 = 32;

/// A place where a chain can go on.
#[derive(Clone, Copy, Debug)]
enum End {
    /// Below a node that has no block yet.
    Link(Node),
    /// After a block, in one half of the word.
    After(Block, u32),
}

impl Tree {
    /// The block with this key below a node.
    #[inline]
    pub(crate) fn find(&self, below: Node, key: u64) -> Option<Block> {
        self.seek(End::Link(below), Some(key)).ok()
    }

    /// The block with this key below a node, made of these actions if there is none; `None` without room for it.
    pub(crate) fn find_or_attach(
        &self,
        below: Node,
        key: u64,
        actions: &[u32],
        free_list: &mut FreeList,
    ) -> Option<Block> {
        match self.seek(End::Link(below), Some(key)) {
            Ok(block) => Some(block),
            Err(end) => {
                let block = self.write_keyed(key, actions, free_list)?;
                Some(self.append(end, block, Some(key), free_list))
            }
        }
    }

    /// The child that an action leads to, in a block or the blocks chained to it: its block and its index.
    pub(crate) fn find_action(&self, block: Block, action: u32) -> Option<(Block, u32)> {
        let mut at = Some(block);
        while let Some(block) = at {
            let children = self.width(block);
            let found =
                (0..children).find(|&index| self.action(self.nth::<InformationSets>(block, children, index)) == action);
            if let Some(index) = found {
                return Some((block, index));
            }
            at = self.more(block);
        }
        None
    }

    /// The block with actions that were not legal when this one was made.
    pub(crate) fn more(&self, block: Block) -> Option<Block> {
        self.follow(End::After(block, MORE))
    }

    /// Chains further actions to a block, except those that other workers have chained by now.
    pub(crate) fn add_actions(&self, block: Block, actions: &[u32], free_list: &mut FreeList) {
        let mut last = block;
        let mut missing = actions.to_vec();
        loop {
            while let Some(next) = self.more(last) {
                missing.retain(|&action| self.children(next).all(|child| self.action(child) != action));
                last = next;
            }
            if missing.is_empty() {
                return;
            }
            let Some(block) = self.write_keyed(0, &missing, free_list) else { return };
            if self.try_append(End::After(last, MORE), block) {
                return;
            }
            // Some other worker was faster, perhaps with the same actions.
            self.arena.free(block, free_list);
        }
    }

    /// The blocks of a chain.
    #[inline]
    pub(crate) fn chain(&self, below: Node) -> impl Iterator<Item = Block> + '_ {
        let first = self.follow(End::Link(below));
        std::iter::successors(first, |&block| self.follow(End::After(block, CHAIN)))
    }

    /// The blocks that are chained to one in either way.
    #[inline]
    pub(super) fn chained(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        [CHAIN, MORE].into_iter().filter_map(move |half| self.follow(End::After(block, half)))
    }

    #[inline]
    pub(crate) fn key(&self, block: Block) -> u64 {
        self.arena.words[(block.0 + KEY) as usize].load(Relaxed)
    }

    /// The block at a place where a chain goes on.
    #[inline]
    fn follow(&self, end: End) -> Option<Block> {
        let place = match end {
            End::Link(node) => self.arena.words[node.link as usize].load(Acquire) & PLACE,
            End::After(block, half) => {
                self.arena.words[(block.0 + NEXT) as usize].load(Acquire) >> half & u64::from(u32::MAX)
            }
        };
        Block::at(place as u32)
    }

    /// The first block with the key from here on, or the end of the chain.
    #[inline]
    fn seek(&self, mut end: End, key: Option<u64>) -> Result<Block, End> {
        while let Some(block) = self.follow(end) {
            if key == Some(self.key(block)) {
                return Ok(block);
            }
            end = End::After(block, CHAIN);
        }
        Err(end)
    }

    /// Appends a block to a chain, and returns it, or the one with its key that some other worker has appended
    /// meanwhile.
    fn append(&self, mut end: End, block: Block, key: Option<u64>, free_list: &mut FreeList) -> Block {
        while !self.try_append(end, block) {
            match self.seek(end, key) {
                Ok(other) => {
                    self.arena.free(block, free_list);
                    return other;
                }
                Err(further) => end = further,
            }
        }
        block
    }

    /// Publishes a block at the end of a chain. Returns false if the chain does not end there any more.
    fn try_append(&self, end: End, block: Block) -> bool {
        let (word, shift, kept) = match end {
            End::Link(node) => (node.link, 0, !BELOW),
            End::After(last, half) => (last.0 + NEXT, half, !(u64::from(u32::MAX) << half)),
        };
        let word = &self.arena.words[word as usize];
        let mut before = word.load(Relaxed);
        while before & !kept == UNEXPANDED {
            let after = before | u64::from(block.0) << shift;
            match word.compare_exchange(before, after, PUBLISH, Relaxed) {
                Ok(_) => return true,
                // The other half may have changed; if this one has, another worker was faster.
                Err(now) => before = now,
            }
        }
        false
    }

    fn write_keyed(&self, key: u64, actions: &[u32], free_list: &mut FreeList) -> Option<Block> {
        let block = self.write_block(actions, free_list)?;
        self.arena.words[(block.0 + KEY) as usize].store(key, Relaxed);
        self.arena.words[(block.0 + NEXT) as usize].store(0, Relaxed);
        Some(block)
    }

    /// Child number `index` of a block.
    #[inline]
    pub(crate) fn keyed_child(&self, block: Block, index: u32) -> Node {
        self.nth::<InformationSets>(block, self.width(block), index)
    }

    /// Makes the child that an action leads to, below the information set `key`, the root of one of the trees, and
    /// leaves the rest to be reused. If there is no such child that tree is empty now. No worker may be in it.
    pub(crate) fn advance_one(&self, tree: u32, key: u64, action: u32) {
        let root = self.keyed_child(self.first(), tree);
        let Some(chain) = self.follow(End::Link(root)) else {
            return self.write(root, NodeStats::default());
        };
        let chosen = self.find(root, key).and_then(|block| self.find_action(block, action));
        let (stats, below) = chosen.map_or((NodeStats::default(), UNEXPANDED), |(block, index)| {
            let child = self.keyed_child(block, index);
            let link = self.arena.words[child.link as usize].swap(u64::from(action) << 32 | UNEXPANDED, Relaxed);
            (self.read(child), link & PLACE)
        });
        // No player chooses a root, so it has no sum.
        self.write(root, NodeStats { visits: stats.visits, ..NodeStats::default() });
        self.arena.words[root.link as usize].store(below, Relaxed);
        self.arena.drop_subtree(chain);
    }

    /// Leaves below the root only the block with this key, if it is there. No worker may be in the tree.
    pub(crate) fn keep_only(&self, key: u64) {
        let root = self.root();
        let Some(first) = self.follow(End::Link(root)) else { return };
        let kept = self.find(root, key);
        let rest = match kept {
            Some(block) => self.follow(End::After(block, CHAIN)),
            None => None,
        };
        if kept == Some(first) && rest.is_none() {
            return;
        }
        let cut = |block: Block, next: Option<Block>| {
            let word = &self.arena.words[(block.0 + NEXT) as usize];
            let more = word.load(Relaxed) >> MORE << MORE;
            word.store(more | next.map_or(UNEXPANDED, |next| u64::from(next.0)), Relaxed);
        };
        if let Some(kept) = kept {
            if let Some(before) = self.chain(root).take_while(|&block| block != kept).last() {
                cut(before, rest);
            }
            cut(kept, None);
        }
        self.arena.words[root.link as usize].store(kept.map_or(UNEXPANDED, |block| u64::from(block.0)), Relaxed);
        let dropped = if kept == Some(first) { rest } else { Some(first) };
        dropped.into_iter().for_each(|block| self.arena.drop_subtree(block));
    }

    /// The words of the counters of a node.
    #[inline]
    pub(crate) fn keyed_node_words(&self, node: Node) -> [u64; 3] {
        Words::load(self.counters(node, InformationSets::WORDS))
    }

    /// The words of the counters of each child: visits and those in flight, the sum, and the third.
    #[inline]
    pub(crate) fn keyed_words(&self, block: Block) -> impl Iterator<Item = [u64; 3]> + '_ {
        let children = self.width(block);
        (0..children).map(move |index| self.keyed_node_words(self.nth::<InformationSets>(block, children, index)))
    }

    /// Adds to the third word of a child: how often it was legal, or its regret.
    #[inline]
    pub(crate) fn add_third(&self, node: Node, change: u64) {
        self.add::<InformationSets>(node, [0, 0, change]);
    }

    /// Counts that the strategy of a node has drawn a child.
    #[inline]
    pub(crate) fn add_drawn(&self, node: Node) {
        self.add::<InformationSets>(node, [1, 0, 0]);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::LayoutKind;
    use super::super::words::Writers;
    use super::*;

    fn tree() -> Tree {
        Tree::new(1 << 20, LayoutKind::InformationSets, Writers::Many).expect("room")
    }

    #[test]
    fn each_key_has_one_block_below_a_node() {
        let (tree, mut free_list) = (tree(), FreeList::default());
        let root = tree.root();
        let mut attach = |key, actions: &[u32]| tree.find_or_attach(root, key, actions, &mut free_list).unwrap();
        let blocks = [attach(5, &[1, 2]), attach(9, &[3]), attach(0, &[])];
        assert_eq!([attach(5, &[]), attach(9, &[]), attach(0, &[7])], blocks);
        assert_eq!(tree.find(root, 9), Some(blocks[1]));
        assert_eq!(tree.find(root, 8), None);
        assert_eq!(tree.chain(root).collect::<Vec<_>>(), blocks);
        assert_eq!(blocks.map(|block| tree.width(block)), [2, 1, 0]);
        assert_eq!(tree.find_action(blocks[0], 2), Some((blocks[0], 1)));
    }

    #[test]
    fn actions_seen_later_are_chained_once() {
        let (tree, mut free_list) = (tree(), FreeList::default());
        let block = tree.find_or_attach(tree.root(), 1, &[4, 6], &mut free_list).unwrap();
        tree.add_actions(block, &[8], &mut free_list);
        tree.add_actions(block, &[8, 9], &mut free_list);
        tree.add_actions(block, &[9], &mut free_list);
        let later = tree.more(block).unwrap();
        let last = tree.more(later).unwrap();
        assert_eq!((tree.find_action(block, 8), tree.find_action(block, 9)), (Some((later, 0)), Some((last, 0))));
        assert_eq!((tree.more(last), tree.width(later), tree.width(last)), (None, 1, 1));
        assert_eq!(tree.find(tree.root(), 1), Some(block), "chains do not mix");
    }

    #[test]
    fn a_tree_goes_on_below_what_its_player_has_chosen() {
        let (tree, mut free_list) = (tree(), FreeList::default());
        let mut attach =
            |below, key, actions: &[u32]| tree.find_or_attach(below, key, actions, &mut free_list).unwrap();
        let root = tree.keyed_child(tree.first(), 0);
        let chosen = tree.keyed_child(attach(root, 5, &[1, 2]), 1);
        tree.write(chosen, NodeStats { visits: 7, ..NodeStats::default() });
        let kept = [attach(chosen, 8, &[3]), attach(chosen, 9, &[4]), attach(chosen, 6, &[])];
        tree.advance_one(0, 5, 2);
        assert_eq!((tree.chain(root).collect::<Vec<_>>(), tree.read(root).visits), (kept.to_vec(), 7));
        tree.keep_only(9);
        assert_eq!(tree.chain(root).collect::<Vec<_>>(), kept[1..2]);
        tree.keep_only(8);
        assert_eq!(tree.chain(root).count(), 0, "what is not known is not kept");
        tree.advance_one(3, 5, 1);
        assert_eq!(tree.read(tree.keyed_child(tree.first(), 3)), NodeStats::default());
    }

    #[test]
    fn workers_that_race_agree_on_one_block_for_each_key() {
        let tree = tree();
        let of_worker = |worker: u64| {
            let mut free_list = FreeList::default();
            let mut attach = |key| {
                let block = tree.find_or_attach(tree.root(), key, &[key as u32], &mut free_list).unwrap();
                tree.add_actions(block, &[1000 + worker as u32, 2000], &mut free_list);
                block
            };
            (0..200).map(|step| (step * (worker + 1)) % 41).map(|key| (key, attach(key))).collect::<Vec<_>>()
        };
        let found: Vec<(u64, Block)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4).map(|worker| scope.spawn(move || of_worker(worker))).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        for (key, block) in found {
            assert_eq!((tree.find(tree.root(), key), tree.key(block)), (Some(block), key));
            let actions: Vec<u32> = std::iter::successors(tree.more(block), |&more| tree.more(more))
                .flat_map(|more| tree.children(more).map(|child| tree.action(child)).collect::<Vec<_>>())
                .collect();
            assert_eq!(actions.iter().filter(|&&action| action == 2000).count(), 1, "{actions:?}");
        }
        assert_eq!(tree.chain(tree.root()).count(), 41);
    }
}
