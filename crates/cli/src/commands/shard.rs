//! `boughs shard`: one shard of a plan.

use std::path::PathBuf;

use boughs::notation::counted;
use boughs_shards::{Plan, ShardFolder, run};
use serde::Serialize;

use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::progress::Live;

/// Run one shard of a plan
///
/// A shard has some of the games of a match, or of the cases, rounds or lessons of another experiment. Its plan has
/// everything that results depend on. 'boughs match', 'tournament', 'tune', 'judge', 'scale' and 'learn' write one with
/// --plan, and 'boughs merge' puts the results of all shards together. Any scheduler may run the shards, in any order
/// and on any machine with this program: docs/CLUSTER.md has the lines for Slurm, Kubernetes and Ray.
///
/// The file of a shard appears in the folder when it is complete. A shard that was killed is run again; one that is
/// there already is left alone. Ctrl-C ends the shard without a result.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs match nim flat random --games 3 --plan p && boughs shard p --id 0 --out d")]
pub(crate) struct Args {
    /// The plan
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Number of the shard, counted from 0
    #[arg(long, value_name = "NUMBER", value_parser = args::whole(0u64))]
    id: u64,
    /// Folder for the results of all shards, and for a copy of the plan
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Games or cases at a time; threads of a round of learning
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = args::some_threads)]
    concurrency: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The output of `--json`.
#[derive(Serialize)]
struct JsonShard {
    shard: u64,
    shards: u64,
    units: u64,
    unit: &'static str,
    /// True if the folder had the results already.
    was_there: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let plan = Plan::open(&self.plan)?;
        let units = plan.units(self.id)?;
        if plan.job.cores().is_none() && self.concurrency > 1 {
            return Err(Failure::new("a round of this plan takes the machine for itself; leave --concurrency out"));
        }
        let folder = ShardFolder::of(&self.out, plan)?;
        let plan = folder.plan();
        let (count, unit) = (units.end - units.start, plan.job.unit_name());
        let was_there = folder.has(self.id)?;
        if !was_there {
            folder.check_writable()?;
            let stop = interrupt::stops_search();
            let live = Live::of(Some(count), unit);
            live.show(0, String::new);
            let results = run(plan, self.id, self.concurrency, &stop, &mut |done| live.show(done, String::new))?;
            drop(live);
            let Some(results) = results else {
                return Err(Failure::new(format!(
                    "interrupted before the end of shard {}; the same command runs it again",
                    self.id
                )));
            };
            folder.put(self.id, &results)?;
        }
        if self.json {
            return print_json(&JsonShard { shard: self.id, shards: plan.shards(), units: count, unit, was_there });
        }
        let what = if was_there { "was there already" } else { "is done" };
        let units = counted(count, unit);
        print(&format!("shard {} of {} (from 0) {what}: {units}\n", self.id, plan.shards()))
    }
}
