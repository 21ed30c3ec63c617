//! A walk over the tree that accounts for every visit: a visit of a node goes on to a child or ends at the node with a
//! playout of its own.
//!
//! A node is expanded at its second visit, so the first one ends there. With one thread no other visit does. The root
//! is expanded before a search begins, and nothing ends there.
//!
//! With more threads there are three exceptions. A traversal ends at a node that another worker has claimed or has
//! expanded since the traversal read its link, and so does one that has expanded the parent on its way and finds that
//! others were faster at the child. A traversal that counted the first visit goes on below the node if others expand
//! it before it reads the link. Where visits in flight are not shown (`loss=0`), each worker may take its own first
//! visit for the first one. An engine that noted these events, with 2 to 32 threads on two cores, had not one visit
//! that they did not explain. There is no limit to the playouts that end at a node while it is claimed, because the
//! system may take the processor from the worker that holds the claim. But a worker that finds the node expanded ends
//! there no more, so after the first playout from below the node every other worker has at most one to come.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use boughs::inspect::NodeDump;
use boughs::log::{Header, Log};
use boughs::{Budget, Rng, Session, TreeSearch, Turn};

use super::settings;
use crate::common::{Halves, Scores, Shares, check_dumped};

/// A start of each game, with the settings that give its tree another layout: lines, one word, two words, visits in
/// flight apart, scores.
macro_rules! in_every_layout {
    ($test:ident$(, $argument:expr)*) => {
        $test(&Halves::thicket(8, 2), "loss=1"$(, $argument)*);
        $test(&Halves::thicket(3, 2), "loss=2"$(, $argument)*);
        $test(&Shares::thicket(4, 3), "loss=1"$(, $argument)*);
        $test(&Halves::thicket(3, 2), "loss=wu"$(, $argument)*);
        $test(&Scores::thicket(3, 2), "loss=1"$(, $argument)*);
    };
}

/// The visits of each node with visited children that did not go on to one of these.
fn own_playouts(nodes: &[NodeDump]) -> BTreeMap<&[u32], i64> {
    let mut below = BTreeMap::<&[u32], i64>::new();
    for node in nodes {
        if let [path @ .., _] = &node.path[..] {
            *below.entry(path).or_default() += i64::from(node.visits);
        }
    }
    let inner = nodes.iter().filter_map(|node| Some((&node.path[..], below.get(&node.path[..])?, node.visits)));
    inner.map(|(path, below, visits)| (path, i64::from(visits) - below)).collect()
}

/// Checks that of the visits of each inner node but the root this many ended there, and of the root's `of_root`.
fn check_own(search: &mut dyn TreeSearch, own: i64, of_root: i64, name: &str) {
    let trees = search.dump(usize::MAX);
    check_dumped(search, &trees);
    for nodes in &trees {
        for (path, found) in own_playouts(nodes) {
            assert_eq!(found, if path.is_empty() { of_root } else { own }, "at {path:?}, {name}");
        }
    }
}

fn one_worker_a_tree(start: &dyn Session, layout: &str, modes: &[(&str, usize, i64)]) {
    for &(mode, threads, own) in modes {
        let name = format!("mcts:{layout},{mode}");
        let mut search = start.tree_search(settings(&name, threads, 16 << 20)).unwrap();
        search.run(Budget::iterations(20_000).early_stop(false)).unwrap();
        check_own(&mut *search, own, 0, &name);
    }
}

#[test]
fn with_one_worker_a_tree_the_first_visits_of_a_node_end_there_and_no_others() {
    let modes = [
        ("c=9", 1, 1),
        ("c=0.2,bulk=65536", 1, 1),
        ("c=9,bulk=1,traversals=1", 1, 1),
        ("c=3,traversals=64", 1, 1),
        ("c=9,expand=5,traversals=1", 1, 4),
        ("c=9,parallel=batched", 2, 1),
        ("c=9,parallel=independent", 3, 1),
    ];
    in_every_layout!(one_worker_a_tree, &modes);
    // Without visits in flight to see, a leaf is chosen until its first playout returns, so here at once.
    one_worker_a_tree(&Halves::thicket(8, 2), "loss=0", &modes[..4]);
}

fn keep_and_stop(start: &dyn Session, layout: &str) {
    let mut rng = Rng::new(5, 0);
    let name = format!("mcts:c=9,{layout}");
    let mut search = start.tree_search(settings(&name, 1, 16 << 20)).unwrap();
    let mut of_root = 0;
    while let Turn::Player(_) = search.position().turn() {
        let running = search.start(Budget::unlimited()).unwrap();
        std::thread::sleep(Duration::from_micros(u64::from(rng.below(2_000))));
        running.stop().unwrap();
        check_own(&mut *search, 1, of_root, &name);
        search.run(Budget::iterations(3_000).early_stop(false)).unwrap();
        check_own(&mut *search, 1, of_root, &name);
        let mut actions = Vec::new();
        search.position().actions(&mut actions);
        let action = actions[rng.below(actions.len() as u32) as usize];
        search.advance(action).unwrap();
        // All visits of a leaf ended there, and stay there when the leaf becomes the root.
        let nodes = search.dump(1).remove(0);
        let below: u32 = nodes[1..].iter().map(|node| node.visits).sum();
        of_root = i64::from(nodes[0].visits - below);
        assert!(below == 0 || of_root == 1, "{of_root} playouts of the new root, {name}");
    }
}

#[test]
fn with_the_solver_every_visit_is_accounted_for_and_only_those_of_proven_nodes_end_there_again() {
    for mode in ["bulk=65536", "c=0.2", "bulk=1,traversals=1", "loss=2", "traversals=64"] {
        let name = format!("mcts:solver=on,{mode}");
        let mut search = Session::tree_search(&Halves::thicket(8, 2), settings(&name, 1, 16 << 20)).unwrap();
        let report = search.run(Budget::iterations(20_000).early_stop(false)).unwrap();
        let trees = search.dump(usize::MAX);
        check_dumped(&*search, &trees);
        let own = own_playouts(&trees[0]);
        assert_eq!((u64::from(trees[0][0].visits), own[&[][..]]), (report.iterations, 0), "{name}");
        let again = own.values().filter(|&&own| own > 1).count();
        assert!(own.iter().all(|(path, &own)| path.is_empty() || own >= 1), "a visit is missing, {name}");
        assert!(0 < again && again < own.len() / 2, "{again} of {} nodes are ends again, {name}", own.len());
    }
}

#[test]
fn with_one_worker_visits_are_accounted_for_in_kept_trees_and_after_stops() {
    in_every_layout!(keep_and_stop);
}

/// The paths of the playouts of a log, in the order they ended.
fn paths(log: &str) -> Vec<Vec<u32>> {
    let playouts = log.lines().filter_map(|line| line.strip_prefix("playout "));
    let path = |playout: &str| match playout.split(' ').nth(2).unwrap() {
        "-" => Vec::new(),
        codes => codes.split(',').map(|code| code.parse().unwrap()).collect(),
    };
    playouts.map(path).collect()
}

fn many_workers(start: &dyn Session, layout: &str, threads: usize) {
    let name = format!("mcts:c=4,{layout}");
    let mut search = start.tree_search(settings(&name, threads, 16 << 20)).unwrap();
    let header = Header { game: "game".into(), position: String::new(), agent: "mcts".into(), seed: 7 };
    let mut log = Vec::new();
    search.record(&header, Budget::iterations(12_000), &mut log, &mut |_| {}).unwrap();
    // The rules say for every node how many visits it has, and the rewards of which player.
    Log::open(&log[..]).unwrap().verify(start.as_position()).unwrap_or_else(|fault| panic!("{fault}, {name}"));
    // Playouts that ended at each node: all of them, and since the first that ended below it.
    let mut ended = BTreeMap::<Vec<u32>, (i64, usize)>::new();
    let mut inner = BTreeSet::<Vec<u32>>::new();
    for path in paths(std::str::from_utf8(&log).unwrap()) {
        for above in 0..path.len() {
            inner.insert(path[..above].to_vec());
        }
        let late = usize::from(inner.contains(&path));
        let count = ended.entry(path).or_default();
        *count = (count.0 + 1, count.1 + late);
    }
    let trees = search.dump(usize::MAX);
    check_dumped(&*search, &trees);
    for (path, found) in own_playouts(&trees[0]) {
        let (own, late) = ended.get(path).copied().unwrap_or_default();
        assert_eq!(found, own, "playouts that ended at {path:?} with {threads} threads, {name}");
        assert!(late < threads, "{late} late playouts at {path:?} with {threads} threads, {name}");
        assert!(own == 0 || !path.is_empty(), "a playout ended at the root, {name}");
    }
}

#[test]
fn with_many_workers_every_visit_is_in_the_log_and_few_end_at_an_expanded_node() {
    for threads in [1, 2, 8, 32] {
        in_every_layout!(many_workers, threads);
        many_workers(&Halves::thicket(8, 2), "loss=0", threads);
    }
}
