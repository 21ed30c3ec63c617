//! A long match takes no more memory than a short one. This test stands alone, because it measures the whole process.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use boughs::StopFlag;
use boughs_arena::{Conditions, Contest, Limit, News, Openings, Store};

/// Returns the peak memory of this process, in KiB.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn ten_thousand_fast_games_take_constant_memory_and_all_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path().join("games.db")).unwrap();
    let plan = Conditions {
        game: "tictactoe".to_string(),
        contestants: ["mcts", "mcts:c=0.4"].map(|text| text.parse().unwrap()).to_vec(),
        pairings: vec![[0, 1]],
        limit: Limit::Playouts(2),
        grace: Duration::ZERO,
        openings: Openings::Random(0, 2),
        seed: 1,
    };
    let mut contest = Contest::new(plan.clone())
        .unwrap()
        .keep_in(&mut store, "match", "boughs match", |_, number| number.to_string())
        .unwrap();
    let mut see = |_: News<'_>| ControlFlow::Continue(());
    contest.play(500, 2, &StopFlag::default(), &mut see).unwrap();
    let after_a_thousand = most_memory();
    contest.play(5_000, 2, &StopFlag::default(), &mut see).unwrap();
    let grown = most_memory() - after_a_thousand;
    // A number and a fingerprint of each game are kept; its record would be a kilobyte.
    assert!(grown < 6 << 10, "{grown} KiB more for nine thousand games");
    let tally = contest.standings()[0].tally();
    let again = Contest::new(plan)
        .unwrap()
        .keep_in(&mut store, "match", "boughs match", |_, number| number.to_string())
        .unwrap();
    assert_eq!((again.standings()[0].tally(), again.standings()[0].unpaired()), (tally, 0));
    assert_eq!(tally.games.count(), 10_000);
}
