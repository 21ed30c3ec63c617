//! The agent `candy` as a program for AHC015.

use std::process::ExitCode;
use std::time::Duration;

use boughs_agents::Build;
use boughs_agents::ahc015::Candy;
use boughs_bots::{ahc015, run};

/// The time of the contest for a case.
const TIME: Duration = Duration::from_millis(2_000);
/// The least time before that limit at which the last search ends, for the way of the answer. The margin is wider while
/// the machine wakes threads late.
const LEAST_MARGIN: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    let agent = Candy { climb: 80, plans: 1, threads: 1, seed: 0 };
    run(ahc015::play, &|position| agent.build(position), [TIME, LEAST_MARGIN])
}
