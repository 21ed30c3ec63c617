//! Draws of cards from a pile in random order.

use std::hint::select_unpredictable;

use boughs::Rng;

use super::cards::{BONUS, Cards, DEBT};

/// A pile from which cards are drawn one after the other.
pub(super) struct Urn {
    debt: u32,
    bonus: u32,
    total: u32,
    /// Byte k has the number of cards of kinds 0 to k.
    sums: u64,
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

impl Urn {
    #[inline]
    pub(super) fn new(pile: Cards) -> Urn {
        let sums = pile.action_bytes().wrapping_mul(ONES);
        let (debt, bonus) = (u32::from(pile.count(DEBT)), u32::from(pile.count(BONUS)));
        Urn { debt, bonus, total: debt + bonus + (sums >> 56) as u32, sums }
    }

    /// Draws a card, each equally likely; there must be one.
    #[inline]
    pub(super) fn draw(&mut self, rng: &mut Rng) -> u8 {
        let others = self.debt + self.bonus;
        let place = rng.below(self.total);
        // The kinds whose sums are at most the place come before the card. The processor cannot predict the kind, so
        // the code has no branch on it.
        let among_actions = u64::from(place.wrapping_sub(others) & 63);
        let before = (((among_actions * ONES) | HIGH_BITS) - self.sums) & HIGH_BITS;
        let action = ((before >> 7).wrapping_mul(ONES) >> 56) as u8;
        let kind = select_unpredictable(place < self.debt, DEBT, select_unpredictable(place < others, BONUS, action));
        self.total -= 1;
        self.debt -= u32::from(kind == DEBT);
        self.bonus -= u32::from(kind == BONUS);
        self.sums -= select_unpredictable(kind < BONUS, ONES << (8 * (kind & 7)), 0);
        kind
    }
}

#[cfg(test)]
mod tests {
    use super::super::cards::KINDS;
    use super::*;

    #[test]
    fn every_card_is_as_likely_to_be_drawn() {
        let pile = Cards::of([1, 0, 5, 2, 0, 0, 0, 1, 3, 4]).expect("a pile");
        let (mut rng, mut drawn) = (Rng::new(1, 0), [0u32; KINDS]);
        for _ in 0..16_000 {
            let mut left = pile;
            let three = left.draw_many(3, &mut rng);
            assert_eq!((three.total(), left + three), (3, pile));
            (0..KINDS).for_each(|kind| drawn[kind] += u32::from(three.count(kind as u8)));
        }
        for (kind, &times) in drawn.iter().enumerate() {
            let expected = 3_000 * u32::from(pile.count(kind as u8));
            assert!(times.abs_diff(expected) < 300, "{drawn:?}");
        }
        assert_eq!(pile.clone().draw_many(16, &mut rng), pile);
    }
}
