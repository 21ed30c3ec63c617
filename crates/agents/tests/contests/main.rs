//! Promises of the contest agents.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod ahc015;
mod builds;
mod green_circle;
mod green_circle_turns;
mod photosynthesis;
mod player;
#[path = "../../../engine/tests/common/process.rs"]
mod process;
