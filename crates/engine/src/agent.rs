//! The trait of every agent.

use crate::mcts::SearchError;
use crate::{Budget, Choice, Report, Session};

/// An agent in a position of a game. It searches within a budget and returns a report.
///
/// [`Search`](crate::Search) is one for Monte Carlo Tree Search; the crate `boughs-agents` has the others and builds
/// any of them from a line of text.
///
/// ```
/// use boughs::{Agent, Budget, SearchError};
///
/// fn answer(agent: &mut dyn Agent) -> Result<Option<String>, SearchError> {
///     let report = agent.search(Budget::iterations(1_000), &mut |so_far| println!("{so_far}"))?;
///     Ok(report.best.map(|best| best.text))
/// }
/// ```
pub trait Agent: Send {
    /// The agent's position.
    fn position(&self) -> &dyn Session;

    /// Searches until the budget is spent. `see` is called twenty times a second with the report so far. Contest
    /// agents, which answer within milliseconds, and searches on the calling thread do not call it.
    ///
    /// # Errors
    /// If there is no memory for the search, or the game panics.
    fn search(&mut self, budget: Budget, see: &mut dyn FnMut(&Report)) -> Result<Report, SearchError>;

    /// Searches as [`search`](Agent::search) does and returns the choice alone, without the work for a report.
    ///
    /// # Errors
    /// Those of [`search`](Agent::search).
    fn choose(&mut self, budget: Budget) -> Result<Choice, SearchError>;

    /// Plays an action, named by its code.
    ///
    /// # Errors
    /// If the action is not legal, or the game panics.
    fn advance(&mut self, action: u32) -> Result<(), SearchError>;

    /// Continues from another position of the same game.
    ///
    /// # Errors
    /// If the position is one of another game.
    fn reset(&mut self, position: &dyn Session) -> Result<(), SearchError>;

    /// Starts another game with another seed. Equal to building the agent anew, but keeps its threads and its memory.
    ///
    /// # Errors
    /// If the position is one of another game.
    fn begin(&mut self, position: &dyn Session, seed: u64) -> Result<(), SearchError>;
}
