//! Searches by the ranks of real MPI jobs, for the feature `mpi`. `.ci/mpi/run` runs these tests where Open MPI is.

// Everything here is a test; the lint only knows functions that are marked as one.
#![allow(clippy::unwrap_used)]

mod job;
mod kills;
#[path = "../../../engine/tests/common/process.rs"]
mod process;
mod protocols;
mod results;
