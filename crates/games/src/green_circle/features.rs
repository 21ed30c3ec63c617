//! Features of positions between turns: the quantities of each player, as the difference between the two.
//!
//! At the end of a turn the hand is put down and the next one is not drawn yet, so luck is still even, and a weighted
//! sum says much. Hidden cards play no part: the other player's hand, draw and discard pile are counted as one.

use super::application::{GOAL, least_missing};
use super::cards::{BONUS, Cards, DESKS, KINDS, NAMES};
use super::knowledge::{mixed, word_of};
use super::position::{GreenCircle, MOST_DECISIONS};
use super::weights::LEARNED;
use crate::Features;

const FIRST: usize = 0;
const NEXT: usize = FIRST + 1;
const SCORE: usize = NEXT + 1;
const DESK_OF_NEXT: usize = SCORE + GOAL as usize;
const DESK_OF_OTHER: usize = DESK_OF_NEXT + DESKS as usize;
const CARDS: usize = DESK_OF_OTHER + DESKS as usize;
const AUTOMATED: usize = CARDS + KINDS;
const ROUTINES: usize = AUTOMATED + BONUS as usize + 1;
const STUDIES: usize = ROUTINES + 1;
const READY: usize = STUDIES + 1;
const READY_FOR_LAST: usize = READY + 1;
/// The number of features.
pub(super) const COUNT: usize = READY_FOR_LAST + 1;

/// The points that an application needs in all.
const NEED: i32 = 8;

impl Features for GreenCircle {
    fn names() -> Vec<String> {
        let mut names = vec!["player 0".to_string(), "next turn".to_string()];
        names.extend((1..=GOAL).map(|score| format!("score {score}")));
        names.extend((0..DESKS).map(|desk| format!("next at desk {desk}")));
        names.extend((0..DESKS).map(|desk| format!("other at desk {desk}")));
        names.extend(NAMES.map(|name| format!("card {name}")));
        names.extend(NAMES[..=usize::from(BONUS)].iter().map(|name| format!("automated {name}")));
        names.extend(["routine", "study", "exact points", "exact points at score 4"].map(String::from));
        names
    }

    #[inline]
    fn features(&self, see: &mut impl FnMut(usize, f64)) {
        let next = if self.is_between_turns() { 1 - self.active() } else { self.active() };
        see(FIRST, 1.0);
        see(NEXT, if next == 0 { 1.0 } else { -1.0 });
        for (player, sign) in [(0, 1.0), (1, -1.0)] {
            let seat = &self.seats[player];
            if seat.score > 0 {
                see(SCORE + usize::from(seat.score.min(GOAL)) - 1, sign);
            }
            if let Ok(desk) = usize::try_from(seat.location) {
                see(desk + if player == next { DESK_OF_NEXT } else { DESK_OF_OTHER }, sign);
            }
            let played = if player == self.active() { self.played } else { Cards::NONE };
            let cards = seat.merged() + played;
            // Branches on the kinds that there are would cost more than adding zeros.
            for kind in 0..KINDS as u8 {
                see(CARDS + usize::from(kind), sign * f64::from(cards.count(kind)));
            }
            for kind in 0..=BONUS {
                see(AUTOMATED + usize::from(kind), sign * f64::from(seat.automated.count(kind)));
            }
            see(ROUTINES, sign * f64::from(seat.routines));
            see(STUDIES, sign * f64::from(seat.studies));
            let ready = self.ready(seat.automated);
            see(if seat.score < GOAL - 1 { READY } else { READY_FOR_LAST }, sign * ready);
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        let (own, other) = (&self.seats[self.active()], &self.seats[1 - self.active()]);
        let words = [
            [own.hand.word(), own.draw.word()],
            [own.discard.word(), own.automated.word()],
            [other.merged().word(), other.automated.word()],
            [own.open(), other.open()],
            [self.board.word(), self.played.word() ^ u64::from(self.applications) << 32],
            [word_of([self.phase as u8, self.active, self.plays, self.throws, self.due, self.from, 0, 0]), 0],
        ];
        (0..words.len()).fold(0, |sum: u64, place| sum.wrapping_add(mixed(words[place][0], words[place][1], place)))
    }

    /// The result is certain when the last turn has ended, because drawing changes nothing.
    #[inline]
    fn settled(&self) -> Option<f64> {
        let is_last = self.is_last_round && self.is_between_turns() && self.active == 1;
        let is_over = is_last || self.is_complete || self.decisions >= MOST_DECISIONS;
        is_over.then(|| self.leader().map_or(0.5, |leader| if leader == 0 { 1.0 } else { 0.0 }))
    }
}

impl GreenCircle {
    /// The learned weights of the features, used by [`evaluation`](boughs::Game::evaluation).
    pub fn weights() -> &'static [f64] {
        &LEARNED
    }

    /// The points that automated cards give for the open application that fits them best.
    #[inline]
    fn ready(&self, automated: Cards) -> f64 {
        let least = least_missing(self.applications, automated).unwrap_or(NEED);
        f64::from(NEED - least.max(0))
    }
}
