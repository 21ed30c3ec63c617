//! Set-ups: the open applications and the players' first cards.

use boughs::Rng;

use super::application::{APPLICATIONS, OPEN};
use super::cards::{BONUS, DEBT};

/// All that is drawn before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The open applications, each a bit.
    pub applications: u32,
    /// The pile of each player, from bottom to top; the four on top are their first hand.
    pub piles: [[u8; 8]; 2],
}

impl Setup {
    /// Makes the set-up of a seed. The official referee draws with a generator of its own.
    pub fn of_seed(seed: u64) -> Setup {
        let mut rng = Rng::new(seed, 0);
        let mut ids: [u8; APPLICATIONS as usize] = std::array::from_fn(|id| id as u8);
        rng.shuffle(&mut ids);
        let applications = ids[..OPEN].iter().fold(0, |set, id| set | 1 << id);
        Setup { applications, piles: [pile(&mut rng), pile(&mut rng)] }
    }
}

/// Stacks four BONUS and four TECHNICAL_DEBT from the bottom to the top, by coins until one kind is used up. If the
/// first four are of one kind, the two in the middle change places, so that neither half is of one kind.
fn pile(rng: &mut Rng) -> [u8; 8] {
    let mut left = [4, 4];
    let mut pile = std::array::from_fn(|_| {
        let kind = match left {
            [0, _] => 1,
            [_, 0] => 0,
            _ => rng.below(2) as usize,
        };
        left[kind] -= 1;
        [BONUS, DEBT][kind]
    });
    if pile[..4].iter().all(|&kind| kind == pile[0]) {
        pile.swap(3, 4);
    }
    pile
}

/// Draws the number of BONUS cards in a first hand, with the probabilities of the set-up.
pub(super) fn bonus_of_first_hand(rng: &mut Rng) -> u8 {
    match rng.below(16) {
        0..5 => 1,
        5..11 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_applications_are_open_and_first_hands_are_mixed() {
        let mut hands = [0u32; 5];
        for seed in 0..16_000 {
            let setup = Setup::of_seed(seed);
            assert_eq!(setup.applications.count_ones(), 12);
            for pile in setup.piles {
                assert_eq!(pile.iter().filter(|&&kind| kind == BONUS).count(), 4);
                hands[pile[4..].iter().filter(|&&kind| kind == BONUS).count()] += 1;
            }
        }
        for (bonus, sixteenths) in [0, 5, 6, 5, 0].into_iter().enumerate() {
            assert!(hands[bonus].abs_diff(sixteenths * 2_000) <= sixteenths * 80, "{hands:?}");
        }
        let mut rng = Rng::new(1, 0);
        let mut drawn = [0u32; 5];
        (0..32_000).for_each(|_| drawn[usize::from(bonus_of_first_hand(&mut rng))] += 1);
        assert!((0..5).all(|bonus| drawn[bonus].abs_diff(hands[bonus]) <= 800), "{drawn:?}");
    }
}
