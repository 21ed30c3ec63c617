//! Workers that are in a long playout: neither the answer nor the next search waits for them.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use boughs::{Budget, Playout, Report, Rng, Search, StopFlag, StopReason, Warning};

use crate::common::{Code, Fault, WideOutcomes, odd};
use crate::misbehaviour::SPECS;
use crate::process::{PATIENCE, ends_within, wait_until, within};

/// Playouts of which the next ones can be made to wait.
#[derive(Default)]
struct Gate {
    /// Channels. Each of the next playouts waits until the sender of one is dropped, longer than all else in a test.
    closed: Mutex<Vec<Receiver<()>>>,
}

impl Gate {
    /// Makes this number of playouts wait until the senders are dropped.
    fn close(&self, playouts: usize) -> Vec<Sender<()>> {
        let (open, closed) = (0..playouts).map(|_| mpsc::channel()).unzip();
        *self.closed.lock().unwrap() = closed;
        open
    }

    fn search(self: &Arc<Gate>, spec: &str) -> Search<WideOutcomes> {
        Search::with_playout(odd(Fault::None), spec.parse().unwrap(), self.clone()).unwrap()
    }
}

impl Playout<WideOutcomes> for Gate {
    fn choose(&self, _: &WideOutcomes, rng: &mut Rng, _: &mut Vec<Code<300>>) -> Option<Code<300>> {
        let closed = self.closed.lock().unwrap().pop();
        if let Some(closed) = closed {
            let _ = closed.recv_timeout(PATIENCE);
        }
        Some(Code(rng.below(3)))
    }
}

fn threads(search: &Search<WideOutcomes>) -> usize {
    search.settings().threads
}

const SHORT: Duration = Duration::from_millis(30);

/// More than anything takes that does not wait for a playout.
const SOON: Duration = Duration::from_secs(1);

/// Stops a search in which every thread waits in its first playout.
fn leave_behind(gate: &Gate, search: &mut Search<WideOutcomes>) -> Vec<Sender<()>> {
    let open = gate.close(threads(search));
    search.ponder().unwrap();
    wait_until("every thread is in a playout", || gate.closed.lock().unwrap().is_empty());
    let report = search.stop().unwrap();
    assert_eq!((report.stop, report.iterations), (StopReason::Stopped, 0));
    open
}

fn goes_on(report: &Report) -> bool {
    report.warnings.contains(&Warning::PlayoutGoesOn)
}

/// Waits until no playout of earlier searches goes on.
fn wait_for_playouts(search: &mut Search<WideOutcomes>) {
    wait_until("the playouts end", || !goes_on(&search.run(Budget::iterations(0)).unwrap()));
}

#[test]
fn a_raised_flag_is_answered_within_a_millisecond_however_long_a_playout_takes() {
    for spec in SPECS {
        let gate = Arc::new(Gate::default());
        let took = || {
            let mut search = gate.search(spec);
            let (_open, flag) = (gate.close(threads(&search)), StopFlag::default());
            let raised = flag.clone();
            let at = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(10));
                let at = Instant::now();
                raised.raise();
                at
            });
            let report = search.run(Budget::unlimited().or_stopped_by(flag)).unwrap();
            assert_eq!(report.stop, StopReason::Stopped, "{spec}");
            at.join().unwrap().elapsed()
        };
        assert!(within(Duration::from_millis(1), took), "{spec}");
    }
}

#[test]
fn a_panic_is_an_error_at_once_though_another_worker_is_in_a_playout() {
    let gate = Arc::new(Gate::default());
    let _open = gate.close(1);
    let settings = "mcts:threads=2".parse().unwrap();
    let mut search = Search::with_playout(odd(Fault::PanicInReward), settings, gate.clone()).unwrap();
    assert!(search.run(Budget::iterations(100_000)).is_err());
}

#[test]
fn the_next_search_begins_beside_a_playout_that_goes_on() {
    for spec in SPECS {
        let gate = Arc::new(Gate::default());
        let mut search = gate.search(spec);
        let open = leave_behind(&gate, &mut search);
        let report = search.run(Budget::iterations(2_000).early_stop(false)).unwrap();
        assert_eq!((report.stop, report.iterations, report.inherited), (StopReason::Iterations, 2_000, 0), "{spec}");
        assert!(goes_on(&report), "{spec}");
        let report = search.run(Budget::iterations(1_000).early_stop(false)).unwrap();
        assert_eq!((report.iterations, report.inherited, goes_on(&report)), (1_000, 2_000, true), "{spec}");
        drop(open);
        wait_for_playouts(&mut search);
        let report = search.run(Budget::iterations(1_000).early_stop(false)).unwrap();
        assert_eq!((report.inherited, goes_on(&report)), (3_000, false), "{spec}");
        let nodes: u32 = search.dump(0).iter().map(|nodes| nodes[0].visits).sum();
        assert_eq!(nodes, 4_000, "{spec}: the playout that goes on is counted in a tree of its own");
    }
}

#[test]
fn advancing_and_resetting_do_not_wait_for_a_playout_that_goes_on() {
    for spec in SPECS {
        assert!(within(SOON, || advancing_and_resetting(spec)), "{spec}");
    }
}

/// Advances a search, and resets it, while playouts of each thread go on. Returns the longer time of the two.
fn advancing_and_resetting(spec: &str) -> Duration {
    let gate = Arc::new(Gate::default());
    let mut search = gate.search(spec);
    let first = leave_behind(&gate, &mut search);
    let started = Instant::now();
    search.advance(Code(1)).unwrap();
    let advanced = started.elapsed();
    let report = search.run(Budget::iterations(500).early_stop(false)).unwrap();
    assert!(report.iterations == 500 && goes_on(&report), "{spec}");
    assert_eq!(search.position().ply, 1);
    drop(first);
    wait_for_playouts(&mut search);
    let _second = leave_behind(&gate, &mut search);
    let started = Instant::now();
    search.reset(odd(Fault::None));
    assert_eq!(search.position().ply, 0);
    advanced.max(started.elapsed())
}

/// A raised flag and a deadline are answered though workers are in the trees, and there are no others.
#[test]
fn a_search_that_cannot_begin_ends_with_its_budget() {
    for spec in SPECS {
        let gate = Arc::new(Gate::default());
        let mut search = gate.search(spec);
        let (first, second) = (leave_behind(&gate, &mut search), leave_behind(&gate, &mut search));
        for _ in 0..3 {
            let answers = || {
                let report = search.run(Budget::time(SHORT)).unwrap();
                assert_eq!((report.stop, report.iterations), (StopReason::Time, 0), "{spec}");
                assert!(goes_on(&report), "{spec}");
            };
            assert!(ends_within(SOON, answers), "{spec}");
            let flag = StopFlag::default();
            flag.raise();
            let report = search.run(Budget::unlimited().or_stopped_by(flag)).unwrap();
            assert_eq!((report.stop, report.iterations), (StopReason::Stopped, 0), "{spec}");
            assert!(goes_on(&report) && report.children.len() == 3, "{spec}");
        }
        drop((first, second));
        wait_for_playouts(&mut search);
        let report = search.run(Budget::iterations(1_000).early_stop(false)).unwrap();
        assert_eq!(report.iterations, 1_000, "{spec}: the search goes on as always when they are back");
    }
}

#[test]
fn a_flag_raised_before_a_search_keeps_the_tree_of_one_whose_worker_is_in_a_playout() {
    let gate = Arc::new(Gate::default());
    let mut search = gate.search("mcts:threads=2");
    search.run(Budget::iterations(100).early_stop(false)).unwrap();
    let open = leave_behind(&gate, &mut search);
    let flag = StopFlag::default();
    flag.raise();
    for budget in [Budget::unlimited().or_stopped_by(flag), Budget::time(Duration::ZERO)] {
        let report = search.run(budget).unwrap();
        assert_eq!((report.iterations, report.inherited), (0, 100));
        assert!(report.best.is_some());
    }
    drop(open);
    let report = search.run(Budget::iterations(50).early_stop(false)).unwrap();
    assert_eq!((report.iterations, goes_on(&report)), (50, false));
    assert!(report.inherited >= 100);
}

/// Playouts that take this long.
struct Slow(Duration);

impl Playout<WideOutcomes> for Slow {
    fn choose(&self, game: &WideOutcomes, rng: &mut Rng, _: &mut Vec<Code<300>>) -> Option<Code<300>> {
        if game.ply == 9 {
            std::thread::sleep(self.0);
        }
        Some(Code(rng.below(3)))
    }
}

#[test]
fn the_tree_is_kept_by_searches_of_a_few_playouts_each() {
    for (spec, playout) in [("mcts:threads=2", 1), ("mcts:threads=2", 5), ("mcts", 20), ("mcts:threads=3", 50)] {
        let slow = Arc::new(Slow(Duration::from_millis(playout)));
        let mut search = Search::with_playout(odd(Fault::None), spec.parse().unwrap(), slow).unwrap();
        let mut known = 0;
        wait_until("ten playouts of a few searches each are in the tree", || {
            let report = search.run(Budget::time(Duration::from_millis(playout * 5 / 2))).unwrap();
            assert!(report.inherited >= known, "{spec}, {playout} ms: {report}");
            known = report.inherited + report.iterations;
            known >= 10
        });
    }
}

/// Two workers, of which one is in a long playout, and a search that the other one ends.
#[test]
fn a_worker_that_ends_a_search_is_answered_though_another_is_in_a_playout() {
    let cases = [
        ("mcts:threads=2", Budget::iterations(1_000_000), StopReason::Decided),
        ("mcts:threads=2,memory=8K", Budget::unlimited().or_full(), StopReason::MemoryFull),
        ("mcts:threads=2,solver=on", Budget::unlimited(), StopReason::Proven),
    ];
    for (spec, budget, reason) in cases {
        let gate = Arc::new(Gate::default());
        let _open = gate.close(1);
        assert_eq!(gate.search(spec).run(budget).unwrap().stop, reason, "{spec}");
    }
}

#[test]
fn the_reason_of_a_search_that_has_ended_stays() {
    let mut search = Arc::new(Gate::default()).search("mcts:threads=2");
    search.run(Budget::iterations(1_000).early_stop(false)).unwrap();
    assert_eq!(search.report().stop, StopReason::Iterations);
    search.dump(0);
    assert_eq!(search.report().stop, StopReason::Iterations);
}
