//! Budgets, deadlines and stop flags: a search keeps them, and its last report is complete.

use std::sync::Arc;
use std::time::{Duration, Instant};

use boughs::{
    Budget, FirstPlay, Game, GameFacts, LocalSearch, Playout, Position, Rng, Search, SearchError, Settings, StopFlag,
    StopReason, Turn, Warning,
};

use crate::common::{Code, Event, Fault, Hidden, Method, Shares, Spot, WideOutcomes, odd};
use crate::misbehaviour::{SPECS, search};
use crate::process::{ends_within, wait_until, within};

#[test]
fn settings_out_of_their_range_are_refused() {
    let at = Settings::default;
    let loss = boughs::InFlight::VirtualLoss(u32::MAX);
    for (settings, range) in [
        (Settings { batch: 70_000, ..at() }, "'70000' in batch=70000 should be auto or a whole number from 1 to 65536"),
        (Settings { mix: 1.5, ..at() }, "'1.5' in mix=1.5 should be a number from 0 to 1"),
        (Settings { exploration: f64::NAN, ..at() }, "'NaN' in c=NaN should be a number from 0 to 1000"),
        (Settings { threads: 1_025, ..at() }, "'1025' in threads=1025 should be a whole number from 0 to 1024"),
        (Settings { in_flight: loss, ..at() }, "in loss=4294967295 should be wu or a whole number from 0 to 100"),
    ] {
        let error = Search::new(odd(Fault::None), settings).err().unwrap().to_string();
        assert!(error.contains(range), "{error}");
    }
    let parallel = boughs::Parallel::Batched;
    let least =
        Settings { batch: 1, first_play: FirstPlay::Value(-0.0), exploration: 0.0, threads: 2, parallel, ..at() };
    let mut search = Search::new(odd(Fault::None), least).unwrap();
    let report = search.run(Budget::iterations(500).early_stop(false)).unwrap();
    assert_eq!((report.iterations, report.stop), (500, StopReason::Iterations));
}

#[test]
fn the_largest_budget_there_is_stops_like_any_other() {
    for spec in ["mcts:threads=8", "mcts:threads=8,loss=100"] {
        let budget = Budget::iterations(u64::MAX).or_time(Duration::from_millis(500));
        let report = search(Fault::None, spec).run(budget).unwrap();
        assert!(report.iterations > 1_000 && report.stop != StopReason::Iterations, "{spec}: {report}");
    }
}

#[test]
fn no_playouts_give_no_best_move() {
    for spec in SPECS {
        let report = search(Fault::None, spec).run(Budget::iterations(0)).unwrap();
        assert_eq!((report.best, report.iterations, report.stop), (None, 0, StopReason::Iterations));
        let flag = StopFlag::default();
        flag.raise();
        let report = search(Fault::None, spec).run(Budget::unlimited().or_stopped_by(flag)).unwrap();
        assert_eq!((report.best, report.iterations, report.stop), (None, 0, StopReason::Stopped));
    }
}

#[test]
fn a_memory_bound_too_small_for_the_root_is_an_error() {
    for bytes in [0, 1, 8, 40, 64, 90] {
        let settings = Settings { memory: bytes, ..Settings::default() };
        let tried = Search::new(odd(Fault::None), settings).and_then(|mut search| search.run(Budget::iterations(1)));
        assert_eq!(tried.err(), Some(SearchError::Memory { bytes }));
    }
}

#[test]
fn more_memory_than_a_tree_can_take_is_refused() {
    let refused = |spec: &str| Search::new(odd(Fault::None), spec.parse().unwrap()).err().unwrap().to_string();
    let most = "a tree takes 16 GiB at most, and memory=";
    assert_eq!(refused("mcts:memory=17G"), format!("{most}17G is more; try memory=16G"));
    let trees = "mcts:threads=3,parallel=independent,memory=1T";
    assert_eq!(refused(trees), format!("{most}1T is more; try memory=48G"));
    // A tree as large as that, of which the system gives what it has.
    let _ = Search::new(odd(Fault::None), "mcts:memory=16G".parse().unwrap());
    let settings = Settings { memory: isize::MAX as usize, ..Settings::default() };
    assert!(matches!(Search::new(odd(Fault::None), settings).err(), Some(SearchError::Setting(_))));
}

#[test]
fn what_a_search_takes_beside_its_tree_is_no_more_than_goes_with_it() {
    let refused =
        |spec: &str| Search::new(odd(Fault::None), spec.parse().unwrap()).err().map(|fault| fault.to_string());
    let fault = refused("mcts:threads=1024,traversals=64,memory=16M").unwrap();
    let (before, after) = fault.split_once(" of memory beside its tree, more than memory=16M; make ").unwrap();
    let beside = before.strip_prefix("this search may take ").unwrap();
    assert_eq!(after, format!("batch, bulk, traversals or threads smaller, or try memory={beside}"));
    assert_eq!(refused("mcts:threads=64,memory=1M"), None);
    // Positions of Go on the largest board.
    let facts = GameFacts { position_bytes: 32 << 10, ..odd(Fault::None).facts() };
    let beside = |spec: &str| spec.parse::<Settings>().unwrap().memory_beside(&facts);
    assert!(beside("mcts:threads=2,parallel=batched,batch=65536") > 2 << 30);
    assert!(beside("mcts:threads=4,memory=16M") < 16 << 20);
}

/// One action wins and the others lose, so a search finds the best action at any interleaving of its threads.
fn obvious(spec: &str, budget: Budget) -> boughs::Report {
    let start = WideOutcomes::table(2, [0, 0], |[ply, action]| match ply {
        0 => Spot::player(0, (0..3).map(|action| (action, [1, u64::from(action)]))),
        _ => Spot::over_for_two(if action == 1 { 1.0 } else { 0.0 }),
    });
    Search::new(start, spec.parse().unwrap()).unwrap().run(budget).unwrap()
}

#[test]
fn search_stops_when_the_best_move_cannot_be_overtaken() {
    for spec in SPECS {
        let full = obvious(spec, Budget::iterations(30_000).early_stop(false));
        assert_eq!((full.iterations, full.stop), (30_000, StopReason::Iterations));
        let early = obvious(spec, Budget::iterations(30_000));
        assert_eq!(early.stop, StopReason::Decided, "{spec}");
        assert!(early.iterations < 30_000);
        assert_eq!((early.best_action(), full.best_action()), (Some(1u32), Some(1u32)), "{spec}");
        let (first, second) = (&early.children[0], &early.children[1]);
        assert!(first.playouts - second.playouts > 30_000 - early.iterations, "{spec}");
    }
    let report = obvious("mcts:final=mean", Budget::iterations(30_000));
    assert_eq!((report.iterations, report.stop), (30_000, StopReason::Iterations));
}

#[test]
fn a_decided_search_does_not_use_up_its_time() {
    // At the end of its time it would have another reason.
    assert_eq!(obvious("mcts", Budget::time(Duration::from_secs(1))).stop, StopReason::Decided);
}

/// The start of a game with a forced move and then a choice, of which two take so long.
fn corridor(playout: Duration) -> Shares {
    Shares::table(2, [0, 0], |[ply, action]| match ply {
        0 => Spot::player(0, [(7, [1, 0])]),
        1 => Spot::player(1, (0..3).map(|action| (action, [2, u64::from(action)]))),
        _ if action == 0 => Spot::over(&[0.0, 1.0]),
        _ => Spot::over(&[0.0, 1.0]).with(Method::Apply, Event::Sleep(playout)),
    })
}

#[test]
fn a_forced_move_is_answered_at_once() {
    let search = |spec: &str, playout| Search::new(corridor(playout), spec.parse().unwrap()).unwrap();
    for spec in SPECS {
        for rule in ["final=playouts", "final=mean"] {
            let mut search =
                search(&format!("{spec}{}{rule}", if spec.contains(':') { "," } else { ":" }), Duration::ZERO);
            let report = search.run(Budget::iterations(1_000_000)).unwrap();
            assert_eq!((report.iterations, report.stop), (64, StopReason::Decided), "{spec}");
            assert_eq!((report.best_action(), report.children[0].mean), (Some(7u32), 0.0), "{spec}");
            let report = search.run(Budget::iterations(10)).unwrap();
            assert_eq!((report.iterations, report.stop), (10, StopReason::Iterations), "{spec}");
            let report = search.run(Budget::iterations(1_000).early_stop(false)).unwrap();
            assert_eq!((report.iterations, report.stop), (1_000, StopReason::Iterations), "analysis goes on: {spec}");
        }
        for playout in [Duration::ZERO, Duration::from_secs(3)] {
            let took = || {
                let mut search = search(spec, playout);
                let started = Instant::now();
                let report = search.run(Budget::time(Duration::from_secs(2))).unwrap();
                let took = started.elapsed();
                assert_eq!((report.best_action(), report.stop), (Some(7u32), StopReason::Decided), "{spec}");
                took
            };
            // A busy machine wakes this thread later, as it does from a sleep of the same length just before.
            let took_awake = || {
                let (asleep, length) = (Instant::now(), Duration::from_micros(500));
                std::thread::sleep(length);
                let late = asleep.elapsed() - length;
                took().saturating_sub(late)
            };
            assert!(within(Duration::from_millis(1), took_awake), "{spec}, playouts of {playout:?}");
        }
    }
}

#[test]
fn pondering_goes_on_over_a_forced_move_until_it_is_stopped() {
    let start = corridor(Duration::ZERO);
    let mut search = Search::new(start.clone(), "mcts:threads=2".parse().unwrap()).unwrap();
    assert!(!search.is_searching() && search.report().stop == StopReason::Stopped && search.stop().is_ok());
    let ponder = |search: &mut Search<Shares>| {
        search.ponder().unwrap();
        wait_until("it ponders", || {
            assert!(search.is_searching());
            search.report().iterations >= 1_000
        });
    };
    ponder(&mut search);
    let report = search.stop().unwrap();
    assert!(report.stop == StopReason::Stopped && !search.is_searching());
    // A worker that waits for a core in the midst of a playout keeps the tree to itself, so a move may lose it.
    wait_until("a move keeps the tree", || {
        search.reset(start.clone());
        ponder(&mut search);
        search.advance(Code(7)).unwrap();
        assert!(!search.is_searching(), "a move ends the search in the background");
        let report = search.run(Budget::iterations(10).early_stop(false)).unwrap();
        assert_eq!(report.iterations, 10, "{report}");
        report.inherited >= 1_000
    });
}

/// The start of a game that the first player wins, and in which a playout takes its time.
fn won() -> Shares {
    Shares::table(2, [0, 0], |[ply, _]| {
        let spot = match ply {
            4 => Spot::over_for_two(1.0),
            _ => Spot::player(ply % 2, (0..3).map(|action| (action, [ply + 1, 0]))),
        };
        spot.with(Method::Apply, Event::Sleep(Duration::from_micros(50)))
    })
}

#[test]
fn a_mean_read_on_the_way_is_that_of_finished_playouts() {
    for spec in
        ["mcts:loss=50,threads=3,traversals=9", "mcts:loss=wu,threads=2", "mcts:parallel=batched,batch=64,loss=7"]
    {
        let mut search = Search::new(won(), spec.parse().unwrap()).unwrap();
        let running = search.start(Budget::unlimited()).unwrap();
        for _ in 0..30 {
            std::thread::sleep(Duration::from_millis(2));
            for child in running.report().children.iter().filter(|child| child.playouts > 0) {
                assert!((child.mean - 1.0).abs() < 1e-9, "{spec}: {} of {}", child.mean, child.playouts);
            }
        }
        running.stop().unwrap();
    }
}

#[test]
fn stopping_a_search_waits_for_one_playout_at_most() {
    let waited = || {
        let settings: Settings = "mcts:traversals=64".parse().unwrap();
        let slow = Arc::new(Slow(Duration::from_millis(50)));
        let mut search = Search::with_playout(odd(Fault::None), settings, slow).unwrap();
        search.run(Budget::time(Duration::from_millis(5))).unwrap();
        let started = Instant::now();
        search.advance(Code(1)).unwrap();
        started.elapsed()
    };
    // A playout takes 0.5 s at most, ten plies of 50 ms, and all 64 would take half a minute.
    assert!(within(Duration::from_millis(1_500), waited));
}

/// A time far longer than anything takes that does not wait for it.
const LONG: Duration = Duration::from_secs(60);

/// A playout in which each move takes this long.
struct Slow(Duration);

impl Playout<WideOutcomes> for Slow {
    fn choose(&self, _: &WideOutcomes, rng: &mut Rng, _: &mut Vec<Code<300>>) -> Option<Code<300>> {
        std::thread::sleep(self.0);
        Some(Code(rng.below(3)))
    }
}

#[test]
fn at_the_deadline_the_answer_does_not_wait_for_a_playout() {
    for spec in SPECS {
        let answers = || {
            let slow = Arc::new(Slow(Duration::from_secs(5)));
            let mut search = Search::with_playout(odd(Fault::None), spec.parse().unwrap(), slow).unwrap();
            let report = search.run(Budget::time(Duration::from_millis(20))).unwrap();
            assert_eq!((report.stop, report.iterations, report.best), (StopReason::Time, 0, None), "{spec}");
            assert!(report.children.iter().all(|child| child.playouts == 0), "what is in flight is no playout: {spec}");
        };
        assert!(ends_within(Duration::from_millis(150), answers), "{spec}");
    }
}

#[test]
fn a_search_that_is_only_looked_at_ends_at_its_deadline_too() {
    let mut search = search(Fault::None, "mcts:threads=2");
    let running = search.start(Budget::time(Duration::from_millis(20)).early_stop(false)).unwrap();
    wait_until("the search ends", || running.report().stop != StopReason::Running);
    assert_eq!(running.finish().unwrap().stop, StopReason::Time);
}

#[test]
fn a_dropped_search_does_not_wait_either() {
    let ponder = || {
        let slow = Arc::new(Slow(LONG));
        let mut search = Search::with_playout(odd(Fault::None), Settings::default(), slow).unwrap();
        let _pondering = search.start(Budget::unlimited()).unwrap();
    };
    assert!(ends_within(Duration::from_millis(150), ponder));
}

#[test]
fn a_report_can_be_read_while_the_search_goes_on() {
    let mut search = search(Fault::None, "mcts:threads=2");
    let pondering = search.start(Budget::unlimited()).unwrap();
    let mut last = 0;
    for _ in 0..20 {
        assert!(!pondering.wait(Duration::from_millis(1)));
        let report = pondering.report();
        assert_eq!(report.stop, StopReason::Running);
        assert!(report.iterations >= last);
        last = report.iterations;
    }
    let report = pondering.stop().unwrap();
    assert_eq!(report.stop, StopReason::Stopped);
    assert!(report.iterations >= last && report.best.is_some());
}

#[test]
fn more_threads_than_cores_work_and_are_warned_of() {
    let report = search(Fault::None, "mcts:threads=64").run(Budget::iterations(5_000).early_stop(false)).unwrap();
    assert_eq!(report.iterations, 5_000);
    let cores = boughs::run::cores();
    if cores < 64 {
        assert_eq!(report.warnings, [Warning::MoreThreadsThanCores { threads: 64, cores }]);
    }
}

/// The start of a game in which two players name numbers in turn, the second of them other numbers by a hidden bit. The
/// first wins who begins with an odd number.
fn many_names() -> Hidden {
    Hidden::table(2, [0, 0], |[ply, state]| {
        let (bit, odd) = (state % 2, state / 2);
        let least = if ply == 1 { 5_000 * bit as u32 } else { 0 };
        let next = |name: u32| (name, [ply + 1, bit + 2 * if ply == 0 { u64::from(name) % 2 } else { odd }]);
        // Until the second player's number the first does not know the bit.
        let either = if ply < 2 { vec![[ply, 2 * odd], [ply, 2 * odd + 1]] } else { Vec::new() };
        match ply {
            3 => Spot::over_for_two(odd as f64),
            _ => Spot { twins: [either, Vec::new()], ..Spot::player(ply % 2, (least..least + 10_000).rev().map(next)) },
        }
    })
}

#[test]
fn a_tree_of_information_sets_takes_time_in_proportion_to_the_number_of_actions() {
    for tree in ["single", "multi"] {
        let settings = Settings { threads: 1, ..format!("mcts:tree={tree}").parse().unwrap() };
        let mut search = Search::new(many_names(), settings).unwrap();
        let report = search.run(Budget::iterations(300).early_stop(false)).unwrap();
        // An optimised build takes 0.2 s, and 26 s with a look at all actions for each.
        assert!(report.seconds < 20.0, "{tree}: {} s", report.seconds);
    }
}

#[test]
fn a_local_search_chooses_nothing_where_chance_acts() {
    let mut chances = 0;
    for seed in 0..20 {
        let mut search = LocalSearch::new(Shares::weather(seed, 2), Settings::default()).unwrap();
        while Game::turn(search.position()) != Turn::Over {
            let chosen = search.choose(Budget::iterations(200)).unwrap();
            let mut actions = Vec::new();
            Game::actions(search.position(), &mut actions);
            let is_chance = Game::turn(search.position()) == Turn::Chance;
            assert_eq!(chosen.is_none(), is_chance);
            chances += usize::from(is_chance);
            search.advance(chosen.unwrap_or(actions[0])).unwrap();
        }
        assert_eq!(search.choose(Budget::iterations(200)), Ok(None));
    }
    assert!(chances > 5, "{chances}");
}
