//! The games of a round of learning.

use std::ops::Range;
use std::path::Path;

use boughs::StopFlag;
use boughs_agents::learn::{Learned, LearningRun, Played};
use serde::{Deserialize, Serialize};

use crate::shard::damaged;
use crate::{PlanError, ShardFolder};

/// The most games of a round.
const MOST_GAMES: u64 = 100_000;

/// The most positions of a turn.
const MOST_POSITIONS: u64 = 10_000_000;

/// The games of the next round of learning, which are played with the weights so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnJob {
    /// The weights and the course of learning so far.
    pub learned: Learned,
    /// Number of games to play in all rounds.
    pub games: u64,
}

impl LearnJob {
    /// The run of learning at the start of the round.
    fn course(&self, threads: usize) -> Result<LearningRun, PlanError> {
        let unknown = || PlanError::new(format!("'{}' is no game that can be learned", self.learned.game));
        LearningRun::new(self.learned.clone(), self.games, threads)?.ok_or_else(unknown)
    }

    pub(super) fn check(&self) -> Result<(), PlanError> {
        let Learned { game, terms, before, features, .. } = &self.learned;
        let nothing = Learned::nothing(game, *terms);
        let nothing = nothing.ok_or_else(|| PlanError::new(format!("'{game}' is no game that can be learned")))?;
        let has_all = before.as_ref().is_none_or(|weights| weights.len() == features.len());
        if nothing.differences(&self.learned).is_some() || !has_all {
            return Err(PlanError::new("its weights are those of other features"));
        }
        if !(1..=MOST_GAMES).contains(&terms.round) || terms.positions > MOST_POSITIONS {
            return Err(PlanError::new("its round is too large"));
        }
        Ok(())
    }

    pub(super) fn units(&self) -> u64 {
        let games = self.learned.next_games(self.games);
        games.end - games.start
    }

    pub(super) fn run(&self, units: Range<u64>, threads: usize, stop: &StopFlag) -> Result<Vec<String>, PlanError> {
        let first = self.learned.next_games(self.games).start;
        let games = self.course(threads)?.play(first + units.start..first + units.end, stop).unwrap_or_default();
        Ok(games.iter().map(serde_json::to_string).collect::<Result<_, _>>()?)
    }

    /// Checks that a file of weights may be replaced by what was learned in this round: it still has what was learned
    /// before, or this round already.
    ///
    /// # Errors
    /// If it has something else.
    pub fn check_kept(&self, kept: Option<&Learned>, after: &Learned, file: &Path) -> Result<(), PlanError> {
        if kept.map_or(self.learned.games == 0, |kept| *kept == self.learned || kept == after) {
            return Ok(());
        }
        Err(PlanError::new(format!(
            "'{}' has not what was learned before the round of this plan; name the file that the plan was written with",
            file.display()
        )))
    }

    /// The games of a shard, whose lessons are of the features of the plan; `None` if it has no file.
    pub(super) fn lessons(&self, folder: &ShardFolder, shard: u64) -> Result<Option<Vec<Played>>, PlanError> {
        let games: Option<Vec<Played>> = folder.results(shard)?;
        let fits = |game: &Played| game.fits(self.learned.features.len());
        match games.iter().flatten().all(fits) {
            true => Ok(games),
            false => Err(damaged(shard, "has lessons of other features")),
        }
    }

    /// Learns from the games of all shards.
    ///
    /// # Errors
    /// If a shard is missing or damaged.
    pub fn merge(&self, folder: &ShardFolder) -> Result<Learned, PlanError> {
        let games = folder.all(|shard| self.lessons(folder, shard))?;
        let mut course = self.course(1)?;
        course.learn(&games);
        Ok(course.learned().clone())
    }
}
