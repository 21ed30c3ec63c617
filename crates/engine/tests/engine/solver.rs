//! The solver: every proven value is true, every provable value is proven, and proven moves are played.

use crate::common::{Code, IN_TURN, InTurn, OUTCOMES, Outcomes, Shares, Spot, Toy, check_trees, mix};
use boughs::{Budget, Game, Parallel, Report, Search, Session, Settings, StopReason, TreeSearch, Turn, TurnOrder};

/// The start of a small tree grown from a hash, with wins, draws and losses: of two players in turn, or of two players
/// in any order and of chance.
fn twig<const KIND: u8, const MAX: u32>(seed: u64) -> Toy<KIND, MAX> {
    let is_in_turn = Toy::<KIND, MAX>::TURN_ORDER == TurnOrder::Alternating;
    Toy::table(2, [0, mix(seed + 1)], |[ply, hash]| {
        if ply == 5 || ply > 1 && hash.is_multiple_of(4) {
            return Spot::over_for_two([0.0, 0.0, 0.5, 1.0, 1.0][(hash >> 40) as usize % 5]);
        }
        let turn = match (hash >> 8) % 10 {
            _ if is_in_turn => Turn::Player(ply as usize % 2),
            0 | 1 if ply > 0 => Turn::Chance,
            player => Turn::Player(player as usize % 2),
        };
        let next = |action: u32| (action, [ply + 1, mix(hash.wrapping_add(u64::from(action) * 0x1234_5678_9abc))]);
        Spot::of(turn, (0..1 + (hash >> 16) as u32 % 4).map(next))
    })
}

fn children(position: &dyn Session) -> Vec<Box<dyn Session>> {
    let after = |(action, _)| {
        let mut child = position.clone_session();
        child.apply(action);
        child
    };
    position.legal_moves().into_iter().map(after).collect()
}

/// The certain reward of the first player, by exhaustive search; `None` if it depends on chance.
fn truth(position: &dyn Session) -> Option<f64> {
    let values = || children(position).into_iter().map(|child| truth(&*child));
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

fn solve(position: &dyn Session, settings: Settings) -> (Box<dyn TreeSearch>, Report) {
    let mut search = position.tree_search(settings).unwrap();
    let report = search.run(Budget::iterations(10_000).early_stop(false)).unwrap();
    (search, report)
}

fn agents() -> impl Iterator<Item = Settings> {
    let drivers = [Parallel::Shared, Parallel::Independent, Parallel::Batched];
    let with = |parallel| [1, 3].map(|threads| Settings { solver: true, parallel, threads, ..Settings::default() });
    drivers.into_iter().flat_map(with)
}

#[test]
fn what_can_be_proven_is_proven_and_true_in_every_driver() {
    let (proven, open) = prove(&|seed| Box::new(twig::<OUTCOMES, 200>(seed)));
    assert!(proven > 300 && open > 30, "{proven} proven and {open} open roots");
    let (proven, open) = prove(&|seed| Box::new(twig::<IN_TURN, 200>(seed)));
    assert!(proven > 300 && open == 0, "{proven} proven and {open} open roots");
}

/// Checks what is proven of many twigs. Returns the number of roots that are proven, and of those that are not.
fn prove(twig: &dyn Fn(u64) -> Box<dyn Session>) -> (u32, u32) {
    let (mut proven, mut open) = (0, 0);
    for seed in 0..150 {
        let position = twig(seed);
        let Turn::Player(player) = position.turn() else { continue };
        for agent in agents() {
            let (mut search, report) = solve(&*position, agent.clone());
            check_trees(&mut *search);
            let for_mover = |first: f64| if player == 0 { first } else { 1.0 - first };
            for child in &report.children {
                let after = children(&*position).swap_remove(child.action as usize);
                if let Some(claimed) = child.proven {
                    assert_eq!(Some(claimed), truth(&*after).map(for_mover), "seed {seed}, {agent}: {child:?}");
                }
            }
            match truth(&*position).map(for_mover) {
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
        let mut search = Search::new(offer(), agent.clone()).unwrap();
        let report = search.run(Budget::iterations(2_000)).unwrap();
        assert_eq!((report.stop, report.best_action()), (StopReason::Proven, Some(0u32)), "{agent}: {report}");
        assert!(report.iterations < 200, "{agent}: {report}");
    }
}

/// The start of a game in which each move is a draw, or a step of a long way at whose end the first player wins. After
/// the second step there is only the way on.
fn offer() -> InTurn {
    InTurn::table(2, [0, 0], |[steps, taken]| {
        let take = (0, [steps, 1]);
        let step = |code| (code, [steps + 1, 0]);
        match steps {
            _ if taken == 1 => Spot::over_for_two(0.5),
            0 | 1 => Spot::player(steps, [take, step(1)]),
            400 => Spot::over_for_two(1.0),
            _ => Spot::player(steps % 2, [step(0)]),
        }
    })
}

#[test]
fn a_solved_position_needs_no_search_after_its_move() {
    let position = (0..)
        .map(twig::<OUTCOMES, 200>)
        .find(|twig| twig.turn() == Turn::Player(0) && truth(twig) == Some(1.0))
        .unwrap();
    let (mut search, report) = solve(&position, agents().next().unwrap());
    search.advance(report.best_action().unwrap()).unwrap();
    if let Turn::Player(_) = search.position().turn() {
        let next = search.run(Budget::iterations(1_000)).unwrap();
        assert_eq!((next.stop, next.iterations), (StopReason::Proven, 0));
    }
}

#[test]
fn a_search_that_stops_early_plays_what_the_whole_budget_would() {
    let mut stopped = 0;
    for spec in ["mcts:solver=on", "mcts:solver=on,c=0.5,expand=1"] {
        let settings: Settings = spec.parse().unwrap();
        let search = || Search::new(InTurn::thicket(0, 2), Settings { memory: 8 << 20, ..settings.clone() }).unwrap();
        let (mut early, mut whole) = (search(), search());
        for seed in 0..5_000 {
            let run = |search: &mut Search<InTurn>, stops: bool| {
                search.begin(InTurn::thicket(seed, 2), seed);
                search.run(Budget::iterations(100 + seed % 7 * 50).early_stop(stops)).unwrap()
            };
            let (early, whole) = (run(&mut early, true), run(&mut whole, false));
            stopped += u32::from(early.stop == StopReason::Decided);
            // Where each move turns out to lose, no choice among them is worth more than another.
            let all_lose = whole.children.iter().all(|child| child.proven == Some(0.0));
            assert!(all_lose || early.best == whole.best, "{spec}, seed {seed}: {early} {whole}");
        }
    }
    assert!(stopped > 200, "{stopped} of 10,000 searches stopped early");
}

/// The start of a game in which two of three moves end the game, with these rewards, and the third leads to a long wait
/// for a draw.
fn fork(rewards: [f64; 2]) -> Shares {
    Shares::table(2, [0, 0], |[waited, chosen]| {
        let wait = (2, [waited + 1, 0]);
        match (waited, chosen) {
            (0, 0) => Spot::player(0, [wait, (0, [0, 1]), (1, [0, 2])]),
            (0, _) => Spot::over_for_two(rewards[chosen as usize - 1]),
            (200, _) => Spot::over_for_two(0.5),
            _ => Spot::player(0, [wait]),
        }
    })
}

#[test]
fn a_proven_win_is_played_and_a_proven_loss_is_not_at_any_number_of_playouts() {
    for agent in agents() {
        let run = |rewards| {
            let mut search = Search::new(fork(rewards), agent.clone()).unwrap();
            search.run(Budget::iterations(100)).unwrap()
        };
        let report = run([0.0, 1.0]);
        assert_eq!((report.stop, report.best_action()), (StopReason::Proven, Some(1u32)), "{agent}");
        assert!(report.iterations < 100, "{agent}: the search ends when the root is proven");
        let report = run([0.0, 0.0]);
        assert_eq!(report.best_action(), Some(2u32), "{agent}");
        let lost: Vec<u64> = report.children.iter().filter(|c| c.proven == Some(0.0)).map(|c| c.playouts).collect();
        assert_eq!(lost.len(), 2, "{agent}");
        assert!(lost.iter().all(|&playouts| playouts < 70), "{agent}: a loss is not tried again: {lost:?}");
    }
}

/// The start of a game in which the first move wins but for one of twelve replies, and the second loses after a long
/// way.
fn trap() -> InTurn {
    InTurn::table(2, [0, 0], |[steps, reply]| match steps {
        0 => Spot::player(0, [(0, [1_000, 0]), (1, [1, 0])]),
        400 => Spot::over_for_two(0.0),
        1_000 => Spot::player(1, (0..12).map(|reply| (reply, [1_001, u64::from(reply)]))),
        1_001 => Spot::over_for_two(if reply == 11 { 0.0 } else { 1.0 }),
        _ => Spot::player(steps % 2, [(0, [steps + 1, 0])]),
    })
}

#[test]
fn a_proven_loss_that_has_won_before_gets_no_more_playouts_without_exploration_too() {
    for agent in agents() {
        for exploration in [0.0, 1.0] {
            let agent = Settings { exploration, ..agent.clone() };
            let mut search = Search::new(trap(), agent.clone()).unwrap();
            let report = search.run(Budget::iterations(2_000).early_stop(false)).unwrap();
            let lost = report.children.iter().find(|child| child.action == 0).unwrap();
            assert_eq!(lost.proven, Some(0.0), "{agent}: {report}");
            assert!(lost.playouts < 600, "{agent}: {report}");
        }
    }
}

#[test]
fn a_solved_node_is_not_entered_again() {
    let settings = Settings { solver: true, traversals: 1, bulk: 1, ..Settings::default() };
    let mut entered = 0;
    for seed in 0..40 {
        let position: Outcomes = twig(seed);
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

const QUESTIONS: u64 = 20;

/// The start of twenty choices for one player, of which one of three is right each time. The share of right ones is the
/// reward.
fn quiz() -> Shares {
    Shares::table(1, [0, 0], |[asked, right]| match asked {
        QUESTIONS => Spot::over(&[right as f64 / QUESTIONS as f64]),
        _ => Spot::player(
            0,
            (0..3).map(|answer| {
                let is_right = mix(asked + 1) >> 20 & 1 == u64::from(answer);
                (answer, [asked + 1, right + u64::from(is_right)])
            }),
        ),
    })
}

#[test]
fn the_best_playout_leads_to_its_score_with_the_solver_and_without() {
    for more in ["", ",threads=3", ",bulk=1", ",bulk=65536,traversals=1", ",parallel=batched"] {
        for solver in ["on", "off"] {
            let text = format!("mcts:c=0.3,solver={solver}{more}");
            let mut search = Search::new(quiz(), text.parse().unwrap()).unwrap();
            // Each search has a plan of its own, and the later ones begin with bulks.
            for _ in 0..4 {
                let plan = search.run(Budget::iterations(4_000).early_stop(false)).unwrap().best_playout.unwrap();
                let mut position = quiz();
                assert_eq!(plan.moves.len(), QUESTIONS as usize, "{text}");
                plan.moves.iter().for_each(|step| position.apply(Code(step.action)));
                assert_eq!((position.turn(), position.reward(0)), (Turn::Over, plan.score), "{text}");
            }
        }
    }
}
