//! Games that break their promises, budgets that allow nothing, clocks that run out: a search survives them all.

use std::sync::Arc;
use std::time::{Duration, Instant};

use boughs::{
    AgentSpec, Budget, Game, Playout, Report, Rewards, Rng, Search, SearchError, Settings, StopFlag, StopReason, Turn,
    TurnOrder, Warning,
};

/// A game of ten plies and three actions that can be made to misbehave.
#[derive(Clone, Debug)]
struct Odd {
    ply: u32,
    sum: u32,
    fault: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    PanicInApply,
    PanicInActions,
    PanicInReward,
    NoActions,
    NoActionsAtStart,
    Reward(f64),
    Endless,
    OverAtStart,
    PanicAtRoot,
    UnknownPlayer,
}

impl Odd {
    fn new(fault: Fault) -> Odd {
        Odd { ply: 0, sum: 0, fault }
    }

    /// Some position well inside the tree.
    fn is_marked(&self) -> bool {
        self.ply == 3 && self.sum == 4
    }
}

impl Game for Odd {
    type Action = u32;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const MAX_PLIES: u32 = 50;
    fn turn(&self) -> Turn {
        let over = self.ply >= 10 && self.fault != Fault::Endless || self.fault == Fault::OverAtStart;
        match over {
            true => Turn::Over,
            false if self.fault == Fault::UnknownPlayer && self.is_marked() => Turn::Player(9),
            false => Turn::Player(self.ply as usize % 2),
        }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        match self.fault {
            Fault::PanicInActions if self.is_marked() => panic!("no list for you"),
            Fault::NoActions if self.is_marked() => {}
            Fault::NoActionsAtStart => {}
            _ => out.extend([0, 1, 2]),
        }
    }
    fn apply(&mut self, action: u32) {
        self.ply += 1;
        self.sum += action;
        assert!(!(self.fault == Fault::PanicInApply && self.is_marked()), "no move for you");
        assert!(!(self.fault == Fault::PanicAtRoot && self.ply == 1 && action == 2), "not this one");
    }
    fn reward(&self, player: usize) -> f64 {
        match self.fault {
            Fault::PanicInReward if self.sum == 7 => panic!("no reward for you"),
            Fault::Reward(reward) if self.sum == 7 => reward,
            _ => f64::from(u8::from(self.sum.is_multiple_of(2) == (player == 0))),
        }
    }
}

fn search(fault: Fault, spec: &str) -> Search<Odd> {
    Search::new(Odd::new(fault), spec.parse().unwrap()).unwrap()
}

const SPECS: [&str; 6] = [
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
            search.reset(Odd::new(Fault::None));
            assert_eq!(search.run(Budget::iterations(1_000).early_stop(false)).unwrap().iterations, 1_000, "{spec}");
            assert!(search.dump(0).iter().map(|nodes| nodes[0].visits).sum::<u32>() == 1_000, "{spec}");
        }
    }
}

/// Agents beside MCTS.
const OTHERS: [&str; 5] =
    ["flat", "flat:threads=3,policy=uniform", "flat:policy=ucb1", "beam:threads=2", "beam:width=3,playouts=50"];

fn other(fault: Fault, agent: &str, budget: Budget) -> Result<Report<u32>, SearchError> {
    agent.parse::<AgentSpec>().unwrap().build(Odd::new(fault)).unwrap().search(budget, &mut |_| ())
}

#[test]
fn other_agents_survive_the_same_games() {
    for agent in OTHERS {
        let run = |fault| other(fault, agent, Budget::iterations(20_000));
        for (fault, text) in [
            (Fault::PanicInApply, "no move for you"),
            (Fault::PanicAtRoot, "not this one"),
            (Fault::PanicInReward, "no reward for you"),
        ] {
            assert_eq!(run(fault), Err(SearchError::GamePanicked(text.to_string())), "{agent}");
        }
        for (fault, warning) in [
            (Fault::NoActions, Warning::NoLegalAction),
            (Fault::Endless, Warning::PlayoutCut),
            (Fault::Reward(f64::NAN), Warning::RewardClamped),
            (Fault::Reward(7.0), Warning::RewardClamped),
        ] {
            let report = run(fault).unwrap();
            assert!(report.warnings.contains(&warning), "{agent} {fault:?}: {report}");
            assert!(report.children.iter().all(|child| (0.0..=1.0).contains(&child.mean)), "{agent} {fault:?}");
        }
        for fault in [Fault::OverAtStart, Fault::NoActionsAtStart] {
            let report = run(fault).unwrap();
            assert_eq!((report.best, report.stop, report.iterations), (None, StopReason::GameOver, 0), "{agent}");
        }
        assert!(run(Fault::UnknownPlayer).is_ok(), "{agent}");
    }
}

#[test]
fn a_panic_on_the_callers_thread_is_an_error_too() {
    let mut search = search(Fault::PanicAtRoot, "mcts");
    // Two playouts never try the third action, but the report looks at it.
    assert_eq!(search.run(Budget::iterations(2)), Err(SearchError::GamePanicked("not this one".into())));
    assert_eq!(search.advance(2), Err(SearchError::GamePanicked("not this one".into())));
    assert_eq!(search.position().ply, 0, "a move that failed was not played");
    assert_eq!(search.advance(1), Ok(()));
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
fn settings_that_make_no_sense_are_brought_into_range() {
    let odd = Settings {
        batch: 0,
        first_play: -0.0,
        exploration: f64::NAN,
        threads: 2,
        parallel: boughs::Parallel::Batched,
        in_flight: boughs::InFlight::VirtualLoss(u32::MAX),
        ..Settings::default()
    };
    let mut search = Search::new(Odd::new(Fault::None), odd).unwrap();
    let report = search.run(Budget::iterations(500).early_stop(false)).unwrap();
    assert_eq!((report.iterations, report.stop), (500, StopReason::Iterations));
}

#[test]
fn the_largest_budget_there_is_stops_like_any_other() {
    for spec in ["mcts:threads=8", "mcts:threads=8,loss=100"] {
        let budget = Budget::iterations(u64::MAX).or_time(Duration::from_millis(30));
        let report = search(Fault::None, spec).run(budget).unwrap();
        assert!(report.iterations > 1_000 && report.stop != StopReason::Iterations, "{spec}: {report}");
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

#[test]
fn an_endless_game_is_cut_at_its_declared_maximum_and_warned_of() {
    for spec in SPECS {
        let report = search(Fault::Endless, spec).run(Budget::iterations(2_000)).unwrap();
        assert!(report.warnings.contains(&Warning::PlayoutCut), "{spec}");
        assert!(report.depth <= Odd::MAX_PLIES);
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
        let tried =
            Search::new(Odd::new(Fault::None), settings).and_then(|mut search| search.run(Budget::iterations(1)));
        assert_eq!(tried.err(), Some(SearchError::Memory { bytes }));
    }
    let settings = Settings { memory: isize::MAX as usize, ..Settings::default() };
    // More than the system has: an error or, where it promises memory it does not have, a search.
    let _ = Search::new(Odd::new(Fault::None), settings);
}

#[test]
fn an_illegal_action_does_not_advance() {
    let mut search = search(Fault::None, "mcts");
    assert_eq!(search.advance(9), Err(SearchError::IllegalAction("9".into())));
    assert_eq!(search.advance(2), Ok(()));
    assert_eq!(search.position().ply, 1);
}

/// One action wins, the others lose, so a search that looks cannot stay in doubt whatever its threads do.
#[derive(Clone)]
struct Obvious(Option<u32>);

impl Game for Obvious {
    type Action = u32;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    fn turn(&self) -> Turn {
        if self.0.is_some() { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        out.extend([0, 1, 2]);
    }
    fn apply(&mut self, action: u32) {
        self.0 = Some(action);
    }
    fn reward(&self, player: usize) -> f64 {
        f64::from(u8::from((self.0 == Some(1)) == (player == 0)))
    }
}

fn obvious(spec: &str, budget: Budget) -> boughs::Report<u32> {
    Search::new(Obvious(None), spec.parse().unwrap()).unwrap().run(budget).unwrap()
}

#[test]
fn search_stops_when_the_best_move_cannot_be_overtaken() {
    for spec in SPECS {
        let full = obvious(spec, Budget::iterations(30_000).early_stop(false));
        assert_eq!((full.iterations, full.stop), (30_000, StopReason::Iterations));
        let early = obvious(spec, Budget::iterations(30_000));
        assert_eq!(early.stop, StopReason::Decided, "{spec}");
        assert!(early.iterations < 30_000);
        assert_eq!((early.best_action(), full.best_action()), (Some(1), Some(1)), "{spec}");
        let (first, second) = (&early.children[0], &early.children[1]);
        assert!(first.playouts - second.playouts > 30_000 - early.iterations, "{spec}");
    }
    let report = obvious("mcts:final=mean", Budget::iterations(30_000));
    assert_eq!((report.iterations, report.stop), (30_000, StopReason::Iterations));
}

#[test]
fn a_decided_search_does_not_use_up_its_time() {
    let started = Instant::now();
    let report = obvious("mcts", Budget::time(Duration::from_secs(3)));
    assert_eq!(report.stop, StopReason::Decided);
    assert!(started.elapsed() < Duration::from_secs(3));
}

/// Whoever moves first wins, and a playout takes its time.
#[derive(Clone)]
struct Won(u32);

impl Game for Won {
    type Action = u32;
    const REWARDS: Rewards = Rewards::ANY;
    fn turn(&self) -> Turn {
        if self.0 == 4 { Turn::Over } else { Turn::Player(self.0 as usize % 2) }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        out.extend([0, 1, 2]);
    }
    fn apply(&mut self, _: u32) {
        self.0 += 1;
        std::thread::sleep(Duration::from_micros(50));
    }
    fn reward(&self, player: usize) -> f64 {
        f64::from(u8::from(player == 0))
    }
}

#[test]
fn a_mean_read_on_the_way_is_that_of_finished_playouts() {
    for spec in ["mcts:loss=50,threads=3,descents=9", "mcts:loss=wu,threads=2", "mcts:parallel=batched,batch=64,loss=7"]
    {
        let mut search = Search::new(Won(0), spec.parse().unwrap()).unwrap();
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

/// A game that says its players alternate, and lets the first one move twice.
#[derive(Clone)]
struct Greedy(u32);

impl Game for Greedy {
    type Action = u32;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    fn turn(&self) -> Turn {
        if self.0 == 5 { Turn::Over } else { Turn::Player([0, 0, 1, 0, 1][self.0 as usize]) }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        out.extend([0, 1]);
    }
    fn apply(&mut self, _: u32) {
        self.0 += 1;
    }
    fn reward(&self, _: usize) -> f64 {
        0.5
    }
}

#[test]
fn players_who_do_not_act_in_turn_as_declared_are_warned_of() {
    let report = Search::new(Greedy(0), Settings::default()).unwrap().run(Budget::iterations(100)).unwrap();
    assert!(report.warnings.contains(&Warning::OutOfTurn));
    let report = Search::new(Greedy(1), Settings::default()).unwrap().run(Budget::iterations(100)).unwrap();
    assert!(!report.warnings.contains(&Warning::OutOfTurn));
}

#[test]
fn who_stops_a_search_waits_for_one_playout_at_most() {
    let settings: Settings = "mcts:descents=64".parse().unwrap();
    let mut search = Search::with_playout(Odd::new(Fault::None), settings, Arc::new(Slow)).unwrap();
    search.run(Budget::time(Duration::from_millis(5))).unwrap();
    let started = Instant::now();
    // A playout takes 0.5 s at most: ten plies of 50 ms.
    search.advance(1).unwrap();
    assert!(started.elapsed() < Duration::from_millis(1_500), "{:?}", started.elapsed());
}

/// Takes far longer than any budget.
struct Slow;

impl Playout<Odd> for Slow {
    fn choose(&self, _: &Odd, rng: &mut Rng, _: &mut Vec<u32>) -> Option<u32> {
        std::thread::sleep(Duration::from_millis(50));
        Some(rng.below(3))
    }
}

#[test]
fn at_the_deadline_the_answer_does_not_wait_for_a_playout() {
    for spec in SPECS {
        let mut search = Search::with_playout(Odd::new(Fault::None), spec.parse().unwrap(), Arc::new(Slow)).unwrap();
        let started = Instant::now();
        let report = search.run(Budget::time(Duration::from_millis(20))).unwrap();
        assert_eq!((report.stop, report.iterations, report.best), (StopReason::Time, 0, None), "{spec}");
        assert!(report.children.iter().all(|child| child.playouts == 0), "what is in flight is no playout: {spec}");
        assert!(started.elapsed() < Duration::from_millis(150), "{spec} took {:?}", started.elapsed());
    }
}

#[test]
fn a_search_that_is_only_looked_at_ends_at_its_deadline_too() {
    let mut search = search(Fault::None, "mcts:threads=2");
    let running = search.start(Budget::time(Duration::from_millis(20)).early_stop(false)).unwrap();
    let started = Instant::now();
    while running.report().stop == StopReason::Running {
        assert!(started.elapsed() < Duration::from_secs(5), "nobody ended it");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(running.finish().unwrap().stop, StopReason::Time);
}

#[test]
fn a_dropped_search_does_not_wait_either() {
    let started = Instant::now();
    {
        let mut search = Search::with_playout(Odd::new(Fault::None), Settings::default(), Arc::new(Slow)).unwrap();
        let _pondering = search.start(Budget::unlimited()).unwrap();
    }
    assert!(started.elapsed() < Duration::from_millis(150));
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
    let cores = boughs::cores();
    if cores < 64 {
        assert_eq!(report.warnings, [Warning::MoreThreadsThanCores { threads: 64, cores }]);
    }
}

/// One choice of three prizes, each larger than the one before, of a size that fills a sum within hundreds of playouts.
#[derive(Clone)]
struct Riches(Option<u32>);

const FORTUNE: f64 = (1u64 << 31) as f64;

impl Game for Riches {
    type Action = u32;
    const REWARDS: Rewards = Rewards::SCORES;
    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        if self.0.is_none() { Turn::Player(0) } else { Turn::Over }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        out.extend([0, 1, 2]);
    }
    fn apply(&mut self, prize: u32) {
        self.0 = Some(prize);
    }
    fn reward(&self, _: usize) -> f64 {
        FORTUNE * (f64::from(self.0.unwrap_or(0)) - 1.0)
    }
}

#[test]
fn sums_of_scores_never_overflow() {
    for spec in
        ["mcts", "mcts:threads=4", "mcts:tree=open", "mcts:parallel=independent,threads=2", "mcts:parallel=batched"]
    {
        let mut search = Search::new(Riches(None), spec.parse().unwrap()).unwrap();
        for run in 0..3 {
            let report = search.run(Budget::iterations(100_000).early_stop(false)).unwrap();
            assert_eq!(report.stop, StopReason::CounterFull, "{spec}, run {run}");
            assert!(run > 0 || report.iterations > 50, "{spec}: {} playouts", report.iterations);
            for child in report.children.iter().filter(|child| child.playouts > 0) {
                assert_eq!(child.mean, FORTUNE * (f64::from(child.action) - 1.0), "{spec}, run {run}");
            }
            assert_eq!(report.best_action(), Some(2), "{spec}, run {run}");
        }
    }
    for agent in ["flat", "beam"] {
        let agent: AgentSpec = agent.parse().unwrap();
        let report = agent.build(Riches(None)).unwrap().search(Budget::iterations(5_000), &mut |_| ()).unwrap();
        assert!(report.best_action() == Some(2) && report.children.iter().all(|child| child.mean.abs() <= FORTUNE));
    }
}
