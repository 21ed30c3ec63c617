//! The rounds of a measurement of scaling.

use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use boughs::{MAX_THREADS, StopFlag};
use boughs_lab::scale::{Mode, Round, ScaleExperiment, ScalePlan, ScaleReport};
use serde::{Deserialize, Serialize};

use crate::{PlanError, ShardFolder};

/// The numbers of threads that a run may have, and the most configurations of them.
const THREADS: RangeInclusive<usize> = 1..=MAX_THREADS;
const MOST_THREADS: usize = 1024;

/// The rounds of a measurement of scaling. Each takes a whole machine, because neighbours would spoil its times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleJob {
    game: String,
    agent: String,
    seed: u64,
    modes: Vec<Mode>,
    threads: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    time_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    iterations: Option<u64>,
    /// Number of rounds.
    pub rounds: u32,
}

impl ScaleJob {
    /// The rounds of a measurement.
    pub fn new(plan: &ScalePlan) -> ScaleJob {
        ScaleJob {
            game: plan.game.clone(),
            agent: plan.settings.to_string(),
            seed: plan.settings.seed,
            modes: plan.modes.clone(),
            threads: plan.threads.clone(),
            time_ns: plan.time.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)),
            iterations: plan.iterations,
            rounds: plan.rounds,
        }
    }

    /// The measurement, by this command.
    ///
    /// # Errors
    /// If this version does not know the agent.
    fn plan(&self, command: String) -> Result<ScalePlan, PlanError> {
        let settings: boughs::Settings = self.agent.parse().map_err(|error| PlanError::new(format!("{error}")))?;
        Ok(ScalePlan {
            game: self.game.clone(),
            settings: boughs::Settings { seed: self.seed, ..settings },
            modes: self.modes.clone(),
            threads: self.threads.clone(),
            time: self.time_ns.map(Duration::from_nanos),
            iterations: self.iterations,
            rounds: self.rounds,
            command,
        })
    }

    pub(super) fn check(&self) -> Result<(), PlanError> {
        let plan = self.plan(String::new())?;
        boughs_games::start(&self.game)?;
        if plan.time.is_none() && plan.iterations.is_none() {
            return Err(PlanError::new("its runs have no limit"));
        }
        if plan.threads.len() > MOST_THREADS || !plan.threads.iter().all(|threads| THREADS.contains(threads)) {
            return Err(PlanError::new("its numbers of threads are out of range"));
        }
        Ok(())
    }

    pub(super) fn run(
        &self,
        rounds: Range<u64>,
        stop: &StopFlag,
        see: &mut dyn FnMut(u64),
    ) -> Result<Vec<String>, PlanError> {
        let mut lines = Vec::new();
        for round in rounds {
            let start = boughs_games::start(&self.game)?.position;
            let mut experiment = ScaleExperiment::of_round(start, self.plan(String::new())?, round as u32 + 1);
            while experiment.next_task().is_some() {
                if !experiment.advance(stop)? {
                    return Ok(lines);
                }
            }
            lines.push(serde_json::to_string(&experiment.into_round())?);
            see(lines.len() as u64);
        }
        Ok(lines)
    }

    /// The report of all rounds, measured by this command.
    ///
    /// # Errors
    /// If a shard is missing or damaged.
    pub fn merge(&self, folder: &ShardFolder, command: String) -> Result<ScaleReport, PlanError> {
        let rounds: Vec<Round> = folder.all(|shard| folder.results(shard))?;
        Ok(ScaleReport::of_rounds(self.plan(command)?, rounds))
    }
}
