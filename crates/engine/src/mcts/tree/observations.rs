//! The blocks below one child in a tree of information sets: a binary trie by their keys.
//!
//! A child is followed by one block for each observation since, which may be thousands. The first block stands in the
//! child's link. From each block the trie goes on to one of two halves of a word, by the next bit of the key that is
//! looked for, so a block is found in as many steps as their number has bits, and its place depends on nothing but keys
//! and the order in which blocks came.
//!
//! A trie only ever grows at its ends. A worker writes a block that no other worker can see, and publishes it by one
//! compare-exchange where the trie ends. Publication is `Release` and a reader goes on by `Acquire`, as everywhere in
//! the tree.

use super::Tree;
use super::node::{BELOW, Block, Node, PLACE, UNEXPANDED, publishing};
use crate::mcts::tree::sync::{Ordering::Acquire, Ordering::Relaxed};

/// The word of a block that has its key.
const KEY: u32 = 1;
/// The word with the next two blocks of its trie, one in each half.
const NEXT: u32 = 2;
/// The word with the block of further actions.
const MORE: u32 = 3;

/// A place where a block can stand.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// Below a node: the first block of a trie.
    Link(Node),
    /// After a block of a trie: the half that begins with this bit.
    After(Block, u32),
    /// After a block: its further actions.
    More(Block),
}

impl End {
    /// The word of the arena and the bit in it where the place of the block stands.
    fn word(self) -> (u32, u32) {
        match self {
            End::Link(node) => (node.link, 0),
            End::After(block, half) => (block.0 + NEXT, half),
            End::More(block) => (block.0 + MORE, 0),
        }
    }

    /// The bits of that word that are not the place of the block.
    fn kept(self) -> u64 {
        match self {
            End::Link(_) => !BELOW,
            End::After(_, half) => !(u64::from(u32::MAX) << half),
            End::More(_) => 0,
        }
    }
}

impl Tree {
    /// The block at a place.
    #[inline]
    pub(super) fn follow(&self, end: End) -> Option<Block> {
        let (word, half) = end.word();
        Block::at((self.arena.words[word as usize].load(Acquire) >> half & PLACE) as u32)
    }

    /// The place of the block with a key below a node, and the block if it is there.
    #[inline]
    pub(super) fn seek(&self, below: Node, key: u64) -> (End, Option<Block>) {
        // Keys may be small numbers, so their bits are mixed.
        let mut bits = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut end = End::Link(below);
        while let Some(block) = self.follow(end) {
            if self.key(block) == key {
                return (end, Some(block));
            }
            end = End::After(block, (bits >> 63) as u32 * 32);
            bits <<= 1;
        }
        (end, None)
    }

    /// Publishes a block at a place. Returns false if another block stands there by now.
    pub(super) fn publish_at(&self, end: End, block: Block) -> bool {
        let (word, half) = end.word();
        let word = &self.arena.words[word as usize];
        let mut before = word.load(Relaxed);
        while before & !end.kept() == UNEXPANDED {
            let after = before | u64::from(block.0) << half;
            match self.writers().compare_exchange(word, before, after, [publishing(), Relaxed]) {
                Ok(_) => return true,
                // The other half may have changed; if this one has, another worker was faster.
                Err(now) => before = now,
            }
        }
        false
    }

    /// Takes the block at a place, and all after it, out of the tree. No worker may be in it.
    pub(super) fn cut(&self, end: End) -> Option<Block> {
        let block = self.follow(end);
        self.arena.words[end.word().0 as usize].fetch_and(end.kept(), Relaxed);
        block
    }

    /// The first block below a node.
    #[inline]
    pub(crate) fn first_below(&self, node: Node) -> Option<Block> {
        self.follow(End::Link(node))
    }

    /// All blocks below a node.
    pub(crate) fn all_below(&self, node: Node) -> impl Iterator<Item = Block> + '_ {
        let mut waiting: Vec<Block> = self.first_below(node).into_iter().collect();
        std::iter::from_fn(move || {
            let block = waiting.pop()?;
            waiting.extend(halves(block).into_iter().filter_map(|end| self.follow(end)));
            Some(block)
        })
    }

    /// The blocks that stand after one in any way.
    pub(super) fn after(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        halves(block).into_iter().chain([End::More(block)]).filter_map(|end| self.follow(end))
    }

    #[inline]
    pub(crate) fn key(&self, block: Block) -> u64 {
        self.arena.words[(block.0 + KEY) as usize].load(Relaxed)
    }

    /// Gives a block that no other worker can see its key, and nothing after it.
    pub(super) fn set_key(&self, block: Block, key: u64) {
        for (word, value) in [(KEY, key), (NEXT, UNEXPANDED), (MORE, UNEXPANDED)] {
            self.arena.words[(block.0 + word) as usize].store(value, Relaxed);
        }
    }
}

/// The places after a block of a trie.
pub(super) fn halves(block: Block) -> [End; 2] {
    [End::After(block, 0), End::After(block, 32)]
}
