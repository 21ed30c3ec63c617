//! Searches of one whole turn: every chain of actions to its end.

mod chains;
mod node;
mod split;
mod turn_search;

use boughs::run::turn_goes_on;
use boughs::{Game, Session, Turn};

pub(crate) use chains::{Chains, Traversal};
pub(crate) use node::{UNKNOWN, worth};
pub use turn_search::{ActionValues, Choice, TurnSearch};

/// A position on the way through a turn.
///
/// [`Chains`] is compiled for two kinds: any game behind [`Session`], and a game as its own type ([`Typed`]).
pub(crate) trait TurnPosition: Clone {
    /// A move of the game.
    type Action: Copy;

    fn turn(&self) -> Turn;
    /// Returns true if a player's turn goes on: the player acts, or chance decides the result of what the player did.
    fn turn_goes_on(&self, player: usize) -> bool;
    fn actions(&self, out: &mut Vec<Self::Action>);
    fn weight(&self, outcome: Self::Action) -> u32;
    fn apply(&mut self, action: Self::Action);
}

/// A position of any game.
pub(crate) type AnyPosition = Box<dyn Session>;

impl TurnPosition for AnyPosition {
    type Action = u32;

    fn turn(&self) -> Turn {
        (**self).turn()
    }

    fn turn_goes_on(&self, player: usize) -> bool {
        turn_goes_on(self.as_position(), player)
    }

    fn actions(&self, out: &mut Vec<u32>) {
        (**self).actions(out);
    }

    fn weight(&self, outcome: u32) -> u32 {
        (**self).weight(outcome)
    }

    fn apply(&mut self, action: u32) {
        (**self).apply(action);
    }
}

/// A position of a game as its own type.
#[repr(transparent)]
pub(crate) struct Typed<G>(pub(crate) G);

impl<G: Clone> Clone for Typed<G> {
    fn clone(&self) -> Typed<G> {
        Typed(self.0.clone())
    }

    fn clone_from(&mut self, other: &Typed<G>) {
        self.0.clone_from(&other.0);
    }
}

impl<G: Game> TurnPosition for Typed<G> {
    type Action = G::Action;

    #[inline]
    fn turn(&self) -> Turn {
        Game::turn(&self.0)
    }

    #[inline]
    fn turn_goes_on(&self, player: usize) -> bool {
        turn_goes_on(&self.0, player)
    }

    #[inline]
    fn actions(&self, out: &mut Vec<G::Action>) {
        Game::actions(&self.0, out);
    }

    #[inline]
    fn weight(&self, outcome: G::Action) -> u32 {
        Game::weight(&self.0, outcome)
    }

    #[inline]
    fn apply(&mut self, action: G::Action) {
        Game::apply(&mut self.0, action);
    }
}
