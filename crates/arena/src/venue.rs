//! Where contests take place that follow one from the other.

use boughs::StopFlag;

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
        Contest::kept_in(conditions, self.store, self.kind, self.command, self.replay)
    }
}
