//! The games of one line: somebody against one thread.

use std::ops::ControlFlow;

use boughs_arena::{ArenaError, Conditions, News, Standing, Venue};

/// Games under the same conditions, and how they stand.
pub(super) struct Bout {
    conditions: Conditions,
    standing: Standing,
}

impl Bout {
    /// The games there are at a venue.
    pub(super) fn at(venue: &mut Venue<'_>, conditions: Conditions) -> Result<Bout, ArenaError> {
        let standing = venue.contest(conditions.clone())?.standings()[0].clone();
        Ok(Bout { conditions, standing })
    }

    pub(super) fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    pub(super) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// How many games there are.
    pub(super) fn games(&self) -> u64 {
        self.standing.tally().games.count() + self.standing.unpaired() as u64
    }

    /// Plays what is missing of so many rounds.
    pub(super) fn play(
        &mut self,
        venue: &mut Venue<'_>,
        rounds: u64,
        see: &mut dyn FnMut(News<'_>) -> ControlFlow<()>,
    ) -> Result<(), ArenaError> {
        if self.standing.tally().pairs.count() >= rounds {
            return Ok(());
        }
        let (tables, stop) = (venue.tables, venue.stop);
        let mut contest = venue.contest(self.conditions.clone())?;
        let result = contest.play(rounds, tables, stop, see);
        self.standing = contest.standings()[0].clone();
        result.map(|_| ())
    }
}
