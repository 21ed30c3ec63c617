//! The runs of a measurement and their order.

use std::fmt;

use boughs::notation::counted;
use boughs::run::cores;
use boughs::{Parallel, Rng};
use serde::{Deserialize, Serialize};

use super::ScalePlan;

/// A kind of parallelisation, or playouts without a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Tree parallelisation: all threads in one tree.
    Shared,
    /// Root parallelisation: a tree for each thread.
    Independent,
    /// Leaf parallelisation: batches of leaves, selected by one thread and played out by all.
    Batched,
    /// The no-tree baseline: random playouts without a tree.
    #[serde(rename = "roof")]
    NoTree,
}

impl Mode {
    /// The modes that search.
    pub const SEARCHES: [Mode; 3] = [Mode::Shared, Mode::Independent, Mode::Batched];

    /// The name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Shared => "shared",
            Mode::Independent => "independent",
            Mode::Batched => "batched",
            Mode::NoTree => "roof",
        }
    }

    /// The setting of the search; `None` for the baseline.
    pub(crate) fn parallel(self) -> Option<Parallel> {
        match self {
            Mode::Shared => Some(Parallel::Shared),
            Mode::Independent => Some(Parallel::Independent),
            Mode::Batched => Some(Parallel::Batched),
            Mode::NoTree => None,
        }
    }
}

/// The default numbers of threads: powers of two up to the cores, and the cores.
pub fn default_threads() -> Vec<usize> {
    let cores = cores();
    let powers = std::iter::successors(Some(1), |threads| Some(threads * 2)).take_while(|&threads| threads < cores);
    powers.chain([cores]).collect()
}

/// A run to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Task {
    /// The kind of parallelisation.
    pub mode: Mode,
    /// The number of threads.
    pub threads: usize,
    /// The round, counted from 1.
    pub round: u32,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {}: {}, {}", self.round, self.mode.name(), counted(self.threads, "threads"))
    }
}

/// Lists every configuration once a round, in an order shuffled for each round.
pub(super) fn schedule(plan: &ScalePlan) -> Vec<Task> {
    (1..=plan.rounds).flat_map(|round| schedule_of_round(plan, round)).collect()
}

/// Lists every configuration once, in the order of a round, counted from 1.
pub(super) fn schedule_of_round(plan: &ScalePlan, round: u32) -> Vec<Task> {
    let tasks = |&mode| plan.threads.iter().map(move |&threads| Task { mode, threads, round });
    let mut tasks: Vec<Task> = plan.modes.iter().flat_map(tasks).collect();
    let mut rng = Rng::new(plan.settings.seed, u64::from(round));
    for last in (1..tasks.len()).rev() {
        tasks.swap(last, rng.below(last as u32 + 1) as usize);
    }
    tasks
}

#[cfg(test)]
mod tests {
    use super::super::experiment::tests::plan;
    use super::*;

    const MODES: [Mode; 4] = [Mode::Shared, Mode::Independent, Mode::Batched, Mode::NoTree];

    #[test]
    fn every_round_has_every_configuration_once_in_a_new_order() {
        let plan = plan(&MODES, &[1, 2, 4], 5);
        let schedule = schedule(&plan);
        let rounds: Vec<&[Task]> = schedule.chunks(12).collect();
        assert_eq!(rounds.len(), 5);
        let mut orders = Vec::new();
        for (number, round) in rounds.iter().enumerate() {
            assert!(round.iter().all(|task| task.round == number as u32 + 1));
            for mode in MODES {
                for threads in [1, 2, 4] {
                    let same = round.iter().filter(|task| (task.mode, task.threads) == (mode, threads));
                    assert_eq!(same.count(), 1, "{mode:?} {threads}");
                }
            }
            orders.push(round.iter().map(|task| (task.mode.name(), task.threads)).collect::<Vec<_>>());
        }
        orders.sort();
        orders.dedup();
        assert_eq!(orders.len(), 5, "all orders differ");
        assert_eq!(super::schedule(&plan), schedule, "a seed has one schedule");
    }

    #[test]
    fn default_threads_end_with_the_cores() {
        let threads = default_threads();
        assert_eq!((threads[0], threads.last()), (1, Some(&cores())));
        assert!(threads.is_sorted_by(|a, b| a < b), "{threads:?}");
    }
}
