//! Measurements of the growth of throughput with the number of threads.

use std::path::PathBuf;
use std::time::Duration;

use boughs::{Settings, StopFlag};
use boughs_agents::default_agent;
use boughs_arena::{Measurement, Store};
use boughs_lab::scale::{Mode, ScaleExperiment, ScalePlan, ScaleReport, default_threads};
use boughs_pages::scale::files;
use boughs_shards::{Job, ScaleJob};
use pyo3::prelude::*;
use serde_json::{Value, json};

use super::Watcher;
use crate::asking::{self, Whole};
use crate::error::error;
use crate::shards::PlanFile;
use crate::waiting::interruptible;

/// Measures the growth of throughput with the number of threads.
#[pyfunction]
#[pyo3(signature = (
    game, *, threads=None, parallel=None, time=None, iterations=None, rounds, agent=None, seed=Whole::ZERO, store=None,
    command="", progress=None, plan=None
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub(crate) fn scale(
    py: Python<'_>,
    game: &str,
    threads: Option<Vec<Whole>>,
    parallel: Option<Vec<String>>,
    time: Option<f64>,
    iterations: Option<Whole>,
    rounds: Whole,
    agent: Option<&str>,
    seed: Whole,
    store: Option<PathBuf>,
    command: &str,
    progress: Option<Py<PyAny>>,
    plan: Option<PlanFile>,
) -> PyResult<String> {
    let started = boughs_games::start(game).map_err(error)?;
    let mode = |name: &String| {
        let named = Mode::SEARCHES.into_iter().find(|mode| mode.name() == name);
        named.ok_or_else(|| error(format!("there is no kind '{name}'; there are shared, independent, batched")))
    };
    let modes = parallel.as_ref().map(|names| names.iter().map(mode).collect::<PyResult<Vec<_>>>()).transpose()?;
    let settings = match agent {
        None => default_agent(started.entry.name).settings().cloned().unwrap_or_default(),
        Some(text) => text.parse::<Settings>().map_err(error)?,
    };
    let mut threads = match threads {
        None => default_threads(),
        Some(given) => {
            let number = |given: &Whole| asking::within("threads", given.named("threads")?, 1..=boughs::MAX_THREADS);
            given.iter().map(number).collect::<PyResult<_>>()?
        }
    };
    if !threads.contains(&1) {
        threads.insert(0, 1);
    }
    let time = time.map(|time| asking::seconds("time", time)).transpose()?;
    let iterations = asking::whole("iterations", iterations.as_ref())?;
    if time == Some(Duration::ZERO) || iterations == Some(0) {
        return Err(error("a run without time or iterations measures nothing; give at least time=0.01"));
    }
    let time = time.or(iterations.is_none().then_some(Duration::from_secs(1)));
    let experiment = ScalePlan {
        game: game.to_string(),
        settings: Settings { seed: seed.named("seed")?, ..settings },
        modes: modes.unwrap_or_else(|| Mode::SEARCHES.to_vec()),
        threads,
        time,
        iterations,
        rounds: asking::within("rounds", rounds.named("rounds")?, 1..=u32::MAX)?,
        command: command.to_string(),
    };
    if let Some(plan) = plan {
        return Ok(plan.write(command, Job::Scale(ScaleJob::new(&experiment)))?.to_string());
    }
    let stop = StopFlag::default();
    let mut watcher = Watcher::new(progress, &stop);
    let measure = || -> PyResult<Value> {
        let mut experiment = ScaleExperiment::new(started.position, experiment);
        let all = experiment.total_runs() as u64;
        while experiment.advance(&stop).map_err(error)? {
            watcher.tell(experiment.runs_done() as u64, Some(all));
        }
        scale_report(&experiment.report(), store, experiment.next_task().is_none())
    };
    let report = interruptible(py, &stop, measure)?;
    watcher.fault.map_or(Ok(()), Err)?;
    Ok(report?.to_string())
}

/// The results of a measurement of scaling, which a store keeps if there is one that does not have them.
pub(crate) fn scale_report(report: &ScaleReport, store: Option<PathBuf>, is_over: bool) -> PyResult<Value> {
    let mut value = serde_json::to_value(report).map_err(error)?;
    let files = files(report).map_err(error)?;
    let text = |name: &str| files.iter().find(|file| file.name == name).map(|file| file.text.clone());
    value["plot"] = json!(text("throughput.svg"));
    if let Some(path) = store {
        let mut store = Store::open(path).map_err(error)?;
        let [report_text, page] = ["scale.json", "scale.html"].map(|name| text(name).unwrap_or_default());
        let (kind, game, command) = ("scale".to_string(), report.game.clone(), report.command.clone());
        let measurement = Measurement { report: report_text, page, kind, game, command, is_over };
        if !store.has_measurement(&measurement).map_err(error)? {
            store.add_measurement(&measurement).map_err(error)?;
        }
        store.close().map_err(error)?;
    }
    Ok(value)
}
