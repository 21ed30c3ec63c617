//! The agent `foresight` as a program for the contest of Green Circle.

use std::process::ExitCode;
use std::time::Duration;

use boughs::Parallel;
use boughs_agents::Build;
use boughs_agents::green_circle::Foresight;
use boughs_bots::{green_circle, run};

/// The time of the contest for an answer. The first answer has a second.
const TIME: Duration = Duration::from_millis(50);
/// The least time before that limit at which the search ends, for the way of the answer; 200 ms for the first one. The
/// margin is wider while the machine wakes threads late.
const LEAST_MARGIN: Duration = Duration::from_millis(10);

fn main() -> ExitCode {
    let agent = Foresight {
        exploration: 1.0,
        spread: 0.05,
        turns: 2,
        width: 8,
        positions: 2000,
        threads: 1,
        parallel: Parallel::Shared,
        weights: None,
        seed: 0,
    };
    run(green_circle::play, &|position| agent.build(position), [TIME, LEAST_MARGIN])
}
