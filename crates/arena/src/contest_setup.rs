//! The surroundings of several contests that belong together.

use boughs::StopFlag;

use crate::statistics::Sprt;
use crate::{ArenaError, Conditions, Contest, ReplayCommand, Store};

/// The store of several contests, and how their games are played.
pub struct ContestSetup<'v> {
    /// The kind of the contests in the store.
    pub kind: &'v str,
    /// The store that keeps the games.
    pub store: &'v mut Store,
    /// The command line that the contests belong to.
    pub command: &'v str,
    /// The command line that plays one game again.
    pub replay: ReplayCommand,
    /// Number of games at a time.
    pub tables: usize,
    /// Ends all contests when it is raised.
    pub stop: &'v StopFlag,
}

impl ContestSetup<'_> {
    /// Opens a contest with the games that the store has of it.
    ///
    /// # Errors
    /// If there is no such game, or the store cannot be read or written.
    pub fn contest(&mut self, conditions: Conditions) -> Result<Contest<'_>, ArenaError> {
        Contest::new(conditions)?.keep_in(self.store, self.kind, self.command, self.replay)
    }

    /// Opens a contest whose pairings end with the decision of a test.
    ///
    /// # Errors
    /// Fails as [`contest`](ContestSetup::contest) does.
    pub fn contest_ended_by(&mut self, test: Sprt, conditions: Conditions) -> Result<Contest<'_>, ArenaError> {
        Contest::new(conditions)?.ended_by(test).keep_in(self.store, self.kind, self.command, self.replay)
    }
}
