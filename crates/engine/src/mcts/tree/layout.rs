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

use super::layouts::{InformationSets, Packed, Scores, Unobserved, Wide};
use super::ucb::{Ucb, UcbTerms};
use super::words::Words;
use crate::MAX_PLAYERS;
use crate::mcts::tree::sync::AtomicU64;

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

/// The layouts there are, as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayoutKind {
    /// See [`Packed`].
    Packed,
    /// See [`Wide`].
    Wide,
    /// See [`Unobserved`].
    Unobserved,
    /// See [`Scores`].
    Scores,
    /// See [`InformationSets`].
    InformationSets,
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
            LayoutKind::Packed => shape_of::<Packed>(),
            LayoutKind::Wide => shape_of::<Wide>(),
            LayoutKind::Unobserved => shape_of::<Unobserved>(),
            LayoutKind::Scores => shape_of::<Scores>(),
            LayoutKind::InformationSets => shape_of::<InformationSets>(),
        }
    }

    /// The number of children of the first block: the root, and among information sets one root more for each player.
    pub(super) fn roots(self) -> usize {
        if self == LayoutKind::InformationSets { 1 + MAX_PLAYERS } else { 1 }
    }

    pub(super) fn read(self, words: &[AtomicU64]) -> NodeStats {
        match self {
            LayoutKind::Packed => Packed::unpack(Words::load(words)),
            _ => Wide::unpack(Words::load(words)),
        }
    }

    pub(super) fn write(self, words: &[AtomicU64], stats: NodeStats) {
        match self {
            LayoutKind::Packed => Packed::pack(stats).store(words),
            LayoutKind::InformationSets => InformationSets::pack(stats).store(words),
            LayoutKind::Wide | LayoutKind::Unobserved | LayoutKind::Scores => Wide::pack(stats).store(words),
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

    /// Turns an entered visit into a finished one.
    #[inline]
    fn returned(virtual_loss: u32, units: u64) -> Self::Words {
        let entered = Self::entered(virtual_loss);
        Self::pack(NodeStats {
            visits: 1u32.wrapping_sub(entered.visits),
            unobserved: 0u32.wrapping_sub(entered.unobserved),
            sum: units,
        })
    }

    /// Takes an entered visit back.
    fn taken_back(virtual_loss: u32) -> Self::Words {
        let entered = Self::entered(virtual_loss);
        Self::pack(NodeStats {
            visits: 0u32.wrapping_sub(entered.visits),
            unobserved: 0u32.wrapping_sub(entered.unobserved),
            sum: 0,
        })
    }
}
