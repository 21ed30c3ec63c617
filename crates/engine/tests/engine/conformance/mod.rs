//! Tests of the conformance suite: a correct game passes, and the suite names each fault.
//!
//! Every game has the number of its fault.

mod chance;
mod codes;
mod hidden;
mod rewards;
mod simultaneous;
mod stopping;
mod winning;

use boughs::Game;
use boughs::conformance::{Checked, Effort, check};

/// The number of a game without a fault.
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
