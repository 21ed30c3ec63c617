//! Tests of a search as a whole that need a look inside.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::Search;
use super::shared::MOST_VISITS;
use crate::mcts::tree::{NodeStats, Tree};
use crate::testing::Nim;
use crate::{Agent, Budget, Game, Playout, Rng, SearchError, Settings, StopReason, Turn};

#[test]
fn a_counter_that_could_overflow_ends_the_search() {
    let mut search = Search::new(Nim::new(20), Settings { threads: 2, ..Settings::default() }).unwrap();
    let tree = search.core.state.trees[0].clone();
    let visits = (MOST_VISITS - 100) as u32;
    tree.write(tree.root(), NodeStats { visits, unobserved: 0, sum: 0 });
    let report = search.run(Budget::iterations(5_000).early_stop(false)).unwrap();
    assert_eq!((report.stop, report.iterations), (StopReason::CounterFull, 100));
    assert_eq!(report.inherited, u64::from(visits));
    assert_eq!(search.run(Budget::unlimited()).unwrap().stop, StopReason::CounterFull);
}

#[test]
fn a_large_tree_is_emptied_and_advanced_in_no_time() {
    let mut search = Search::new(Nim::new(200), Settings { memory: 32 << 20, ..Settings::default() }).unwrap();
    let report = search.run(Budget::iterations(400_000)).unwrap();
    assert!(report.bytes > 1 << 20, "{} bytes", report.bytes);
    let started = crate::clock::now();
    search.advance(report.best_action().unwrap()).unwrap();
    search.reset(Nim::new(200));
    // It takes milliseconds, and the search takes longer on any machine.
    assert!(10.0 * started.elapsed().as_secs_f64() < report.seconds, "{:?} of {} s", started.elapsed(), report.seconds);
}

#[test]
fn a_code_that_no_legal_action_has_does_not_advance() {
    let mut search = Search::new(Nim::new(20), Settings::default()).unwrap();
    // As a byte this is 3, which would be legal.
    assert_eq!(Agent::advance(&mut search, 256 + 3), Err(SearchError::IllegalAction("3".into())));
    assert_eq!(search.position().stones, 20);
    assert_eq!(Agent::advance(&mut search, 3), Ok(()));
    assert_eq!(search.position().stones, 17);
}

/// Playouts that take no end until this is true.
struct Endless(AtomicBool);

impl Playout<Nim> for Endless {
    fn choose(&self, _: &Nim, _: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        while !self.0.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Some(1)
    }
}

#[test]
fn one_set_of_trees_is_left_to_workers_at_most() {
    for spec in ["mcts:threads=2,memory=1M", "mcts:threads=2,memory=1M,parallel=independent"] {
        let endless = Arc::new(Endless(AtomicBool::new(false)));
        let mut search = Search::with_playout(Nim::new(20), spec.parse().unwrap(), endless.clone()).unwrap();
        let mut trees: Vec<Weak<Tree>> = Vec::new();
        for _ in 0..4 {
            search.run(Budget::time(Duration::from_millis(5))).unwrap();
            trees.extend(search.core.state.trees.iter().map(Arc::downgrade));
            let mut alive: Vec<_> = trees.iter().filter_map(Weak::upgrade).map(|tree| Arc::as_ptr(&tree)).collect();
            alive.sort_unstable();
            alive.dedup();
            assert!(alive.len() <= 2 * search.core.state.trees.len(), "{spec}: {} trees", alive.len());
        }
        endless.0.store(true, Relaxed);
    }
}

/// Nim whose actions have these codes.
#[derive(Clone)]
struct Renamed(Nim);

/// The high half of a Fibonacci hash of the second and the third is 1, the first.
const CODES: [u32; 3] = [1, 3_503_668_361, 230_421_028];

impl Game for Renamed {
    type Action = u32;
    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self, out: &mut Vec<u32>) {
        out.extend(&CODES[..usize::from(self.0.stones.min(3))]);
    }
    fn apply(&mut self, code: u32) {
        let take = CODES.iter().position(|&other| other == code).map_or(0, |place| place as u8 + 1);
        self.0.apply(take);
    }
    fn reward(&self, player: usize) -> f64 {
        self.0.reward(player)
    }
}

#[test]
fn amaf_statistics_count_the_later_moves_of_every_playout() {
    for spec in
        ["mcts:policy=rave", "mcts:policy=grave,ref=30,threads=4", "mcts:policy=rave,parallel=batched,threads=2"]
    {
        check_amaf(Nim::new(12), spec);
        check_amaf(Renamed(Nim::new(12)), spec);
    }
}

fn check_amaf(start: impl Game, spec: &str) {
    let mut search = Search::new(start, spec.parse().unwrap()).unwrap();
    let (running, records) = search.start_recorded(Budget::iterations(3_000).early_stop(false)).unwrap();
    // All records fit into the channel.
    assert_eq!(running.finish().unwrap().iterations, 3_000, "{spec}");
    let mut expected: BTreeMap<u32, (u32, f64)> = BTreeMap::new();
    for record in records.try_iter() {
        let moves: Vec<u32> = record.path.iter().chain(&record.moves).copied().collect();
        // The first player moves at even plies.
        let mut played: Vec<u32> = moves.into_iter().step_by(2).collect();
        played.sort_unstable();
        played.dedup();
        for code in played {
            let (visits, sum) = expected.entry(code).or_default();
            (*visits, *sum) = (*visits + 1, *sum + record.rewards[0]);
        }
    }
    search.core.join_all_workers();
    let tree = &search.core.state.trees[0];
    let mut counted = BTreeMap::new();
    let children = tree.expansion(tree.root()).block().unwrap();
    tree.each_amaf(children, |code, stats| {
        counted.insert(code, (stats.visits, f64::from(stats.sum)));
    });
    assert_eq!(counted, expected, "{spec}");
}
