//! A search on the calling thread beside a search with one worker thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use super::{LocalSearch, Search};
use crate::clock::now;
use crate::testing::Nim;
use crate::{Budget, Playout, Report, Rng, SearchError, Settings, StopFlag, StopReason};

/// The parts of a report that do not depend on the clock.
fn fixed_parts(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let Report { best, children, pv, iterations, inherited, depth, stop, .. } = report.clone();
    (best, children, pv, iterations, inherited, depth, stop)
}

fn assert_equal_games(position: &Nim, settings: &Settings, budget: &Budget, turns: usize) {
    let mut local = LocalSearch::new(position.clone(), settings.clone()).unwrap();
    let mut threaded = Search::new(position.clone(), settings.clone()).unwrap();
    for turn in 0..turns {
        let (one, other) = (local.run(budget.clone()).unwrap(), threaded.run(budget.clone()).unwrap());
        assert_eq!(fixed_parts(&one), fixed_parts(&other), "turn {turn}");
        assert!(local.dump(usize::MAX) == threaded.dump(usize::MAX), "turn {turn}");
        let Some(action) = one.best_action() else { break };
        local.advance(action).unwrap();
        threaded.advance(action).unwrap();
        assert_eq!(local.position().stones, threaded.position().stones);
        if turn == 2 {
            local.reset(position.clone());
            threaded.reset(position.clone());
        }
        if turn == 4 {
            local.begin(position.clone(), 7);
            threaded.begin(position.clone(), 7);
        }
    }
}

#[test]
fn it_builds_the_tree_of_a_search_with_one_thread() {
    let settings = Settings { memory: 4 << 20, ..Settings::default() };
    let solver = Settings { solver: true, ..settings.clone() };
    let textbook = Settings { traversals: 1, seed: 3, ..settings.clone() };
    for settings in [settings, solver, textbook] {
        for count in [1, 50, 3_000, 40_000] {
            assert_equal_games(&Nim::new(40), &settings, &Budget::iterations(count), 9);
        }
        assert_equal_games(&Nim::new(40), &settings, &Budget::iterations(5_000).early_stop(false), 9);
        assert_equal_games(&Nim::new(1), &settings, &Budget::iterations(5_000), 2);
    }
}

#[test]
fn it_builds_the_same_tree_where_the_memory_is_full() {
    let settings = Settings { memory: 256 << 10, ..Settings::default() };
    assert_equal_games(&Nim::new(200), &settings, &Budget::iterations(60_000), 6);
    assert_equal_games(&Nim::new(200), &settings, &Budget::unlimited().or_full(), 3);
}

#[test]
fn the_best_action_is_the_same_without_a_report() {
    let solver = Settings { solver: true, ..Settings::default() };
    for (settings, stones) in [(Settings::default(), 40), (solver, 21), (Settings::default(), 1)] {
        let mut reports = LocalSearch::new(Nim::new(stones), settings.clone()).unwrap();
        let mut chooses = LocalSearch::new(Nim::new(stones), settings).unwrap();
        while reports.position().stones > 0 {
            let report = reports.run(Budget::iterations(3_000)).unwrap();
            let action = chooses.choose(Budget::iterations(3_000)).unwrap();
            assert_eq!(action, report.best_action());
            assert!(reports.dump(usize::MAX) == chooses.dump(usize::MAX));
            reports.advance(action.unwrap()).unwrap();
            chooses.advance(action.unwrap()).unwrap();
        }
        assert_eq!(chooses.choose(Budget::iterations(3_000)), Ok(None));
    }
}

#[test]
fn it_takes_no_more_threads_than_the_calling_one() {
    let settings = Settings { threads: 8, ..Settings::default() };
    let mut search = LocalSearch::new(Nim::new(40), settings).unwrap();
    let mut one = LocalSearch::new(Nim::new(40), Settings { threads: 1, ..Settings::default() }).unwrap();
    let budget = Budget::iterations(2_000);
    assert_eq!(fixed_parts(&search.run(budget.clone()).unwrap()), fixed_parts(&one.run(budget).unwrap()));
}

#[test]
fn it_ends_at_its_deadline_and_at_a_raised_flag() {
    let mut search = LocalSearch::new(Nim::new(40), Settings::default()).unwrap();
    let deadline = now() + Duration::from_millis(30);
    let report = search.run(Budget::until(deadline).early_stop(false)).unwrap();
    assert!(report.stop == StopReason::Time && report.iterations > 0 && now() >= deadline);
    let stop = StopFlag::default();
    stop.raise();
    let report = search.run(Budget::unlimited().or_stopped_by(stop)).unwrap();
    assert_eq!((report.stop, report.iterations), (StopReason::Stopped, 0));
}

/// A policy that panics once it has chosen so often.
struct Fails(std::sync::atomic::AtomicU32);

impl Playout<Nim> for Fails {
    fn choose(&self, _: &Nim, _: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        let before = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        assert!(before != 500, "no more");
        Some(1)
    }
}

#[test]
fn a_panic_of_the_game_is_an_error_and_the_search_goes_on_with_an_empty_tree() {
    let fails = Arc::new(Fails(Default::default()));
    let mut search = LocalSearch::with_playout(Nim::new(40), Settings::default(), fails).unwrap();
    let ended = catch_unwind(AssertUnwindSafe(|| search.run(Budget::iterations(1_000))));
    assert_eq!(ended.unwrap().map(|_| ()), Err(SearchError::GamePanicked("no more".into())));
    let report = search.run(Budget::iterations(1_000).early_stop(false)).unwrap();
    assert_eq!((report.iterations, report.inherited), (1_000, 0));
}

#[test]
fn an_action_that_is_not_legal_does_not_advance() {
    let mut search = LocalSearch::new(Nim::new(2), Settings::default()).unwrap();
    assert_eq!(search.advance(3), Err(SearchError::IllegalAction("3".into())));
    assert_eq!(search.position().stones, 2);
}
