//! The agent on the thread of its caller beside the agent with a worker thread.

use boughs::{Agent, Budget, Choice, Report, TreeKind};
use boughs_games::photosynthesis::Photosynthesis;

use super::PhotosynthesisMcts;

/// The parts of a report that do not depend on the clock.
fn fixed_parts(report: Report) -> impl PartialEq + std::fmt::Debug {
    let Report { best, children, pv, iterations, inherited, depth, bytes, stop, warnings, .. } = report;
    ((best, children, pv), (iterations, inherited, depth, bytes, stop, warnings))
}

#[test]
fn with_one_thread_it_answers_as_with_one_worker_thread() {
    for (tree, seed) in [(TreeKind::Multi, 1), (TreeKind::Multi, 2), (TreeKind::Plain, 3)] {
        let options = PhotosynthesisMcts { tree, seed, memory: 16 << 20, ..PhotosynthesisMcts::default() };
        let game = Photosynthesis::new(i64::try_from(seed).expect("a small number"));
        let [mut threaded, mut local, mut silent] =
            [true, false, false].map(|has_workers| options.agent(game, has_workers).expect("the agent"));
        // Both players of some days choose.
        for turn in 0..12 {
            let budget = Budget::iterations(2_000);
            let [one, other] =
                [&mut threaded, &mut local].map(|agent| agent.search(budget.clone(), &mut |_| ()).expect("a report"));
            let choice = silent.choose(budget).expect("a choice");
            assert_eq!(choice, Choice::from(&one), "{options:?} {turn}");
            assert_eq!(fixed_parts(one), fixed_parts(other), "{options:?} {turn}");
            for agent in [&mut threaded, &mut local, &mut silent] {
                agent.advance(choice.ranked[0]).expect("a legal action");
            }
        }
    }
}
