//! One configuration: a summary of its runs, and the choice of those that count.

use std::collections::{BTreeMap, BTreeSet};

use boughs_arena::statistics::Mean;
use serde::Serialize;

use super::{Mode, Run};

/// A summary of the runs of one configuration.
#[derive(Clone, Debug, Serialize)]
pub struct ScaleRow {
    /// The kind of parallelisation.
    pub mode: Mode,
    /// The number of threads.
    pub threads: usize,
    /// The number of runs.
    pub runs: usize,
    /// The number of runs that count: those that were not disturbed and had a core for every thread.
    pub counted: usize,
    /// Playouts a second, of the runs that count; of all runs where none does.
    pub playouts_per_second: Mean,
    /// Speed as a multiple of that of one thread in the same round; of runs that count only.
    pub speed_up: Option<Mean>,
    /// The speed-up for each thread.
    pub efficiency: Option<Mean>,
    /// The number of cores kept busy, on average over all runs, where the system tells.
    pub cores_busy: Option<f64>,
}

/// Marks the disturbed runs of leaf parallelisation. Their use of cores alone does not tell, because threads wait while
/// leaves are selected. An undisturbed run used nearly as many cores as the run of its configuration that used most,
/// and the baseline got all its cores with as many threads in the same round.
pub(super) fn judge_batches(runs: &mut [Run]) {
    let quiet: BTreeSet<(usize, u32)> = runs
        .iter()
        .filter(|run| run.mode == Mode::NoTree && !run.disturbed)
        .map(|run| (run.threads, run.round))
        .collect();
    let mut most: BTreeMap<usize, f64> = BTreeMap::new();
    for run in runs.iter().filter(|run| run.mode == Mode::Batched) {
        let busiest = most.entry(run.threads).or_default();
        *busiest = busiest.max(run.cores_busy.unwrap_or(0.0));
    }
    for run in runs.iter_mut().filter(|run| run.mode == Mode::Batched) {
        let got_less = most.get(&run.threads).is_some_and(|&busiest| run.timed().got_less_than(busiest));
        run.disturbed = got_less || !quiet.contains(&(run.threads, run.round));
    }
}

impl ScaleRow {
    pub(super) fn of(mode: Mode, threads: usize, all: &[Run], counted: &[&Run]) -> Option<ScaleRow> {
        let is_mine = |run: &&Run| run.mode == mode && run.threads == threads;
        let runs: Vec<&Run> = all.iter().filter(is_mine).collect();
        let counted_here: Vec<&Run> = counted.iter().copied().filter(is_mine).collect();
        let shown = if counted_here.is_empty() { &runs } else { &counted_here };
        let speeds: Vec<f64> = shown.iter().map(|run| run.playouts_per_second).collect();
        let ratios: Vec<f64> = counted_here
            .iter()
            .filter_map(|run| {
                let is_base = |other: &&&Run| (other.mode, other.threads, other.round) == (mode, 1, run.round);
                Some(run.playouts_per_second / counted.iter().find(is_base)?.playouts_per_second)
            })
            .collect();
        let speed_up = Mean::of(&ratios);
        let busy: Option<Vec<f64>> = runs.iter().map(|run| run.cores_busy).collect();
        Some(ScaleRow {
            mode,
            threads,
            runs: runs.len(),
            counted: counted_here.len(),
            playouts_per_second: Mean::of(&speeds)?,
            speed_up,
            efficiency: speed_up.map(|speed_up| speed_up.times(1.0 / threads as f64)),
            cores_busy: busy.and_then(|busy| Mean::of(&busy)?.value()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::report;
    use super::super::synthetic::run;
    use super::*;

    #[test]
    fn a_speed_up_is_the_mean_of_the_ratios_of_each_round() {
        let runs = vec![
            run(Mode::Shared, 1, 1, 100.0, 1.0),
            run(Mode::Shared, 2, 1, 180.0, 2.0),
            run(Mode::Shared, 1, 2, 50.0, 1.0),
            run(Mode::Shared, 2, 2, 100.0, 2.0),
        ];
        let report = report(runs, &[1, 2]);
        let speed_up = report.rows[1].speed_up.unwrap();
        assert!((speed_up.value().unwrap() - 1.9).abs() < 1e-12 && speed_up.error().unwrap() > 0.0);
        assert!((report.rows[1].efficiency.unwrap().value().unwrap() - 0.95).abs() < 1e-12);
        assert_eq!(report.rows[0].speed_up.unwrap().value(), Some(1.0));
        assert_eq!(report.agent, "mcts:c=0.7");
    }

    #[test]
    fn a_disturbed_run_counts_for_no_speed_up() {
        let mut runs = vec![
            run(Mode::Shared, 1, 1, 100.0, 1.0),
            run(Mode::Shared, 2, 1, 180.0, 2.0),
            run(Mode::Shared, 1, 2, 100.0, 1.0),
            run(Mode::Shared, 2, 2, 90.0, 1.1),
        ];
        let found = report(runs.clone(), &[1, 2]);
        assert_eq!((found.rows[1].runs, found.rows[1].counted), (2, 1));
        assert_eq!(found.rows[1].speed_up, Mean::of(&[1.8]));
        assert_eq!(found.warnings, ["disturbed runs do not count: shared with 2 threads (1 of 2)"]);
        runs.remove(1);
        let found = report(runs, &[1, 2]);
        assert_eq!((found.rows[1].speed_up, found.rows[1].playouts_per_second.value()), (None, Some(90.0)));
        assert!(found.warnings[0].starts_with("every run was disturbed"), "{:?}", found.warnings);
    }

    #[test]
    fn batches_are_compared_with_their_busiest_run_and_with_the_baseline() {
        let mut runs = Vec::new();
        for (round, batched, baseline) in [(1, 1.4, 2.0), (2, 1.3, 1.9), (3, 1.0, 2.0), (4, 1.4, 1.2)] {
            runs.push(run(Mode::Batched, 2, round, 100.0, batched));
            runs.push(run(Mode::NoTree, 2, round, 100.0, baseline));
        }
        // The last round has no baseline to compare with.
        runs.push(run(Mode::Batched, 2, 5, 100.0, 1.4));
        let found = report(runs, &[2]);
        let batched = found.runs.iter().filter(|run| run.mode == Mode::Batched);
        assert_eq!(batched.map(|run| run.disturbed).collect::<Vec<_>>(), [false, false, true, true, true]);
    }
}
