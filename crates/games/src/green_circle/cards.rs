//! Counts of cards by kind, packed into one word: a pile is copied, added and compared at once.

use boughs::Rng;

use super::kinds::Kinds;
use super::urn::Urn;

/// Kinds of cards: eight action cards, BONUS and TECHNICAL_DEBT.
pub const KINDS: usize = 10;
/// Desks, each with the action card of its number.
pub const DESKS: u8 = 8;
/// The kind TRAINING.
pub const TRAINING: u8 = 0;
/// The kind CODING.
pub const CODING: u8 = 1;
/// The kind DAILY_ROUTINE.
pub const DAILY_ROUTINE: u8 = 2;
/// The kind TASK_PRIORITIZATION.
pub const TASK_PRIORITIZATION: u8 = 3;
/// The kind ARCHITECTURE_STUDY.
pub const ARCHITECTURE_STUDY: u8 = 4;
/// The kind CONTINUOUS_INTEGRATION.
pub const CONTINUOUS_INTEGRATION: u8 = 5;
/// The kind CODE_REVIEW.
pub const CODE_REVIEW: u8 = 6;
/// The kind REFACTORING.
pub const REFACTORING: u8 = 7;
/// The kind BONUS.
pub const BONUS: u8 = 8;
/// The kind TECHNICAL_DEBT.
pub const DEBT: u8 = 9;
/// The names of the kinds.
pub(super) const NAMES: [&str; KINDS] = [
    "TRAINING",
    "CODING",
    "DAILY_ROUTINE",
    "TASK_PRIORITIZATION",
    "ARCHITECTURE_STUDY",
    "CONTINUOUS_INTEGRATION",
    "CODE_REVIEW",
    "REFACTORING",
    "BONUS",
    "TECHNICAL_DEBT",
];

/// The number of cards of each kind in a pile.
///
/// Each action card, of which the game has five, takes four bits; BONUS and TECHNICAL_DEBT take eight each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Cards(u64);

const ACTIONS: u64 = 0xffff_ffff;
const SKILLS: u64 = 0xff_ffff_ffff;
const NIBBLES: u64 = 0x1111_1111;
/// The lowest bit of the count of each kind.
const SHIFTS: [u32; KINDS] = [0, 4, 8, 12, 16, 20, 24, 28, 32, 40];

impl Cards {
    /// No card.
    pub const NONE: Cards = Cards(0);
    /// All cards of the game.
    pub const ALL: Cards = Cards(0x5555_5555 | 36 << 32 | 100 << 40);

    /// One card of a kind below [`KINDS`].
    #[inline]
    pub const fn one(kind: u8) -> Cards {
        Cards(1 << SHIFTS[kind as usize])
    }

    /// A pile with these counts; `None` if there are more than the game has.
    pub fn of(counts: [u8; KINDS]) -> Option<Cards> {
        let fits = (0..KINDS).all(|kind| counts[kind] <= Cards::ALL.count(kind as u8));
        fits.then(|| Cards((0..KINDS).fold(0, |word, kind| word | u64::from(counts[kind]) << SHIFTS[kind])))
    }

    /// The counts by kind.
    pub fn counts(self) -> [u8; KINDS] {
        std::array::from_fn(|kind| self.count(kind as u8))
    }

    /// The count of a kind, which is below [`KINDS`].
    #[inline]
    pub fn count(self, kind: u8) -> u8 {
        let mask = if kind < BONUS { 15 } else { 255 };
        (self.0 >> SHIFTS[usize::from(kind)]) as u8 & mask
    }

    /// Returns true if the pile has a card of a kind.
    #[inline]
    pub fn has(self, kind: u8) -> bool {
        self.count(kind) != 0
    }

    /// Returns true if the pile is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of action cards.
    #[inline]
    pub fn actions(self) -> u32 {
        let pairs = (self.0 & 0x0f0f_0f0f) + (self.0 >> 4 & 0x0f0f_0f0f);
        (pairs.wrapping_mul(0x0101_0101) >> 24) as u32 & 0xff
    }

    /// The number of cards that are not TECHNICAL_DEBT.
    #[inline]
    pub fn skills(self) -> u32 {
        self.actions() + u32::from(self.count(BONUS))
    }

    /// The number of cards.
    #[inline]
    pub fn total(self) -> u32 {
        self.skills() + u32::from(self.count(DEBT))
    }

    /// The pile without its TECHNICAL_DEBT.
    #[inline]
    pub fn without_debt(self) -> Cards {
        Cards(self.0 & SKILLS)
    }

    /// The kinds in the pile, without TECHNICAL_DEBT.
    #[inline]
    pub fn kinds(self) -> Kinds {
        let bonus = u64::from(self.0 & SKILLS > ACTIONS) << 32;
        Kinds::of_bits(nonzero(self.0) | bonus)
    }

    /// The action cards with count 0, and those with count 1, each a bit.
    #[inline]
    pub(super) fn scarce(self) -> [u8; 2] {
        let more_than_one = (self.0 >> 1 | self.0 >> 2 | self.0 >> 3) & NIBBLES;
        let some = nonzero(self.0);
        let gather = |bits: u64| {
            let bits = (bits | bits >> 3) & 0x0303_0303;
            let bits = (bits | bits >> 6) & 0x000f_000f;
            (bits | bits >> 12) as u8
        };
        [gather(!some & NIBBLES), gather(some & !more_than_one)]
    }

    /// The counts of the action cards, a byte each.
    #[inline]
    pub(super) fn action_bytes(self) -> u64 {
        let spread = |word: u64, shift: u32, mask: u64| (word | word << shift) & mask;
        let halves = spread(self.0 & ACTIONS, 16, 0x0000_ffff_0000_ffff);
        spread(spread(halves, 8, 0x00ff_00ff_00ff_00ff), 4, 0x0f0f_0f0f_0f0f_0f0f)
    }

    /// All cards as a list, by kind.
    pub fn list(self) -> impl Iterator<Item = u8> {
        (0..KINDS as u8).flat_map(move |kind| std::iter::repeat_n(kind, usize::from(self.count(kind))))
    }

    /// The lowest kind in the pile.
    #[inline]
    pub(super) fn lowest(self) -> Option<u8> {
        match self.0.trailing_zeros() {
            bit @ 0..40 => Some((bit / 4).min(u32::from(BONUS)) as u8),
            40..64 => Some(DEBT),
            _ => None,
        }
    }

    /// The word that holds the counts.
    #[inline]
    pub(super) fn word(self) -> u64 {
        self.0
    }

    /// Takes this many cards out of the pile, which must have them, each selection equally likely.
    #[inline]
    pub(super) fn draw_many(&mut self, count: u32, rng: &mut Rng) -> Cards {
        let mut urn = Urn::new(*self);
        let drawn = (0..count).fold(Cards::NONE, |drawn, _| drawn + Cards::one(urn.draw(rng)));
        *self -= drawn;
        drawn
    }
}

/// The lowest bit of every action card's count that is not 0.
#[inline]
fn nonzero(word: u64) -> u64 {
    (word | word >> 1 | word >> 2 | word >> 3) & NIBBLES
}

/// The kinds of all cards, in order.
impl std::fmt::Debug for Cards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.list()).finish()
    }
}

impl std::ops::Add for Cards {
    type Output = Cards;
    #[inline]
    fn add(self, other: Cards) -> Cards {
        Cards(self.0 + other.0)
    }
}

impl std::ops::AddAssign for Cards {
    #[inline]
    fn add_assign(&mut self, other: Cards) {
        self.0 += other.0;
    }
}

impl std::ops::Sub for Cards {
    type Output = Cards;
    #[inline]
    fn sub(self, other: Cards) -> Cards {
        Cards(self.0 - other.0)
    }
}

impl std::ops::SubAssign for Cards {
    #[inline]
    fn sub_assign(&mut self, other: Cards) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept() {
        let counts = [5, 0, 1, 2, 3, 4, 5, 1, 36, 100];
        let cards = Cards::of(counts).expect("a pile");
        assert_eq!(cards.counts(), counts);
        assert_eq!((cards.actions(), cards.skills(), cards.total()), (21, 57, 157));
        assert_eq!(Cards::ALL.counts(), [5, 5, 5, 5, 5, 5, 5, 5, 36, 100]);
        assert_eq!(Cards::of([6, 0, 0, 0, 0, 0, 0, 0, 0, 0]), None);
        assert!(cards.kinds().iter().eq([0, 2, 3, 4, 5, 6, 7, 8]));
        assert!((0..8).all(|n| cards.kinds().nth(n) == [0, 2, 3, 4, 5, 6, 7, 8][n as usize]));
    }

    #[test]
    fn what_there_is_none_or_one_of_is_scarce() {
        assert_eq!(Cards::of([0, 1, 2, 3, 4, 5, 0, 1, 9, 9]).map(Cards::scarce), Some([0b0100_0001, 0b1000_0010]));
        assert_eq!((Cards::NONE.scarce(), Cards::ALL.scarce()), ([255, 0], [0, 0]));
    }
}
