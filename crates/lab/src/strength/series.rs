//! A series of games: one contestant against one thread.

use std::ops::ControlFlow;

use boughs_arena::{ArenaError, Conditions, ContestSetup, News, PairScore};

/// Games under the same conditions, and their score.
pub(super) struct Series {
    conditions: Conditions,
    score: PairScore,
}

impl Series {
    /// Counts the games that the store of a setup has.
    pub(super) fn open(setup: &mut ContestSetup<'_>, conditions: Conditions) -> Result<Series, ArenaError> {
        let score = setup.contest(conditions.clone())?.standings()[0].clone();
        Ok(Series { conditions, score })
    }

    pub(super) fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    pub(super) fn score(&self) -> &PairScore {
        &self.score
    }

    /// The number of games.
    pub(super) fn games(&self) -> u64 {
        self.score.tally().games.count() + self.score.unpaired() as u64
    }

    /// Plays the missing games of this number of rounds.
    pub(super) fn play(
        &mut self,
        setup: &mut ContestSetup<'_>,
        rounds: u64,
        see: &mut dyn FnMut(News<'_>) -> ControlFlow<()>,
    ) -> Result<(), ArenaError> {
        if self.score.tally().pairs.count() >= rounds {
            return Ok(());
        }
        let (tables, stop) = (setup.tables, setup.stop);
        let mut contest = setup.contest(self.conditions.clone())?;
        let result = contest.play(rounds, tables, stop, see);
        self.score = contest.standings()[0].clone();
        result.map(|_| ())
    }
}
