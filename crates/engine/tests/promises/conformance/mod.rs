//! The suite that checks games, checked: a game that is right passes, and each fault is found for what it is.
//!
//! Every game here takes the number of a fault to make as its parameter.

mod chance;
mod hidden;
mod rewards;
mod simultaneous;

use boughs::Game;
use boughs::conformance::{Checked, Effort, check};

/// The number of no fault at all.
const RIGHT: u8 = 0;

const EFFORT: Effort = Effort { games: 60, uniformity: 10, seed: 1 };

fn passes<G: Game>(start: &G) -> Checked {
    check(start, EFFORT).unwrap_or_else(|fault| panic!("{fault}"))
}

#[track_caller]
fn fails<G: Game>(start: &G, what: &str) {
    let fault = check(start, EFFORT).expect_err(what);
    assert!(fault.what.contains(what), "found: {fault}\nlooked for: {what}");
}
