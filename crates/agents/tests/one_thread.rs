//! A contest bot with one core searches on the thread that asks it. The only test of its program, because it counts the
//! threads of the process.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use boughs::Budget;
use boughs_agents::AgentSpec;
use boughs_games::photosynthesis::Photosynthesis;

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// The threads that an agent has started after a search.
fn started(agent: &str) -> usize {
    let before = threads();
    let spec: AgentSpec = agent.parse().unwrap();
    let mut agent = spec.build(&Photosynthesis::new(1)).unwrap();
    agent.search(Budget::iterations(500), &mut |_| ()).unwrap();
    agent.choose(Budget::iterations(500)).unwrap();
    threads() - before
}

#[test]
fn woods_with_one_thread_starts_no_other() {
    assert_eq!(started("woods:memory=16M"), 0);
    assert_eq!(started("woods:threads=2,memory=16M"), 2);
}
