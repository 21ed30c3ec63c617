//! The promises of the engine. They are one test program, because they are about the same few games, for each type of
//! which the engine is compiled.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/gamble.rs"]
mod gamble;
#[path = "../common/process.rs"]
mod process;

mod codes;
mod conformance;
mod drops;
mod evaluators;
mod evaluators_of_turns;
mod improvements;
mod inspection;
mod invariants;
mod limits;
#[cfg(target_os = "linux")]
mod locked_instructions;
mod logs;
mod misbehaviour;
mod puzzle;
mod solver;
mod stragglers;
