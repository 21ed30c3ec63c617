//! Games that break their promises, and sums of scores that fill up: a search survives them all.

use std::mem::ManuallyDrop;
use std::sync::Arc;

use boughs::{Agent, Budget, Child, Game, Search, SearchError, Session, Settings, StopReason, Warning};

use crate::common::{
    Bomb, Code, EVERY, FORTUNE, Fault, Fuse, InTurn, METHODS, Scores, Spot, WideOutcomes, odd, riches,
};

pub(crate) fn search(fault: Fault, spec: &str) -> Search<WideOutcomes> {
    Search::new(odd(fault), spec.parse().unwrap()).unwrap()
}

pub(crate) const SPECS: [&str; 6] = [
    "mcts",
    "mcts:threads=4",
    "mcts:threads=3,loss=wu",
    "mcts:threads=3,loss=5",
    "mcts:threads=3,parallel=independent",
    "mcts:threads=2,parallel=batched",
];

#[test]
fn a_panic_in_a_game_ends_the_search_as_an_error_and_nothing_hangs() {
    for spec in SPECS {
        for (fault, text) in [
            (Fault::PanicInApply, "no move for you"),
            (Fault::PanicInActions, "no list for you"),
            (Fault::PanicInReward, "no reward for you"),
        ] {
            let mut search = search(fault, spec);
            for _ in 0..2 {
                let error = search.run(Budget::iterations(100_000)).unwrap_err();
                assert_eq!(error, SearchError::GamePanicked(text.to_string()), "{spec}");
                for nodes in search.dump(usize::MAX) {
                    let children: u32 = nodes.iter().filter(|node| node.path.len() == 1).map(|node| node.visits).sum();
                    assert!(nodes[0].visits >= children && nodes.iter().all(|node| node.in_flight == 0), "{spec}");
                }
            }
            search.reset(odd(Fault::None));
            assert_eq!(search.run(Budget::iterations(1_000).early_stop(false)).unwrap().iterations, 1_000, "{spec}");
            assert!(search.dump(0).iter().map(|nodes| nodes[0].visits).sum::<u32>() == 1_000, "{spec}");
        }
    }
}

#[test]
fn a_panic_on_the_callers_thread_is_an_error_too() {
    let mut search = search(Fault::PanicAtRoot, "mcts");
    // Two playouts never try the third action, but the report looks at it.
    assert_eq!(search.run(Budget::iterations(2)), Err(SearchError::GamePanicked("not this one".into())));
    assert_eq!(search.advance(Code(2)), Err(SearchError::GamePanicked("not this one".into())));
    assert_eq!(search.position().ply, 0, "a move that failed was not played");
    assert_eq!(search.advance(Code(1)), Ok(()));
}

/// The calls of a method that panic, one at a time: the early ones are those before the first playout.
const CALLS: [i64; 13] = [EVERY, 1, 2, 3, 4, 5, 6, 8, 13, 50, 200, 700, 3_000];

/// Calls every method of a search. Only the game may fail.
fn use_all(search: &mut Search<Bomb>, fuse: &Arc<Fuse>) {
    // Values of the caller are not dropped, because their panics are the caller's.
    let position = ManuallyDrop::new(Bomb::new(fuse));
    let is_of_game = |error: SearchError| assert!(matches!(error, SearchError::GamePanicked(_)), "{error}");
    search.run(Budget::iterations(100)).err().map(is_of_game);
    if let Ok(running) = search.start(Budget::iterations(100)) {
        let _ = (running.report(), running.finish().err().map(is_of_game));
    }
    search.ponder().err().map(is_of_game);
    let _ = (search.report(), search.is_searching());
    search.stop().err().map(is_of_game);
    search.advance(1).err().map(is_of_game);
    search.advance(2).err().map(is_of_game);
    search.reset(Bomb::new(fuse));
    let agent: &mut dyn Agent = search;
    agent.search(Budget::iterations(50), &mut |_| ()).err().map(is_of_game);
    agent.advance(0).err().map(is_of_game);
    agent.reset(&*position).err().map(is_of_game);
    agent.begin(&*position, 7).err().map(is_of_game);
}

#[test]
fn a_panic_in_any_call_of_any_method_is_an_error_and_the_search_goes_on() {
    for spec in SPECS {
        for method in METHODS {
            for call in CALLS {
                let fuse = Fuse::new(method, call);
                let mut search = Search::new(Bomb::new(&fuse), spec.parse().unwrap()).unwrap();
                use_all(&mut search, &fuse);
                use_all(&mut search, &fuse);
                fuse.put_out();
                search.reset(Bomb::new(&fuse));
                let report = search.run(Budget::iterations(300).early_stop(false)).unwrap();
                assert_eq!((report.iterations, report.inherited), (300, 0), "{spec}: {method:?}, call {call}");
            }
        }
    }
}

#[test]
fn a_search_that_cannot_be_had_is_an_error_though_any_method_panics() {
    let settings = Settings { exploration: f64::NAN, ..Settings::default() };
    let expected = Search::new(odd(Fault::None), settings.clone()).err();
    for method in METHODS {
        let fuse = Fuse::new(method, EVERY);
        let position = ManuallyDrop::new(Bomb::new(&fuse));
        assert_eq!(Search::new(Bomb::new(&fuse), settings.clone()).err(), expected, "{method:?}");
        // This search makes a copy of its own.
        let error = (&*position as &dyn Session).tree_search(settings.clone()).err();
        assert!(error == expected || matches!(error, Some(SearchError::GamePanicked(_))), "{method:?}");
    }
}

#[test]
fn a_player_the_game_does_not_have_is_warned_of_and_counts_stay_right() {
    for spec in SPECS {
        let mut search = search(Fault::UnknownPlayer, spec);
        let report = search.run(Budget::iterations(20_000).early_stop(false)).unwrap();
        assert!(report.warnings.contains(&Warning::UnknownPlayer), "{spec}");
        let roots: u32 = search.dump(0).iter().map(|nodes| nodes[0].visits).sum();
        assert_eq!(roots, 20_000, "{spec}");
    }
}

#[test]
fn where_an_unknown_player_acts_first_the_report_says_what_the_tree_has() {
    for spec in SPECS.into_iter().chain(["mcts:solver=on", "mcts:bulk=1"]) {
        let mut search = search(Fault::UnknownPlayerAtStart, spec);
        for _ in 0..2 {
            let report = search.run(Budget::iterations(6_000).early_stop(false)).unwrap();
            let (units, trees) = (search.units(), search.dump(1));
            for child in &report.children {
                let nodes = trees.iter().flatten().filter(|node| node.path == [child.action]);
                let sum = nodes.map(|node| node.sum as f64 / units).sum::<f64>();
                let reported = child.mean * child.playouts as f64;
                assert!((reported - sum).abs() < 1e-6, "{reported} in the report and {sum} in the tree, {spec}");
            }
        }
    }
}

#[test]
fn a_position_without_actions_is_scored_as_cut_and_warned_of() {
    for spec in SPECS {
        let report = search(Fault::NoActions, spec).run(Budget::iterations(20_000)).unwrap();
        assert!(report.warnings.contains(&Warning::NoLegalAction), "{spec}");
    }
    let report = search(Fault::NoActionsAtStart, "mcts").run(Budget::iterations(10)).unwrap();
    assert_eq!((report.best, report.stop), (None, StopReason::GameOver));
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    let report = search(Fault::OverAtStart, "mcts:threads=2").run(Budget::unlimited()).unwrap();
    assert_eq!((report.best, report.stop, report.iterations), (None, StopReason::GameOver, 0));
}

#[test]
fn strange_rewards_are_clamped_and_warned_of() {
    for strange in [f64::NAN, f64::INFINITY, -1.0, 2.0, 0.3] {
        for spec in SPECS {
            let report = search(Fault::Reward(strange), spec).run(Budget::iterations(3_000)).unwrap();
            assert!(report.warnings.contains(&Warning::RewardClamped), "{strange} {spec}");
            assert!(report.children.iter().all(|child| (0.0..=1.0).contains(&child.mean)), "{strange} {spec}");
        }
    }
    let report = search(Fault::Reward(0.5), "mcts").run(Budget::iterations(3_000)).unwrap();
    assert_eq!(report.warnings, []);
}

/// One choice of three prizes, of which the second is the best. Beside the third these scores come.
fn prizes(strange: [f64; 2]) -> Scores {
    Scores::table(2, [0, 0], move |[ply, prize]| match (ply, prize) {
        (0, _) => Spot::player(0, (0..3).map(|prize| (prize, [1, u64::from(prize)]))),
        (_, 2) => Spot::over(&strange),
        _ => Spot::over(&[1.0 + 8.0 * prize as f64, 0.0]),
    })
}

#[test]
fn a_strange_score_of_any_player_leaves_the_range_of_the_others() {
    let strange = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300];
    let of_second = strange.map(|score| [5.0, score]);
    let of_first = strange.into_iter().filter(|score| score.is_nan() || *score < 0.0).map(|score| [score, 5.0]);
    for scores in of_second.into_iter().chain(of_first) {
        for spec in ["mcts:c=0.5", "mcts:c=0.5,threads=3", "mcts:c=0.5,parallel=batched", "mcts:c=0.5,tree=open"] {
            let mut search = Search::new(prizes(scores), spec.parse().unwrap()).unwrap();
            let report = search.run(Budget::iterations(3_000).early_stop(false)).unwrap();
            assert!(report.warnings.contains(&Warning::RewardClamped), "{scores:?} {spec}");
            let best = report.best_child().map(|best| (best.action, best.playouts > 2_100));
            assert_eq!(best, Some((1, true)), "{scores:?} {spec}: {report}");
        }
    }
}

#[test]
fn an_endless_game_is_cut_at_its_declared_maximum_and_warned_of() {
    for spec in SPECS {
        let report = search(Fault::Endless, spec).run(Budget::iterations(2_000)).unwrap();
        assert!(report.warnings.contains(&Warning::PlayoutCut), "{spec}");
        assert!(report.depth <= WideOutcomes::MAX_PLIES);
        let is_even = |child: &Child| child.playouts == 0 || child.mean == 0.5;
        assert!(report.children.iter().all(is_even), "a playout that is cut has the reward of one, {spec}: {report}");
    }
}

#[test]
fn an_illegal_action_does_not_advance() {
    let mut search = search(Fault::None, "mcts");
    assert_eq!(search.advance(Code(9)), Err(SearchError::IllegalAction("9".into())));
    assert_eq!(search.advance(Code(2)), Ok(()));
    assert_eq!(search.position().ply, 1);
}

/// The start of a game that is declared to be of players in turn, and in which these players act.
fn of_turns(players: &[u64]) -> InTurn {
    InTurn::table(2, [0, 0], |[ply, _]| match players.get(ply as usize) {
        Some(&player) => Spot::player(player, (0..2).map(|action| (action, [ply + 1, 0]))),
        None => Spot::over(&[0.5; 2]),
    })
}

#[test]
fn players_who_do_not_act_in_turn_as_declared_are_warned_of() {
    let report =
        Search::new(of_turns(&[0, 0, 1, 0, 1]), Settings::default()).unwrap().run(Budget::iterations(100)).unwrap();
    assert!(report.warnings.contains(&Warning::OutOfTurn));
    let report =
        Search::new(of_turns(&[0, 1, 0, 1]), Settings::default()).unwrap().run(Budget::iterations(100)).unwrap();
    assert!(!report.warnings.contains(&Warning::OutOfTurn));
}

#[test]
fn sums_of_scores_never_overflow() {
    for spec in
        ["mcts", "mcts:threads=4", "mcts:tree=open", "mcts:parallel=independent,threads=2", "mcts:parallel=batched"]
    {
        let mut search = Search::new(riches(), spec.parse().unwrap()).unwrap();
        for run in 0..3 {
            let report = search.run(Budget::iterations(100_000).early_stop(false)).unwrap();
            assert_eq!(report.stop, StopReason::CounterFull, "{spec}, run {run}");
            assert!(run > 0 || report.iterations > 50, "{spec}: {} playouts", report.iterations);
            for child in report.children.iter().filter(|child| child.playouts > 0) {
                assert_eq!(child.mean, FORTUNE * (f64::from(child.action) - 1.0), "{spec}, run {run}");
            }
            assert_eq!(report.best_action(), Some(2u32), "{spec}, run {run}");
        }
    }
}
