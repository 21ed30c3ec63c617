//! The cards and counts of a player.

use super::cards::{CONTINUOUS_INTEGRATION, Cards, DEBT, TASK_PRIORITIZATION};

/// Stands for no desk or no card.
pub(super) const NOTHING: u8 = u8::MAX;

/// The cards and counts of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Cards in hand.
    pub hand: Cards,
    /// Cards in the draw pile, whose order is hidden from both players.
    pub draw: Cards,
    /// Cards in the discard pile.
    pub discard: Cards,
    /// Cards that count in every release.
    pub automated: Cards,
    /// Cards that this player has made vanish: those dropped for TASK_PRIORITIZATION when no card could be taken.
    pub lost: Cards,
    /// The desk, or -1 before the first move.
    pub location: i8,
    /// Applications released.
    pub score: u8,
    /// DAILY_ROUTINE cards at work until the next release.
    pub routines: u8,
    /// ARCHITECTURE_STUDY cards at work until the next release.
    pub studies: u8,
    /// The kind of the card that the other player has given since the last turn of this player, or 255.
    pub(super) gift: u8,
    /// The number of cards in the draw pile as the other player counts them, who does not see the draws within a turn.
    pub(super) told_draw: u8,
    /// A hash of all that the player knew and did at earlier turns.
    pub(super) memory: u64,
}

impl Seat {
    /// The start of a player: a pile from bottom to top, of which the four cards on top are the first hand.
    pub(super) fn new(pile: &[u8; 8]) -> Seat {
        let cards = |half: &[u8]| half.iter().fold(Cards::NONE, |cards, &kind| cards + Cards::one(kind));
        Seat {
            hand: cards(&pile[4..]),
            draw: cards(&pile[..4]),
            discard: Cards::NONE,
            automated: Cards::NONE,
            lost: Cards::NONE,
            location: -1,
            score: 0,
            routines: 0,
            studies: 0,
            gift: NOTHING,
            told_draw: 4,
            memory: 0,
        }
    }

    /// Cards in hand, draw pile and discard pile. The other player sees only their sum.
    #[inline]
    pub fn merged(&self) -> Cards {
        self.hand + self.draw + self.discard
    }

    /// Cards that count for a release: those in hand and those automated.
    #[inline]
    pub fn at_hand(&self) -> Cards {
        self.hand + self.automated
    }

    /// TECHNICAL_DEBT in hand, draw and discard pile, which breaks ties.
    #[inline]
    pub fn debt(&self) -> u32 {
        [self.hand, self.draw, self.discard].iter().map(|pile| u32::from(pile.count(DEBT))).sum()
    }

    /// Returns true if the player holds a card that can be played.
    #[inline]
    pub(super) fn can_play(&self) -> bool {
        let kinds = self.hand.kinds();
        let is_paired = kinds.has(TASK_PRIORITIZATION) || kinds.has(CONTINUOUS_INTEGRATION);
        !kinds.simple().is_empty() || is_paired && self.hand.skills() > 1
    }
}
