//! Where contests take place that follow one from the other.

use boughs::StopFlag;

use crate::statistics::Sprt;
use crate::{ArenaError, Conditions, Contest, Replay, Store};

/// Where several contests keep their games, and how they play them.
pub struct Venue<'v> {
    /// What the contests are, in the store.
    pub kind: &'v str,
    /// Keeps the games.
    pub store: &'v mut Store,
    /// The command line they belong to.
    pub command: &'v str,
    /// The one that plays a game again.
    pub replay: Replay,
    /// Games at a time.
    pub tables: usize,
    /// Ends everything when it is raised.
    pub stop: &'v StopFlag,
}

impl Venue<'_> {
    /// A contest here, with the games of it that there are already.
    ///
    /// # Errors
    /// If there is no such game, or the store cannot be read or written.
    pub fn contest(&mut self, conditions: Conditions) -> Result<Contest<'_>, ArenaError> {
        Contest::new(conditions)?.keep_in(self.store, self.kind, self.command, self.replay)
    }

    /// The same, and a pairing ends with the decision of a test.
    ///
    /// # Errors
    /// As without it.
    pub fn contest_ended_by(&mut self, test: Sprt, conditions: Conditions) -> Result<Contest<'_>, ArenaError> {
        Contest::new(conditions)?.ended_by(test).keep_in(self.store, self.kind, self.command, self.replay)
    }
}
