//! The meaning of a child's counters: which [`Words`] count its visits, and how its value is computed from them.
//!
//! A child counts its visits and the sum of the rewards of the player who chose it. Workers must see each other's
//! traversals in flight, or they all follow the same line into the same leaf. There are two ways to show them. *Virtual
//! loss* counts the visit on the way down with no reward yet: to the player who chooses it looks like a loss until the
//! reward arrives (Chaslot, Winands and van den Herik 2008). *Unobserved visits* (WU-UCT: Liu, Chen, Yu, Zhai, Zhou and
//! Liu 2020) are counted apart and widen the exploration term only, never the mean.
//!
//! With one traversal in flight neither has an effect: selection reads every counter as it was before the traversal,
//! because [`Words::add`] returns the parent's visits from before its own.
//!
//! Sums are integers, so additions commute: the counters after a search depend on its playouts, not on their order.

use super::choice::Highest;
use super::informed::Informed;
use super::layouts::{InformationSets, Packed, Scores, Wide};
use super::lines::LINE;
use super::narrow::Narrow;
use super::node::{Block, Link, Node};
use super::tiles::Tiles;
use super::ucb::{Ucb, UcbTerms};
use super::words::{Words, Writers};
use crate::MAX_PLAYERS;
use crate::mcts::policies::ChildStats;
use crate::mcts::tree::sync::{AtomicU64, Ordering::Acquire, Ordering::Relaxed};

/// The counters of a node, decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeStats {
    /// Finished visits, and under virtual loss those in flight.
    pub visits: u32,
    /// Visits in flight, where they are counted apart.
    pub unobserved: u32,
    /// The rewards of the player who chose this node, in the units of the layout.
    pub sum: u64,
}

impl NodeStats {
    /// A visit in flight that is counted apart.
    pub(crate) fn apart() -> NodeStats {
        NodeStats { unobserved: 1, ..NodeStats::default() }
    }
}

/// The layouts there are, as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayoutKind {
    /// See [`Narrow`].
    Narrow,
    /// See [`Packed`].
    Packed,
    /// See [`Wide`].
    Wide,
    /// See [`Scores`].
    Scores,
    /// See [`InformationSets`].
    InformationSets,
    /// See [`Informed`].
    Informed,
}

/// The sizes of a layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Words of a block before its counters.
    pub(super) head: u32,
    /// Words of counters a child has.
    pub(super) words: u32,
    /// Units of a sum that make a reward of 1.
    pub(crate) units: f64,
}

impl LayoutKind {
    pub(crate) const fn shape(self) -> Shape {
        match self {
            LayoutKind::Narrow => shape_of::<Narrow>(),
            LayoutKind::Packed => shape_of::<Packed>(),
            LayoutKind::Wide => shape_of::<Wide>(),
            LayoutKind::Scores => shape_of::<Scores>(),
            LayoutKind::InformationSets => shape_of::<InformationSets>(),
            LayoutKind::Informed => shape_of::<Informed>(),
        }
    }

    /// The number of children of the first block: the root, and among information sets one root more for each player.
    pub(super) fn roots(self) -> usize {
        if self == LayoutKind::InformationSets { 1 + MAX_PLAYERS } else { 1 }
    }

    pub(super) fn tiles(self) -> Tiles {
        if self == LayoutKind::Narrow { Tiles::Lines } else { Tiles::Headed }
    }

    pub(super) fn read(self, words: &[AtomicU64]) -> NodeStats {
        match self {
            LayoutKind::Narrow | LayoutKind::Packed => Packed::unpack(Words::load(words)),
            _ => Wide::unpack(Words::load(words)),
        }
    }

    pub(super) fn write(self, words: &[AtomicU64], stats: NodeStats) {
        match self {
            LayoutKind::Narrow | LayoutKind::Packed => Packed::pack(stats).store(words),
            LayoutKind::InformationSets => InformationSets::pack(stats).store(words),
            LayoutKind::Wide | LayoutKind::Scores | LayoutKind::Informed => Wide::pack(stats).store(words),
        }
    }

    /// Adds to the counters of a node a change, which may be negative as wrapping numbers.
    pub(super) fn add(self, words: &[AtomicU64], change: NodeStats, writers: Writers) {
        match self {
            LayoutKind::Narrow | LayoutKind::Packed => _ = Words::add(words, Packed::pack(change), writers),
            _ => _ = Words::add(words, Wide::pack(change), writers),
        }
    }
}

const fn shape_of<L: Layout>() -> Shape {
    Shape { head: L::HEAD, words: L::WORDS as u32, units: L::UNITS }
}

/// One layout, as a type.
pub(crate) trait Layout: Clone + Copy + std::fmt::Debug + Send + 'static {
    /// The layout as a value.
    const KIND: LayoutKind;
    /// The words of a child.
    type Words: Words;
    const WORDS: usize = <Self::Words as Words>::LEN;
    /// Words of a block before its counters.
    const HEAD: u32 = 1;
    /// Units of the sum that make a reward of 1.
    const UNITS: f64;
    /// True if a search with an evaluator may have this layout.
    const TAKES_VALUES: bool = false;

    /// The visit of a traversal on its way down.
    fn entered(virtual_loss: u32) -> NodeStats;

    /// The words to add for a change of each counter, which may be negative as a wrapping number.
    fn pack(change: NodeStats) -> Self::Words;

    /// All visits, with those in flight.
    fn visits(words: Self::Words) -> u32;

    /// The terms of UCB1.
    fn terms(words: Self::Words, ucb: &Ucb) -> UcbTerms;

    /// The same terms to the last bit, computed in the way that is quickest where visits are few and the next
    /// instruction waits for the result.
    #[inline(always)]
    fn terms_of_few(words: Self::Words, ucb: &Ucb) -> UcbTerms {
        Self::terms(words, ucb)
    }

    /// The statistics of a child for a selection policy.
    #[inline(always)]
    fn child_stats(_: Self::Words, _: &Ucb) -> ChildStats {
        ChildStats::default()
    }

    /// Adds the square of a reward's share to a change of the counters.
    fn add_square(_: &mut Self::Words, _share: f32) {}

    /// Turns an entered visit into a finished one.
    #[inline]
    fn returned(entered: NodeStats, units: u64) -> Self::Words {
        Self::pack(NodeStats {
            visits: 1u32.wrapping_sub(entered.visits),
            unobserved: 0u32.wrapping_sub(entered.unobserved),
            sum: units,
        })
    }

    /// Counts visits that were not entered, with the sum of their rewards.
    #[inline]
    fn finished(visits: u32, units: u64) -> Self::Words {
        Self::pack(NodeStats { visits, unobserved: 0, sum: units })
    }

    /// Takes an entered visit back.
    fn taken_back(entered: NodeStats) -> Self::Words {
        Self::pack(NodeStats {
            visits: 0u32.wrapping_sub(entered.visits),
            unobserved: 0u32.wrapping_sub(entered.unobserved),
            sum: 0,
        })
    }

    /// The number of children of a block.
    #[inline(always)]
    fn width(words: &[AtomicU64], block: Block) -> u32 {
        words[block.0 as usize].load(Relaxed) as u32 & Block::LARGEST
    }

    /// Child number `child` of a block.
    #[inline(always)]
    fn nth(words: &[AtomicU64], block: Block, child: u32) -> Node {
        let first = block.0 + Self::HEAD;
        let links = first + Self::width(words, block) * Self::WORDS as u32;
        Node { counters: first + child * Self::WORDS as u32, link: links + child }
    }

    /// The state of a child.
    #[inline(always)]
    fn look(words: &[AtomicU64], block: Block, child: u32) -> Seen {
        let node = Self::nth(words, block, child);
        let counters = Self::Words::load(&words[node.counters as usize..][..Self::WORDS]);
        Seen {
            visits: Self::visits(counters),
            at: node.counters,
            link: Link::of_word(words[node.link as usize].load(Acquire)),
        }
    }

    /// Adds to the counters of a child, and returns its state from before the addition.
    #[inline(always)]
    fn enter(words: &[AtomicU64], block: Block, child: u32, change: Self::Words, writers: Writers) -> Seen {
        enter_node::<Self>(words, Self::nth(words, block, child), change, writers)
    }

    /// Enters a child if it was never visited and the one before it was, and returns its state from before that.
    #[inline(always)]
    fn enter_untried(
        words: &[AtomicU64],
        block: Block,
        child: u32,
        change: Self::Words,
        writers: Writers,
    ) -> Option<Seen> {
        let visits = |child| Self::visits(Self::Words::load(&words[Self::counters(block, child)..][..Self::WORDS]));
        let is_next = child < Self::width(words, block) && visits(child) == 0 && (child == 0 || visits(child - 1) > 0);
        is_next.then(|| Self::enter(words, block, child, change, writers))
    }

    /// The place of a child's counters, which does not depend on the width of its block.
    #[inline(always)]
    fn counters(block: Block, child: u32) -> usize {
        (block.0 + Self::HEAD) as usize + child as usize * Self::WORDS
    }

    /// Enters the child with the highest value, the first of equals, and returns its number.
    #[inline(always)]
    fn enter_highest(
        words: &[AtomicU64],
        block: Block,
        ucb: &Ucb,
        exploration: f32,
        change: Self::Words,
        writers: Writers,
    ) -> (u32, Seen) {
        let children = Self::width(words, block);
        let first = block.0 + Self::HEAD;
        let counters = &words[first as usize..][..children as usize * Self::WORDS];
        let mut highest = Highest::new();
        for words in counters.chunks_exact(Self::WORDS) {
            highest.see(Self::terms_of_few(Self::Words::load(words), ucb).value(exploration));
        }
        let child = highest.index();
        let counters = first + child * Self::WORDS as u32;
        let node = Node { counters, link: first + children * Self::WORDS as u32 + child };
        (child, enter_node::<Self>(words, node, change, writers))
    }

    /// Adds to the counters of a child of a block, which are at this place ([`Seen::at`]).
    #[inline(always)]
    fn add(words: &[AtomicU64], _: Block, at: u32, change: Self::Words, writers: Writers) {
        Self::Words::add(&words[at as usize..][..Self::WORDS], change, writers);
    }

    /// Calls `see` with the counters of each child of a block.
    #[inline(always)]
    fn each(words: &[AtomicU64], block: Block, mut see: impl FnMut(Self::Words)) {
        let children = Self::width(words, block) as usize;
        let counters = &words[(block.0 + Self::HEAD) as usize..][..children * Self::WORDS];
        counters.chunks_exact(Self::WORDS).for_each(|words| see(Self::Words::load(words)));
    }

    /// Returns true if the counters of a block have to be widened before more visits, when its node has `visits`.
    #[inline(always)]
    fn must_widen(_: Block, _visits: u32) -> bool {
        false
    }

    /// The place of the first word of a block.
    #[inline(always)]
    fn place(block: Block) -> usize {
        block.0 as usize
    }

    /// The cache lines of a block of about `children` children that a traversal reads.
    fn lines(children: u32) -> usize {
        // It may begin in the middle of a line.
        (children as usize * (Self::WORDS + 1)).div_ceil(LINE) + 1
    }
}

/// The state of a child at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// All visits, with those in flight.
    pub(super) visits: u32,
    /// The place of the counters.
    pub(super) at: u32,
    /// The contents of the block it leads to are visible to the caller.
    pub(super) link: Link,
}

#[inline(always)]
fn enter_node<L: Layout>(words: &[AtomicU64], node: Node, change: L::Words, writers: Writers) -> Seen {
    let counters = L::Words::add(&words[node.counters as usize..][..L::WORDS], change, writers);
    Seen {
        visits: L::visits(counters),
        at: node.counters,
        link: Link::of_word(words[node.link as usize].load(Acquire)),
    }
}
