//! Exhaustive search: every chain of a turn is searched once, and then its value is exact.

use std::sync::Mutex;
use std::thread::ThreadId;
use std::time::Duration;

use boughs::{Budget, Game, Report, StopReason, Turn, Warning};
use boughs_agents::{AgentSpec, Exhaustive};

use crate::common::mix;

/// A game whose turns have up to five choices, with chance in between, valued by a hash.
#[derive(Clone, Debug)]
struct Errands {
    hash: u64,
    /// The number of choices in this turn.
    steps: u32,
    player: usize,
    is_lucky: bool,
}

impl Errands {
    fn new(seed: u64) -> Errands {
        Errands { hash: mix(mix(seed)), steps: 0, player: 0, is_lucky: false }
    }

    fn is_dusk(&self) -> bool {
        self.steps >= 5 || self.steps > 1 && self.hash.is_multiple_of(7)
    }
}

impl Game for Errands {
    type Action = u16;
    const MAX_PLIES: u32 = 50;
    fn turn(&self) -> Turn {
        match self.is_lucky || self.is_dusk() && !self.hash.is_multiple_of(5) {
            true => Turn::Chance,
            false if self.is_dusk() => Turn::Over,
            false => Turn::Player(self.player),
        }
    }
    fn actions(&self, out: &mut Vec<u16>) {
        out.extend(1..=(self.hash >> 20) as u16 % 4 + 1);
    }
    fn apply(&mut self, action: u16) {
        let was_lucky = std::mem::replace(&mut self.is_lucky, false);
        if !was_lucky && self.is_dusk() {
            (self.player, self.steps) = (1 - self.player, 0);
        } else if !was_lucky {
            self.steps += 1;
        }
        self.hash = mix(self.hash ^ u64::from(action) << 40 | u64::from(was_lucky));
        self.is_lucky = !was_lucky && !self.is_dusk() && self.hash.is_multiple_of(3);
    }
    fn weight(&self, outcome: u16) -> u32 {
        u32::from(outcome) - 1
    }
    fn ends_turn(&self) -> bool {
        !self.is_lucky
    }
    fn reward(&self, player: usize) -> f64 {
        self.judge(player)
    }
    fn evaluation(&self, player: usize) -> Option<f64> {
        Some(self.judge(player))
    }
}

impl Errands {
    fn judge(&self, player: usize) -> f64 {
        let share = (mix(self.hash) % 1_000) as f64 / 1_000.0;
        if player == 0 { share } else { 1.0 - share }
    }
}

/// Counts the chains from a position and finds its value by full enumeration.
fn enumerate(game: &Errands, player: usize) -> (u64, f64) {
    let ends = match game.turn() {
        Turn::Player(other) => other != player,
        Turn::Chance => game.ends_turn(),
        Turn::Over => true,
    };
    if ends {
        return (1, game.judge(player));
    }
    let (mut count, mut best, mut sum, mut weights) = (0, f64::MIN, 0.0, 0.0);
    let mut actions = Vec::new();
    game.actions(&mut actions);
    for &action in &actions {
        let mut next = game.clone();
        next.apply(action);
        let (chains, value) = enumerate(&next, player);
        count += chains;
        best = best.max(value);
        sum += value * f64::from(game.weight(action));
        weights += f64::from(game.weight(action));
    }
    (count, if game.turn() == Turn::Chance && weights > 0.0 { sum / weights } else { best })
}

fn search(game: &Errands, agent: &str, seed: u64, budget: Budget) -> Report {
    let spec: AgentSpec = agent.parse().unwrap();
    spec.with_seed(seed).build(game).unwrap().search(budget.early_stop(false), &mut |_| ()).unwrap()
}

/// Positions at the start of turns with choices.
fn turns() -> impl Iterator<Item = Errands> {
    (0..60).map(Errands::new)
}

#[test]
fn a_turn_is_searched_completely_and_no_chain_twice() {
    let (mut chains, mut lucky) = (0, 0);
    for game in turns() {
        for agent in ["exhaustive", "exhaustive:threads=2"] {
            let report = search(&game, agent, 1, Budget::unlimited());
            assert_eq!(report.stop, StopReason::Complete);
            for child in &report.children {
                let mut next = game.clone();
                next.apply(child.action as u16);
                let (count, value) = enumerate(&next, 0);
                assert_eq!(child.playouts, count, "{game:?} {}", child.text);
                assert!((child.mean - value).abs() < 1e-5, "{game:?} {}: {} for {value}", child.text, child.mean);
                lucky += u32::from(next.turn() == Turn::Chance);
            }
            let best = report.best_child().map(|child| child.mean);
            assert!(report.children.iter().all(|child| Some(child.mean) <= best), "{report}");
            chains += report.iterations;
        }
    }
    assert!(chains > 4_000 && lucky > 20, "{chains} chains, {lucky} times luck");
}

#[test]
fn a_budget_of_chains_is_kept_and_gives_the_same_at_any_number_of_threads() {
    for game in turns() {
        let (all, _) = enumerate(&game, 0);
        for budget in [1, 7, 40, 200, 1_000] {
            let at = |threads: usize, seed| {
                let report = search(&game, &format!("exhaustive:threads={threads}"), seed, Budget::iterations(budget));
                assert_eq!(report.iterations, all.min(budget));
                assert!(report.best.is_some());
                report
                    .children
                    .iter()
                    .map(|child| (child.action, child.playouts, child.mean.to_bits()))
                    .collect::<Vec<_>>()
            };
            let one = at(1, 3);
            assert!(at(2, 3) == one && at(5, 3) == one, "{game:?} {budget}");
        }
    }
}

/// A turn that begins with one action and goes on with five choices of four, whose evaluation takes time.
#[derive(Clone, Debug, Default)]
struct Forced {
    path: Vec<u16>,
}

/// The threads that have evaluated a position of [`Forced`].
static JUDGES: Mutex<Vec<ThreadId>> = Mutex::new(Vec::new());

impl Game for Forced {
    type Action = u16;
    fn turn(&self) -> Turn {
        Turn::Player(usize::from(self.path.len() == 6))
    }
    fn actions(&self, out: &mut Vec<u16>) {
        out.extend(0..if self.path.is_empty() { 1 } else { 4 });
    }
    fn apply(&mut self, action: u16) {
        self.path.push(action);
    }
    fn reward(&self, _: usize) -> f64 {
        0.0
    }
    fn evaluation(&self, _: usize) -> Option<f64> {
        std::thread::sleep(Duration::from_micros(50));
        let judge = std::thread::current().id();
        let mut judges = JUDGES.lock().unwrap();
        if !self.path.is_empty() && !judges.contains(&judge) {
            judges.push(judge);
        }
        Some(f64::from(self.path.iter().map(|&action| u32::from(action)).sum::<u32>()) / 20.0)
    }
}

#[test]
fn threads_share_the_chains_of_one_first_action() {
    let spec: AgentSpec = "exhaustive:threads=2".parse().unwrap();
    let mut agent = spec.build(&Forced::default()).unwrap();
    let report = agent.search(Budget::unlimited().early_stop(false), &mut |_| ()).unwrap();
    assert_eq!((report.iterations, report.stop, report.depth), (1_024, StopReason::Complete, 6));
    assert!((report.best_child().unwrap().mean - 0.75).abs() < 1e-6, "{report}");
    assert_eq!(JUDGES.lock().unwrap().len(), 2);
}

/// A turn of 25 first actions, of which the first begins far more chains than the others.
#[derive(Clone, Debug, Default)]
struct Lopsided {
    path: Vec<u16>,
}

impl Game for Lopsided {
    type Action = u16;
    fn turn(&self) -> Turn {
        Turn::Player(usize::from(self.path.len() == if self.path.first() == Some(&0) { 5 } else { 3 }))
    }
    fn actions(&self, out: &mut Vec<u16>) {
        out.extend(0..if self.path.is_empty() { 25 } else { 12 });
    }
    fn apply(&mut self, action: u16) {
        self.path.push(action);
    }
    fn reward(&self, _: usize) -> f64 {
        0.0
    }
    fn evaluation(&self, _: usize) -> Option<f64> {
        Some(f64::from(self.path.iter().fold(7, |sum, &action| sum * 31 + u32::from(action)) % 1_000) / 1_000.0)
    }
}

#[test]
fn memory_that_some_chains_have_left_is_for_others() {
    let spec: AgentSpec = "exhaustive:memory=130K".parse().unwrap();
    let report = spec.build(&Lopsided::default()).unwrap().search(Budget::unlimited(), &mut |_| ()).unwrap();
    assert_eq!((report.iterations, report.stop), (12u64.pow(4) + 24 * 144, StopReason::Complete), "{report}");
}

/// A turn of one action followed by chance, with evaluations that are mostly infinitely bad or no number.
#[derive(Clone, Debug, Default)]
struct Abyss(u16);

impl Game for Abyss {
    type Action = u16;
    fn turn(&self) -> Turn {
        match self.0 {
            0 => Turn::Player(0),
            1..10 => Turn::Chance,
            _ => Turn::Player(1),
        }
    }
    fn actions(&self, out: &mut Vec<u16>) {
        out.extend(1..=3);
    }
    fn apply(&mut self, action: u16) {
        self.0 = 10 * self.0 + action;
    }
    fn weight(&self, _: u16) -> u32 {
        3
    }
    fn ends_turn(&self) -> bool {
        false
    }
    fn reward(&self, _: usize) -> f64 {
        0.0
    }
    fn evaluation(&self, _: usize) -> Option<f64> {
        Some([0.0, f64::NEG_INFINITY, f64::NAN, 0.9][usize::from(self.0 % 10)])
    }
}

#[test]
fn what_is_infinitely_bad_or_no_number_is_searched_like_all_else() {
    let spec: AgentSpec = "exhaustive".parse().unwrap();
    let report = spec.build(&Abyss::default()).unwrap().search(Budget::unlimited(), &mut |_| ()).unwrap();
    assert_eq!((report.iterations, report.stop), (9, StopReason::Complete), "{report}");
    assert!(report.children.iter().all(|child| child.playouts == 3 && child.mean == 0.0), "{report}");
}

#[test]
fn depth_and_memory_are_bounds() {
    let game = turns().max_by_key(|game| enumerate(game, 0).0).unwrap();
    let shallow = search(&game, "exhaustive:depth=1", 1, Budget::unlimited());
    assert_eq!((shallow.depth, shallow.iterations as usize), (1, shallow.children.len()));
    let small = search(&game, "exhaustive:memory=600", 1, Budget::unlimited());
    assert_eq!(small.stop, StopReason::MemoryFull);
    assert!(small.bytes <= 2_000 && small.best.is_some(), "{small}");
    for bytes in [5_000, 10_000, 20_000] {
        let bounded = search(&game, &format!("exhaustive:memory={bytes}"), 1, Budget::unlimited());
        assert!(bounded.bytes <= bytes && bounded.bytes > bytes / 4, "{bounded}");
    }
}

#[test]
fn playouts_judge_where_nothing_else_does() {
    let game = Errands::new(1);
    let report = search(&game, "exhaustive:playouts=200,depth=1", 1, Budget::unlimited());
    assert_eq!(report.stop, StopReason::Complete);
    let exact = search(&game, "exhaustive:depth=1", 1, Budget::unlimited());
    assert_ne!(report.best_child().map(|child| child.mean), exact.best_child().map(|child| child.mean));
    assert!(!report.warnings.contains(&Warning::RewardClamped), "{report}");
}

#[test]
fn the_least_depth_is_that_of_one_action() {
    let of = |depth| AgentSpec::Exhaustive(Exhaustive { depth, ..Exhaustive::default() });
    for game in &turns().take(5).collect::<Vec<_>>() {
        let fault = of(0).build(game).err().unwrap().to_string();
        assert_eq!(fault, "'0' in depth=0 should be a whole number from 1 to 10000");
        let mut agent = of(1).build(game).unwrap();
        let report = agent.search(Budget::unlimited().early_stop(false), &mut |_| ()).unwrap();
        assert!(report.stop == StopReason::Complete && report.depth == 1, "{game:?}");
    }
}

#[test]
fn a_warning_says_where_values_are_those_of_one_draw() {
    for (game, moves, is_drawn_once) in [
        ("kuhn", "QJ check bet", true),
        ("kuhn", "QJ", false),
        ("matrix:game=rps", "rock", true),
        ("photosynthesis", "", true),
        ("tictactoe", "5", false),
    ] {
        let mut position = boughs_games::start(game).unwrap().position;
        position.play_moves(moves).unwrap();
        let agent: AgentSpec = "exhaustive:playouts=0".parse().unwrap();
        let report = agent.build(&*position).unwrap().search(Budget::iterations(1_000), &mut |_| ()).unwrap();
        assert_eq!(report.warnings.contains(&Warning::OneDraw), is_drawn_once, "{game} {moves}: {report}");
    }
}
