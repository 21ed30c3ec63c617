//! The summary of the runs of a case.
//!
//! Ratios are taken within a round, where both runs were close in time, and then their median. The speed-up of a second
//! thread is taken only from rounds in which both runs got their cores.

use boughs_lab::measure::Spread;
use serde::Serialize;

use crate::case::Case;
use crate::engines::{Entry, Role};
use crate::rounds::{Comparison, Count, Run};

/// A case with a row for every engine and number of threads.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) case: Case,
    pub(crate) rows: Vec<Row>,
}

/// The summary of the runs of one engine with one number of threads. `None` stands for a number the engine does not
/// have.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) engine: &'static str,
    pub(crate) role: Role,
    pub(crate) threads: usize,
    pub(crate) runs: usize,
    pub(crate) disturbed: usize,
    pub(crate) playouts_per_second: Spread,
    /// As a share of the roof with as many threads.
    pub(crate) of_roof: Option<Spread>,
    /// As a multiple of the fastest rival with as many threads.
    pub(crate) of_best_rival: Option<Spread>,
    /// As a multiple of the other build of Boughs with as many threads.
    pub(crate) of_other: Option<Spread>,
    pub(crate) over_one_thread: Scaling,
    /// The memory the process took from the system.
    pub(crate) bytes_per_playout: Option<f64>,
    /// The size of the tree, as the engine reports it.
    pub(crate) tree_bytes_per_playout: Option<f64>,
    pub(crate) free_ms: Option<f64>,
    pub(crate) reset_ms: Option<f64>,
    /// Random games for each playout that was asked for.
    pub(crate) games: Option<f64>,
}

/// The speed-up over one thread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scaling {
    /// There is nothing to compare.
    None,
    /// Both runs were undisturbed in half of the rounds or fewer, too few for a claim.
    TooDisturbed,
    /// The speed-up in the rounds in which both were undisturbed.
    Measured(Spread),
}

/// Sums up what there is by now of a case.
pub(crate) fn summarise(comparison: &Comparison, case: &Case) -> Summary {
    let runs: Vec<&Run> = comparison.runs.iter().filter(|run| run.case == *case).collect();
    let counts: Vec<&Count> = comparison.counts.iter().filter(|count| count.case == *case).collect();
    let case_runs = Runs { engines: &comparison.engines, runs, counts };
    let mut threads: Vec<usize> = case_runs.runs.iter().map(|run| run.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let each = threads.iter().flat_map(|&threads| comparison.engines.iter().map(move |entry| (entry, threads)));
    let rows = each.filter_map(|(entry, threads)| case_runs.row(entry, threads)).collect();
    Summary { case: case.clone(), rows }
}

/// The runs of a case.
struct Runs<'c> {
    engines: &'c [&'static Entry],
    runs: Vec<&'c Run>,
    counts: Vec<&'c Count>,
}

impl Runs<'_> {
    fn row(&self, entry: &Entry, threads: usize) -> Option<Row> {
        let own: Vec<&Run> = self.of(entry.name, threads).collect();
        if own.is_empty() {
            return None;
        }
        let median = |value: &dyn Fn(&Run) -> Option<f64>| spread(own.iter().filter_map(|run| value(run)));
        let per_playout = |run: &Run, bytes: u64| bytes as f64 / run.outcome.playouts as f64;
        let count = self.counts.iter().find(|count| count.engine == entry.name && count.threads == threads);
        let has_tree = entry.role != Role::Roof;
        Some(Row {
            engine: entry.name,
            role: entry.role,
            threads,
            runs: own.len(),
            disturbed: own.iter().filter(|run| run.disturbed).count(),
            playouts_per_second: Spread::of(own.iter().map(|run| run.playouts_per_second)),
            of_roof: median(&|run| Some(run.playouts_per_second / self.fastest(run, Role::Roof)?)).filter(|_| has_tree),
            of_best_rival: median(&|run| Some(run.playouts_per_second / self.fastest(run, Role::Rival)?))
                .filter(|_| has_tree),
            of_other: median(&|run| Some(run.playouts_per_second / self.fastest(run, Role::Other)?))
                .filter(|_| has_tree),
            over_one_thread: self.scaling(&own, entry.name, threads),
            bytes_per_playout: median(&|run| Some(per_playout(run, run.bytes?)))
                .filter(|_| has_tree)
                .map(|spread| spread.median),
            tree_bytes_per_playout: median(&|run| Some(per_playout(run, run.outcome.tree_bytes?)))
                .map(|spread| spread.median),
            free_ms: median(&|run| Some(run.outcome.free?.wall * 1e3)).map(|spread| spread.median),
            reset_ms: median(&|run| Some(run.outcome.reset?.wall * 1e3)).map(|spread| spread.median),
            games: count.filter(|_| has_tree).map(|count| count.games as f64 / f64::from(count.case.playouts)),
        })
    }

    fn of(&self, engine: &str, threads: usize) -> impl Iterator<Item = &Run> {
        self.runs.iter().copied().filter(move |run| run.engine == engine && run.threads == threads)
    }

    /// The speed of the fastest engine of this role in the round of a run, with as many threads.
    fn fastest(&self, run: &Run, role: Role) -> Option<f64> {
        let is = |engine: &str| self.engines.iter().any(|entry| entry.name == engine && entry.role == role);
        let beside = self.runs.iter().filter(|other| other.round == run.round && other.threads == run.threads);
        beside.filter(|other| is(other.engine)).map(|other| other.playouts_per_second).max_by(f64::total_cmp)
    }

    fn scaling(&self, own: &[&Run], engine: &str, threads: usize) -> Scaling {
        if threads == 1 || self.of(engine, 1).next().is_none() {
            return Scaling::None;
        }
        let alone = |round| self.of(engine, 1).find(|run| run.round == round && !run.disturbed);
        let pairs: Vec<f64> = own
            .iter()
            .filter(|run| !run.disturbed)
            .filter_map(|run| Some(run.playouts_per_second / alone(run.round)?.playouts_per_second))
            .collect();
        if pairs.len() * 2 > own.len() { Scaling::Measured(Spread::of(pairs)) } else { Scaling::TooDisturbed }
    }
}

/// The spread of values, if there are any.
fn spread(values: impl Iterator<Item = f64>) -> Option<Spread> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| Spread::of(values))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::against::parse;
    use crate::engines::{Outcome, entries};
    use crate::machine::Machine;
    use boughs_lab::measure::Timed;

    /// A comparison with these runs: engine, threads, round, thousands of playouts in a second, disturbed or not.
    pub(crate) fn comparison(runs: &[(&'static str, usize, u32, f64, bool)]) -> Comparison {
        let case: Case = "connect4:1k".parse().unwrap();
        let run = |&(engine, threads, round, speed, disturbed): &(&'static str, usize, u32, f64, bool)| {
            let search = Timed { wall: 1.0 / speed, cpu: None };
            let outcome = Outcome {
                playouts: 1000,
                search,
                free: None,
                reset: None,
                tree_bytes: None,
                best: None,
                root_visits: None,
            };
            let playouts_per_second = outcome.speed();
            let (case, cores_busy, bytes) = (case.clone(), None, Some(64_000));
            Run { case, engine, threads, round, playouts_per_second, cores_busy, disturbed, bytes, outcome }
        };
        let mut comparison = Comparison {
            command: vec!["boughs-compare".to_string()],
            machine: Machine::here(),
            rounds_asked: 3,
            rounds_done: 3,
            seed: 0,
            engines: entries().iter().chain(parse("before=Cargo.toml")).collect(),
            summaries: Vec::new(),
            failures: Vec::new(),
            counts: vec![Count { case: case.clone(), engine: "minimax", threads: 1, games: 990 }],
            runs: runs.iter().map(run).collect(),
        };
        comparison.summaries = vec![summarise(&comparison, &case)];
        comparison
    }

    fn rows(runs: &[(&'static str, usize, u32, f64, bool)]) -> Vec<Row> {
        comparison(runs).summaries.remove(0).rows
    }

    #[test]
    fn ratios_are_taken_within_rounds() {
        let rows = rows(&[
            ("roof", 1, 1, 100.0, false),
            ("roof", 1, 2, 50.0, false),
            ("boughs", 1, 1, 40.0, false),
            ("boughs", 1, 2, 20.0, false),
            ("minimax", 1, 1, 10.0, false),
            ("treant", 1, 1, 8.0, false),
            ("treant", 1, 2, 5.0, false),
        ]);
        let median = |spread: Option<Spread>| spread.map(|spread| spread.median.round_to_tenths());
        assert_eq!(rows.iter().map(|row| row.engine).collect::<Vec<_>>(), ["roof", "boughs", "minimax", "treant"]);
        assert_eq!((median(rows[1].of_roof), median(rows[1].of_best_rival)), (Some(0.4), Some(4.0)));
        assert_eq!((median(rows[0].of_roof), rows[0].bytes_per_playout), (None, None));
        assert_eq!((rows[2].games, rows[2].bytes_per_playout), (Some(0.99), Some(64.0)));
    }

    #[test]
    fn another_build_is_compared_with_within_rounds() {
        let rows = rows(&[
            ("roof", 1, 1, 100.0, false),
            ("boughs", 1, 1, 40.0, false),
            ("boughs", 1, 2, 10.0, false),
            ("minimax", 1, 1, 5.0, false),
            ("before", 1, 1, 20.0, false),
            ("before", 1, 2, 5.0, false),
            ("boughs", 2, 1, 60.0, false),
        ]);
        let ratios: Vec<_> = rows.iter().map(|row| (row.engine, row.of_other.map(|spread| spread.median))).collect();
        let expected = [("roof", None), ("boughs", Some(2.0)), ("minimax", Some(0.25)), ("before", Some(1.0))];
        assert_eq!((&ratios[..4], ratios[4]), (&expected[..], ("boughs", None)));
        assert_eq!(rows[1].of_best_rival.map(|spread| spread.median), Some(8.0), "another build is no rival");
    }

    #[test]
    fn scaling_is_taken_from_undisturbed_pairs_only() {
        let one = [("boughs", 1, 1, 10.0, false), ("boughs", 1, 2, 10.0, false), ("boughs", 1, 3, 10.0, false)];
        let two = |second, third| {
            let two = [("boughs", 2, 1, 19.0, false), ("boughs", 2, 2, 5.0, second), ("boughs", 2, 3, 19.0, third)];
            let row = rows(&[&one[..], &two[..]].concat()).pop().unwrap();
            (row.over_one_thread, row.disturbed)
        };
        let (Scaling::Measured(spread), 1) = two(true, false) else { panic!("two pairs of three are enough") };
        assert_eq!((spread.low.round_to_tenths(), spread.high.round_to_tenths()), (1.9, 1.9));
        assert_eq!(two(true, true), (Scaling::TooDisturbed, 2));
        assert_eq!(rows(&one)[0].over_one_thread, Scaling::None);
    }

    trait RoundToTenths {
        fn round_to_tenths(self) -> f64;
    }

    impl RoundToTenths for f64 {
        fn round_to_tenths(self) -> f64 {
            (self * 10.0).round() / 10.0
        }
    }
}
