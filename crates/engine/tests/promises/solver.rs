//! The solver: every proven value is true, every provable value is proven, and proven moves are played.

use crate::common::{self, check_trees};
use boughs::{Budget, Game, Parallel, Report, Rewards, Search, Settings, StopReason, Turn, TurnOrder};

/// A small tree grown from a hash, with wins, draws and losses: of two players in turn, or of two players in any order
/// and of chance.
#[derive(Clone, Debug)]
struct Twig<const IN_TURN: bool> {
    hash: u64,
    ply: u32,
}

impl<const IN_TURN: bool> Twig<IN_TURN> {
    fn new(seed: u64) -> Self {
        Twig { hash: common::mix(seed + 1), ply: 0 }
    }
}

impl<const IN_TURN: bool> Game for Twig<IN_TURN> {
    type Action = u8;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = if IN_TURN { TurnOrder::Alternating } else { TurnOrder::Any };
    const MAX_PLIES: u32 = 5;

    fn turn(&self) -> Turn {
        match (self.hash >> 8) % 10 {
            _ if self.ply == 5 || self.ply > 1 && self.hash.is_multiple_of(4) => Turn::Over,
            _ if IN_TURN => Turn::Player(self.ply as usize % 2),
            0 | 1 if self.ply > 0 => Turn::Chance,
            player => Turn::Player(player as usize % 2),
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..1 + (self.hash >> 16) as u8 % 4);
    }
    fn apply(&mut self, action: u8) {
        self.hash = common::mix(self.hash.wrapping_add(u64::from(action) * 0x1234_5678_9abc));
        self.ply += 1;
    }
    fn reward(&self, player: usize) -> f64 {
        let first = [0.0, 0.0, 0.5, 1.0, 1.0][(self.hash >> 40) as usize % 5];
        if player == 0 { first } else { 1.0 - first }
    }
}

fn children<const IN_TURN: bool>(position: &Twig<IN_TURN>) -> Vec<(u8, Twig<IN_TURN>)> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let after = |action| {
        let mut child = position.clone();
        child.apply(action);
        (action, child)
    };
    actions.into_iter().map(after).collect()
}

/// The certain reward of the first player, by exhaustive search; `None` if it depends on chance.
fn truth<const IN_TURN: bool>(position: &Twig<IN_TURN>) -> Option<f64> {
    let values = || children(position).into_iter().map(|(_, child)| truth(&child));
    let best = |player: usize, value: f64| if player == 0 { value } else { 1.0 - value };
    match position.turn() {
        Turn::Over => Some(position.reward(0)),
        Turn::Chance => {
            let first = values().next()??;
            values().all(|value| value == Some(first)).then_some(first)
        }
        Turn::Player(player) => {
            if values().flatten().any(|value| best(player, value) == 1.0) {
                return Some(best(player, 1.0));
            }
            let all: Vec<f64> = values().collect::<Option<_>>()?;
            all.into_iter().max_by(|one, other| best(player, *one).total_cmp(&best(player, *other)))
        }
    }
}

fn solve<const IN_TURN: bool>(position: &Twig<IN_TURN>, settings: Settings) -> (Search<Twig<IN_TURN>>, Report) {
    let mut search = Search::new(position.clone(), settings).unwrap();
    let report = search.run(Budget::iterations(30_000).early_stop(false)).unwrap();
    (search, report)
}

fn agents() -> impl Iterator<Item = Settings> {
    let drivers = [Parallel::Shared, Parallel::Independent, Parallel::Batched];
    let with = |parallel| [1, 3].map(|threads| Settings { solver: true, parallel, threads, ..Settings::default() });
    drivers.into_iter().flat_map(with)
}

#[test]
fn what_can_be_proven_is_proven_and_true_in_every_driver() {
    let (proven, open) = prove_twigs::<false>();
    assert!(proven > 300 && open > 30, "{proven} proven and {open} open roots");
    let (proven, open) = prove_twigs::<true>();
    assert!(proven > 300 && open == 0, "{proven} proven and {open} open roots");
}

/// Checks what is proven of many twigs. Returns the number of roots that are proven, and of those that are not.
fn prove_twigs<const IN_TURN: bool>() -> (u32, u32) {
    let (mut proven, mut open) = (0, 0);
    for seed in 0..150 {
        let position = Twig::<IN_TURN>::new(seed);
        let Turn::Player(player) = position.turn() else { continue };
        for agent in agents() {
            let (mut search, report) = solve(&position, agent.clone());
            check_trees(&mut search);
            let for_mover = |first: f64| if player == 0 { first } else { 1.0 - first };
            for child in &report.children {
                let (_, after) = children(&position).swap_remove(child.action as usize);
                if let Some(claimed) = child.proven {
                    assert_eq!(Some(claimed), truth(&after).map(for_mover), "seed {seed}, {agent}: {child:?}");
                }
            }
            match truth(&position).map(for_mover) {
                Some(value) => {
                    proven += 1;
                    assert_eq!(report.stop, StopReason::Proven, "seed {seed}, {agent}");
                    assert_eq!(report.best_child().and_then(|best| best.proven), Some(value), "seed {seed}, {agent}");
                }
                None => {
                    open += 1;
                    assert_eq!(report.stop, StopReason::Iterations, "seed {seed}, {agent}");
                }
            }
        }
    }
    (proven, open)
}

#[test]
fn a_certain_draw_needs_no_proof_of_what_is_no_better() {
    // The first player may take a draw, or give the move to the second, who may take a draw or wait for a loss.
    for agent in agents() {
        let mut search = Search::new(Offer::default(), agent.clone()).unwrap();
        let report = search.run(Budget::iterations(2_000)).unwrap();
        assert_eq!((report.stop, report.best_action()), (StopReason::Proven, Some(0u8)), "{agent}: {report}");
        assert!(report.iterations < 200, "{agent}: {report}");
    }
}

/// A game in which each move is a draw, or a step of a long way at whose end the player who offered it first wins.
#[derive(Clone, Default)]
struct Offer {
    steps: u32,
    is_taken: bool,
}

impl Game for Offer {
    type Action = u8;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;

    fn turn(&self) -> Turn {
        if self.is_taken || self.steps == 400 { Turn::Over } else { Turn::Player(self.steps as usize % 2) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..if self.steps < 2 { 2 } else { 1 });
    }
    fn apply(&mut self, action: u8) {
        // After the second step there is only the way on.
        self.is_taken = action == 0 && self.steps < 2;
        self.steps += 1;
    }
    fn reward(&self, player: usize) -> f64 {
        if self.is_taken { 0.5 } else { 1.0 - player as f64 }
    }
}

#[test]
fn a_solved_position_needs_no_search_after_its_move() {
    let position =
        (0..).map(Twig::<false>::new).find(|twig| twig.turn() == Turn::Player(0) && truth(twig) == Some(1.0)).unwrap();
    let (mut search, report) = solve(&position, agents().next().unwrap());
    search.advance(report.best_action().unwrap()).unwrap();
    if let Turn::Player(_) = search.position().turn() {
        let next = search.run(Budget::iterations(1_000)).unwrap();
        assert_eq!((next.stop, next.iterations), (StopReason::Proven, 0));
    }
}

/// Two of three moves end the game; `rewards` are those of the moves, and the third leads to a long wait for a draw.
#[derive(Clone)]
struct Fork {
    rewards: [f64; 2],
    waited: u32,
    chosen: Option<usize>,
}

impl Game for Fork {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.chosen.is_some() || self.waited == 200 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend([2, 0, 1].iter().take(if self.waited == 0 { 3 } else { 1 }));
    }
    fn apply(&mut self, action: u8) {
        match action {
            2 => self.waited += 1,
            _ => self.chosen = Some(usize::from(action)),
        }
    }
    fn reward(&self, player: usize) -> f64 {
        let first = self.chosen.map_or(0.5, |chosen| self.rewards[chosen]);
        if player == 0 { first } else { 1.0 - first }
    }
}

#[test]
fn a_proven_win_is_played_and_a_proven_loss_is_not_at_any_number_of_playouts() {
    for agent in agents() {
        let run = |rewards| {
            let mut search = Search::new(Fork { rewards, waited: 0, chosen: None }, agent.clone()).unwrap();
            search.run(Budget::iterations(100)).unwrap()
        };
        let report = run([0.0, 1.0]);
        assert_eq!((report.stop, report.best_action()), (StopReason::Proven, Some(1u8)), "{agent}");
        assert!(report.iterations < 100, "{agent}: the search ends when the root is proven");
        let report = run([0.0, 0.0]);
        assert_eq!(report.best_action(), Some(2u8), "{agent}");
        let lost: Vec<u64> = report.children.iter().filter(|c| c.proven == Some(0.0)).map(|c| c.playouts).collect();
        assert_eq!(lost.len(), 2, "{agent}");
        assert!(lost.iter().all(|&playouts| playouts < 70), "{agent}: a loss is not tried again: {lost:?}");
    }
}

#[test]
fn a_solved_node_is_not_entered_again() {
    let settings = Settings { solver: true, traversals: 1, bulk: 1, ..Settings::default() };
    let mut entered = 0;
    for seed in 0..40 {
        let position = Twig::<false>::new(seed);
        let Turn::Player(_) = position.turn() else { continue };
        let mut search = Search::new(position, settings.clone()).unwrap();
        let mut below_solved: Vec<(u32, u32)> = Vec::new();
        for _ in 0..400 {
            let report = search.run(Budget::iterations(1).early_stop(false)).unwrap();
            let nodes = search.dump(2).swap_remove(0);
            let visits_below = |action: u32| {
                nodes.iter().filter(|node| node.path.len() == 2 && node.path[0] == action).map(|node| node.visits).sum()
            };
            for &(action, visits) in &below_solved {
                assert_eq!(visits_below(action), visits, "seed {seed}: no traversal goes below solved move {action}");
                entered += 1;
            }
            let solved = report.children.iter().filter(|child| child.proven.is_some() && child.playouts > 0);
            below_solved = solved.map(|c| (c.action, visits_below(c.action))).collect();
            if report.stop == StopReason::Proven {
                break;
            }
        }
    }
    assert!(entered > 100, "{entered} times there was something solved to look at");
}

/// Twenty choices for one player, of which one of three is right each time. The share of right ones is the reward.
#[derive(Clone)]
struct Quiz {
    asked: u32,
    right: u32,
}

const QUESTIONS: u32 = 20;

impl Game for Quiz {
    type Action = u8;
    const MAX_PLIES: u32 = QUESTIONS;

    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        if self.asked == QUESTIONS { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..3);
    }
    fn apply(&mut self, action: u8) {
        self.right += u32::from(common::mix(u64::from(self.asked + 1)) >> 20 & 1 == u64::from(action));
        self.asked += 1;
    }
    fn reward(&self, _: usize) -> f64 {
        f64::from(self.right) / f64::from(QUESTIONS)
    }
}

#[test]
fn the_best_playout_leads_to_its_score_with_the_solver_and_without() {
    for more in ["", ",threads=3", ",bulk=1", ",bulk=65536,traversals=1", ",parallel=batched"] {
        for solver in ["on", "off"] {
            let text = format!("mcts:c=0.3,solver={solver}{more}");
            let mut search = Search::new(Quiz { asked: 0, right: 0 }, text.parse().unwrap()).unwrap();
            // Each search has a plan of its own, and the later ones begin with bulks.
            for _ in 0..4 {
                let plan = search.run(Budget::iterations(4_000).early_stop(false)).unwrap().best_playout.unwrap();
                let mut position = Quiz { asked: 0, right: 0 };
                assert_eq!(plan.moves.len(), QUESTIONS as usize, "{text}");
                plan.moves.iter().for_each(|step| position.apply(step.action as u8));
                assert_eq!((position.turn(), position.reward(0)), (Turn::Over, plan.score), "{text}");
            }
        }
    }
}
