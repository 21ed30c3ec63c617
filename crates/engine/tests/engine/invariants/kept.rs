//! Trees in which every visit brings the same reward: a visit and a reward that did not come together show in any node,
//! with any number of threads, wherever a search was stopped.

use std::time::Duration;

use boughs::{Budget, Rng, Search, Session, TreeSearch};

use super::settings;
use crate::common::{Code, Halves, Scores, Shares, check_dumped, check_trees};

/// Checks all invariants, and that every visit of a node that a player chose has its reward.
fn check_rewards(search: &mut dyn TreeSearch, name: &str) -> u64 {
    let units = search.units() as i64;
    let trees = search.dump(usize::MAX);
    for node in trees.iter().flatten().filter(|node| !node.path.is_empty()) {
        assert_eq!(node.sum, i64::from(node.visits) * units, "visits and rewards of {:?}, {name}", node.path);
    }
    check_dumped(search, &trees)
}

/// Plies that are searched and played. No game ends before.
const PLIES: usize = 3;

fn stop_and_go_on(start: &dyn Session, layout: &str, threads: usize, memory: usize, rng: &mut Rng) {
    let name = format!("mcts:c=4,{layout},threads={threads},memory={memory}");
    let mut search = start.tree_search(settings(&format!("mcts:c=4,{layout}"), threads, memory)).unwrap();
    let mut before = 0;
    for _ in 0..PLIES {
        let running = search.start(Budget::unlimited()).unwrap();
        std::thread::sleep(Duration::from_micros(u64::from(rng.below(1_200))));
        let report = running.stop().unwrap();
        assert_eq!(report.inherited, before, "{name}");
        let all = check_rewards(&mut *search, &name);
        assert!(all >= before + report.iterations, "late playouts are counted too, {name}");
        let report = search.run(Budget::iterations(1_500).early_stop(false)).unwrap();
        assert!(report.bytes <= memory, "{name} took {} bytes", report.bytes);
        let choice = &report.children[rng.below(report.children.len() as u32) as usize];
        before = choice.playouts;
        search.advance(choice.action).unwrap();
        assert_eq!(check_rewards(&mut *search, &name), before, "the subtree is kept, {name}");
    }
}

#[test]
fn every_visit_has_its_reward_after_stops_and_advances_in_every_layout_and_memory() {
    let mut rng = Rng::new(3, 0);
    for threads in [1, 2, 8, 32] {
        // Lines are for 64 KiB and more.
        for memory in [16_000, 65_536, 250_000, 1 << 20] {
            let [one, two, three, four, five] = [(); 5].map(|()| u64::from(rng.below(99)));
            stop_and_go_on(&Halves::wins(one, 2), "loss=1", threads, memory, &mut rng);
            stop_and_go_on(&Halves::wins(two, 2), "loss=2", threads, memory, &mut rng);
            stop_and_go_on(&Shares::wins(three, 2), "bulk=64", threads, memory, &mut rng);
            stop_and_go_on(&Halves::wins(four, 2), "loss=wu", threads, memory, &mut rng);
            stop_and_go_on(&Scores::wins(five, 2), "traversals=3", threads, memory, &mut rng);
        }
    }
}

#[test]
fn counters_add_up_with_the_solver_after_stops_and_advances() {
    let mut rng = Rng::new(4, 0);
    for threads in [1, 2, 8, 32] {
        for (layout, memory) in [("loss=1", 65_536), ("loss=1", 1 << 20), ("loss=2", 65_536), ("loss=wu", 65_536)] {
            let name = format!("mcts:c=4,solver=on,{layout}");
            let start = Halves::thicket(u64::from(rng.below(99)), 2);
            let mut search = Search::new(start, settings(&name, threads, memory)).unwrap();
            for _ in 0..PLIES {
                let running = search.start(Budget::unlimited()).unwrap();
                std::thread::sleep(Duration::from_micros(u64::from(rng.below(2_000))));
                let report = running.stop().unwrap();
                let all = check_trees(&mut search);
                assert!(all >= report.inherited + report.iterations, "late playouts are counted too, {name}");
                let choice = &report.children[rng.below(report.children.len() as u32) as usize];
                search.advance(Code(choice.action)).unwrap();
                check_trees(&mut search);
            }
        }
    }
}
