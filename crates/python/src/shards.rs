//! Plans, the run of their shards, and what the shards result in. Results are texts of JSON.

use std::path::{Path, PathBuf};

use boughs::StopFlag;
use boughs_arena::Store;
use boughs_shards::{ContestKind, Job, Plan, RunningTest, ShardFolder, run};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::error::error;
use crate::experiments::{
    Watcher, case_row, contest_report, judge_report, learned_report, read_learned, replay_command, scale_report,
    write_learned, write_whole,
};
use crate::locks::Mutex;
use crate::waiting::interruptible;

/// The file of a plan that is to be written, and the number of units of a shard.
#[derive(FromPyObject)]
pub(crate) struct PlanFile(PathBuf, u64);

impl PlanFile {
    /// Writes the plan of a job, which this call has asked for, and returns its facts.
    pub(crate) fn write(&self, call: &str, job: Job) -> PyResult<Value> {
        let PlanFile(path, shard_size) = self;
        let plan = Plan::new(vec![call.to_string()], *shard_size, job).map_err(error)?;
        Plan::may_replace(path).map_err(error)?;
        write_whole(path, &plan.text())
            .map_err(|fault| error(format!("'{}' cannot be written: {fault}; name another file", path.display())))?;
        Ok(facts(&plan))
    }
}

/// The facts of a plan.
fn facts(plan: &Plan) -> Value {
    let (kind, has_test) = match &plan.job {
        Job::Games(job) => (job.kind.name(), matches!(job.test(), Ok(Some(_)))),
        Job::Cases(_) => ("judge", false),
        Job::Scale(_) => ("scale", false),
        Job::Learn(_) => ("learn", false),
    };
    json!({
        "kind": kind, "units": plan.job.units(), "unit": plan.job.unit_name(), "shards": plan.shards(),
        "cores": plan.job.cores(), "checksum": plan.checksum(), "has_test": has_test,
    })
}

/// Reads the file of a plan. Returns its text and its facts.
#[pyfunction]
pub(crate) fn read_plan(py: Python<'_>, path: PathBuf) -> PyResult<(String, String)> {
    py.detach(|| {
        let plan = Plan::open(&path).map_err(error)?;
        Ok((plan.text(), facts(&plan).to_string()))
    })
}

/// Runs a shard of a plan, and returns the text of its results.
#[pyfunction]
#[pyo3(signature = (plan, shard, *, concurrency=1, progress=None))]
pub(crate) fn run_shard(
    py: Python<'_>,
    plan: &str,
    shard: u64,
    concurrency: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let stop = StopFlag::default();
    let mut watcher = Watcher::new(progress, &stop);
    let work = || -> PyResult<Option<String>> {
        let plan = Plan::read(plan).map_err(error)?;
        let units = plan.units(shard).map_err(error)?;
        let all = Some(units.end - units.start);
        run(&plan, shard, concurrency, &stop, &mut |done| watcher.tell(done, all)).map_err(error)
    };
    let text = interruptible(py, &stop, work)?;
    watcher.fault.map_or(Ok(()), Err)?;
    text?.ok_or_else(|| error(format!("interrupted before the end of shard {shard}")))
}

/// Numbers of shards as a text: `3,7-12,40`.
#[pyfunction]
pub(crate) fn shard_list(shards: Vec<u64>) -> String {
    boughs_shards::as_list(&shards)
}

/// The folder of a plan, which gets the results of its shards.
#[pyclass(module = "boughs._boughs", name = "ShardFolder", frozen)]
pub(crate) struct Shards {
    folder: ShardFolder,
    test: Mutex<Option<RunningTest>>,
}

#[pymethods]
impl Shards {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, plan: &str) -> PyResult<Shards> {
        py.detach(|| {
            let plan = Plan::read(plan).map_err(error)?;
            let test = match &plan.job {
                Job::Games(job) => job.running_test().map_err(error)?,
                _ => None,
            };
            Ok(Shards { folder: ShardFolder::of(&path, plan).map_err(error)?, test: Mutex::new(test) })
        })
    }

    /// The shards that have no results, or damaged ones.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        py.detach(|| {
            let mut missing = Vec::new();
            for shard in 0..self.folder.plan().shards() {
                if !self.folder.has(shard).map_err(error)? {
                    missing.push(shard);
                }
            }
            Ok(missing)
        })
    }

    /// Returns true if the folder has the whole results of a shard.
    fn has(&self, py: Python<'_>, shard: u64) -> PyResult<bool> {
        py.detach(|| self.folder.has(shard).map_err(error))
    }

    /// Keeps the results of a shard. When this returns, they are on the disk.
    fn put(&self, py: Python<'_>, shard: u64, text: &str) -> PyResult<()> {
        py.detach(|| self.folder.put(shard, text).map_err(error))
    }

    /// Returns true if the first shards decide the test that ends the contest.
    fn is_decided(&self, py: Python<'_>) -> PyResult<bool> {
        py.detach(|| match &mut *self.test.lock() {
            Some(test) => test.is_decided(&self.folder).map_err(error),
            None => Ok(false),
        })
    }
}

/// Puts the results of all shards of a folder together, as if one machine had done everything.
#[pyfunction]
#[pyo3(signature = (path, *, store=None, weights=None))]
pub(crate) fn merge_shards(
    py: Python<'_>,
    path: PathBuf,
    store: Option<PathBuf>,
    weights: Option<PathBuf>,
) -> PyResult<String> {
    let work = || -> PyResult<Value> {
        let folder = ShardFolder::open(&path).map_err(error)?;
        let job = &folder.plan().job;
        match (job, &store, &weights) {
            (Job::Games(_) | Job::Cases(_) | Job::Scale(_), _, Some(_)) => return Err(no_use("weights")),
            (Job::Learn(_), Some(_), _) => return Err(no_use("a store")),
            (Job::Learn(_), _, None) => {
                return Err(error("weights are missing; name the file that boughs.learn was given as out"));
            }
            (Job::Games(job), None, _) if job.kind == ContestKind::Tune => {
                return Err(error("a stage of a tuning is for the store of 'boughs tune'; name it as store"));
            }
            _ => {}
        }
        folder.check_complete().map_err(error)?;
        let mut value = merged(&folder, store.as_deref(), weights.as_deref())?;
        value["plan"] = facts(folder.plan());
        Ok(value)
    };
    Ok(interruptible(py, &StopFlag::default(), work)??.to_string())
}

fn no_use(name: &str) -> PyErr {
    error(format!("a plan of this kind has no use for {name}; leave it out"))
}

fn merged(folder: &ShardFolder, store: Option<&Path>, weights: Option<&Path>) -> PyResult<Value> {
    let plan = folder.plan();
    let command = plan.command_with_store(store);
    match &plan.job {
        Job::Games(job) => {
            let mut kept = store.map_or_else(Store::in_memory, Store::open).map_err(error)?;
            let merged = job.merge(folder, &mut kept, &command, replay_command, &mut |_| {});
            let (contest, progress) = merged.map_err(error)?;
            let mut value = contest_report(&contest, &progress, job.test().map_err(error)?, job.gauntlet);
            drop(contest);
            kept.close().map_err(error)?;
            value["next"] = json!(format!("{command} --plan FILE"));
            Ok(value)
        }
        Job::Cases(job) => {
            let contestant = job.contestant().map_err(error)?;
            let verdicts = job.merge(folder).map_err(error)?;
            let mut kept = store.map(Store::open).transpose().map_err(error)?;
            let rows = verdicts
                .iter()
                .map(|(named, verdict)| case_row(named, verdict, kept.as_mut(), &contestant, &command).map_err(error));
            let rows = rows.collect::<PyResult<Vec<Value>>>()?;
            if let Some(kept) = kept {
                kept.close().map_err(error)?;
            }
            Ok(judge_report(&contestant, job.settings().limit, rows))
        }
        Job::Scale(job) => {
            scale_report(&job.merge(folder, command).map_err(error)?, store.map(Path::to_path_buf), true)
        }
        Job::Learn(job) => {
            let learned = job.merge(folder).map_err(error)?;
            if let Some(path) = weights {
                job.check_kept(read_learned(path)?.as_ref(), &learned, path).map_err(error)?;
                write_learned(path, &learned)?;
            }
            learned_report(&learned)
        }
    }
}
