//! One configuration: what its runs say together, and which of them count.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Mode, Run};
use crate::estimate::Estimate;

/// What the runs of one configuration say.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Who made playouts.
    pub mode: Mode,
    /// With how many threads.
    pub threads: usize,
    /// How many runs there were.
    pub runs: usize,
    /// How many of them count: those that were not disturbed and had a core for every thread.
    pub counted: usize,
    /// Playouts a second, of the runs that count; of all runs where none does.
    pub playouts_per_second: Estimate,
    /// How many times the playouts of one thread in the same round; of runs that count only.
    pub speed_up: Option<Estimate>,
    /// The speed-up for each thread.
    pub efficiency: Option<Estimate>,
    /// How many cores were busy, on average over all runs, where the system tells.
    pub cores_busy: Option<f64>,
}

/// Whether a run of batches was disturbed cannot be told from its threads alone, because they wait while leaves are chosen. So
/// it takes two witnesses: it must have used nearly as many cores as the run of its configuration that used most, and the
/// roof must have got all its cores with as many threads in the same round.
pub(super) fn judge_batches(runs: &mut [Run]) {
    let quiet: BTreeSet<(usize, u32)> = runs
        .iter()
        .filter(|run| run.mode == Mode::Roof && !run.disturbed)
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

impl Line {
    pub(super) fn of(mode: Mode, threads: usize, all: &[Run], counted: &[&Run]) -> Option<Line> {
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
        let speed_up = Estimate::of(&ratios);
        let busy: Option<Vec<f64>> = runs.iter().map(|run| run.cores_busy).collect();
        Some(Line {
            mode,
            threads,
            runs: runs.len(),
            counted: counted_here.len(),
            playouts_per_second: Estimate::of(&speeds)?,
            speed_up,
            efficiency: speed_up.map(|speed_up| speed_up.times(1.0 / threads as f64)),
            cores_busy: busy.and_then(|busy| Estimate::of(&busy)).map(|busy| busy.mean),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::{report, run};
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
        let speed_up = report.lines[1].speed_up.unwrap();
        assert!((speed_up.mean - 1.9).abs() < 1e-12 && speed_up.plus_minus.unwrap() > 0.0);
        assert!((report.lines[1].efficiency.unwrap().mean - 0.95).abs() < 1e-12);
        assert_eq!(report.lines[0].speed_up.unwrap().mean, 1.0);
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
        assert_eq!((found.lines[1].runs, found.lines[1].counted), (2, 1));
        assert_eq!(found.lines[1].speed_up, Some(Estimate { mean: 1.8, plus_minus: None }));
        assert_eq!(found.warnings, ["disturbed runs do not count: shared with 2 threads (1 of 2)"]);
        runs.remove(1);
        let found = report(runs, &[1, 2]);
        assert_eq!((found.lines[1].speed_up, found.lines[1].playouts_per_second.mean), (None, 90.0));
        assert!(found.warnings[0].starts_with("every run was disturbed"), "{:?}", found.warnings);
    }

    #[test]
    fn batches_are_compared_with_the_busiest_of_their_own_and_with_the_roof() {
        let mut runs = Vec::new();
        for (round, batched, roof) in [(1, 1.4, 2.0), (2, 1.3, 1.9), (3, 1.0, 2.0), (4, 1.4, 1.2)] {
            runs.push(run(Mode::Batched, 2, round, 100.0, batched));
            runs.push(run(Mode::Roof, 2, round, 100.0, roof));
        }
        // The last round has no roof to tell.
        runs.push(run(Mode::Batched, 2, 5, 100.0, 1.4));
        let found = report(runs, &[2]);
        let batched = found.runs.iter().filter(|run| run.mode == Mode::Batched);
        assert_eq!(batched.map(|run| run.disturbed).collect::<Vec<_>>(), [false, false, true, true, true]);
    }
}
