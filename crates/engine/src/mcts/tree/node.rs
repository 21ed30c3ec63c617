//! Blocks, nodes and links: how positions in the arena are named.

use crate::mcts::tree::sync::{Ordering, Ordering::Release};

/// A link whose node has no children yet.
pub(super) const UNEXPANDED: u64 = 0;
/// A link whose node is being expanded by some worker.
pub(super) const CLAIMED: u64 = 1;
/// Links from here on are places of blocks.
const LINKED: u32 = 2;
/// The place of the first block. Smaller numbers have another meaning in a link, so the arena never hands these words
/// out.
pub(super) const FIRST: u32 = LINKED;

/// The bit of a link that marks a node with a known outcome ([`proof`](super::proof)).
pub(super) const PROVEN: u64 = 1 << 31;

/// The part of a link that is the place of the node's children.
pub(super) const PLACE: u64 = PROVEN - 1;
/// The part of a link that is not its action.
pub(super) const BELOW: u64 = PROVEN | PLACE;

/// The ordering that publishes a block.
#[cfg(not(loom))]
#[inline(always)]
pub(super) fn publishing() -> Ordering {
    Release
}

/// The same under the model checker, which notices that it is too weak if `BOUGHS_WEAK_PUBLISH` is set.
#[cfg(loom)]
pub(super) fn publishing() -> Ordering {
    static IS_WEAK: std::sync::LazyLock<bool> =
        std::sync::LazyLock::new(|| std::env::var_os("BOUGHS_WEAK_PUBLISH").is_some());
    if *IS_WEAK { Ordering::Relaxed } else { Release }
}

/// The children of one node, named by the place of their header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block(pub(super) u32);

impl Block {
    /// A number that no other block of the tree has.
    #[inline]
    pub(crate) fn number(self) -> usize {
        self.0 as usize
    }

    /// The most words of a block: its size and the number of its children have to fit into a header with its outcome.
    pub(super) const LARGEST: u32 = (1 << 24) - 1;
    /// The size of a block stands in its header from this bit on.
    pub(super) const SIZE: u32 = 40;

    /// The block at a place of the arena, if that is one.
    #[inline]
    pub(super) fn at(place: u32) -> Option<Block> {
        (place >= LINKED).then_some(Block(place))
    }
}

/// One node: the places of its counters and its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(super) counters: u32,
    pub(super) link: u32,
}

/// The link of a child: the action that leads to it, and what is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) action: u32,
    /// The place of its own children, and the mark of a known outcome.
    pub(super) below: u32,
}

impl Link {
    /// The link of a child that has none of its own.
    pub(super) const LEAF: Link = Link { action: 0, below: 0 };

    /// The link in a word: the action in its high half.
    #[inline(always)]
    pub(super) fn of_word(word: u64) -> Link {
        Link { action: (word >> 32) as u32, below: word as u32 }
    }

    /// The children, if they have been published and the outcome of the node is not known.
    #[inline(always)]
    pub(crate) fn children(self) -> Option<Block> {
        // With the mark of a known outcome it is negative.
        let place = self.below.cast_signed();
        (place >= LINKED.cast_signed()).then_some(Block(place.cast_unsigned()))
    }

    /// The block that holds the outcome of the node, if that is known.
    #[inline(always)]
    pub(crate) fn proven(self) -> Option<Block> {
        (u64::from(self.below) & PROVEN != 0).then_some(Block(self.below & PLACE as u32))
    }
}

/// The state of a node's children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    Children(Block),
    /// There are none yet; the node may be expanded.
    Unexpanded,
    /// Some worker is expanding the node right now.
    Claimed,
}

impl Expansion {
    /// The children, if there are any.
    pub(crate) fn block(self) -> Option<Block> {
        match self {
            Expansion::Children(block) => Some(block),
            Expansion::Unexpanded | Expansion::Claimed => None,
        }
    }
}
