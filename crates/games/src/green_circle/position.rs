//! Position, and the queries on it.

use boughs::Session;

use super::application::{self, GOAL};
use super::cards::{BONUS, Cards, DESKS};
use super::seat::{NOTHING, Seat};
use super::setup::Setup;

/// The number of decisions of both players together after which a game stops.
pub const MOST_DECISIONS: u8 = 200;

/// The value of `due` before there is a set-up.
const DEAL_DUE: u8 = u8::MAX;

/// A kind of decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The player chooses a desk to go to, and a card to take.
    Move,
    /// The player chooses a card to put back, after going round.
    Throw,
    /// The player chooses a card to give to the other, who is near.
    Give,
    /// The player chooses a card to play.
    Play,
    /// The player chooses an application to release.
    Release,
    /// The turn is over, and the next hand is drawn.
    Redraw,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GreenCircle {
    pub(super) seats: [Seat; 2],
    /// The cards of the desks and of the two pools.
    pub(super) board: Cards,
    /// The cards that the player to move has played in this turn, without those that stay at work.
    pub(super) played: Cards,
    /// The open applications, each a bit.
    pub(super) applications: u32,
    pub(super) phase: Phase,
    pub(super) active: u8,
    pub(super) decisions: u8,
    /// Cards that can still be played.
    pub(super) plays: u8,
    /// Cards that must still be put back.
    pub(super) throws: u8,
    /// Cards to draw before the game goes on; 255 if the set-up is still to be dealt.
    pub(super) due: u8,
    /// The desk to take a card from after throwing and giving, or 255.
    pub(super) from: u8,
    pub(super) is_last_round: bool,
    /// True if the last round is complete.
    pub(super) is_complete: bool,
}

impl GreenCircle {
    /// The start of a game.
    pub fn new(setup: &Setup) -> GreenCircle {
        let seats = setup.piles.map(|pile| Seat::new(&pile));
        GreenCircle {
            seats,
            board: Cards::ALL - seats[0].merged() - seats[1].merged(),
            played: Cards::NONE,
            applications: setup.applications,
            phase: Phase::Move,
            active: 0,
            decisions: 0,
            plays: 0,
            throws: 0,
            due: 0,
            from: NOTHING,
            is_last_round: false,
            is_complete: false,
        }
    }

    /// The position before the start, in which chance has still to deal.
    pub fn not_dealt() -> GreenCircle {
        GreenCircle { due: DEAL_DUE, ..GreenCircle::new(&Setup::of_seed(0)) }
    }

    /// The position as a session. Another crate calls this instead of coercing, because a coercion compiles the search
    /// of the game again where it is written.
    #[inline(never)]
    pub fn as_session(&self) -> &dyn Session {
        self
    }

    /// Returns true if the set-up is dealt.
    #[inline]
    pub fn is_dealt(&self) -> bool {
        self.due != DEAL_DUE
    }

    /// The cards and counts of a player.
    #[inline]
    pub fn seat(&self, player: usize) -> &Seat {
        &self.seats[player]
    }

    /// The player whose turn it is, from their move until their next hand is drawn.
    #[inline]
    pub fn active(&self) -> usize {
        usize::from(self.active)
    }

    /// The decision that the player has to make.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns true if a turn has ended and its player has not drawn the next hand.
    #[inline]
    pub fn is_between_turns(&self) -> bool {
        self.phase == Phase::Redraw
    }

    /// The cards of the desks, and of the pools of BONUS and TECHNICAL_DEBT.
    #[inline]
    pub fn board_cards(&self) -> Cards {
        self.board
    }

    /// The cards played in this turn. They go to the discard pile at its end.
    #[inline]
    pub fn played(&self) -> Cards {
        self.played
    }

    /// The open applications, each a bit.
    #[inline]
    pub fn applications(&self) -> u32 {
        self.applications
    }

    /// The numbers of the open applications, the lowest first.
    pub fn open_applications(&self) -> impl Iterator<Item = u8> + use<> {
        let set = self.applications;
        (0..application::APPLICATIONS).filter(move |id| set >> id & 1 == 1)
    }

    /// The open applications that a player can release now, each a bit.
    #[inline]
    pub fn releasable(&self, player: usize) -> u32 {
        let seat = &self.seats[player];
        application::releasable(self.applications, seat.score, seat.at_hand())
    }

    /// The TECHNICAL_DEBT that an application costs a player now; `None` if the player cannot release it.
    #[inline]
    pub fn cost(&self, player: usize, id: u8) -> Option<u8> {
        let seat = &self.seats[player];
        application::cost(id, seat.score, seat.at_hand())
    }

    /// Decisions made so far, by both players.
    #[inline]
    pub fn decisions(&self) -> u8 {
        self.decisions
    }

    /// Cards that can still be played in this turn.
    #[inline]
    pub fn plays(&self) -> u8 {
        self.plays
    }

    /// Cards that must still be put back.
    #[inline]
    pub fn throws(&self) -> u8 {
        self.throws
    }

    /// The desk a card will be taken from after throwing and giving.
    pub fn pending_take(&self) -> Option<u8> {
        (self.from < DESKS).then_some(self.from)
    }

    /// Returns true if a player has released five applications, so that the game ends with the turn of player 1.
    #[inline]
    pub fn is_last_round(&self) -> bool {
        self.is_last_round
    }

    /// Returns true if the last round is complete. The game may also have stopped after [`MOST_DECISIONS`].
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns true if no more decisions follow.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.is_complete || self.decisions >= MOST_DECISIONS
    }

    /// The leading player: more releases, or as many and less TECHNICAL_DEBT.
    #[inline]
    pub fn leader(&self) -> Option<usize> {
        let [first, second] = &self.seats;
        let order = first.score.cmp(&second.score).then_with(|| second.debt().cmp(&first.debt()));
        match order {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Returns true if the players are at the same desk or at neighbouring ones.
    #[inline]
    pub(super) fn is_noisy(&self) -> bool {
        let [one, other] = [self.seats[0].location, self.seats[1].location];
        one >= 0 && other >= 0 && matches!((one - other).unsigned_abs(), 0 | 1 | 7)
    }

    /// The card that taking from a desk brings: its card, a BONUS if it is empty, or none. Desk 8 is the pool of BONUS.
    #[inline]
    pub(super) fn obtainable(&self, desk: u8) -> Option<u8> {
        [desk, BONUS].into_iter().find(|&kind| self.board.has(kind))
    }

    /// Returns true if a player has as many releases as end the game.
    #[inline]
    pub(super) fn has_reached_goal(&self, player: usize) -> bool {
        self.seats[player].score >= GOAL
    }
}
