//! The games of a round of learning.

use std::ops::Range;

use boughs::StopFlag;
use boughs_agents::learn::{Learned, LearningRun, Played};
use serde::{Deserialize, Serialize};

use crate::{PlanError, ShardFolder};

/// The games of the next round of learning, which are played with the weights so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnJob {
    /// What was learned so far.
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

    /// The numbers of the games of the round.
    fn numbers(&self) -> Range<u64> {
        self.course(1).map_or(0..0, |course| course.next_games())
    }

    pub(super) fn units(&self) -> u64 {
        let numbers = self.numbers();
        numbers.end - numbers.start
    }

    pub(super) fn run(&self, units: Range<u64>, threads: usize, stop: &StopFlag) -> Result<Vec<String>, PlanError> {
        let first = self.numbers().start;
        let games = self.course(threads)?.play(first + units.start..first + units.end, stop).unwrap_or_default();
        Ok(games.iter().map(serde_json::to_string).collect::<Result<_, _>>()?)
    }

    /// What was learned with the games of all shards.
    ///
    /// # Errors
    /// If a shard is missing or damaged.
    pub fn merge(&self, folder: &ShardFolder) -> Result<Learned, PlanError> {
        let games: Vec<Played> = folder.all()?;
        let mut course = self.course(1)?;
        course.learn(&games);
        Ok(course.learned().clone())
    }
}
