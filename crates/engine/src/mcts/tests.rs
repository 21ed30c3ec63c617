//! Tests of a search as a whole that need a look inside.

use super::Search;
use super::shared::MOST_VISITS;
use crate::mcts::tree::NodeStats;
use crate::testing::Nim;
use crate::{Agent, Budget, SearchError, Settings, StopReason};

#[test]
fn a_counter_that_could_overflow_ends_the_search() {
    let mut search = Search::new(Nim::new(20), Settings { threads: 2, ..Settings::default() }).unwrap();
    let tree = search.core.trees[0].clone();
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
    assert!(started.elapsed() < std::time::Duration::from_millis(5));
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
