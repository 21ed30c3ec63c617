//! Scaling: how many more playouts a second more threads make, measured so that it can be believed.
//!
//! A configuration is a way to be parallel with a number of threads. Every round runs every configuration once, in an
//! order that is shuffled anew, so that a machine that slows down for a while slows none of them more than another, and a
//! speed-up is always the ratio of two runs of one round. The roof, random playouts without any tree, takes part like a
//! way to be parallel: it shows what the machine itself can do. A run that did not get its cores is shown, but no
//! speed-up is claimed from it.

mod line;
mod machine;
mod page;
mod plot;
mod quota;
mod report;
mod run;
mod schedule;
mod usl;

use std::fmt;
use std::time::Duration;

use boughs::{Game, SearchError, Settings, StopFlag};
use schedule::schedule;

use crate::measure::first_decision;

pub use crate::chart::{Plot, PlotError};
pub use line::Line;
pub use machine::Machine;
pub use page::html;
pub use plot::plots;
pub use report::{Law, Report};
pub use run::{Run, csv};
pub use schedule::{Mode, Task, default_threads};
pub use usl::{Fit, LEAST_COUNTS, Prediction};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game, as it was asked for.
    pub game: String,
    /// The agent that searches; its threads and its way to be parallel are those of each configuration.
    pub settings: Settings,
    /// The ways to be parallel; the roof always takes part.
    pub modes: Vec<Mode>,
    /// The numbers of threads; one thread always takes part, because everything is compared with it.
    pub threads: Vec<usize>,
    /// The time of each run.
    pub time: Option<Duration>,
    /// The playouts of each run.
    pub iterations: Option<u64>,
    /// How often every configuration runs.
    pub rounds: u32,
    /// The command line that asked for it, for the record.
    pub command: String,
}

/// What a plan has where nothing is said: intervals need several rounds, and a seventh costs little.
pub const DEFAULT_ROUNDS: u32 = 7;

/// So many things, in words.
fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Why there is no measurement. `Display` gives one sentence for a person.
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

/// A measurement under way: run by run, so that its user can show how far it is, save what there is, and stop it.
pub struct Experiment<G: Game> {
    start: G,
    plan: Plan,
    machine: Machine,
    schedule: Vec<Task>,
    runs: Vec<Run>,
    /// What searches warned of, each once.
    warnings: Vec<String>,
}

impl<G: Game> Experiment<G> {
    /// Prepares the plan for a game from this position.
    pub fn new(start: G, mut plan: Plan) -> Experiment<G> {
        plan.threads.push(1);
        plan.threads.sort_unstable();
        plan.threads.dedup();
        plan.modes = Mode::SEARCHES.into_iter().filter(|mode| plan.modes.contains(mode)).chain([Mode::Roof]).collect();
        plan.rounds = plan.rounds.max(1);
        let schedule = schedule(&plan);
        let start = first_decision(start);
        Experiment { start, plan, machine: Machine::here(), schedule, runs: Vec::new(), warnings: Vec::new() }
    }

    /// How many runs there are in all.
    pub fn total_runs(&self) -> usize {
        self.schedule.len()
    }

    /// How many of them are made.
    pub fn runs_done(&self) -> usize {
        self.runs.len()
    }

    /// The next run, until all are made.
    pub fn next_task(&self) -> Option<Task> {
        self.schedule.get(self.runs.len()).copied()
    }

    /// Makes the next run. Says whether it was: a run that the flag ended counts for nothing, and one that goes wrong ends
    /// the experiment with a warning, if there are rounds to keep.
    ///
    /// # Errors
    /// If the run cannot be made or has no playouts, in the first round.
    pub fn advance(&mut self, stop: &StopFlag) -> Result<bool, ScaleError> {
        let Some(task) = self.next_task() else { return Ok(false) };
        let (run, warnings) = match run::make(&self.start, &self.plan, task, stop) {
            Ok(Some(made)) => made,
            Ok(None) => return Ok(false),
            Err(error) if self.rounds_done() > 0 => {
                self.warnings.push(format!("ended early: {error}"));
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        self.runs.push(run);
        for warning in warnings {
            let text = format!("{} with {}: {warning}", task.mode.name(), count(task.threads, "thread"));
            if !self.warnings.contains(&text) {
                self.warnings.push(text);
            }
        }
        Ok(true)
    }

    /// How many rounds are complete.
    pub fn rounds_done(&self) -> usize {
        self.runs.len() / (self.plan.modes.len() * self.plan.threads.len())
    }

    /// What the runs made so far say.
    pub fn report(&self) -> Report {
        Report::of(&self.plan, self.machine.clone(), self.runs.clone(), self.warnings.clone(), self.rounds_done())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs_games::tictactoe::TicTacToe;

    pub(in crate::scale) fn plan(modes: &[Mode], threads: &[usize], rounds: u32) -> Plan {
        Plan {
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
        let mut experiment = Experiment::new(TicTacToe::default(), plan(&[Mode::Batched, Mode::Shared], &[2], 2));
        let mut rounds = Vec::new();
        while experiment.advance(&StopFlag::default()).unwrap() {
            rounds.push(experiment.rounds_done());
        }
        assert_eq!(rounds, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2]);
        let report = experiment.report();
        assert_eq!((report.rounds_done, report.runs.len(), report.lines.len()), (2, 12, 6));
        assert!(report.runs.iter().all(|run| run.playouts >= 200 && run.playouts_per_second > 0.0));
    }

    #[test]
    fn a_run_that_is_stopped_counts_for_nothing() {
        let unlimited = Plan { iterations: None, ..plan(&[Mode::Shared], &[1], 1) };
        let mut experiment = Experiment::new(TicTacToe::default(), unlimited);
        let stop = StopFlag::default();
        stop.raise();
        assert_eq!(experiment.advance(&stop), Ok(false));
        assert_eq!((experiment.runs.len(), experiment.rounds_done()), (0, 0));
    }

    #[test]
    fn runs_without_playouts_are_an_error() {
        for nothing in [
            Plan { iterations: Some(0), ..plan(&[Mode::Shared], &[1], 1) },
            Plan { iterations: None, time: Some(Duration::ZERO), ..plan(&[Mode::Shared], &[1], 1) },
        ] {
            let mut experiment = Experiment::new(TicTacToe::default(), nothing);
            let fault = experiment.advance(&StopFlag::default()).unwrap_err();
            assert!(matches!(fault, ScaleError::NoPlayouts(_)), "{fault}");
        }
    }
}
