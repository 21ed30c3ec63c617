//! Promises of the arena: contests, the programs that play in them, and the store that keeps them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "../../../engine/tests/common/process.rs"]
mod process;

mod contest;
#[cfg(unix)]
mod programs;
mod store;
