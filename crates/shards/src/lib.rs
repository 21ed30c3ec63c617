//! Experiments on many machines: plans, their shards, and what the shards result in.
//!
//! A [`Plan`] is plain data: everything that the games, cases, rounds or lessons of an experiment depend on. It is cut
//! into shards, each of which any machine runs by itself. A shard results in one file of a [`ShardFolder`], whole or
//! not at all, so a shard that is killed is run again, and one that two machines have run counts once. Units of an
//! experiment are numbered, and results are put together in the order of their numbers. So neither the order nor the
//! place of shards changes a result.
//!
//! Nothing here distributes shards. Slurm, Kubernetes and Ray do.

mod error;
mod folder;
mod job;
#[cfg(test)]
mod odd_plans;
mod plan;
mod program;
mod shard;

pub use error::PlanError;
pub use folder::{ShardFolder, as_list};
pub use job::{CasesJob, ContestKind, GamesJob, Job, LearnJob, RunningTest, ScaleJob};
pub use plan::{DEFAULT_SHARD_SIZE, Plan, command_without_plan};
pub use program::ProgramId;
pub use shard::{check, run};
