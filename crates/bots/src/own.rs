//! What an agent of one game is.

use std::any::Any;
use std::fmt::Debug;

use boughs::{Agent, Game, SearchError, Spec};
use boughs_games::Listed;

/// An agent that plays one game.
pub trait OwnAgent: Spec + Clone + PartialEq + Debug {
    /// The game it plays.
    type Game: Listed;

    /// The agent in a position.
    ///
    /// # Errors
    /// If the memory or the threads cannot be had.
    fn build(self, position: Self::Game) -> Result<Box<dyn Agent<Self::Game>>, SearchError>;
}

/// The agent in a position of any game, if that is the game it plays.
pub(crate) fn build<A: OwnAgent, G: Game>(agent: A, position: G) -> Result<Box<dyn Agent<G>>, SearchError> {
    let position: Box<dyn Any> = Box::new(position);
    let position = position.downcast::<A::Game>().map_err(|_| {
        let reason = format!("the agent {} plays {} and no other game", A::NAME, <A::Game as Listed>::NAME);
        SearchError::Misfit { reason, instead: "mcts".to_string() }
    })?;
    let agent: Box<dyn Any> = Box::new(agent.build(*position)?);
    match agent.downcast::<Box<dyn Agent<G>>>() {
        Ok(agent) => Ok(*agent),
        Err(_) => unreachable!("the games are the same, as their positions are"),
    }
}
