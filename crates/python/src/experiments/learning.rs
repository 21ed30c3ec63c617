//! Weights learned by games of an agent against itself.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use boughs::{MAX_THREADS, StopFlag};
use boughs_agents::learn::{Learned, Learning, LearningRun, LearningTerms, names};
use boughs_shards::{Job, LearnJob};
use pyo3::prelude::*;
use serde_json::{Value, json};

use super::Watcher;
use crate::asking::{self, Whole};
use crate::error::error;
use crate::shards::PlanFile;
use crate::waiting::interruptible;

/// Learns weights for the features of a game by games against itself. With a plan the result is `None` if nothing is
/// left to plan.
#[pyfunction]
#[pyo3(signature = (
    game, *, games=None, out=None, threads=None, seed=Whole::ZERO, round=None, rate=None, slowing=None, decay=None,
    explore=None, positions=None, command="", progress=None, plan=None
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub(crate) fn learn(
    py: Python<'_>,
    game: &str,
    games: Option<Whole>,
    out: Option<PathBuf>,
    threads: Option<Whole>,
    seed: Whole,
    round: Option<Whole>,
    rate: Option<f64>,
    slowing: Option<f64>,
    decay: Option<f64>,
    explore: Option<f64>,
    positions: Option<Whole>,
    command: &str,
    progress: Option<Py<PyAny>>,
    plan: Option<PlanFile>,
) -> PyResult<Option<String>> {
    let usual = Learning::default();
    let [round, positions, games] = [("round", &round), ("positions", &positions), ("games", &games)]
        .map(|(name, given)| asking::whole(name, given.as_ref()));
    let threads = asking::within(
        "threads",
        asking::whole("threads", threads.as_ref())?.unwrap_or(usual.threads),
        0..=MAX_THREADS,
    )?;
    let terms = LearningTerms {
        seed: seed.named("seed")?,
        round: asking::within("round", round?.unwrap_or(usual.round), 1..=100_000)?,
        rate: asking::within("rate", rate.unwrap_or(usual.rate), 0.0..=1.0)?,
        slowing: asking::within("slowing", slowing.unwrap_or(usual.slowing), 1.0..=1e9)?,
        lambda: asking::within("decay", decay.unwrap_or(usual.lambda), 0.0..=1.0)?,
        explore: asking::within("explore", explore.unwrap_or(usual.explore), 0.0..=1.0)?,
        positions: asking::within("positions", positions?.unwrap_or(usual.positions as u64), 1..=10_000_000)?,
    };
    let nothing = Learned::nothing(game, terms)
        .ok_or_else(|| error(format!("'{game}' is no game that can be learned; there is {}", names().join(", "))))?;
    let learned = match out.as_deref().map(read_learned).transpose()?.flatten() {
        None => nothing,
        Some(before) => match nothing.differences(&before) {
            None => before,
            Some(differences) => {
                return Err(error(format!(
                    "the file was learned with other settings: {differences}; name another file, or use the settings \
                     that it has"
                )));
            }
        },
    };
    let games = games?.unwrap_or(usual.games);
    let stop = StopFlag::default();
    let mut watcher = Watcher::new(progress, &stop);
    let run = || -> PyResult<Value> {
        let run = LearningRun::new(learned, games, threads).map_err(error)?;
        let Some(mut run) = run else { return Err(error("the game cannot be learned")) };
        if let Some(plan) = plan {
            let job = LearnJob { learned: run.learned().clone(), games };
            return if run.next_games().is_empty() { Ok(Value::Null) } else { plan.write(command, Job::Learn(job)) };
        }
        while run.advance(&stop) {
            if let Some(out) = &out {
                write_learned(out, run.learned())?;
            }
            watcher.tell(run.learned().games, Some(games));
        }
        learned_report(run.learned())
    };
    let report = interruptible(py, &stop, run)?;
    watcher.fault.map_or(Ok(()), Err)?;
    let report = report?;
    Ok((!report.is_null()).then(|| report.to_string()))
}

/// The weights that were learned, and what each is worth.
pub(crate) fn learned_report(learned: &Learned) -> PyResult<Value> {
    let worth: Vec<[f64; 2]> = learned.features.iter().map(|feature| learned.worth(feature)).collect();
    let mut value = serde_json::to_value(learned).map_err(error)?;
    value["worth"] = json!(worth);
    Ok(value)
}

/// Reads the weights learned so far, if the file exists.
pub(crate) fn read_learned(path: &Path) -> PyResult<Option<Learned>> {
    match boughs::named_file::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|fault| {
            error(format!("'{}' holds nothing that was learned: {fault}; name another file", path.display()))
        }),
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(fault) => Err(fault.into()),
    }
}

/// Replaces the file in one step, so that a kill leaves the old weights or the new ones.
pub(crate) fn write_learned(path: &Path, learned: &Learned) -> PyResult<()> {
    Ok(write_whole(path, &(serde_json::to_string_pretty(learned).map_err(error)? + "\n"))?)
}

/// Writes a file beside its place and moves it there.
pub(crate) fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let new = path.with_extension("new");
    File::create(&new)?.write_all(text.as_bytes())?;
    std::fs::rename(new, path)
}
