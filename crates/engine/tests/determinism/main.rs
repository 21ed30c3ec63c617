//! The same seed gives the same result, in every mode that promises it, and in every build of the library.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "../common/mod.rs"]
mod common;

use std::time::Duration;

use boughs::checksum::Checksum;
use boughs::{Budget, Session, Settings, Turn};
use common::{Halves, Hidden, HiddenScores, Scores, Shares};

/// The whole result of a search except its times.
fn outcome(game: &dyn Session, text: &str, threads: usize, seed: u64) -> String {
    let settings = Settings { threads, seed, memory: 1 << 22, ..text.parse().expect(text) };
    let mut search = game.tree_search(settings).unwrap();
    let mut all = String::new();
    // Two searches and a move between them: the kept subtree must be the same too.
    for _ in 0..2 {
        while search.position().turn() == Turn::Chance {
            let mut outcomes = Vec::new();
            search.position().actions(&mut outcomes);
            search.advance(outcomes[0]).unwrap();
        }
        let mut report = search.run(Budget::iterations(3_000)).unwrap();
        (report.seconds, report.playouts_per_second) = (0.0, 0.0);
        report.warnings.clear();
        all += &format!("{report}\n{:?}\n", search.dump(usize::MAX));
        search.advance(report.best_action().unwrap()).unwrap();
    }
    all
}

#[test]
fn one_thread_gives_equal_results_on_every_run() {
    for text in ["mcts", "mcts:loss=wu", "mcts:parallel=independent", "mcts:c=0.3,expand=5,fpu=0.8,final=lcb"] {
        let run = || outcome(&Halves::thicket(1, 2), text, 1, 5);
        assert_eq!(run(), run(), "{text}");
        assert_ne!(run(), outcome(&Halves::thicket(1, 2), text, 1, 6), "the seed matters: {text}");
    }
}

#[test]
fn results_are_those_of_every_other_build() {
    let mut checksum = Checksum::default();
    for text in ["mcts", "mcts:traversals=1,bulk=1", "mcts:loss=wu,final=lcb", "mcts:parallel=batched,batch=9"] {
        checksum.add(outcome(&Halves::thicket(1, 2), text, 1, 5).as_bytes());
    }
    for text in ["mcts:tree=multi", "mcts:tree=single", "mcts:policy=rm,parallel=batched"] {
        checksum.add(outcome(&Hidden::weather(1, 3), text, 1, 5).as_bytes());
    }
    assert_eq!(checksum.value(), 0x4fee_f610_516d_5542, "{:#x} now", checksum.value());
}

#[test]
fn batched_gives_equal_results_at_any_number_of_threads() {
    for more in ["batch=64", "batch=1", "batch=2", "batch=7,loss=3", "loss=wu"] {
        let text = &format!("mcts:parallel=batched,{more}");
        let at = |threads| outcome(&Shares::thicket(2, 3), text, threads, 5);
        let one = at(1);
        assert!([2, 8].into_iter().all(|threads| at(threads) == one), "{text}");
        assert_ne!(one, outcome(&Shares::thicket(2, 3), text, 1, 6), "the seed matters: {text}");
    }
}

#[test]
fn every_kind_of_tree_gives_equal_results_where_that_is_promised() {
    fn check(game: &dyn Session, texts: &[&str]) {
        for text in texts {
            let run = |threads, seed| outcome(game, &format!("mcts:{text}"), threads, seed);
            let one = run(1, 5);
            assert_eq!(one, run(1, 5), "{text}");
            if text.contains("batched") {
                assert!([2, 8].into_iter().all(|threads| run(threads, 5) == one), "{text}");
            }
            assert_ne!(one, run(1, 6), "the seed matters: {text}");
        }
    }
    check(
        &Hidden::weather(1, 3),
        &["tree=multi", "tree=single,parallel=batched", "policy=rm,parallel=batched,batch=7", "parallel=independent"],
    );
    check(&HiddenScores::weather(2, 2), &["tree=multi,parallel=batched", "tree=single", "policy=rm"]);
    check(&Shares::weather(3, 2), &["tree=open,parallel=batched", "tree=open", "parallel=batched,batch=9"]);
    check(&Scores::weather(4, 1), &["tree=open", "parallel=batched", "final=lcb,parallel=batched,batch=9"]);
    check(&Halves::thicket(5, 2), &["solver=on", "solver=on,parallel=batched"]);
}

/// Every node of a search on one thread.
fn nodes(game: &dyn Session, text: &str) -> Vec<(Vec<u32>, u32, f64)> {
    let mut search = game.tree_search(text.parse().expect(text)).unwrap();
    search.run(Budget::iterations(20_000).early_stop(false)).unwrap();
    let units = search.units();
    let nodes = search.dump(usize::MAX).remove(0);
    nodes.into_iter().map(|node| (node.path, node.visits, node.sum as f64 / units)).collect()
}

#[test]
fn virtual_loss_changes_nothing_with_one_traversal_at_a_time() {
    let at = |loss: &str| nodes(&Halves::thicket(9, 3), &format!("mcts:traversals=1,loss={loss}"));
    let plain = at("0");
    for loss in ["1", "2", "100", "wu"] {
        assert!(at(loss) == plain, "loss={loss}");
    }
}

#[test]
fn a_bulk_of_one_worker_gives_the_same_result_every_time() {
    for text in ["mcts", "mcts:bulk=3", "mcts:loss=wu", "mcts:c=0.3,traversals=1", "mcts:fpu=0.7"] {
        let first = nodes(&Halves::thicket(9, 3), text);
        assert!(nodes(&Halves::thicket(9, 3), text) == first, "{text}");
        let first = nodes(&Shares::thicket(9, 2), text);
        assert!(nodes(&Shares::thicket(9, 2), text) == first, "{text}");
    }
}

#[test]
fn one_thread_gives_equal_trees_under_a_deadline_that_is_far_away() {
    for text in ["mcts", "mcts:bulk=1,traversals=1", "mcts:loss=wu", "mcts:solver=on"] {
        let run = || {
            let mut search = Session::tree_search(&Halves::thicket(9, 3), text.parse().expect(text)).unwrap();
            let budget = Budget::iterations(20_000).or_time(Duration::from_secs(3_600));
            search.run(budget.early_stop(false)).unwrap();
            search.dump(usize::MAX)
        };
        let first = run();
        assert!((0..3).all(|_| run() == first), "{text}");
    }
}
