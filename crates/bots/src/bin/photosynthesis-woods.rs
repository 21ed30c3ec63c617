//! The agent `woods` as a program for the contest of Photosynthesis.

use std::process::ExitCode;
use std::time::Duration;

use boughs::TreeKind;
use boughs_agents::Build;
use boughs_agents::photosynthesis::{PhotosynthesisMcts, Playout};
use boughs_bots::{photosynthesis, run};

/// The time of the contest for an answer. The first answer has a second.
const TIME: Duration = Duration::from_millis(100);
/// The least time before that limit at which the search ends, for the way of the answer; 200 ms for the first one. The
/// margin is wider while the machine wakes threads late.
const LEAST_MARGIN: Duration = Duration::from_millis(12);

fn main() -> ExitCode {
    let agent = PhotosynthesisMcts {
        exploration: 0.15,
        tree: TreeKind::Multi,
        prune: true,
        playout: Playout::Habit,
        days: 2,
        threads: 1,
        memory: 128 << 20,
        seed: 0,
    };
    run(photosynthesis::play, &|position| agent.build(position), [TIME, LEAST_MARGIN])
}
