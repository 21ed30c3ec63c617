//! Trees of information sets, for games with chance that is not in the tree, hidden information or simultaneous
//! choices.
//!
//! In a plain tree a node is a position. Here a node is an information set, so several blocks may stand below one
//! child: one for each observation since. A block carries the *key* of its information set, by which it is found
//! ([`observations`](super::observations)):
//!
//! ```text
//! header | key | next blocks | further actions | counters ... | links ...
//! ```
//!
//! A worker that loses the race to publish a block looks at the winner's, and frees its own if the winner's has the
//! same key. Actions that are legal in some positions only are chained to the first block in the same way.

use super::layout::{Layout, NodeStats};
use super::layouts::InformationSets;
use super::node::{Block, Node, PLACE, UNEXPANDED};
use super::observations::{End, halves};
use super::words::Words;
use super::{Stock, Tree};
use crate::mcts::tree::sync::Ordering::Relaxed;

impl Tree {
    /// The block with this key below a node.
    #[inline]
    pub(crate) fn find(&self, below: Node, key: u64) -> Option<Block> {
        self.seek(below, key).1
    }

    /// The block with this key below a node, made of these actions if there is none; `None` without room for it.
    pub(crate) fn find_or_attach(&self, below: Node, key: u64, actions: &[u32], stock: &mut Stock) -> Option<Block> {
        let mut own = None;
        loop {
            let end = match self.seek(below, key) {
                (_, Some(found)) => {
                    // Another worker may have been faster.
                    own.into_iter().for_each(|block| self.arena.free_block(block, stock));
                    return Some(found);
                }
                (end, None) => end,
            };
            let block = match own {
                Some(block) => block,
                None => *own.insert(self.write_keyed(key, actions, stock)?),
            };
            if self.publish_at(end, block) {
                return Some(block);
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

    /// Looks up many actions at once, as [`find_action`](Tree::find_action) does one, in time that hardly grows faster
    /// than their number.
    pub(crate) fn find_actions(&self, block: Block, actions: &[u32], mut see: impl FnMut(u32, Option<(Block, u32)>)) {
        let children = || {
            std::iter::successors(Some(block), |&block| self.more(block)).flat_map(move |block| {
                self.actions(block).zip(0..).map(move |(action, index)| (action, (block, index)))
            })
        };
        // The game lists its actions in the order in which the block has them, if they are the same.
        let mut in_order = children().peekable();
        let mut sorted = Vec::new();
        for &action in actions {
            if let Some((_, child)) = in_order.next_if(|&(next, _)| next == action) {
                see(action, Some(child));
                continue;
            }
            if sorted.is_empty() {
                sorted.extend(children());
                sorted.sort_by_key(|&(action, _)| action);
            }
            let found = sorted.binary_search_by_key(&action, |&(action, _)| action);
            see(action, found.ok().map(|place| sorted[place].1));
        }
    }

    /// The actions of a block, in the order they were listed.
    fn actions(&self, block: Block) -> impl Iterator<Item = u32> + '_ {
        self.children(block).map(|child| self.action(child))
    }

    /// The block with actions that were not legal when this one was made.
    pub(crate) fn more(&self, block: Block) -> Option<Block> {
        self.follow(End::More(block))
    }

    /// Chains further actions to a block, except those that other workers have chained by now.
    pub(crate) fn add_actions(&self, block: Block, actions: &[u32], stock: &mut Stock) {
        let mut last = block;
        let mut missing = actions.to_vec();
        loop {
            while let Some(next) = self.more(last) {
                let mut there: Vec<u32> = self.actions(next).collect();
                there.sort_unstable();
                missing.retain(|action| there.binary_search(action).is_err());
                last = next;
            }
            if missing.is_empty() {
                return;
            }
            let Some(block) = self.write_keyed(0, &missing, stock) else { return };
            if self.publish_at(End::More(last), block) {
                return;
            }
            // Some other worker was faster, perhaps with the same actions.
            self.arena.free_block(block, stock);
        }
    }

    fn write_keyed(&self, key: u64, actions: &[u32], stock: &mut Stock) -> Option<Block> {
        let block = self.write_block(actions, stock)?;
        self.set_key(block, key);
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
        let Some(dropped) = self.first_below(root) else {
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
        self.arena.drop_subtree(dropped);
    }

    /// Leaves below the root only the block with this key, if it is there. No worker may be in the tree.
    pub(crate) fn keep_only(&self, key: u64) {
        let root = self.root();
        let (end, kept) = self.seek(root, key);
        let after = kept.map(|kept| halves(kept).map(|end| self.cut(end)));
        if kept.is_some() {
            self.cut(end);
        }
        let rest = self.cut(End::Link(root));
        if let Some(kept) = kept {
            self.publish_at(End::Link(root), kept);
        }
        after.into_iter().flatten().chain([rest]).flatten().for_each(|block| self.arena.drop_subtree(block));
    }

    /// The words of the counters of a node.
    #[inline]
    pub(crate) fn keyed_node_words(&self, node: Node) -> [u64; 3] {
        Words::load(self.counters(node, InformationSets::WORDS))
    }

    /// The words of the counters of each child: visits and those in flight, the sum, and the third.
    #[inline]
    pub(crate) fn keyed_words(&self, block: Block) -> impl Iterator<Item = [u64; 3]> + Clone + '_ {
        let children = self.width(block);
        (0..children).map(move |index| self.keyed_node_words(self.nth::<InformationSets>(block, children, index)))
    }

    /// Adds to the third word of a child: how often it was legal, or its regret.
    #[inline]
    pub(crate) fn add_third(&self, node: Node, change: u64) {
        self.add::<InformationSets>(node, [0, 0, change]);
    }

    /// Takes back the reward of a visit that counts for no mean.
    #[inline]
    pub(crate) fn take_reward(&self, node: Node, units: u64) {
        self.add::<InformationSets>(node, [0, units.wrapping_neg(), 0]);
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

    fn sorted(blocks: impl IntoIterator<Item = Block>) -> Vec<u32> {
        let mut places: Vec<u32> = blocks.into_iter().map(|block| block.0).collect();
        places.sort_unstable();
        places
    }

    #[test]
    fn each_key_has_one_block_below_a_node() {
        let (tree, mut stock) = (tree(), Stock::default());
        let root = tree.root();
        let mut attach = |key, actions: &[u32]| tree.find_or_attach(root, key, actions, &mut stock).unwrap();
        let blocks = [attach(5, &[1, 2]), attach(9, &[3]), attach(0, &[])];
        assert_eq!([attach(5, &[]), attach(9, &[]), attach(0, &[7])], blocks);
        assert_eq!(tree.find(root, 9), Some(blocks[1]));
        assert_eq!(tree.find(root, 8), None);
        assert_eq!(tree.first_below(root), Some(blocks[0]));
        assert_eq!(sorted(tree.all_below(root)), sorted(blocks));
        assert_eq!(blocks.map(|block| tree.width(block)), [2, 1, 0]);
        assert_eq!(tree.find_action(blocks[0], 2), Some((blocks[0], 1)));
    }

    #[test]
    fn actions_seen_later_are_chained_once() {
        let (tree, mut stock) = (tree(), Stock::default());
        let block = tree.find_or_attach(tree.root(), 1, &[4, 6], &mut stock).unwrap();
        tree.add_actions(block, &[8], &mut stock);
        tree.add_actions(block, &[8, 9], &mut stock);
        tree.add_actions(block, &[9], &mut stock);
        let later = tree.more(block).unwrap();
        let last = tree.more(later).unwrap();
        assert_eq!((tree.find_action(block, 8), tree.find_action(block, 9)), (Some((later, 0)), Some((last, 0))));
        assert_eq!((tree.more(last), tree.width(later), tree.width(last)), (None, 1, 1));
        assert_eq!(tree.find(tree.root(), 1), Some(block), "further actions have no key");
    }

    #[test]
    fn a_tree_goes_on_below_what_its_player_has_chosen() {
        let (tree, mut stock) = (tree(), Stock::default());
        let mut attach = |below, key, actions: &[u32]| tree.find_or_attach(below, key, actions, &mut stock).unwrap();
        let root = tree.keyed_child(tree.first(), 0);
        let chosen = tree.keyed_child(attach(root, 5, &[1, 2]), 1);
        tree.write(chosen, NodeStats { visits: 7, ..NodeStats::default() });
        let kept = [attach(chosen, 8, &[3]), attach(chosen, 9, &[4]), attach(chosen, 6, &[])];
        tree.advance_one(0, 5, 2);
        assert_eq!((sorted(tree.all_below(root)), tree.read(root).visits), (sorted(kept), 7));
        tree.keep_only(9);
        assert_eq!(sorted(tree.all_below(root)), sorted([kept[1]]));
        tree.keep_only(8);
        assert_eq!(tree.all_below(root).count(), 0, "what is not known is not kept");
        tree.advance_one(3, 5, 1);
        assert_eq!(tree.read(tree.keyed_child(tree.first(), 3)), NodeStats::default());
    }

    #[test]
    fn workers_that_race_agree_on_one_block_for_each_key() {
        let tree = tree();
        let of_worker = |worker: u64| {
            let mut stock = Stock::default();
            let mut attach = |key| {
                let block = tree.find_or_attach(tree.root(), key, &[key as u32], &mut stock).unwrap();
                tree.add_actions(block, &[1000 + worker as u32, 2000], &mut stock);
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
        assert_eq!(tree.all_below(tree.root()).count(), 41);
    }
}
