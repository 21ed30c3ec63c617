//! Sets of kinds of cards, from which a random one is picked at once.

use boughs::Rng;

use super::cards::{BONUS, CONTINUOUS_INTEGRATION, TASK_PRIORITIZATION};

/// A set of kinds of skill cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u64);

/// TASK_PRIORITIZATION and CONTINUOUS_INTEGRATION.
const PAIRED: u64 = 1 << (4 * TASK_PRIORITIZATION) | 1 << (4 * CONTINUOUS_INTEGRATION);
/// The bit of BONUS.
const NO_ACTION: u64 = 1 << (4 * BONUS);

impl Kinds {
    /// A set with bit 4k for each kind k.
    #[inline]
    pub(super) const fn of_bits(bits: u64) -> Kinds {
        Kinds(bits)
    }

    /// The number of kinds.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if the set has a kind.
    #[inline]
    pub fn has(self, kind: u8) -> bool {
        self.0 >> (4 * kind) & 1 != 0
    }

    /// The set without a kind.
    #[inline]
    pub(super) fn without(self, kind: u8) -> Kinds {
        Kinds(self.0 & !(1 << (4 * kind)))
    }

    /// The action cards among them that need no second card: all but TASK_PRIORITIZATION and CONTINUOUS_INTEGRATION.
    #[inline]
    pub(super) fn simple(self) -> Kinds {
        Kinds(self.0 & !(PAIRED | NO_ACTION))
    }

    /// The kind with `n` others before it.
    #[inline]
    pub(super) fn nth(self, n: u32) -> u8 {
        let mut left = self.0;
        for _ in 0..n {
            left &= left.wrapping_sub(1);
        }
        (left.trailing_zeros() / 4) as u8
    }

    /// Picks a kind, each equally likely.
    #[inline]
    pub(super) fn pick(self, rng: &mut Rng) -> u8 {
        (rng.pick_bit(self.0) / 4) as u8
    }

    /// The kinds, in order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..=BONUS).filter(move |&kind| self.has(kind))
    }
}
