//! Ends of turns, and draws of cards.

use super::cards::Cards;
use super::position::{GreenCircle, Phase};
use super::rules::Witness;
use super::seat::NOTHING;
use super::step::MOST_DRAWN;

impl GreenCircle {
    pub(super) fn end_turn(&mut self, witness: &mut impl Witness) {
        let player = self.active();
        let seat = &mut self.seats[player];
        seat.discard += seat.hand + self.played;
        (seat.hand, self.played) = (Cards::NONE, Cards::NONE);
        witness.put_down(player);
        seat.gift = NOTHING;
        self.due = 4 + seat.studies;
        self.phase = Phase::Redraw;
        if !self.can_draw() {
            self.pass();
        }
    }

    /// Moves cards from the draw pile to the hand. If the pile has too few, all its cards are drawn, and the rest comes
    /// from the discard pile, which becomes the draw pile.
    pub(super) fn draw(&mut self, cards: Cards, witness: &mut impl Witness) {
        let player = self.active();
        let count = self.draws();
        let is_redraw = self.phase == Phase::Redraw;
        let seat = &mut self.seats[player];
        if u32::from(count) > seat.draw.total() {
            seat.draw += seat.discard;
            seat.discard = Cards::NONE;
        }
        seat.draw -= cards;
        seat.hand += cards;
        if is_redraw {
            let rest = (seat.draw + seat.discard).total() as u8;
            // Once the draw pile is known to be used up, it has all cards that are not in hand.
            seat.told_draw = seat.told_draw.checked_sub(count).unwrap_or(rest);
        }
        self.due -= count;
        self.remember(player, 0xffff, cards);
        if self.due == 0 || !self.can_draw() {
            match is_redraw {
                true => self.pass(),
                false => self.go_on(witness),
            }
        }
    }

    #[inline]
    fn pass(&mut self) {
        self.due = 0;
        self.phase = Phase::Move;
        self.active ^= 1;
        self.is_complete = self.active == 0 && self.is_last_round;
        let player = self.active();
        self.seats[player].memory = self.known(player);
    }

    /// The number of cards of the next draw.
    #[inline]
    pub(super) fn draws(&self) -> u8 {
        let seat = &self.seats[self.active()];
        let most = (seat.draw + seat.discard).total();
        self.due.min(MOST_DRAWN).min(most as u8)
    }

    #[inline]
    pub(super) fn can_draw(&self) -> bool {
        let seat = &self.seats[self.active()];
        !seat.draw.is_empty() || !seat.discard.is_empty()
    }
}
