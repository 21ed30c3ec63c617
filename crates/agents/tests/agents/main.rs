//! Promises of the agents: those that play every game, those of contests, and their list.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "../../../engine/tests/common/mod.rs"]
mod common;
#[path = "../../../engine/tests/common/process.rs"]
mod process;

mod contests;
// Networks need other crates than std.
#[cfg(feature = "crates")]
mod general;
mod list;
mod misbehaviour;
