//! Agents besides the tree search: they find known results, keep their budgets, and find the same at any number of
//! threads.

use std::thread;
use std::time::{Duration, Instant};

use boughs::{
    Agent, Budget, Child, Game, Information, Report, Rewards, Rng, SearchError, StopFlag, StopReason, Turn, Warning,
};
use boughs_agents::AgentSpec;

use super::beam::Lock;
use crate::common::{Halves, Shares};
use crate::process::{ends_within, within};

pub(crate) fn search<G: Game>(game: G, agent: &str, seed: u64, budget: Budget) -> Report {
    let spec: AgentSpec = agent.parse().unwrap();
    spec.with_seed(seed).build(&game).unwrap().search(budget, &mut |_| ()).unwrap()
}

/// A game of one choice of an arm, after which a number from 0 to 999 is drawn.
#[derive(Clone, Debug)]
struct Arms {
    /// The reward of each arm for a number.
    gives: fn(arm: u32, number: u32) -> f64,
    arms: u32,
    arm: Option<u32>,
    number: Option<u32>,
}

impl Arms {
    fn new(arms: u32, gives: fn(u32, u32) -> f64) -> Arms {
        Arms { gives, arms, arm: None, number: None }
    }
}

impl Game for Arms {
    type Action = u32;
    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        match (self.arm, self.number) {
            (None, _) => Turn::Player(0),
            (_, None) => Turn::Chance,
            _ => Turn::Over,
        }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        out.extend(0..if self.arm.is_none() { self.arms } else { 1000 });
    }
    fn chance(&self, rng: &mut Rng, _: &mut Vec<u32>) -> Option<u32> {
        Some(rng.below(1000))
    }
    fn apply(&mut self, action: u32) {
        if self.arm.is_none() { self.arm = Some(action) } else { self.number = Some(action) }
    }
    fn reward(&self, _: usize) -> f64 {
        self.arm.zip(self.number).map_or(0.0, |(arm, number)| (self.gives)(arm, number))
    }
}

/// Sixteen arms: fifteen that win about 30 % of the time, and one that wins half of the time.
fn sixteen_arms() -> Arms {
    Arms::new(16, |arm, number| f64::from(u8::from(number < if arm == 11 { 500 } else { 300 + arm * 5 })))
}

#[test]
fn halving_errs_less_often_than_taking_turns() {
    let errors = |policy: &str| {
        let agent = format!("flat:policy={policy},shared=off");
        let best = |seed| search(sixteen_arms(), &agent, seed, Budget::iterations(1_600)).best_action();
        (0..300).filter(|&seed| best(seed) != Some(11u32)).count()
    };
    let [halving, uniform, ucb1] = ["halving", "uniform", "ucb1"].map(errors);
    assert!(halving * 4 < uniform * 3 && ucb1 < uniform, "errors: {halving} halving, {ucb1} ucb1, {uniform} uniform");
}

#[test]
fn the_same_luck_for_all_makes_differences_certain() {
    // The second arm gives a little more than the first for every number.
    let game = || Arms::new(2, |arm, number| f64::from(number + 50 * arm) / 1050.0);
    let variance = |shared: &str| {
        let difference = |seed| {
            let agent = format!("flat:policy=uniform,shared={shared}");
            let report = search(game(), &agent, seed, Budget::iterations(100));
            let mean = |arm| report.children.iter().find(|child| child.action == arm).map_or(0.0, |child| child.mean);
            mean(1) - mean(0)
        };
        let differences: Vec<f64> = (0..100).map(difference).collect();
        let mean = differences.iter().sum::<f64>() / 100.0;
        differences.iter().map(|difference| (difference - mean).powi(2)).sum::<f64>() / 99.0
    };
    let (on, off) = (variance("on"), variance("off"));
    assert!(on < 1e-9 && off > 1e-3, "variance {on} with shared luck and {off} without");
}

#[test]
fn an_iteration_budget_is_kept_exactly() {
    for count in [0, 1, 2, 7, 100, 1_001] {
        for agent in ["flat", "flat:policy=uniform", "flat:policy=ucb1", "flat:threads=3", "worlds:worlds=7"] {
            let report = match agent.starts_with("worlds") {
                true => search(Poker::new(), agent, 1, Budget::iterations(count)).summary(),
                false => search(sixteen_arms(), agent, 1, Budget::iterations(count)).summary(),
            };
            assert_eq!(report, (count, count, StopReason::Iterations), "{agent}");
        }
    }
}

trait Summary {
    fn summary(&self) -> (u64, u64, StopReason);
}

impl Summary for Report {
    /// The iterations, the playouts of all children, and the reason of the stop.
    fn summary(&self) -> (u64, u64, StopReason) {
        (self.iterations, self.children.iter().map(|child| child.playouts).sum(), self.stop)
    }
}

/// A game of two players with secret cards, who say six words in turn. A player who says more than the own card is
/// worth pays for it.
#[derive(Clone, Debug)]
struct Poker {
    cards: Option<[u8; 2]>,
    said: Vec<u8>,
    delay: Duration,
    panics: bool,
}

impl Poker {
    /// Creates a game with dealt cards.
    fn new() -> Poker {
        Poker { cards: Some([3, 1]), said: Vec::new(), delay: Duration::ZERO, panics: false }
    }
}

impl Game for Poker {
    type Action = u8;
    const INFORMATION: Information = Information::Hidden;
    fn turn(&self) -> Turn {
        match (self.cards, self.said.len()) {
            (None, _) => Turn::Chance,
            (_, 6) => Turn::Over,
            (_, words) => Turn::Player(words % 2),
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..if self.cards.is_none() { 25 } else { 3 });
    }
    fn apply(&mut self, action: u8) {
        thread::sleep(self.delay);
        assert!(!(self.panics && self.said.ends_with(&[2, 2])), "twice two is too much");
        match self.cards {
            None => self.cards = Some([action / 5, action % 5]),
            Some(_) => self.said.push(action),
        }
    }
    fn reward(&self, player: usize) -> f64 {
        let Some(cards) = self.cards else { return 0.0 };
        let said = |player: usize| self.said.iter().skip(player).step_by(2).sum::<u8>();
        let worth = |player: usize| if said(player) > 2 * cards[player] { 0 } else { 1 + said(player) + cards[player] };
        match worth(player).cmp(&worth(1 - player)) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        }
    }
    fn information(&self, player: usize) -> u64 {
        let own = self.cards.map_or(9, |cards| cards[player]);
        self.said.iter().fold(u64::from(own) + 1, |all, &word| all * 10 + u64::from(word))
    }
    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        if let Some(cards) = &mut self.cards {
            cards[1 - player] = rng.below(5) as u8;
        }
    }
}

/// The text of a report without its times.
fn result(mut report: Report) -> String {
    (report.seconds, report.playouts_per_second) = (0.0, 0.0);
    report.warnings.retain(|warning| !matches!(warning, Warning::MoreThreadsThanCores { .. }));
    format!("{report:?}")
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    fn check<G: Game>(game: &G, agents: &[&str]) {
        for agent in agents {
            let at = |threads, seed| {
                let mut spec: AgentSpec = agent.parse().unwrap();
                spec.set("threads", threads).unwrap();
                let mut agent = spec.with_seed(seed).build(game).unwrap();
                // A second search draws other numbers, the same ones at any number of threads.
                let mut run = || result(agent.search(Budget::iterations(2_000), &mut |_| ()).unwrap());
                [run(), run()]
            };
            let one = at("1", 5);
            assert!(at("2", 5) == one && at("8", 5) == one, "{agent}");
            assert!(one[0] != one[1] && at("1", 6) != one, "{agent}: the seed matters");
        }
    }
    let flat = ["flat", "flat:policy=ucb1", "flat:policy=uniform", "flat:shared=off,playout=decisive"];
    check(&Halves::thicket(1, 2), &flat);
    check(&Shares::thicket(2, 3), &[&flat[..], &["beam:width=20,layers=4", "beam:width=30"]].concat());
    check(&Shares::thicket(3, 1), &["flat", "beam:width=300,playouts=1", "exhaustive"]);
    check(&Poker::new(), &["flat", "flat:policy=ucb1", "worlds", "worlds:worlds=3,c=0.5", "exhaustive:playouts=3"]);
}

/// A game of a hundred thousand steps for one player.
#[derive(Clone, Debug)]
pub(crate) struct Thread(pub(crate) u32);

impl Game for Thread {
    type Action = u8;
    const REWARDS: Rewards = Rewards::SCORES;
    const MAX_PLIES: u32 = 100_000;
    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        if self.0 >= 100_000 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend([1, 2]);
    }
    fn apply(&mut self, step: u8) {
        self.0 += u32::from(step);
    }
    fn reward(&self, _: usize) -> f64 {
        f64::from(self.0)
    }
    fn evaluation(&self, _: usize) -> Option<f64> {
        Some(f64::from(self.0))
    }
    fn cut_reward(&self, _: usize) -> f64 {
        f64::from(self.0)
    }
}

#[test]
fn what_does_not_go_with_a_game_is_refused_with_what_does() {
    let instead = |error| match error {
        Some(SearchError::Unsupported { instead, .. }) => instead,
        other => panic!("{other:?}"),
    };
    let build = |agent: &str| agent.parse::<AgentSpec>().unwrap();
    assert_eq!(instead(build("worlds").build(&Lock(Vec::new())).err()), "mcts");
    assert_eq!(instead(build("beam").build(&Poker::new()).err()), "flat");
    let ranks = build("ranks:ranks=3,epsilon=0.5,memory=48M").build(&Lock(Vec::new())).err();
    assert_eq!(instead(ranks), "ranks:ranks=3,memory=48M");
    assert_eq!(
        build("worlds:memory=2").build(&Poker::new()).unwrap().search(Budget::iterations(9), &mut |_| ()),
        Err(SearchError::Memory { bytes: 2 })
    );
}

/// The time of each step of a playout. A playout has six.
const LONG: Duration = Duration::from_secs(1);

#[test]
fn the_deadline_is_kept_whatever_a_playout_is_doing() {
    let slow = Poker { delay: LONG, ..Poker::new() };
    for agent in ["flat", "flat:policy=uniform,threads=4", "flat:policy=ucb1", "worlds:threads=2"] {
        let answers = || {
            let report = search(slow.clone(), agent, 1, Budget::time(Duration::from_millis(50)));
            assert_eq!((report.stop, report.iterations), (StopReason::Time, 0), "{agent}");
        };
        assert!(ends_within(Duration::from_millis(150), answers), "{agent}");
    }
    for agent in ["flat", "flat:policy=ucb1,threads=2", "worlds:threads=2"] {
        let quick = Poker { delay: Duration::from_micros(1), ..Poker::new() };
        let report = search(quick, agent, 1, Budget::time(Duration::from_millis(200)));
        assert!(report.iterations > 3 && report.seconds < 10.0 && report.best.is_some(), "{agent}: {report}");
        assert_eq!(report.stop, StopReason::Time, "{agent}");
    }
}

#[test]
fn a_raised_flag_and_the_next_search_wait_for_no_playout() {
    let slow = Poker { delay: LONG, ..Poker::new() };
    for spec in ["flat", "flat:policy=uniform,threads=4", "worlds:threads=2"] {
        let took = || {
            let mut agent = spec.parse::<AgentSpec>().unwrap().build(&slow).unwrap();
            let flag = StopFlag::default();
            let raised = flag.clone();
            let at = thread::spawn(move || {
                thread::sleep(Duration::from_millis(10));
                let at = Instant::now();
                raised.raise();
                at
            });
            let report = agent.search(Budget::unlimited().or_stopped_by(flag), &mut |_| ()).unwrap();
            let took = at.join().unwrap().elapsed();
            assert_eq!((report.stop, report.iterations), (StopReason::Stopped, 0), "{spec}");
            for _ in 0..3 {
                let report = agent.search(Budget::time(Duration::from_millis(30)), &mut |_| ()).unwrap();
                assert!(report.warnings.contains(&Warning::PlayoutGoesOn), "{spec}: {report}");
            }
            agent.begin(&slow, 1).unwrap();
            let report = agent.search(Budget::time(Duration::from_millis(30)), &mut |_| ()).unwrap();
            assert!(report.warnings.contains(&Warning::PlayoutGoesOn), "another game, {spec}: {report}");
            took
        };
        assert!(within(Duration::from_millis(1), took), "{spec}");
    }
}

#[test]
fn a_search_can_be_stopped_from_outside_and_is_seen_on_the_way() {
    for agent in ["flat", "flat:policy=ucb1,threads=2", "flat:policy=uniform", "worlds"] {
        let flag = StopFlag::default();
        let mut agent = agent.parse::<AgentSpec>().unwrap().build(&Poker::new()).unwrap();
        let mut seen = 0;
        let mut see = |report: &Report| {
            seen += 1;
            assert_eq!(report.stop, StopReason::Running);
            flag.raise();
        };
        let report = agent.search(Budget::unlimited().or_stopped_by(flag.clone()), &mut see).unwrap();
        assert_eq!((report.stop, seen), (StopReason::Stopped, 1));
        assert!(report.iterations > 100, "{report}");
    }
}

#[test]
fn only_an_unproven_mean_over_playouts_has_samples() {
    let found = |game: &str, agent: &str| {
        let mut position = boughs_games::start(game).unwrap().position;
        if game == "connect4" {
            position.play_moves("4 4 5 5").unwrap();
        }
        let mut agent = agent.parse::<AgentSpec>().unwrap().build(&*position).unwrap();
        agent.search(Budget::iterations(20_000), &mut |_| ()).unwrap()
    };
    for (game, agent) in [
        ("connect4", "beam"),
        ("connect4", "exhaustive:playouts=2"),
        ("connect4", "expectimax:net=built-in,depth=2"),
        ("matrix", "determinization"),
        ("matrix", "mcts:policy=rm"),
    ] {
        let report = found(game, agent);
        assert!(report.children.iter().all(|child| report.samples_of(child).is_none()), "{agent}: {report}");
    }
    for agent in ["flat", "mcts", "mcts:solver=on"] {
        let report = found("connect4", agent);
        let expected = |child: &Child| child.proven.is_none().then_some(child.playouts);
        assert!(report.children.iter().all(|child| report.samples_of(child) == expected(child)), "{agent}: {report}");
        let has_proof = report.children.iter().any(|child| child.proven.is_some());
        assert_eq!(has_proof, agent == "mcts:solver=on", "{report}");
    }
}

#[test]
fn an_action_without_alternative_needs_no_search() {
    let lone = || Arms::new(1, |_, _| 1.0);
    assert_eq!(search(lone(), "flat", 1, Budget::iterations(1_000_000)).stop, StopReason::Decided);
    let whole = search(lone(), "flat", 1, Budget::iterations(1_000).early_stop(false));
    assert_eq!((whole.iterations, whole.stop), (1_000, StopReason::Iterations));
}

#[test]
fn a_panic_in_a_world_ends_the_search_as_an_error() {
    let panics = Poker { panics: true, ..Poker::new() };
    for agent in ["worlds", "worlds:threads=3", "flat:threads=3"] {
        let mut agent = agent.parse::<AgentSpec>().unwrap().build(&panics).unwrap();
        for _ in 0..2 {
            let error = agent.search(Budget::iterations(100_000), &mut |_| ()).unwrap_err();
            assert_eq!(error, SearchError::GamePanicked("twice two is too much".into()));
        }
        agent.reset(&Poker::new()).unwrap();
        assert!(agent.search(Budget::iterations(100), &mut |_| ()).unwrap().best.is_some());
        agent.advance(2).unwrap();
        assert_eq!(agent.advance(7), Err(SearchError::IllegalAction("7".into())));
        assert_eq!(agent.position().downcast_ref::<Poker>().unwrap().said, [2]);
    }
}

#[test]
fn an_agent_that_begins_another_game_is_as_if_built_anew() {
    let specs = [
        "mcts",
        "mcts:solver=on",
        "mcts:parallel=batched,threads=2",
        "mcts:parallel=independent",
        "mcts:tree=open",
        "flat",
        "beam",
        "worlds",
    ];
    for spec in specs {
        let spec: AgentSpec = spec.parse().unwrap();
        let thicket = Halves::thicket(5, 2);
        let Ok(mut used) = spec.clone().with_seed(9).build(&Halves::thicket(8, 2)) else { continue };
        let summary = |agent: &mut dyn Agent| {
            let runs =
                [300, 200].map(|count| agent.search(Budget::iterations(count).early_stop(false), &mut |_| ()).unwrap());
            runs.map(|report| (report.best, report.iterations, report.children))
        };
        summary(&mut *used);
        used.begin(&thicket, 4).unwrap();
        let mut fresh = spec.clone().with_seed(4).build(&thicket).unwrap();
        assert_eq!(summary(&mut *used), summary(&mut *fresh), "{spec}");
    }
}

/// A game in which a number is drawn from a range too large to be listed, and then has to be named.
#[derive(Clone, Debug)]
struct Lottery {
    number: Option<u32>,
    named: Option<u32>,
}

impl Game for Lottery {
    type Action = u32;
    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        match (self.number, self.named) {
            (None, _) => Turn::Chance,
            (_, None) => Turn::Player(0),
            _ => Turn::Over,
        }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        if self.number.is_some() {
            out.extend(0..3);
        }
    }
    fn chance(&self, rng: &mut Rng, _: &mut Vec<u32>) -> Option<u32> {
        Some(rng.below(1 << 30))
    }
    fn apply(&mut self, action: u32) {
        if self.number.is_none() { self.number = Some(action) } else { self.named = Some(action) }
    }
    fn reward(&self, _: usize) -> f64 {
        f64::from(u8::from(self.number.map(|number| number % 3) == self.named))
    }
}

#[test]
fn what_chance_does_without_a_list_is_played_on() {
    for agent in ["mcts:tree=open", "flat"] {
        let spec: AgentSpec = agent.parse().unwrap();
        let mut agent = spec.build(&Lottery { number: None, named: None }).unwrap();
        agent.advance(17).unwrap();
        let report = agent.search(Budget::iterations(300), &mut |_| ()).unwrap();
        assert_eq!(report.best_action(), Some(2u32));
        assert!(agent.advance(17).is_err(), "what players may do is listed");
    }
}
