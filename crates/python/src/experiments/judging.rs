//! Scores of the cases of a contest.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use boughs::StopFlag;
use boughs_agents::default_agent;
use boughs_arena::judge::{CaseVerdict, Cases, JudgeSettings, NamedCase, judge as judge_cases};
use boughs_arena::statistics::Mean;
use boughs_arena::{Best, CaseKey, Contestant, Edition, Limit, Store};
use boughs_shards::{CasesJob, Job};
use pyo3::prelude::*;
use serde_json::{Value, json};

use super::{Watcher, limit};
use crate::asking::{self, Whole};
use crate::error::error;
use crate::shards::PlanFile;
use crate::waiting::interruptible;

/// The time of a case without a limit, as in the contest.
const CASE_TIME: Duration = Duration::from_secs(2);

/// The game that has cases to judge.
const GAME: &str = "ahc015";

/// The part of the time of a case that an agent leaves, as a divisor.
const MARGIN: u32 = 20;

/// Plays the cases of a contest and scores them.
#[pyfunction]
#[pyo3(signature = (
    game, *, agent=None, seeds=None, cases=None, time=None, iterations=None, margin=None, seed=Whole::ZERO,
    concurrency=None, store=None, command="", progress=None, plan=None
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub(crate) fn judge(
    py: Python<'_>,
    game: &str,
    agent: Option<&str>,
    seeds: Option<(Whole, Whole)>,
    cases: Option<PathBuf>,
    time: Option<f64>,
    iterations: Option<Whole>,
    margin: Option<f64>,
    seed: Whole,
    concurrency: Option<Whole>,
    store: Option<PathBuf>,
    command: &str,
    progress: Option<Py<PyAny>>,
    plan: Option<PlanFile>,
) -> PyResult<String> {
    let name = boughs_games::start(game).map_err(error)?.entry.name;
    if name != GAME || game != GAME {
        return Err(error(format!("there are no cases of {game} to judge; the game that has some is {GAME}")));
    }
    let seed = seed.named("seed")?;
    let contestant = match agent {
        None => Contestant::Agent(default_agent(name)),
        Some(text) => text.parse::<Contestant>().map_err(error)?,
    };
    let contestant = match contestant {
        Contestant::Program(program) => Contestant::Program(program.compiled(Edition::E2024).map_err(error)?),
        Contestant::Agent(agent) => Contestant::Agent(agent.with_seed(seed)),
        odds => odds,
    };
    let limit = limit(time, iterations.as_ref(), CASE_TIME)?;
    let margin = match (limit, margin) {
        (Limit::Playouts(_), _) => Duration::ZERO,
        (Limit::Time(time), None) => time / MARGIN,
        (Limit::Time(time), Some(margin)) => {
            let margin = asking::seconds("margin", margin)?;
            if margin >= time {
                return Err(error("the margin leaves no time; it must be shorter than the time of a case"));
            }
            margin
        }
    };
    let seeds = seeds.map(|(from, to)| Ok::<_, PyErr>((from.named("seeds")?, to.named("seeds")?))).transpose()?;
    let cases = match (cases, seeds) {
        (Some(folder), _) => Cases::in_folder(&folder).map_err(error)?,
        (None, Some((from, to))) if from >= to => {
            return Err(error("seeds should be a range that is not empty, such as range(0, 20)"));
        }
        (None, seeds) => Cases::Seeds(seeds.map_or(0..100, |(from, to)| from..to)),
    };
    let threads = contestant.agent().map_or(1, |agent| if agent.threads() == 0 { usize::MAX } else { agent.threads() });
    let concurrency = asking::concurrency(concurrency.as_ref())?;
    let concurrency = concurrency.unwrap_or((boughs::run::cores() / threads).max(1));
    let settings = JudgeSettings { limit, margin, seed, concurrency, kept: 0 };
    if let Some(plan) = plan {
        let job = CasesJob::new(game, &contestant, &cases, &settings).map_err(error)?;
        return Ok(plan.write(command, Job::Cases(job))?.to_string());
    }
    let stop = StopFlag::default();
    let mut watcher = Watcher::new(progress, &stop);
    let run = || -> PyResult<Value> {
        let mut store = store.map(Store::open).transpose().map_err(error)?;
        let (mut rows, mut fault) = (Vec::new(), None);
        judge_cases(&cases, &contestant, &settings, &stop, &mut |named, verdict| {
            match case_row(named, verdict, store.as_mut(), &contestant, command) {
                Ok(row) => rows.push(row),
                Err(error) => {
                    fault = Some(error);
                    return ControlFlow::Break(());
                }
            }
            watcher.tell(rows.len() as u64, Some(cases.len() as u64));
            ControlFlow::Continue(())
        })
        .map_err(error)?;
        if let Some(fault) = fault {
            return Err(error(fault));
        }
        if let Some(store) = store {
            store.close().map_err(error)?;
        }
        Ok(judge_report(&contestant, limit, rows))
    };
    let report = interruptible(py, &stop, run)?;
    watcher.fault.map_or(Ok(()), Err)?;
    Ok(report?.to_string())
}

/// Keeps the score of a case if it is the best one. Returns the best one before.
fn offer(
    store: &mut Store,
    contestant: &Contestant,
    command: &str,
    named: &NamedCase,
    verdict: &CaseVerdict,
) -> Result<Option<f64>, boughs_arena::StoreError> {
    let key = CaseKey { game: GAME.to_string(), name: named.name.clone(), checksum: named.checksum() };
    let (contestant, command) = (contestant.to_string(), command.to_string());
    let best = Best { score: f64::from(verdict.score), contestant, command };
    let before = if verdict.fault.is_none() { store.offer_best(&key, &best)? } else { store.best(&key)? };
    Ok(before.map(|best| best.score))
}

/// The results of a case, whose score a store keeps if it is the best one.
pub(crate) fn case_row(
    named: &NamedCase,
    verdict: &CaseVerdict,
    store: Option<&mut Store>,
    contestant: &Contestant,
    command: &str,
) -> Result<Value, boughs_arena::StoreError> {
    let best = store.map_or(Ok(None), |store| offer(store, contestant, command, named, verdict))?;
    Ok(json!({
        "case": named.name, "score": verdict.score, "best_before": best, "seconds": verdict.time.as_secs_f64(),
        "slowest_ms": verdict.slowest.as_secs_f64() * 1e3, "playouts": verdict.playouts,
        "fault": verdict.fault.as_ref().map(|fault| format!("it {fault}")),
    }))
}

/// The results of all cases.
pub(crate) fn judge_report(contestant: &Contestant, limit: Limit, rows: Vec<Value>) -> Value {
    let scores: Vec<f64> = rows.iter().filter_map(|row| row["score"].as_f64()).collect();
    json!({
        "game": GAME, "contestant": contestant.to_string(), "limit": limit.to_string(), "cases": rows,
        "mean": Mean::of(&scores), "total": scores.iter().sum::<f64>(),
    })
}
