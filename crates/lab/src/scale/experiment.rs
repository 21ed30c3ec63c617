//! A measurement under way.

use std::fmt;
use std::mem::{Discriminant, discriminant};

use boughs::notation::counted;
use boughs::{SearchError, Session, StopFlag, Warning};
use serde::{Deserialize, Serialize};

use super::run::{self, Run};
use super::schedule::{schedule, schedule_of_round};
use super::{Machine, Mode, ScalePlan, ScaleReport, Task};
use crate::measure::first_decision;

/// The reason a measurement has no result. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScaleError {
    /// A run was too short for a single playout.
    NoPlayouts(Task),
    /// The search failed.
    Search(SearchError),
}

impl fmt::Display for ScaleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScaleError::NoPlayouts(task) => {
                write!(f, "{task} made no playout; allow a run more time or playouts")
            }
            ScaleError::Search(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ScaleError {}

impl From<SearchError> for ScaleError {
    fn from(error: SearchError) -> ScaleError {
        ScaleError::Search(error)
    }
}

/// A measurement under way, run by run, so that its user can show its progress, save its results, and stop it.
pub struct ScaleExperiment {
    start: Box<dyn Session>,
    plan: ScalePlan,
    machine: Machine,
    schedule: Vec<Task>,
    runs: Vec<Run>,
    /// The warnings of searches, each kind once for a configuration.
    warnings: Vec<String>,
    warned: Vec<(Mode, usize, Discriminant<Warning>)>,
}

/// The runs of one round, made on a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// The machine.
    pub machine: Machine,
    /// The runs, in the order they were made.
    pub runs: Vec<Run>,
    /// The warnings of searches.
    pub warnings: Vec<String>,
}

/// A plan with one thread, the no-tree baseline and a round at least, and everything in order.
fn complete(mut plan: ScalePlan) -> ScalePlan {
    plan.threads.push(1);
    plan.threads.sort_unstable();
    plan.threads.dedup();
    plan.modes = Mode::SEARCHES.into_iter().filter(|mode| plan.modes.contains(mode)).chain([Mode::NoTree]).collect();
    plan.rounds = plan.rounds.max(1);
    plan
}

impl ScaleExperiment {
    /// Prepares the plan for a game from this position.
    pub fn new(start: Box<dyn Session>, plan: ScalePlan) -> ScaleExperiment {
        let plan = complete(plan);
        let schedule = schedule(&plan);
        ScaleExperiment::of_schedule(start, plan, schedule)
    }

    /// Prepares one round of the plan, counted from 1.
    pub fn of_round(start: Box<dyn Session>, plan: ScalePlan, round: u32) -> ScaleExperiment {
        let plan = complete(plan);
        let schedule = schedule_of_round(&plan, round);
        ScaleExperiment::of_schedule(start, plan, schedule)
    }

    fn of_schedule(start: Box<dyn Session>, plan: ScalePlan, schedule: Vec<Task>) -> ScaleExperiment {
        let start = first_decision(start);
        ScaleExperiment {
            start,
            plan,
            machine: Machine::here(),
            schedule,
            runs: Vec::new(),
            warnings: Vec::new(),
            warned: Vec::new(),
        }
    }

    /// The runs made so far. They are a round if there is no next run.
    pub fn into_round(self) -> Round {
        Round { machine: self.machine, runs: self.runs, warnings: self.warnings }
    }

    /// The number of runs in all.
    pub fn total_runs(&self) -> usize {
        self.schedule.len()
    }

    /// The number of runs already made.
    pub fn runs_done(&self) -> usize {
        self.runs.len()
    }

    /// The next run; `None` when all are made.
    pub fn next_task(&self) -> Option<Task> {
        self.schedule.get(self.runs.len()).copied()
    }

    /// Makes the next run. Returns false if none was made: a run that the flag ended does not count, and a run that
    /// fails ends the experiment with a warning once there are rounds to keep.
    ///
    /// # Errors
    /// If a run of the first round fails or has no playouts.
    pub fn advance(&mut self, stop: &StopFlag) -> Result<bool, ScaleError> {
        let Some(task) = self.next_task() else { return Ok(false) };
        let (run, warnings) = match run::make(&*self.start, &self.plan, task, stop) {
            Ok(Some(made)) => made,
            Ok(None) => return Ok(false),
            Err(error) if self.rounds_done() > 0 => {
                self.warnings.push(format!("ended early: {error}"));
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        self.runs.push(run);
        warnings.into_iter().for_each(|warning| self.warn(task, warning));
        Ok(true)
    }

    /// Keeps the warning of a run. The runs of a configuration differ in the numbers of a warning only, so each
    /// configuration has one of a kind: the first.
    fn warn(&mut self, task: Task, warning: Warning) {
        let kind = (task.mode, task.threads, discriminant(&warning));
        if self.warned.contains(&kind) {
            return;
        }
        self.warned.push(kind);
        self.warnings.push(format!("{} with {}: {warning}", task.mode.name(), counted(task.threads, "threads")));
    }

    /// The number of complete rounds.
    pub fn rounds_done(&self) -> usize {
        self.runs.len() / (self.plan.modes.len() * self.plan.threads.len())
    }

    /// The report of the runs made so far.
    pub fn report(&self) -> ScaleReport {
        ScaleReport::of(&self.plan, self.machine.clone(), self.runs.clone(), self.warnings.clone(), self.rounds_done())
    }
}

impl ScaleReport {
    /// The report of rounds that were made one by one, each on a machine. The report names the machine with the fewest
    /// cores, and a warning says if there are others.
    pub fn of_rounds(plan: ScalePlan, rounds: Vec<Round>) -> ScaleReport {
        let done = rounds.len();
        let least = rounds.iter().map(|round| &round.machine).min_by_key(|machine| machine.cores);
        let machine = least.cloned().unwrap_or_default();
        let others = rounds.iter().filter(|round| !round.machine.is_like(&machine)).count();
        let mut warnings: Vec<String> = Vec::new();
        if others > 0 {
            warnings.push(format!(
                "{others} of {} ran on machines of other kinds; a speed-up compares runs of one round, and \
                 the numbers of playouts are means over all machines",
                counted(done, "rounds")
            ));
        }
        let mut runs = Vec::new();
        for round in rounds {
            runs.extend(round.runs);
            warnings
                .extend(round.warnings.into_iter().filter(|warning| !warnings.contains(warning)).collect::<Vec<_>>());
        }
        ScaleReport::of(&complete(plan), machine, runs, warnings, done)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use boughs::Settings;
    use boughs_games::tictactoe::TicTacToe;

    use super::*;

    fn experiment(plan: ScalePlan) -> ScaleExperiment {
        ScaleExperiment::new(Box::new(TicTacToe::default()), plan)
    }

    pub(in crate::scale) fn plan(modes: &[Mode], threads: &[usize], rounds: u32) -> ScalePlan {
        ScalePlan {
            game: "tictactoe".to_string(),
            settings: Settings { memory: 1 << 20, ..Settings::default() },
            modes: modes.to_vec(),
            threads: threads.to_vec(),
            time: None,
            iterations: Some(200),
            rounds,
            command: "boughs scale tictactoe".to_string(),
        }
    }

    #[test]
    fn an_experiment_runs_to_its_end() {
        let mut experiment = experiment(plan(&[Mode::Batched, Mode::Shared], &[2], 2));
        let mut rounds = Vec::new();
        while experiment.advance(&StopFlag::default()).unwrap() {
            rounds.push(experiment.rounds_done());
        }
        assert_eq!(rounds, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2]);
        let report = experiment.report();
        assert_eq!((report.rounds_done, report.runs.len(), report.rows.len()), (2, 12, 6));
        assert!(report.runs.iter().all(|run| run.playouts >= 200 && run.playouts_per_second > 0.0));
    }

    #[test]
    fn a_configuration_has_one_warning_of_a_kind() {
        let mut experiment = experiment(plan(&[Mode::Batched], &[2], 3));
        let task = |threads, round| Task { mode: Mode::Batched, threads, round };
        for (threads, round, busy) in [(2, 1, 34), (2, 2, 32), (4, 2, 20), (2, 3, 33)] {
            experiment.warn(task(threads, round), Warning::ThreadsWait { busy });
        }
        experiment.warn(task(2, 3), Warning::MemoryFull);
        let begin: Vec<&str> = experiment.warnings.iter().map(|text| &text[..23]).collect();
        assert_eq!(begin, ["batched with 2 threads:", "batched with 4 threads:", "batched with 2 threads:"]);
        assert!(experiment.warnings[0].contains("34 %") && experiment.warnings[2].contains("memory"));
    }

    #[test]
    fn a_run_that_is_stopped_counts_for_nothing() {
        let unlimited = ScalePlan { iterations: None, ..plan(&[Mode::Shared], &[1], 1) };
        let mut experiment = experiment(unlimited);
        let stop = StopFlag::default();
        stop.raise();
        assert_eq!(experiment.advance(&stop), Ok(false));
        assert_eq!((experiment.runs.len(), experiment.rounds_done()), (0, 0));
    }

    #[test]
    fn runs_without_playouts_are_an_error() {
        for nothing in [
            ScalePlan { iterations: Some(0), ..plan(&[Mode::Shared], &[1], 1) },
            ScalePlan { iterations: None, time: Some(Duration::ZERO), ..plan(&[Mode::Shared], &[1], 1) },
        ] {
            let mut experiment = experiment(nothing);
            let fault = experiment.advance(&StopFlag::default()).unwrap_err();
            assert!(matches!(fault, ScaleError::NoPlayouts(_)), "{fault}");
        }
    }
}
