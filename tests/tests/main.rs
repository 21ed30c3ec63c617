//! Promises of Boughs as a whole. They are one program, so that they are linked once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod agents;
mod core;
mod fixtures;
#[path = "../../crates/engine/tests/common/gamble.rs"]
mod gamble;
mod house;
mod kept_trees;
mod kinds;
mod kuhn;
mod nim;
mod pig;
mod secrets;
mod strength;
mod tactics;
mod wall;
