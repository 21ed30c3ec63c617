//! One run: a search, or the roof, in one configuration.

use std::fmt::Write;
use std::thread;
use std::time::{Duration, Instant};

use boughs::{Budget, Game, Search, SearchError, Settings, StopFlag, Warning};
use serde::Serialize;

use super::{Mode, Plan, ScaleError, Task};
use crate::measure::{Timed, roof_until};

/// What one run did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Who made playouts.
    pub mode: Mode,
    /// With how many threads.
    pub threads: usize,
    /// In which round, from 1.
    pub round: u32,
    /// How many playouts.
    pub playouts: u64,
    /// Seconds by the wall clock.
    pub wall: f64,
    /// Seconds of processor time, where the system tells.
    pub cpu: Option<f64>,
    /// How many cores that kept busy.
    pub cores_busy: Option<f64>,
    /// Whether it got clearly fewer cores than it could have used.
    pub disturbed: bool,
    /// Playouts a second.
    pub playouts_per_second: f64,
}

impl Run {
    /// Its times.
    pub(super) fn timed(&self) -> Timed {
        Timed { wall: self.wall, cpu: self.cpu }
    }
}

/// Runs as comma-separated values: a line of titles, and a line for each.
pub fn csv(runs: &[Run]) -> String {
    let mut text = "mode,threads,round,playouts,wall,cpu,cores_busy,disturbed,playouts_per_second\n".to_string();
    let known = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for run in runs {
        let Run { mode, threads, round, playouts, wall, disturbed, playouts_per_second, .. } = run;
        let (mode, cpu, busy) = (mode.name(), known(run.cpu), known(run.cores_busy));
        let _ =
            writeln!(text, "{mode},{threads},{round},{playouts},{wall},{cpu},{busy},{disturbed},{playouts_per_second}");
    }
    text
}

/// Makes a run, and returns what its search warned of too; `None` if the flag ended it.
pub(super) fn make<G: Game>(
    start: &G,
    plan: &Plan,
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

/// Searches in a tree and with threads that no run used before.
fn search<G: Game>(start: &G, plan: &Plan, settings: Settings, stop: &StopFlag) -> Result<Measured, SearchError> {
    let mut search = Search::new(start.clone(), settings)?;
    let (report, timed) = Timed::run(|| {
        let budget = Budget::unlimited().early_stop(false).or_stopped_by(stop.clone());
        let budget = plan.time.into_iter().fold(budget, Budget::or_time);
        search.run(plan.iterations.into_iter().fold(budget, Budget::or_iterations))
    });
    let report = report?;
    // Playouts still under way at the deadline end here, and the workers leave, so that nothing of this run takes a core
    // from the next one.
    search.reset(start.clone());
    thread::sleep(Duration::from_millis(1));
    let is_news = |warning: &Warning| !matches!(warning, Warning::MoreThreadsThanCores { .. });
    Ok((report.iterations, timed, report.warnings.into_iter().filter(is_news).collect()))
}

/// Plays random games without a tree within the limits of a search.
fn without_tree<G: Game>(start: &G, plan: &Plan, threads: usize, stop: &StopFlag) -> Result<Measured, SearchError> {
    let deadline = plan.time.and_then(|time| Instant::now().checked_add(time));
    let is_over = || stop.is_raised() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let (playouts, timed) = roof_until(start, plan.iterations.unwrap_or(u64::MAX), threads, &is_over)?;
    Ok((playouts, timed, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_nobody_knows_are_empty() {
        let run = Run {
            mode: Mode::Roof,
            threads: 2,
            round: 1,
            playouts: 10,
            wall: 0.5,
            cpu: None,
            cores_busy: None,
            disturbed: false,
            playouts_per_second: 20.0,
        };
        let text = csv(&[run.clone(), Run { cpu: Some(0.75), cores_busy: Some(1.5), disturbed: true, ..run }]);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines, ["roof,2,1,10,0.5,,,false,20", "roof,2,1,10,0.5,0.75,1.5,true,20"]);
    }
}
