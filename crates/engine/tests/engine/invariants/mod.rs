//! Invariants of the tree after every search, in every mode, at every number of threads.

mod kept;
mod narrow;
mod solved;
mod walk;

use std::time::Duration;

use boughs::{Budget, Rng, Search, Session, Settings, StopReason, Warning};

use crate::common::{Code, Halves, Hidden, HiddenScores, Scores, Shares, Spot, check_trees};

/// All combinations of parallelisation and node statistics, as specs.
fn modes() -> impl Iterator<Item = String> {
    let parallel = ["shared", "shared,bulk=1", "shared,traversals=1", "independent,traversals=9", "batched"];
    parallel.into_iter().flat_map(|parallel| {
        ["1", "0", "3", "wu"].into_iter().map(move |loss| format!("mcts:loss={loss},batch=16,parallel={parallel}"))
    })
}

fn settings(text: &str, threads: usize, memory: usize) -> Settings {
    Settings { threads, memory, seed: 7, ..text.parse().expect(text) }
}

fn search(game: &dyn Session, settings: Settings, iterations: u64) {
    let name = format!("{settings}");
    let memory = settings.memory;
    let mut search = game.tree_search(settings).expect(&name);
    let report = search.run(Budget::iterations(iterations).early_stop(false)).expect(&name);
    assert_eq!((report.stop, report.iterations), (StopReason::Iterations, iterations), "{name}");
    assert_eq!(check_trees(&mut *search), iterations, "{name}");
    assert!(report.bytes <= memory, "{name} took {} bytes", report.bytes);
    assert!(report.best.is_some(), "{name}");
}

#[test]
fn counters_add_up_in_every_mode_at_every_number_of_threads() {
    for mode in modes() {
        for threads in [1, 2, 8, 32] {
            search(&Halves::thicket(3, 2), settings(&mode, threads, 16 << 20), 5_003);
            search(&Shares::thicket(4, 3), settings(&mode, threads, 16 << 20), 2_001);
            search(&Shares::thicket(5, 1), settings(&mode, threads, 16 << 20), 999);
        }
    }
}

/// All kinds of parallelisation in trees that are not plain.
fn informed_modes(trees: &'static [&'static str]) -> impl Iterator<Item = String> {
    let parallel = ["shared,loss=3", "shared,traversals=1,loss=0", "independent,traversals=9", "batched,batch=16"];
    trees.iter().flat_map(move |tree| parallel.map(|parallel| format!("mcts:tree={tree},parallel={parallel}")))
}

#[test]
fn counters_add_up_in_information_set_trees_and_with_scores() {
    for threads in [1, 2, 8, 32] {
        for parallel in ["shared", "shared,traversals=1", "independent,traversals=9", "batched,batch=16"] {
            // Regret matching keeps the counts of its draws in place of the visits in flight.
            let mode = format!("mcts:policy=rm,parallel={parallel}");
            let mut game = Search::new(Hidden::weather(4, 3), settings(&mode, threads, 16 << 20)).unwrap();
            let report = game.run(Budget::iterations(2_000).early_stop(false)).unwrap();
            assert_eq!(report.iterations, 2_000, "{mode}");
        }
        for mode in informed_modes(&["multi", "single"]) {
            let settings = settings(&mode, threads, 16 << 20);
            search(&Hidden::weather(3, 2), settings.clone(), 3_001);
            search(&HiddenScores::weather(4, 3), settings, 1_003);
        }
        for mode in informed_modes(&["open", "plain"]) {
            search(&Shares::weather(3, 2), settings(&mode, threads, 16 << 20), 3_001);
            search(&Scores::weather(5, 1), settings(&mode, threads, 16 << 20), 1_003);
        }
    }
}

#[test]
fn information_set_trees_are_whole_after_searches_that_are_stopped_in_the_midst_of_traversals() {
    let settings = settings("mcts:tree=multi,traversals=9", 2, 16 << 20);
    let start = Hidden::weather(5, 4);
    let mut search = Search::new(start.clone(), settings).unwrap();
    let mut before = 0;
    for stop in 0..200 {
        // A look at a large tree takes long.
        if stop % 20 == 0 {
            search.reset(start.clone());
            before = 0;
        }
        let running = search.start(Budget::unlimited()).unwrap();
        std::thread::sleep(Duration::from_millis(1));
        let report = running.stop().unwrap();
        assert_eq!(report.inherited, before);
        before += report.iterations;
        let all = check_trees(&mut search);
        assert!(all >= before, "late playouts are counted too");
        before = all;
    }
}

#[test]
fn a_tiny_arena_is_enough_for_information_set_trees() {
    for mode in informed_modes(&["multi", "single"]) {
        for (threads, memory) in [(1, 1_000), (2, 4_000), (8, 16_000), (32, 64_000)] {
            search(&Hidden::weather(3, 2), settings(&mode, threads, memory), 3_000);
            search(&HiddenScores::weather(6, 4), settings(&mode, threads, memory), 2_000);
        }
    }
}

#[test]
fn bulk_traversals_lose_nothing_and_count_nothing_twice() {
    // Long enough for many simulations to go together, and for the counters of many nodes to be widened.
    for (threads, iterations) in [(1, 20_000), (2, 30_000), (8, 40_000), (32, 80_000)] {
        for traversals in [1, 4, 64] {
            for bulk in [2, 512, 65_536] {
                let mode = format!("mcts:c=0.5,traversals={traversals},bulk={bulk}");
                search(&Halves::thicket(3, 2), settings(&mode, threads, 16 << 20), iterations);
                search(&Shares::thicket(4, 3), settings(&mode, threads, 16 << 20), iterations / 2);
            }
        }
    }
}

/// The start of a game of three plies with very many actions, most of them in the deepest.
fn fan(width: u64) -> Shares {
    Shares::table(2, [0, 0], |[ply, sum]| match ply {
        3 => Spot::over_for_two(sum as f64 / 18.0),
        _ => Spot::player(
            ply % 2,
            (0..width >> (6 - 3 * ply)).map(|action| (action as u32, [ply + 1, sum + action % 7])),
        ),
    })
}

#[test]
fn bulk_traversals_of_very_wide_nodes_lose_nothing() {
    for start in [64, 2_000, 9_000].map(fan) {
        for (threads, traversals) in [(1, 1), (2, 4), (4, 64)] {
            let settings = settings(&format!("mcts:c=0.1,traversals={traversals}"), threads, 64 << 20);
            search(&start, settings, 40_000);
        }
        search(&start, settings("mcts:c=0.1,fpu=1", 2, 64 << 20), 40_000);
    }
}

#[test]
fn a_tiny_arena_is_never_exceeded_and_search_goes_on_in_the_tree_it_has() {
    for mode in modes() {
        for (threads, memory) in [(1, 300), (1, 1_000), (2, 2_000), (8, 8_000), (32, 32_000)] {
            let settings = settings(&mode, threads, memory);
            search(&Halves::thicket(3, 2), settings.clone(), 4_000);
            search(&Shares::thicket(3, 4), settings, 4_000);
        }
    }
}

#[test]
fn a_search_stopped_at_any_time_leaves_nothing_behind() {
    let mut rng = Rng::new(11, 0);
    for mode in modes() {
        for threads in [1, 2, 8] {
            let mut search = Search::new(Halves::thicket(6, 2), settings(&mode, threads, 1 << 20)).unwrap();
            let mut before = 0;
            for _ in 0..6 {
                let running = search.start(Budget::unlimited()).unwrap();
                std::thread::sleep(Duration::from_micros(u64::from(rng.below(3_000))));
                let report = running.stop().unwrap();
                assert_eq!(report.stop, StopReason::Stopped);
                assert_eq!(report.inherited, before);
                let all = check_trees(&mut search);
                assert!(all >= before + report.iterations, "late playouts are counted too");
                before = all;
            }
        }
    }
}

#[test]
fn a_game_played_with_a_kept_tree_stays_in_its_memory() {
    for mode in modes() {
        for (threads, memory) in [(1, 3_000), (2, 20_000), (8, 400_000)] {
            let mut rng = Rng::new(2, 0);
            let mut search = Search::new(Halves::thicket(21, 2), settings(&mode, threads, memory)).unwrap();
            loop {
                let report = search.run(Budget::iterations(3_000).early_stop(false)).unwrap();
                assert!(report.bytes <= memory);
                assert_eq!(check_trees(&mut search), report.inherited + report.iterations, "{mode}");
                if report.stop == StopReason::GameOver {
                    break;
                }
                let choice = &report.children[rng.below(report.children.len() as u32) as usize];
                let expected = choice.playouts;
                search.advance(Code(choice.action)).unwrap();
                assert_eq!(check_trees(&mut search), expected, "the subtree is kept: {mode}");
            }
        }
    }
}

#[test]
fn advancing_keeps_every_node_below_the_chosen_action() {
    let mut search = Search::new(Halves::thicket(8, 2), settings("mcts", 2, 1 << 24)).unwrap();
    let best: Code<200> = search.run(Budget::iterations(20_000)).unwrap().best_action().unwrap();
    let below = |nodes: Vec<boughs::inspect::NodeDump>| -> Vec<_> {
        nodes
            .into_iter()
            .filter(|node| node.path.first() == Some(&best.0))
            .map(|node| (node.path[1..].to_vec(), node.visits, if node.path.len() == 1 { 0 } else { node.sum }))
            .collect()
    };
    let before = below(search.dump(usize::MAX).remove(0));
    search.advance(best).unwrap();
    let after: Vec<_> =
        search.dump(usize::MAX).remove(0).into_iter().map(|node| (node.path, node.visits, node.sum)).collect();
    assert_eq!(before, after);
}

#[test]
fn memory_that_falls_out_of_use_is_used_again() {
    // Without reuse the second search would find a full arena, and its tree could not grow.
    let mut search = Search::new(Halves::thicket(33, 2), settings("mcts:c=100", 1, 40_000)).unwrap();
    let report = search.run(Budget::iterations(1_000_000).or_full()).unwrap();
    assert_eq!(report.stop, StopReason::MemoryFull);
    let nodes = search.dump(usize::MAX).remove(0).len();
    let least = report.children.iter().rfind(|child| child.playouts > 0).unwrap().action;
    search.advance(Code(least)).unwrap();
    let kept = search.dump(usize::MAX).remove(0).len();
    let report = search.run(Budget::iterations(100_000).early_stop(false)).unwrap();
    assert!(report.warnings.contains(&Warning::MemoryFull), "it is full again, and says so again");
    let grown = search.dump(usize::MAX).remove(0).len();
    assert!(kept < nodes / 4 && grown > nodes / 2, "{nodes} nodes, {kept} kept, {grown} after");
}

#[test]
fn a_full_memory_is_warned_of() {
    let mut search = Search::new(Halves::thicket(3, 2), settings("mcts", 1, 2_000)).unwrap();
    let report = search.run(Budget::iterations(5_000)).unwrap();
    assert!(report.warnings.contains(&Warning::MemoryFull));
}
