//! One run: a search, or the no-tree baseline, in one configuration.

use std::thread;
use std::time::{Duration, Instant};

use boughs::{Budget, SearchError, Session, Settings, StopFlag, Warning};
use serde::{Deserialize, Serialize};

use super::{Mode, ScaleError, ScalePlan, Task};
use crate::measure::Timed;
use crate::no_tree::no_tree_baseline_until;

/// The results of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The kind of parallelisation.
    pub mode: Mode,
    /// The number of threads.
    pub threads: usize,
    /// The round, counted from 1.
    pub round: u32,
    /// The number of playouts.
    pub playouts: u64,
    /// Seconds by the wall clock.
    pub wall: f64,
    /// Seconds of processor time, where the system tells.
    pub cpu: Option<f64>,
    /// The number of cores kept busy, where the system tells.
    pub cores_busy: Option<f64>,
    /// True if the run got clearly fewer cores than it could have used.
    pub disturbed: bool,
    /// Playouts a second.
    pub playouts_per_second: f64,
}

impl Run {
    /// The times of the run.
    pub(super) fn timed(&self) -> Timed {
        Timed { wall: self.wall, cpu: self.cpu }
    }
}

/// Makes a run. Returns its results and the warnings of its search; `None` if the flag ended it.
pub(super) fn make(
    start: &dyn Session,
    plan: &ScalePlan,
    task: Task,
    stop: &StopFlag,
) -> Result<Option<(Run, Vec<Warning>)>, ScaleError> {
    let (playouts, timed, warnings) = match task.mode.parallel() {
        None => without_tree(start, plan, task.threads, stop)?,
        Some(parallel) => {
            let seed = plan.settings.seed.wrapping_add(u64::from(task.round));
            search(start, plan, Settings { parallel, threads: task.threads, seed, ..plan.settings.clone() }, stop)?
        }
    };
    if stop.is_raised() {
        return Ok(None);
    }
    if playouts == 0 {
        return Err(ScaleError::NoPlayouts(task));
    }
    let Task { mode, threads, round } = task;
    let run = Run {
        mode,
        threads,
        round,
        playouts,
        wall: timed.wall,
        cpu: timed.cpu,
        cores_busy: timed.cores_busy(),
        disturbed: timed.is_disturbed(threads),
        playouts_per_second: playouts as f64 / timed.wall,
    };
    Ok(Some((run, warnings)))
}

type Measured = (u64, Timed, Vec<Warning>);

/// Searches with a new tree and new threads.
fn search(start: &dyn Session, plan: &ScalePlan, settings: Settings, stop: &StopFlag) -> Result<Measured, SearchError> {
    let mut search = boughs_agents::tree_search(start, settings)?;
    let (report, timed) = Timed::run(|| {
        let budget = Budget::unlimited().early_stop(false).or_stopped_by(stop.clone());
        let budget = plan.time.into_iter().fold(budget, Budget::or_time);
        search.run(plan.iterations.into_iter().fold(budget, Budget::or_iterations))
    });
    let report = report?;
    // Playouts still under way at the deadline end here, and the workers leave, so that nothing of this run takes a
    // core from the next run.
    search.reset(start)?;
    thread::sleep(Duration::from_millis(1));
    let is_new = |warning: &Warning| !matches!(warning, Warning::MoreThreadsThanCores { .. });
    Ok((report.iterations, timed, report.warnings.into_iter().filter(is_new).collect()))
}

/// Plays random games without a tree within the limits of a search.
fn without_tree(
    start: &dyn Session,
    plan: &ScalePlan,
    threads: usize,
    stop: &StopFlag,
) -> Result<Measured, SearchError> {
    let deadline = plan.time.and_then(|time| Instant::now().checked_add(time));
    let is_over = || stop.is_raised() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let (playouts, timed) = no_tree_baseline_until(start, plan.iterations.unwrap_or(u64::MAX), threads, &is_over)?;
    Ok((playouts, timed, Vec::new()))
}
