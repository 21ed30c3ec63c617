//! Knowledge of players, and random positions that agree with it.
//!
//! A player knows all own cards but the order of the draw pile. Of the other player's cards they know those automated
//! and at work, the one given since the other's last turn, how many are in hand (as many as are drawn, plus the gift),
//! and the sum of hand, draw and discard pile. They count the draw pile from turn to turn, without the draws within
//! turns, which they do not see. Desks and pools hold the rest; a card that the other has made vanish is believed to be
//! there. The number of decisions counts as known, although the official referee does not tell it.
//!
//! While the other player is at turn, the cards they play lie open. At the own next turn they are forgotten, unless the
//! rest shows them.

use boughs::Rng;

use super::application::releasable;
use super::cards::{BONUS, Cards, DEBT};
use super::position::{GreenCircle, Phase};
use super::seat::{NOTHING, Seat};
use super::setup::bonus_of_first_hand;

/// The number of tries to draw a hand that agrees with the other player's decision.
const TRIES: u32 = 64;

/// Mixes two words into one, so that different pairs have different hashes but for one in 2^64 or so: the folded
/// product. (Wang Yi, wyhash, 2019, after Lemire and Kaser 2014.)
#[inline]
pub(super) fn mixed(one: u64, other: u64, place: usize) -> u64 {
    let [first, second] = SALTS[place];
    let product = u128::from(one ^ first) * u128::from(other ^ second);
    product as u64 ^ (product >> 64) as u64
}

/// Arbitrary numbers: the digits of pi.
const SALTS: [[u64; 2]; 8] = [
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344],
    [0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89],
    [0x4528_21e6_38d0_1377, 0xbe54_66cf_34e9_0c6c],
    [0xc0ac_29b7_c97c_50dd, 0x3f84_d5b5_b547_0917],
    [0x9216_d5d9_8979_fb1b, 0xd131_0ba6_98df_b5ac],
    [0x2ffd_72db_d01a_dfb7, 0xb8e1_afed_6a26_7e96],
    [0xba7c_9045_f12c_7f99, 0x24a1_9947_b391_6cf7],
    [0x0801_f2e2_858e_fc16, 0x6369_20d8_7157_4e69],
];

#[inline]
pub(super) fn word_of(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes)
}

impl Seat {
    /// The open facts about a player, which both players see.
    #[inline]
    pub(super) fn open(&self) -> u64 {
        let Seat { location, score, routines, studies, gift, told_draw, .. } = *self;
        word_of([location as u8, score, routines, studies, gift, told_draw, self.hand.total() as u8, 0])
    }
}

impl GreenCircle {
    /// Hashes the knowledge of a player.
    #[inline]
    pub(super) fn known(&self, player: usize) -> u64 {
        let (own, other) = (&self.seats[player], &self.seats[1 - player]);
        let asked = [self.phase as u8, self.active, self.decisions, self.plays, self.throws, self.due, self.from];
        let [a, b, c, d, e, f, g] = asked;
        let round = u8::from(self.is_last_round) | u8::from(self.is_complete) << 1;
        let words = [
            [own.hand.word(), own.draw.word()],
            [own.discard.word(), own.automated.word()],
            [own.lost.word() | u64::from(self.applications as u16) << 48, own.open()],
            [other.merged().word() | u64::from(self.applications >> 16) << 48, other.automated.word()],
            [other.open(), self.played.word()],
            [(self.board + other.lost).word(), word_of([a, b, c, d, e, f, g, round])],
        ];
        let sum = (0..words.len())
            .fold(own.memory, |sum, place| sum.wrapping_add(mixed(words[place][0], words[place][1], place)));
        mixed(sum, own.memory, 6)
    }

    /// Adds to the memory of a player's actions and sights in this turn.
    #[inline]
    pub(super) fn remember(&mut self, player: usize, what: u32, cards: Cards) {
        let memory = &mut self.seats[player].memory;
        *memory = mixed(*memory, cards.word() | u64::from(what) << 48, 7);
    }

    /// Draws all cards again that a player does not know.
    #[inline]
    pub(super) fn forget(&mut self, player: usize, rng: &mut Rng) {
        let known = self.known(player);
        let rest = self.seats[1 - player];
        let merged = rest.merged();
        let size = rest.hand.total();
        let hand = self.likely_hand(player, merged, size, rng);
        self.board += rest.lost;
        let mut left = merged - hand;
        let count = u32::from(rest.told_draw).min(left.total());
        let draw = left.draw_many(count, rng);
        let other = &mut self.seats[1 - player];
        other.lost = Cards::NONE;
        (other.hand, other.draw, other.discard) = (hand, draw, left);
        other.memory = known;
    }

    /// Draws a hand of the other player that agrees with the decision they are asked for.
    #[inline]
    fn likely_hand(&self, player: usize, merged: Cards, size: u32, rng: &mut Rng) -> Cards {
        let other = &self.seats[1 - player];
        let first = [merged.count(BONUS), merged.count(DEBT), size as u8];
        if other.location < 0 && first == [4, 4, 4] {
            let bonus = bonus_of_first_hand(rng);
            return (0..4).fold(Cards::NONE, |hand, n| hand + Cards::one(if n < bonus { BONUS } else { DEBT }));
        }
        let is_before = self.active() == player || self.phase == Phase::Move;
        let given = match is_before && other.gift != NOTHING && size > 0 && merged.has(other.gift) {
            true => Cards::one(other.gift),
            false => Cards::NONE,
        };
        let mut hand = Cards::NONE;
        for _ in 0..TRIES {
            let mut left = merged - given;
            hand = given + left.draw_many(size - given.total(), rng);
            if self.fits(player, hand) {
                return hand;
            }
        }
        // Such hands are too rare to be found by drawing: one card of each kind comes first.
        if matches!(self.phase, Phase::Throw | Phase::Give) {
            let ordered = merged.kinds().iter().chain(merged.list());
            let (mut left, mut made) = (merged, Cards::NONE);
            for kind in ordered {
                if made.total() < size && left.has(kind) {
                    left -= Cards::one(kind);
                    made += Cards::one(kind);
                }
            }
            return made;
        }
        hand
    }

    /// Returns true if the other player may hold these cards at the decision they are asked for.
    #[inline]
    fn fits(&self, player: usize, hand: Cards) -> bool {
        if self.active() == player || self.due > 0 || self.is_over() {
            return true;
        }
        let other = Seat { hand, ..self.seats[1 - player] };
        match self.phase {
            Phase::Move | Phase::Redraw => true,
            Phase::Throw => hand.skills() > u32::from(self.throws) && (self.throws < 2 || hand.kinds().len() > 1),
            Phase::Give => hand.kinds().len() > 1,
            Phase::Play => other.can_play(),
            Phase::Release => releasable(self.applications, other.score, other.at_hand()) != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use boughs::{Game, Turn};

    use super::super::cards::KINDS;
    use super::super::setup::Setup;
    use super::super::tests::{after, at, cards, with_hands};
    use super::*;

    /// Returns the same position to a player: the other's cards lie in another way, one of them is lost, and the
    /// other's memory is different.
    fn twin(game: &GreenCircle, player: usize, rng: &mut Rng) -> GreenCircle {
        let mut twin = *game;
        let other = &mut twin.seats[1 - player];
        let mut left = other.merged();
        other.hand = left.draw_many(other.hand.total(), rng);
        other.draw = left.draw_many(rng.below(left.total() + 1), rng);
        other.discard = left;
        other.memory = rng.bits();
        let lost = rng.below(u32::from(DEBT)) as u8;
        if twin.board.has(lost) {
            twin.board -= Cards::one(lost);
            twin.seats[1 - player].lost += Cards::one(lost);
        }
        twin
    }

    #[test]
    fn how_cards_lie_and_what_the_other_remembers_is_forgotten() {
        for seed in 0..20 {
            let (mut game, mut rng) = (GreenCircle::new(&Setup::of_seed(seed)), Rng::new(seed, 1));
            while game.turn() != Turn::Over {
                for player in 0..2 {
                    let twin = twin(&game, player, &mut rng);
                    assert_eq!(twin.information(player), game.information(player));
                    let [one, other] = [game, twin].map(|mut drawn| {
                        drawn.determinize(player, &mut Rng::new(seed, 2));
                        drawn
                    });
                    assert_eq!(one, other);
                    let mut counted = game;
                    counted.seats[1 - player].told_draw ^= 1;
                    assert_ne!(counted.information(player), game.information(player));
                }
                let step = match game.turn() {
                    Turn::Chance => game.chance(&mut rng, &mut Vec::new()),
                    _ => game.random_action(&mut rng, &mut Vec::new()),
                };
                game.apply(step.expect("a step"));
            }
        }
    }

    #[test]
    fn a_gift_is_known_to_lie_in_the_hand_it_was_given_to() {
        let game = after(at([-1, 0], with_hands(&[3, 8], &[9, 9, 9, 9])), "m0 g3");
        for seed in 0..100 {
            let mut drawn = game;
            drawn.determinize(0, &mut Rng::new(seed, 0));
            assert!(drawn.seats[1].hand.has(3) && drawn.seats[1].hand.total() == 5);
        }
        assert_eq!(after(game, "w d8899").seats[1].gift, 3);
        assert_eq!(after(game, "w d8899 m2 w").seats[1].gift, NOTHING);
    }

    #[test]
    fn the_first_hand_of_the_other_is_as_likely_as_the_set_up_makes_it() {
        let (game, mut rng, mut bonus) = (GreenCircle::new(&Setup::of_seed(3)), Rng::new(1, 0), [0u32; 5]);
        for _ in 0..16_000 {
            let mut drawn = game;
            drawn.determinize(0, &mut rng);
            bonus[usize::from(drawn.seats[1].hand.count(BONUS))] += 1;
        }
        assert!((0..5).all(|n| bonus[n].abs_diff([0, 5_000, 6_000, 5_000, 0][n]) < 400), "{bonus:?}");
    }

    #[test]
    fn every_card_of_the_other_is_as_likely_to_be_in_hand() {
        let mut game = at([3, 5], with_hands(&[9], &[0, 9, 9, 9]));
        game.seats[1].draw = cards(&[8, 8, 8]);
        game.seats[1].discard = cards(&[6]);
        game.seats[1].told_draw = 3;
        let (mut rng, mut held) = (Rng::new(1, 0), [0u32; KINDS]);
        for _ in 0..16_000 {
            let mut drawn = game;
            drawn.determinize(0, &mut rng);
            assert_eq!((drawn.seats[1].draw.total(), drawn.seats[1].merged()), (3, game.seats[1].merged()));
            (0..KINDS).for_each(|kind| held[kind] += u32::from(drawn.seats[1].hand.count(kind as u8)));
        }
        // Each of eight cards is among four with probability one half.
        for (kind, copies) in [(0, 1), (6, 1), (8, 3), (9, 3)] {
            assert!(held[kind].abs_diff(8_000 * copies) < 800, "{held:?}");
        }
    }
}
