//! What the whole of Boughs promises. One program, because most of its promises are about every game there is, for each of
//! which the engine is compiled.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use boughs_bots as _;

mod agents;
mod fixtures;
mod house;
mod kinds;
mod kuhn;
mod nim;
mod pig;
mod secrets;
mod strength;
mod tactics;
