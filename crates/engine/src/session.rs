//! An object-safe trait for a game in progress. Code that uses it is compiled once; code behind it is compiled for
//! each game.
//!
//! Every [`Game`] is a [`Session`], so `&game` coerces to `&dyn Session`. A session is a [`Position`] that can also be
//! searched. The tree search itself stays generic, behind [`Session::tree_search`].

use std::sync::Arc;

use crate::evaluator::OfSessions;
use crate::mcts::tables::Tables;
use crate::mcts::{SearchError, TreeSearch};
use crate::notation::MoveError;
use crate::run::guarded;
use crate::{Game, Position, Rng, Search, SessionEvaluator, Settings};

/// A game in progress: a [`Position`] that can be searched. Every [`Game`] implements it.
///
/// Code that plays, measures or shows games uses this trait and is compiled once. There are two traits because a
/// `dyn Session` links the tree search of its game into a program, and a `dyn Position` only the rules.
pub trait Session: Position {
    /// The rules alone.
    fn as_position(&self) -> &dyn Position;

    /// The rules alone, to play by.
    fn as_position_mut(&mut self) -> &mut dyn Position;

    /// A copy of the game in progress.
    fn clone_session(&self) -> Box<dyn Session>;

    /// Builds a Monte Carlo Tree Search of this position, without an evaluator.
    ///
    /// # Errors
    /// If the settings do not go with the game, or the memory or the threads cannot be had.
    fn tree_search(&self, settings: Settings) -> Result<Box<dyn TreeSearch>, SearchError>;

    /// Builds a Monte Carlo Tree Search of this position by an evaluator.
    ///
    /// # Errors
    /// If the settings do not go with the game or the evaluator, or the memory or the threads cannot be had.
    fn tree_search_with(
        &self,
        settings: Settings,
        evaluator: Arc<dyn SessionEvaluator>,
    ) -> Result<Box<dyn TreeSearch>, SearchError>;

    /// Builds a search of this position in a plain tree, as if every player saw everything, on the calling thread.
    /// Many such searches share the `tables`.
    ///
    /// # Errors
    /// If the memory cannot be had.
    #[doc(hidden)]
    fn determinized_search(&self, settings: Settings, tables: Arc<Tables>) -> Result<Box<dyn TreeSearch>, SearchError>;
}

/// The methods of `dyn Position`, for a `dyn Session`.
impl dyn Session {
    /// The position as its own type, if it is a `G`.
    pub fn downcast_ref<G: Game>(&self) -> Option<&G> {
        self.as_any().downcast_ref()
    }

    /// Picks a step at random, as `random_step` of `dyn Position` does.
    pub fn random_step(&self, rng: &mut Rng) -> Option<u32> {
        self.as_position().random_step(rng)
    }

    /// The code and the text of every legal action, as `legal_moves` of `dyn Position` gives them.
    pub fn legal_moves(&self) -> Vec<(u32, String)> {
        self.as_position().legal_moves()
    }

    /// The code of the legal action with this text, as `find_move` of `dyn Position` gives it.
    pub fn find_move(&self, text: &str) -> Option<u32> {
        self.as_position().find_move(text)
    }

    /// Plays the moves of a text, as `play_moves` of `dyn Position` does.
    ///
    /// # Errors
    /// The first place that is no legal move.
    pub fn play_moves(&mut self, text: &str) -> Result<Vec<u32>, MoveError> {
        self.as_position_mut().play_moves(text)
    }

    /// Writes a list of moves, as `write_moves` of `dyn Position` does.
    pub fn write_moves(&self, actions: &[u32]) -> String {
        self.as_position().write_moves(actions)
    }
}

impl Clone for Box<dyn Session> {
    fn clone(&self) -> Box<dyn Session> {
        self.clone_session()
    }

    /// Reuses the memory where both are positions of one game.
    fn clone_from(&mut self, other: &Box<dyn Session>) {
        if !self.copy_from(other.as_position()) {
            *self = other.clone_session();
        }
    }
}

impl<G: Game> Session for G {
    fn as_position(&self) -> &dyn Position {
        self
    }

    fn as_position_mut(&mut self) -> &mut dyn Position {
        self
    }

    fn clone_session(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn tree_search(&self, settings: Settings) -> Result<Box<dyn TreeSearch>, SearchError> {
        Ok(Box::new(Search::new(guarded(|| self.clone())?, settings)?))
    }

    fn tree_search_with(
        &self,
        settings: Settings,
        evaluator: Arc<dyn SessionEvaluator>,
    ) -> Result<Box<dyn TreeSearch>, SearchError> {
        let evaluator = Arc::new(OfSessions(evaluator));
        Ok(Box::new(Search::with_evaluator(guarded(|| self.clone())?, settings, evaluator)?))
    }

    fn determinized_search(&self, settings: Settings, tables: Arc<Tables>) -> Result<Box<dyn TreeSearch>, SearchError> {
        let playout = settings.playout.build(settings.epsilon);
        Ok(Box::new(Search::determinized(guarded(|| self.clone())?, settings, playout, tables)?))
    }
}
