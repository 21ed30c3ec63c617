//! Draws of cards: possible outcomes, their weights, and a random one.
//!
//! A draw of up to four cards is one outcome, so that the usual next hand is one step of a search: all cards of the
//! draw pile if it has too few, and others from the discard pile, which then becomes the draw pile. The order of a draw
//! pile is hidden from its player, so counting is exact, but for a trace of the set-up in the first draws.

use boughs::Rng;

use super::cards::{Cards, KINDS};
use super::position::GreenCircle;
use super::step::{Drawn, Step};
use super::urn::Urn;

impl GreenCircle {
    /// The cards that are drawn for certain, the pile of the random cards, and their number.
    #[inline]
    fn luck(&self) -> (Cards, Cards, u32) {
        let seat = &self.seats[self.active()];
        let (count, there) = (u32::from(self.draws()), seat.draw.total());
        match count > there {
            true => (seat.draw, seat.discard, count - there),
            false => (Cards::NONE, seat.draw, count),
        }
    }

    /// Appends all possible draws.
    pub(super) fn list_draws(&self, out: &mut Vec<Step>) {
        let (certain, pile, count) = self.luck();
        list(certain, pile, 0, count, out);
    }

    /// The number of ways to draw these cards.
    #[inline]
    pub(super) fn ways(&self, drawn: Drawn) -> u32 {
        let (certain, pile, _) = self.luck();
        (0..KINDS as u8)
            .map(|kind| choose(pile.count(kind), drawn.count(kind).saturating_sub(certain.count(kind))))
            .product()
    }

    #[inline]
    pub(super) fn draw_by_chance(&self, rng: &mut Rng) -> Step {
        let (certain, pile, count) = self.luck();
        let mut drawn = Drawn::packed(certain);
        match pile.total() == count {
            true => drawn = Drawn::packed(certain + pile),
            false => {
                let mut urn = Urn::new(pile);
                (0..count).for_each(|_| drawn.add(urn.draw(rng)));
            }
        }
        Step::Draw(drawn)
    }
}

/// Appends all draws of `so_far` and `left` more cards of kinds from `kind` on.
fn list(so_far: Cards, pile: Cards, kind: u8, left: u32, out: &mut Vec<Step>) {
    if left == 0 {
        out.push(Step::Draw(Drawn::packed(so_far)));
    } else if usize::from(kind) < KINDS {
        let most = u32::from(pile.count(kind)).min(left);
        let mut with = so_far;
        for count in 0..=most {
            list(with, pile, kind + 1, left - count, out);
            with += Cards::one(kind);
        }
    }
}

/// The number of ways to choose `count` cards, at most four, of a pile.
#[inline]
fn choose(from: u8, count: u8) -> u32 {
    let (from, count) = (u32::from(from), u32::from(count));
    (0..count).fold(1, |ways, n| ways * from.saturating_sub(n) / (n + 1))
}
