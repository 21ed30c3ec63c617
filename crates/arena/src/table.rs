//! A table of the arena: plays one game after the other, of Boughs or of a referee.

use boughs::StopFlag;

use crate::game_runner::GameRunner;
use crate::plan::Planned;
use crate::program::Edition;
use crate::referee::{Referee, RefereeTable};
use crate::{ArenaError, Conditions, Record};

/// A table, by who knows the rules of the game.
pub(crate) enum Table<'c> {
    Boughs(Box<GameRunner<'c>>),
    Referee(RefereeTable<'c>),
}

impl<'c> Table<'c> {
    /// Prepares the games of a contest. Each side plays on its `cores`, or on any if there are none.
    ///
    /// # Errors
    /// If there is no such game, or a contestant or an opening does not go with it.
    pub(crate) fn new(conditions: &'c Conditions, cores: [Vec<usize>; 2]) -> Result<Table<'c>, ArenaError> {
        match Referee::of(&conditions.game) {
            Some(referee) => RefereeTable::new(conditions, referee, cores).map(Table::Referee),
            None => GameRunner::new(conditions, cores).map(|runner| Table::Boughs(Box::new(runner))),
        }
    }

    /// Number of players of the game.
    pub(crate) fn players(&self) -> usize {
        match self {
            Table::Boughs(runner) => runner.players(),
            Table::Referee(table) => table.seats(),
        }
    }

    /// Returns true if rewards say more than who won.
    pub(crate) fn has_scores(&self) -> bool {
        match self {
            Table::Boughs(runner) => !runner.facts().rewards.halves || runner.players() > 2,
            Table::Referee(table) => table.seats() > 2,
        }
    }

    /// The edition of source files that play.
    pub(crate) fn edition(&self) -> Edition {
        match self {
            Table::Boughs(runner) => runner.edition(),
            Table::Referee(table) => table.edition(),
        }
    }

    /// The standard error of the referee in the last game; empty in games of Boughs.
    pub(crate) fn referee_notes(&self) -> &str {
        match self {
            Table::Boughs(_) => "",
            Table::Referee(table) => table.said(),
        }
    }

    /// Plays a game. Returns `None` if it was interrupted.
    ///
    /// # Errors
    /// If an agent or a program cannot be started.
    pub(crate) fn play(&mut self, planned: &Planned, stop: &StopFlag) -> Result<Option<Record>, ArenaError> {
        match self {
            Table::Boughs(runner) => runner.play(planned, stop),
            Table::Referee(table) => table.play(planned, stop),
        }
    }
}
