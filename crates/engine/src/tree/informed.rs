//! Trees of what players know, for games with chance that is not in the tree, hidden information or simultaneous choices.
//!
//! In a plain tree a node is a position. Here a node is what somebody knows, so several blocks may hang below one child:
//! one for each thing that may have been seen since. A block carries a *key*, and the blocks below a child are a chain:
//!
//! ```text
//! header | key | next block of the chain, further actions | counters ... | links ...
//! ```
//!
//! A chain only ever grows at its end. A worker writes a block that nobody else can see, and publishes it by one
//! compare-exchange where the chain ends. Who loses that race looks at what the winner has put there, and keeps its own block
//! for later if that is what it was looking for. Actions that are legal in some positions only are chained to the first
//! block in the same way.
//!
//! Publication is `Release` and whoever follows a chain reads by `Acquire`, as everywhere in the tree.

use super::counters::{Counters, Informed, Tally};
use super::{BARE, BELOW, Block, LINKED, Node, PLACE, PUBLISH, Scraps, Tree};
use crate::sync::{Ordering::Acquire, Ordering::Relaxed};

/// Where a block keeps its key.
const KEY: u32 = 1;
/// Where it keeps the next block of its chain, in the low half, and the block with further actions, in the high half.
const NEXT: u32 = 2;
/// Halves of that word.
const CHAIN: u32 = 0;
const MORE: u32 = 32;

/// Where a chain can go on.
#[derive(Clone, Copy, Debug)]
enum End {
    /// Below a node that has no block yet.
    Link(Node),
    /// After a block, in one half of the word.
    After(Block, u32),
}

impl Tree {
    /// The block with this key below a node.
    pub(crate) fn find(&self, below: Node, key: u64) -> Option<Block> {
        self.seek(End::Link(below), Some(key)).ok()
    }

    /// The block with this key below a node, made of these actions if there is none; `None` without room for it.
    pub(crate) fn find_or_hang(
        &self,
        below: Node,
        key: u64,
        actions: impl ExactSizeIterator<Item = u32>,
        scraps: &mut Scraps,
    ) -> Option<Block> {
        match self.seek(End::Link(below), Some(key)) {
            Ok(block) => Some(block),
            Err(end) => {
                let block = self.write_keyed(key, actions, scraps)?;
                Some(self.append(end, block, Some(key), scraps))
            }
        }
    }

    /// The child of a block, or of the blocks chained to it, that an action leads to, and where it stands.
    pub(crate) fn find_action(&self, block: Block, action: u32) -> Option<(Block, u32)> {
        let mut at = Some(block);
        while let Some(block) = at {
            let children = self.width(block);
            let found =
                (0..children).find(|&index| self.action(self.nth::<Informed>(block, children, index)) == action);
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

    /// Chains further actions to a block, those that nobody else has chained by now.
    pub(crate) fn add_actions(&self, block: Block, actions: &[u32], scraps: &mut Scraps) {
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
            let Some(block) = self.write_keyed(0, missing.iter().copied(), scraps) else { return };
            if self.try_append(End::After(last, MORE), block) {
                return;
            }
            // Some other worker was faster, perhaps with the same actions.
            self.arena.free(block, scraps);
        }
    }

    /// The blocks of a chain.
    pub(crate) fn chain(&self, below: Node) -> impl Iterator<Item = Block> + '_ {
        let first = self.follow(End::Link(below));
        std::iter::successors(first, |&block| self.follow(End::After(block, CHAIN)))
    }

    /// The blocks that are chained to one in either way.
    pub(super) fn chained(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        [CHAIN, MORE].into_iter().filter_map(move |half| self.follow(End::After(block, half)))
    }

    pub(crate) fn key(&self, block: Block) -> u64 {
        self.arena.words[(block.0 + KEY) as usize].load(Relaxed)
    }

    /// The block that stands where a chain goes on.
    fn follow(&self, end: End) -> Option<Block> {
        let place = match end {
            End::Link(node) => self.arena.words[node.link as usize].load(Acquire) & PLACE,
            End::After(block, half) => {
                self.arena.words[(block.0 + NEXT) as usize].load(Acquire) >> half & u64::from(u32::MAX)
            }
        };
        (place >= u64::from(LINKED)).then_some(Block(place as u32))
    }

    /// The first block with the key from here on, or where the chain ends.
    fn seek(&self, mut end: End, key: Option<u64>) -> Result<Block, End> {
        while let Some(block) = self.follow(end) {
            if key == Some(self.key(block)) {
                return Ok(block);
            }
            end = End::After(block, CHAIN);
        }
        Err(end)
    }

    /// Appends a block to a chain, and returns it, or the one with its key that some other worker has appended meanwhile.
    fn append(&self, mut end: End, block: Block, key: Option<u64>, scraps: &mut Scraps) -> Block {
        while !self.try_append(end, block) {
            match self.seek(end, key) {
                Ok(other) => {
                    self.arena.free(block, scraps);
                    return other;
                }
                Err(further) => end = further,
            }
        }
        block
    }

    /// Publishes a block where a chain ends, unless it does not end there any more.
    fn try_append(&self, end: End, block: Block) -> bool {
        let (word, shift, kept) = match end {
            End::Link(node) => (node.link, 0, !BELOW),
            End::After(last, half) => (last.0 + NEXT, half, !(u64::from(u32::MAX) << half)),
        };
        let word = &self.arena.words[word as usize];
        let mut before = word.load(Relaxed);
        while before & !kept == BARE {
            let after = before | u64::from(block.0) << shift;
            match word.compare_exchange(before, after, PUBLISH, Relaxed) {
                Ok(_) => return true,
                // The other half may have changed; if this one has, somebody else was faster.
                Err(now) => before = now,
            }
        }
        false
    }

    fn write_keyed(&self, key: u64, actions: impl ExactSizeIterator<Item = u32>, scraps: &mut Scraps) -> Option<Block> {
        let block = self.write_block(actions, scraps)?;
        self.arena.words[(block.0 + KEY) as usize].store(key, Relaxed);
        self.arena.words[(block.0 + NEXT) as usize].store(0, Relaxed);
        Some(block)
    }

    /// Child number `index` of a block.
    pub(crate) fn informed_child(&self, block: Block, index: u32) -> Node {
        self.nth::<Informed>(block, self.width(block), index)
    }

    /// Makes the child that an action leads to, below what a player knew, the root of one of the trees, and leaves the rest to
    /// be reused. If there is no such child that tree is empty now. No worker may be in it.
    pub(crate) fn advance_one(&self, tree: u32, key: u64, action: u32) {
        let root = self.informed_child(self.first(), tree);
        let Some(chain) = self.follow(End::Link(root)) else {
            return self.write(root, Tally::default());
        };
        let chosen = self.find(root, key).and_then(|block| self.find_action(block, action));
        let (tally, below) = chosen.map_or((Tally::default(), BARE), |(block, index)| {
            let child = self.informed_child(block, index);
            let link = self.arena.words[child.link as usize].swap(u64::from(action) << 32 | BARE, Relaxed);
            (self.read(child), link & PLACE)
        });
        // Nobody chooses a root, so it has no sum.
        self.write(root, Tally { visits: tally.visits, ..Tally::default() });
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
            word.store(more | next.map_or(BARE, |next| u64::from(next.0)), Relaxed);
        };
        if let Some(kept) = kept {
            if let Some(before) = self.chain(root).take_while(|&block| block != kept).last() {
                cut(before, rest);
            }
            cut(kept, None);
        }
        self.arena.words[root.link as usize].store(kept.map_or(BARE, |block| u64::from(block.0)), Relaxed);
        let dropped = if kept == Some(first) { rest } else { Some(first) };
        dropped.into_iter().for_each(|block| self.arena.drop_subtree(block));
    }

    /// The words of the counters of a node.
    pub(crate) fn informed(&self, node: Node) -> [u64; 3] {
        Informed::load(self.counters::<Informed>(node))
    }

    /// The words of the counters of each child: visits and the rest in one, the sum, and the third.
    pub(crate) fn informed_words(&self, block: Block) -> impl Iterator<Item = [u64; 3]> + '_ {
        let children = self.width(block);
        (0..children)
            .map(move |index| Informed::load(self.counters::<Informed>(self.nth::<Informed>(block, children, index))))
    }

    /// Adds to the third counter of a child: how often it was legal, or its regret.
    pub(crate) fn add_third(&self, node: Node, change: u64) {
        self.add::<Informed>(node, [0, 0, change]);
    }

    /// Counts that the strategy of a node has drawn a child.
    pub(crate) fn add_drawn(&self, node: Node) {
        self.add::<Informed>(node, [1, 0, 0]);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::Layout;
    use super::super::counters::Writers;
    use super::*;

    fn tree() -> Tree {
        Tree::new(1 << 20, Layout::Informed, Writers::Many).expect("room")
    }

    #[test]
    fn each_key_has_one_block_below_a_node() {
        let (tree, mut scraps) = (tree(), Scraps::default());
        let root = tree.root();
        let mut hang =
            |key, actions: &[u32]| tree.find_or_hang(root, key, actions.iter().copied(), &mut scraps).unwrap();
        let blocks = [hang(5, &[1, 2]), hang(9, &[3]), hang(0, &[])];
        assert_eq!([hang(5, &[]), hang(9, &[]), hang(0, &[7])], blocks);
        assert_eq!(tree.find(root, 9), Some(blocks[1]));
        assert_eq!(tree.find(root, 8), None);
        assert_eq!(tree.chain(root).collect::<Vec<_>>(), blocks);
        assert_eq!(blocks.map(|block| tree.width(block)), [2, 1, 0]);
        assert_eq!(tree.find_action(blocks[0], 2), Some((blocks[0], 1)));
    }

    #[test]
    fn actions_seen_later_are_chained_once() {
        let (tree, mut scraps) = (tree(), Scraps::default());
        let block = tree.find_or_hang(tree.root(), 1, [4, 6].into_iter(), &mut scraps).unwrap();
        tree.add_actions(block, &[8], &mut scraps);
        tree.add_actions(block, &[8, 9], &mut scraps);
        tree.add_actions(block, &[9], &mut scraps);
        let later = tree.more(block).unwrap();
        let last = tree.more(later).unwrap();
        assert_eq!((tree.find_action(block, 8), tree.find_action(block, 9)), (Some((later, 0)), Some((last, 0))));
        assert_eq!((tree.more(last), tree.width(later), tree.width(last)), (None, 1, 1));
        assert_eq!(tree.find(tree.root(), 1), Some(block), "chains do not mix");
    }

    #[test]
    fn a_tree_goes_on_below_what_its_player_has_chosen() {
        let (tree, mut scraps) = (tree(), Scraps::default());
        let mut hang =
            |below, key, actions: &[u32]| tree.find_or_hang(below, key, actions.iter().copied(), &mut scraps).unwrap();
        let root = tree.informed_child(tree.first(), 0);
        let chosen = tree.informed_child(hang(root, 5, &[1, 2]), 1);
        tree.write(chosen, Tally { visits: 7, ..Tally::default() });
        let kept = [hang(chosen, 8, &[3]), hang(chosen, 9, &[4]), hang(chosen, 6, &[])];
        tree.advance_one(0, 5, 2);
        assert_eq!((tree.chain(root).collect::<Vec<_>>(), tree.read(root).visits), (kept.to_vec(), 7));
        tree.keep_only(9);
        assert_eq!(tree.chain(root).collect::<Vec<_>>(), kept[1..2]);
        tree.keep_only(8);
        assert_eq!(tree.chain(root).count(), 0, "what is not known is not kept");
        tree.advance_one(3, 5, 1);
        assert_eq!(tree.read(tree.informed_child(tree.first(), 3)), Tally::default());
    }

    #[test]
    fn workers_that_race_agree_on_one_block_for_each_key() {
        let tree = tree();
        let of_worker = |worker: u64| {
            let mut scraps = Scraps::default();
            let mut hang = |key| {
                let block = tree.find_or_hang(tree.root(), key, [key as u32].into_iter(), &mut scraps).unwrap();
                tree.add_actions(block, &[1000 + worker as u32, 2000], &mut scraps);
                block
            };
            (0..200).map(|step| (step * (worker + 1)) % 41).map(|key| (key, hang(key))).collect::<Vec<_>>()
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
