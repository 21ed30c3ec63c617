//! Promises of the agents that play every game, and of the learner.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod agents;
mod beam;
#[path = "../../../engine/tests/common/mod.rs"]
mod common;
mod exhaustive;
mod expectimax;
mod learning;
mod nets;
#[path = "../../../engine/tests/common/process.rs"]
mod process;
mod turns;
mod values;
