//! The experiments that can be planned, a file for each.

mod cases;
mod games;
mod learn;
mod scale;

use std::ops::Range;

use boughs::StopFlag;
use serde::{Deserialize, Serialize};

pub use cases::CasesJob;
pub use games::{ContestKind, GamesJob, RunningTest};
pub use learn::LearnJob;
pub use scale::ScaleJob;

use boughs_arena::judge::CaseVerdict;
use boughs_arena::{Checksums, Contestant};
use boughs_lab::scale::Round;

use crate::{PlanError, ShardFolder};

/// An experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// The games of a match, a tournament, or a stage of a tuning.
    Games(GamesJob),
    /// The cases of a contest.
    Cases(CasesJob),
    /// The rounds of a measurement of scaling.
    Scale(ScaleJob),
    /// The games of a round of learning.
    Learn(LearnJob),
}

impl Job {
    /// Number of units.
    pub fn units(&self) -> u64 {
        match self {
            Job::Games(job) => job.games,
            Job::Cases(job) => job.units(),
            Job::Scale(job) => u64::from(job.rounds),
            Job::Learn(job) => job.units(),
        }
    }

    /// Checks that the job is one that this program writes, so that nothing of it is out of range.
    pub(crate) fn check(&self) -> Result<(), PlanError> {
        match self {
            Job::Games(job) => job.check(),
            Job::Cases(job) => job.check(),
            Job::Scale(job) => job.check(),
            Job::Learn(job) => job.check(),
        }
    }

    /// Checks that the file of a shard, if there is one, has results that fit the plan.
    pub(crate) fn check_results(&self, folder: &ShardFolder, shard: u64) -> Result<(), PlanError> {
        match self {
            Job::Games(job) => job.check_results(folder, shard),
            Job::Cases(_) => folder.results::<CaseVerdict>(shard).map(drop),
            Job::Scale(_) => folder.results::<Round>(shard).map(drop),
            Job::Learn(job) => job.lessons(folder, shard).map(drop),
        }
    }

    /// The units by their name.
    pub fn unit_name(&self) -> &'static str {
        match self {
            Job::Games(_) | Job::Learn(_) => "games",
            Job::Cases(_) => "cases",
            Job::Scale(_) => "rounds",
        }
    }

    /// Number of cores that a shard needs; `None` if it needs a machine for itself.
    pub fn cores(&self) -> Option<usize> {
        match self {
            Job::Games(job) => Some(job.cores),
            Job::Cases(job) => Some(job.cores()),
            Job::Scale(_) => None,
            Job::Learn(_) => Some(1),
        }
    }

    /// Runs these units. Returns a line for each in their order, or fewer lines if `stop` was raised.
    pub(crate) fn run(
        &self,
        units: Range<u64>,
        at_once: usize,
        stop: &StopFlag,
        see: &mut dyn FnMut(u64),
    ) -> Result<Vec<String>, PlanError> {
        match self {
            Job::Games(job) => job.run(units, at_once, stop, see),
            Job::Cases(job) => job.run(units, at_once, stop, see),
            Job::Scale(job) => job.run(units, stop, see),
            Job::Learn(job) => job.run(units, at_once, stop),
        }
    }
}

/// Checks that programs are there, so that a plan has their checksums.
fn check_programs<'c>(contestants: impl Iterator<Item = &'c Contestant>, files: &Checksums) -> Result<(), PlanError> {
    for contestant in contestants {
        if let Contestant::Program(program) = contestant
            && !files.contains_key(&program.words()[0])
        {
            return Err(PlanError::new(format!(
                "there is no program '{}' here; a plan has its checksum, so write the plan where the program is",
                program.words()[0]
            )));
        }
    }
    Ok(())
}

/// Checks that the files of contestants are here as they were where the plan was written.
fn check_files(planned: &Checksums, here: &Checksums) -> Result<(), PlanError> {
    let others = planned.iter().filter(|(file, sum)| here.get(*file) != Some(sum));
    let others: Vec<String> = others.map(|(file, _)| format!("'{file}'")).collect();
    if others.is_empty() {
        return Ok(());
    }
    Err(PlanError::new(format!(
        "{} of the plan is missing here or has another content; copy it to every machine, or write the plan again",
        others.join(" and ")
    )))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::time::Duration;

    use boughs_arena::{Conditions, Limit, Openings};

    use super::*;

    /// A match of this number of games.
    pub(crate) fn games(games: u64) -> GamesJob {
        let conditions = Conditions {
            game: "tictactoe".into(),
            contestants: ["random", "flat"].map(|agent| agent.parse().expect("an agent")).to_vec(),
            pairings: vec![[0, 1]],
            limit: Limit::Playouts(5),
            grace: Duration::ZERO,
            openings: Openings::Start,
            seed: 1,
        };
        GamesJob::new(ContestKind::Match, &conditions, games, None, false).expect("a job")
    }
}
