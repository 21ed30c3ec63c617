//! A position, and what can be read of it.

use super::application::{self, GOAL};
use super::cards::{BONUS, Cards, DESKS};
use super::seat::{NOTHING, Seat};
use super::setup::Setup;

/// Decisions of both players together after which a game stops where it is.
pub const MOST_DECISIONS: u8 = 200;

/// What is due before there is a set-up.
const DEAL_DUE: u8 = u8::MAX;

/// What a player is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Where to go, and which card to take.
    Move,
    /// Which card to put back, after going round.
    Throw,
    /// Which card to give to the other, who is near.
    Give,
    /// Which card to play.
    Play,
    /// Which application to release.
    Release,
    /// Nothing: the turn is over, and the next hand is drawn.
    Redraw,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GreenCircle {
    pub(super) seats: [Seat; 2],
    /// Desks and the two pools.
    pub(super) board: Cards,
    /// What whose turn it is has played, but for what stays at work.
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
    /// Cards to draw before anything else happens; 255 where everything has still to be dealt.
    pub(super) due: u8,
    /// The desk to take a card from after throwing and giving, or 255.
    pub(super) from: u8,
    pub(super) is_last_round: bool,
    /// Whether the last round is complete.
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

    /// Before the start, when chance has still to deal.
    pub fn not_dealt() -> GreenCircle {
        GreenCircle { due: DEAL_DUE, ..GreenCircle::new(&Setup::of_seed(0)) }
    }

    /// Whether the game has begun.
    #[inline]
    pub fn is_dealt(&self) -> bool {
        self.due != DEAL_DUE
    }

    /// What belongs to a player.
    #[inline]
    pub fn seat(&self, player: usize) -> &Seat {
        &self.seats[player]
    }

    /// The player whose turn it is, from their move until their next hand is drawn.
    #[inline]
    pub fn active(&self) -> usize {
        usize::from(self.active)
    }

    /// What that player is asked for.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether a turn has ended and its player has not drawn the next hand.
    #[inline]
    pub fn is_between_turns(&self) -> bool {
        self.phase == Phase::Redraw
    }

    /// The cards of the desks, and of the pools of BONUS and TECHNICAL_DEBT.
    #[inline]
    pub fn board_cards(&self) -> Cards {
        self.board
    }

    /// What was played in this turn and goes to the discard pile at its end.
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

    /// The open applications that a player can release with what they have now, each a bit.
    #[inline]
    pub fn releasable(&self, player: usize) -> u32 {
        let seat = &self.seats[player];
        application::releasable(self.applications, seat.score, seat.at_hand())
    }

    /// The TECHNICAL_DEBT that an application costs a player with what they have now; `None` if they cannot release it.
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

    /// Whether somebody has released five applications, so that the game ends with the turn of player 1.
    #[inline]
    pub fn is_last_round(&self) -> bool {
        self.is_last_round
    }

    /// Whether the last round is complete. The game may also have stopped after [`MOST_DECISIONS`].
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether there is nothing more to decide.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.is_complete || self.decisions >= MOST_DECISIONS
    }

    /// Who is ahead: more releases, or as many and less TECHNICAL_DEBT.
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

    /// Whether the players are at the same desk or at neighbouring ones.
    #[inline]
    pub(super) fn is_noisy(&self) -> bool {
        let [one, other] = [self.seats[0].location, self.seats[1].location];
        one >= 0 && other >= 0 && matches!((one - other).unsigned_abs(), 0 | 1 | 7)
    }

    /// What taking from a desk brings: its card, a BONUS if it is empty, or nothing. Desk 8 is the pool of BONUS.
    #[inline]
    pub(super) fn obtainable(&self, desk: u8) -> Option<u8> {
        [desk, BONUS].into_iter().find(|&kind| self.board.has(kind))
    }

    /// Whether player `player` has as many releases as end the game.
    #[inline]
    pub(super) fn has_reached_goal(&self, player: usize) -> bool {
        self.seats[player].score >= GOAL
    }
}
