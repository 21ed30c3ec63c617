//! Short tactics with known answers are found in every game, whatever the seed.

use boughs_games::{Listed, Visitor, visit};
use boughs_tests::{Tactic, best_move, tactics};

const PLAYOUTS: u64 = 20_000;
const SEEDS: [u64; 3] = [1, 2, 3];

/// Finds the seeds that miss.
struct Solve<'t>(&'t Tactic);

impl Visitor for Solve<'_> {
    type Output = Vec<String>;

    fn visit<G: Listed>(self, start: G) -> Vec<String> {
        let Tactic { spec, moves, best, plies } = self.0;
        let search = |seed: u64| (seed, best_move(&start, moves, G::AGENT, seed, PLAYOUTS));
        let misses = SEEDS.into_iter().map(search).filter(|(_, found)| !best.contains(&found.as_str()));
        misses.map(|(seed, found)| format!("{spec} {moves} | {best:?} | {plies}: seed {seed} found {found}")).collect()
    }
}

#[test]
fn every_tactic_is_found_with_three_seeds() {
    let missed: Vec<String> =
        tactics().iter().flat_map(|tactic| visit(tactic.spec, Solve(tactic)).expect(tactic.spec)).collect();
    assert!(missed.is_empty(), "missed:\n{}", missed.join("\n"));
}
