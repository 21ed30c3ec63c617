//! Plans of shards: `--plan` and `--shard-size`.

use std::path::PathBuf;

use boughs::notation::counted;
use boughs_shards::{DEFAULT_SHARD_SIZE, Job, Plan, command_without_plan};
use serde::Serialize;

use super::whole;
use crate::failure::Failure;
use crate::named_file::NamedFile;
use crate::output::{print, print_json};
use crate::program;

/// The arguments of a command that writes a plan in place of its own work.
#[derive(clap::Args)]
pub(crate) struct PlanArgs {
    /// Write a plan for 'boughs shard' on many machines to this file, and do nothing else (docs/CLUSTER.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Games or cases of a shard
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SHARD_SIZE, requires = "plan", value_parser = whole(1u64))]
    shard_size: u64,
}

impl PlanArgs {
    /// Returns an error if one of these arguments is there too, which a plan has no use for.
    pub(crate) fn check(&self, others: &[(&str, bool)]) -> Result<(), Failure> {
        match others.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) if self.plan.is_some() => Err(Failure::new(format!(
                "--plan plays nothing, so it has no use for {name}; leave one of them out, and see \
                 docs/CLUSTER.md"
            ))),
            _ => Ok(()),
        }
    }

    /// The command line without the plan.
    pub(crate) fn command(&self) -> String {
        match self.plan {
            Some(_) => command_without_plan(&program::words(), None),
            None => program::command_line(),
        }
    }

    /// Ends a command that was to write a plan and has nothing left to plan: exit code 1, by which a loop of a shell
    /// ends.
    pub(crate) fn nothing_left(&self) -> Result<(), Failure> {
        match &self.plan {
            Some(path) => {
                Err(Failure::of_check(format!("nothing is left to plan, so '{}' is not written", path.display())))
            }
            None => Ok(()),
        }
    }

    /// Writes the plan of a job, if there is to be one. Returns false if the work is to be done here.
    pub(crate) fn write(&self, job: impl FnOnce() -> Result<Job, Failure>, json: bool) -> Result<bool, Failure> {
        match &self.plan {
            Some(path) => write(path, self.shard_size, job()?, json).map(|()| true),
            None => Ok(false),
        }
    }
}

/// Writes a plan and says what it is.
pub(crate) fn write(path: &std::path::Path, shard_size: u64, job: Job, json: bool) -> Result<(), Failure> {
    Plan::may_replace(path)?;
    let file = NamedFile::at(path)?;
    let plan = Plan::new(program::words(), shard_size, job)?;
    file.write_text(&plan.text())?;
    let written = Written {
        plan: path.display().to_string(),
        units: plan.job.units(),
        unit: plan.job.unit_name(),
        shards: plan.shards(),
        cores: plan.job.cores(),
        checksum: plan.checksum().to_string(),
    };
    if json { print_json(&written) } else { print(&written.text()) }
}

/// The facts of a plan that was written.
#[derive(Serialize)]
struct Written {
    plan: String,
    units: u64,
    unit: &'static str,
    shards: u64,
    /// The number of cores of a shard; none if it takes a whole machine.
    cores: Option<usize>,
    checksum: String,
}

impl Written {
    fn text(&self) -> String {
        let Written { plan, units, unit, shards, cores, .. } = self;
        let name = program::name();
        let cores = match cores {
            Some(1) => "one core".to_string(),
            Some(cores) => format!("{cores} cores"),
            None => "a whole machine".to_string(),
        };
        format!(
            "wrote {plan}: {} in {}, {cores} each\n\
             run each shard:   {name} shard {plan} --id NUMBER --out DIR   (0 to {})\n\
             put all together: {name} merge DIR\n",
            counted(units, unit),
            counted(shards, "shards"),
            shards - 1
        )
    }
}
