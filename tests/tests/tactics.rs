//! Short tactics with known answers are found in every game, whatever the seed.

use boughs_games::{Listed, Visitor, visit};
use boughs_tests::{best_move, lines, settings};

const PLAYOUTS: u64 = 20_000;
const SEEDS: [u64; 3] = [1, 2, 3];

const FIXTURES: [&str; 5] = [
    include_str!("../fixtures/tactics-tictactoe.txt"),
    include_str!("../fixtures/tactics-connect4.txt"),
    include_str!("../fixtures/tactics-othello.txt"),
    include_str!("../fixtures/tactics-hex.txt"),
    include_str!("../fixtures/tactics-breakthrough.txt"),
];

struct Solve<'f>(&'f str);

impl Visitor for Solve<'_> {
    /// Positions, those that need three plies or more, and those missed.
    type Output = (usize, usize, Vec<String>);

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let (mut positions, mut deep, mut missed) = (0, 0, Vec::new());
        for line in lines(self.0) {
            let [moves, best, plies] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
                panic!("{line} should have three parts")
            };
            positions += 1;
            deep += usize::from(plies.parse::<u32>().expect(line) >= 3);
            for seed in SEEDS {
                let found = best_move(&start, moves, &settings(G::AGENT, seed), PLAYOUTS);
                if !best.split(' ').any(|good| good == found) {
                    missed.push(format!("{}: {moves} | {best} | {plies}: seed {seed} found {found}", G::NAME));
                }
            }
        }
        (positions, deep, missed)
    }
}

#[test]
fn every_tactic_is_found_with_three_seeds() {
    let mut all_missed = Vec::new();
    for fixture in FIXTURES {
        let first = fixture.lines().next().expect("a fixture has lines");
        let game = first.strip_prefix("# game: ").expect("the first line names the game");
        let (positions, deep, missed) = visit(game, Solve(fixture)).expect(game);
        assert!(positions >= 20, "{game} has {positions} positions");
        assert!(deep * 2 >= positions, "{deep} of {positions} positions of {game} need three plies or more");
        println!("{game}: {positions} positions, {} misses of {}", missed.len(), positions * SEEDS.len());
        all_missed.extend(missed);
    }
    assert!(all_missed.is_empty(), "missed:\n{}", all_missed.join("\n"));
}
