//! Short tactics with known answers are found in every game, with every seed.

use boughs_tests::{Tactic, best_move, position, tactics};

const PLAYOUTS: u64 = 20_000;
const SEEDS: [u64; 3] = [1, 2, 3];

/// The seeds that miss a tactic, each with the move found.
fn misses(tactic: &Tactic) -> Vec<String> {
    let Tactic { spec, moves, best, plies } = tactic;
    let game = boughs_games::start(spec).expect(spec).entry.name;
    let agent = boughs_agents::default_agent(game).to_string();
    let position = position(spec, moves);
    let search = |seed: u64| (seed, best_move(&*position, &agent, seed, PLAYOUTS));
    let misses = SEEDS.into_iter().map(search).filter(|(_, found)| !best.contains(&found.as_str()));
    misses.map(|(seed, found)| format!("{spec} {moves} | {best:?} | {plies}: seed {seed} found {found}")).collect()
}

#[test]
fn every_tactic_is_found_with_three_seeds() {
    let missed: Vec<String> = tactics().iter().flat_map(misses).collect();
    assert!(missed.is_empty(), "missed:\n{}", missed.join("\n"));
}
