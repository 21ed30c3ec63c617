//! Boughs, all threads in one tree.

use std::thread;
use std::time::Duration;

use boughs::{Budget, Game, Search, Settings, StopReason, Warning};
use boughs_lab::measure::Timed;

use super::{Engine, Outcome, Role, Task};

pub(super) struct Shared;

impl Engine for Shared {
    const NAME: &'static str = "boughs";
    const ROLE: Role = Role::Boughs;
    const SETTINGS: &'static str = "mcts:threads=T, all else by default: UCB1 with C 1, virtual loss";

    fn run<G: Game>(start: &G, task: &Task) -> Result<Outcome, String> {
        search(start, task, Settings::default())
    }
}

/// Searches as these settings say.
pub(super) fn search<G: Game>(start: &G, task: &Task, settings: Settings) -> Result<Outcome, String> {
    let settings = Settings { threads: task.threads, seed: task.seed, ..settings };
    let budget = Budget::iterations(u64::from(task.playouts)).early_stop(false);
    let mut search = Search::new(start.clone(), settings).map_err(|error| error.to_string())?;
    let (report, timed) = Timed::run(|| search.run(budget));
    let report = report.map_err(|error| error.to_string())?;
    if report.stop != StopReason::Iterations || report.warnings.contains(&Warning::MemoryFull) {
        return Err("the tree did not fit its memory; ask for fewer playouts".to_string());
    }
    let ((), reset) = Timed::run(|| search.reset(start.clone()));
    // A worker that is just leaving holds the tree a moment longer, and would return its memory instead.
    thread::sleep(Duration::from_millis(1));
    let ((), free) = Timed::run(|| drop(search));
    Ok(Outcome {
        free: Some(free),
        reset: Some(reset),
        tree_bytes: Some(report.bytes as u64),
        root_visits: Some(report.children.iter().map(|child| child.playouts).sum()),
        ..Outcome::of(task, timed, report.best_action::<G::Action>())
    })
}
