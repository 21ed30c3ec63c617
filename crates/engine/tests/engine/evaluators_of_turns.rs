//! Evaluators that take long, draw random numbers, or let the tree end before the game does.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use boughs::{
    Action, Budget, Evaluations, Evaluator, Game, Knowledge, Leaf, LocalSearch, Rng, Search, Settings, StopFlag,
    StopReason, Turn,
};

use crate::common::{Halves, Hidden, Shares, check_trees};
use crate::process::within;

fn settings(text: &str, threads: usize) -> Settings {
    Settings { threads, memory: 16 << 20, seed: 7, ..text.parse().expect(text) }
}

const MODES: [&str; 4] = ["shared", "shared,batch=8", "independent", "batched,batch=16"];

/// Draws values and priors from the seed of a leaf, and keeps the seeds.
#[derive(Default)]
struct Drawn(Mutex<Vec<u64>>);

impl<G: Game> Evaluator<G> for Drawn {
    fn knowledge(&self) -> Knowledge {
        Knowledge::ValuesAndPriors
    }

    fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
        for leaf in leaves {
            let mut rng = Rng::new(leaf.seed, 0);
            let priors: Vec<f32> = leaf.actions.iter().map(|_| rng.unit() as f32).collect();
            out.push(&(0..leaf.position.players()).map(|_| rng.unit()).collect::<Vec<_>>(), &priors);
            self.0.lock().unwrap().push(leaf.seed);
        }
    }
}

#[test]
fn each_evaluation_has_a_seed_of_its_own_and_the_result_repeats() {
    for mode in MODES {
        let text = format!("mcts:policy=puct,parallel={mode}");
        let trees_at = |threads| {
            let drawn = Arc::new(Drawn::default());
            let position = Shares::thicket(4, 3);
            let mut search = Search::with_evaluator(position, settings(&text, threads), drawn.clone()).unwrap();
            let trees = [0; 2].map(|_| {
                search.run(Budget::iterations(1_000).early_stop(false)).unwrap();
                search.dump(usize::MAX)
            });
            let seeds = drawn.0.lock().unwrap().clone();
            let different: BTreeSet<u64> = seeds.iter().copied().collect();
            assert_eq!(different.len(), seeds.len(), "{text}, {threads} threads");
            assert!(seeds.len() > 200, "{text}, {threads} threads: {}", seeds.len());
            trees
        };
        assert!(trees_at(1) == trees_at(1), "{text}, on every run");
        if mode.starts_with("batched") {
            assert!(trees_at(1) == trees_at(2) && trees_at(1) == trees_at(8), "{text}, at any number of threads");
        }
    }
}

/// A horizon after some plies.
struct Horizon {
    knowledge: Knowledge,
    /// The leaves at the horizon that were valued.
    beyond: AtomicU64,
}

impl Evaluator<Shares> for Horizon {
    fn knowledge(&self) -> Knowledge {
        self.knowledge
    }

    fn expands(&self, position: &Shares) -> bool {
        !position.ply.is_multiple_of(3)
    }

    fn evaluate(&self, leaves: &[Leaf<'_, Shares>], out: &mut Evaluations) {
        for leaf in leaves {
            let is_beyond = leaf.position.ply == 3;
            assert!(!is_beyond || leaf.actions.is_empty(), "a leaf at the horizon has no actions");
            self.beyond.fetch_add(u64::from(is_beyond), Relaxed);
            out.push(&[0.5, 0.5], &vec![1.0; leaf.actions.len()]);
        }
    }
}

#[test]
fn a_tree_ends_at_the_horizon_and_is_valued_there_at_each_visit() {
    for knowledge in [Knowledge::Values, Knowledge::ValuesAndPriors] {
        for mode in MODES {
            let policy = if knowledge == Knowledge::Values { "ucb1" } else { "puct" };
            let text = format!("mcts:policy={policy},parallel={mode}");
            let horizon = Arc::new(Horizon { knowledge, beyond: AtomicU64::new(0) });
            // The root is a horizon too, and has children all the same.
            let mut search =
                Search::with_evaluator(Shares::draws(100, 3), settings(&text, 2), horizon.clone()).unwrap();
            search.run(Budget::iterations(2_000).early_stop(false)).unwrap();
            let trees = search.dump(usize::MAX);
            let most = trees.iter().flatten().map(|node| node.path.len()).max();
            assert_eq!(most, Some(3), "{text}");
            let at_horizon = trees.iter().flatten().filter(|node| node.path.len() == 3);
            let visits: u64 = at_horizon.map(|node| u64::from(node.visits)).sum();
            assert_eq!(horizon.beyond.load(Relaxed), visits, "{text}");
            assert!(visits > 1_500, "{text}: {visits}");
        }
    }
}

/// The tree ends where chance acts.
struct UntilChance(AtomicU64);

impl<G: Game> Evaluator<G> for UntilChance {
    fn expands(&self, position: &G) -> bool {
        position.turn() != Turn::Chance
    }

    fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
        for leaf in leaves {
            self.0.fetch_add(u64::from(leaf.position.turn() == Turn::Chance), Relaxed);
            out.push(&vec![0.5; leaf.position.players()], &[]);
        }
    }
}

#[test]
fn chance_may_be_the_horizon_in_every_kind_of_tree() {
    fn chance_leaves<G: Game>(position: &G, text: &str) -> (u64, Search<G>) {
        let until = Arc::new(UntilChance(AtomicU64::new(0)));
        let mut search = Search::with_evaluator(position.clone(), settings(text, 2), until.clone()).unwrap();
        search.run(Budget::iterations(2_000).early_stop(false)).unwrap();
        assert_eq!(check_trees(&mut search), 2_000, "{text}");
        (until.0.load(Relaxed), search)
    }
    let open = Shares::weather(3, 2);
    let (seen, mut search) = chance_leaves(&open, "mcts:tree=plain");
    assert!(seen > 20, "{seen}");
    for node in &search.dump(usize::MAX)[0] {
        let mut position = open.clone();
        for &code in &node.path {
            assert!(position.turn() != Turn::Chance, "no child of chance: {node:?}");
            position.apply(Action::from_code(code));
        }
    }
    assert!(chance_leaves(&open, "mcts:tree=open").0 > 20);
    for tree in ["single", "multi"] {
        assert!(chance_leaves(&Hidden::weather(3, 2), &format!("mcts:tree={tree}")).0 > 20, "{tree}");
    }
}

/// Takes this long or until the search ends.
struct Patient(Duration);

impl<G: Game> Evaluator<G> for Patient {
    fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
        for leaf in leaves {
            let started = Instant::now();
            while started.elapsed() < self.0 && !leaf.is_over() {
                std::thread::yield_now();
            }
            // A value that no complete evaluation has.
            let value = if started.elapsed() < self.0 { 1.0 } else { 0.25 };
            out.push(&vec![value; leaf.position.players()], &[]);
        }
    }
}

#[test]
fn an_evaluation_that_breaks_off_at_the_end_of_the_search_is_dropped() {
    let time = Duration::from_millis(55);
    let patient = || Arc::new(Patient(Duration::from_millis(10)));
    for mode in MODES {
        for threads in [1, 2] {
            let (text, position) = (format!("mcts:parallel={mode}"), Halves::thicket(3, 2));
            let mut search = Search::with_evaluator(position, settings(&text, threads), patient()).unwrap();
            let report = search.run(Budget::time(time)).unwrap();
            assert_eq!(report.stop, StopReason::Time, "{text}");
            let made = check_trees(&mut search);
            // A worker may have come back after the report was read.
            let report = search.report();
            assert_eq!(made, report.iterations, "{text}, {threads} threads");
            assert!(report.children.iter().all(|child| child.playouts == 0 || child.mean == 0.25), "{text}: {report}");
        }
    }
    let position = Halves::thicket(3, 2);
    let mut search = LocalSearch::with_evaluator(position, settings("mcts", 1), patient()).unwrap();
    let report = search.run(Budget::time(time)).unwrap();
    assert!(report.iterations <= 5, "{report}");

    let flag = StopFlag::default();
    let raised = flag.clone();
    let raising = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(25));
        raised.raise();
    });
    let report = search.run(Budget::unlimited().or_stopped_by(flag)).unwrap();
    raising.join().unwrap();
    assert_eq!(report.stop, StopReason::Stopped);
    assert!(report.children.iter().all(|child| child.playouts == 0 || child.mean == 0.25), "{report}");

    let answers = || {
        let position = Halves::thicket(3, 2);
        let long = Arc::new(Patient(Duration::from_secs(60)));
        let mut search = LocalSearch::with_evaluator(position, settings("mcts", 1), long).unwrap();
        let started = Instant::now();
        assert_eq!(search.run(Budget::time(time)).unwrap().iterations, 0);
        started.elapsed()
    };
    assert!(within(time + Duration::from_millis(2), answers));
}
