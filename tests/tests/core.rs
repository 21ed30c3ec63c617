//! The search of the core and that of the engine, held together: both are asked for the same positions. They use their
//! random numbers in another order, so what is compared are sums over many seeds. Choices at the same time are left
//! out: of equal actions the engine takes the first and the core any, and then other pairs of them meet.

use std::collections::BTreeMap;

use boughs::{Action as _, Budget, Game, Rng, Search, Settings, Turn};
use boughs_core as core;
use boughs_games::connect4::Connect4;
use boughs_games::kuhn::Kuhn;
use boughs_games::othello::Othello;
use boughs_games::pig::Pig;

const SEEDS: u64 = 40;
const PLAYOUTS: u64 = 1_000;

/// The playouts of each action at the root and the sum of their rewards.
type Sums = BTreeMap<u32, (f64, f64)>;

fn add(sums: &mut Sums, children: impl Iterator<Item = (u32, f64, f64)>) {
    for (action, playouts, mean) in children {
        let sum = sums.entry(action).or_default();
        *sum = (sum.0 + playouts, sum.1 + playouts * mean);
    }
}

/// The sums of both searches.
fn sums<G: Game>(position: &G) -> [Sums; 2] {
    let is_decoupled = G::INFORMATION != boughs::Information::Perfect;
    // Nothing but the plain tree sends simulations down together.
    let text = if is_decoupled { "mcts:threads=1,memory=4M" } else { "mcts:threads=1,bulk=1,memory=4M" };
    let mut both = [Sums::new(), Sums::new()];
    for seed in 0..SEEDS {
        let settings = Settings { seed, exploration: 1.0, traversals: 1, ..text.parse().unwrap() };
        let mut search = Search::new(position.clone(), settings).unwrap();
        let report = search.run(Budget::iterations(PLAYOUTS).early_stop(false)).unwrap();
        add(&mut both[0], report.children.iter().map(|child| (child.action, child.playouts as f64, child.mean)));

        let settings = core::Settings { seed, memory: 4 << 20, ..core::Settings::DEFAULT };
        let budget = core::Budget::iterations(PLAYOUTS).early_stop(false);
        let ranked = if is_decoupled {
            let mut search = core::DecoupledSearch::new(position.clone(), settings);
            search.run(budget);
            search.ranked()
        } else {
            let mut search = core::LocalSearch::new(position.clone(), settings);
            search.run(budget);
            search.ranked()
        };
        let child = |child: &core::Child<G::Action>| (child.action.code(), child.visits.into(), child.mean.into());
        add(&mut both[1], ranked.iter().map(child));
    }
    both
}

/// Compares the searches in positions of a game that is played at random.
fn compare<G: Game>(spec: &str) {
    let start = boughs_games::start(spec).unwrap().position;
    let (mut position, mut rng) = (start.downcast_ref::<G>().unwrap().clone(), Rng::new(5, 0));
    let mut choices = 0;
    for ply in 0..20 {
        choices += u32::from(position.turn().player().is_some());
        if position.turn().player().is_some() && choices % 3 == 1 {
            let [engine, core] = sums(&position);
            let total = (SEEDS * PLAYOUTS) as f64;
            let what = format!("{spec} after {ply} moves: {engine:?} and {core:?}");
            let mean = |sums: &Sums| sums.values().map(|sum| sum.1).sum::<f64>() / total;
            let range = G::REWARDS.bounds.map_or(1.0, |(least, most)| most - least);
            assert!((mean(&engine) - mean(&core)).abs() < 0.02 * range, "{what}");
            for (action, of_engine) in &engine {
                let of_core = core.get(action).copied().unwrap_or_default();
                assert!((of_engine.0 - of_core.0).abs() < 0.08 * total, "action {action}, {what}");
            }
        }
        let action = match position.turn() {
            Turn::Player(_) => position.random_action(&mut rng, &mut Vec::new()),
            Turn::Chance => position.chance(&mut rng, &mut Vec::new()),
            Turn::Over => None,
        };
        let Some(action) = action else { return };
        position.apply(action);
    }
}

#[test]
fn ucb1_divides_playouts_as_in_the_engine() {
    compare::<Connect4>("connect4");
    compare::<Othello>("othello");
    compare::<Pig>("pig:goal=40");
}

#[test]
fn hidden_cards_are_searched_as_in_the_engine() {
    compare::<Kuhn>("kuhn");
}
