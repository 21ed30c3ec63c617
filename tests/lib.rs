//! Positions whose answers are known, and exact judges of small games, for the tests in `tests/`.
//!
//! The files are written by the package `boughs-generate`; their first lines say what they hold and how it was found. Those
//! that measurements need too are in the lab.

use boughs_arena as _;

pub mod exact;

use boughs::notation::play_moves;
use boughs::{Budget, Search, Settings};
use boughs_games::Listed;

pub use boughs_lab::solved::{Value, Valued, connect4_values};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// A position with something to find.
#[derive(Clone, Debug)]
pub struct Tactic {
    /// The game, as the list of games knows it.
    pub spec: &'static str,
    /// The moves that lead there.
    pub moves: &'static str,
    /// The moves that keep the best value, at most half of the legal ones.
    pub best: Vec<&'static str>,
    /// How many plies an exhaustive search must look ahead to prefer a best move.
    pub plies: u32,
}

/// The tactical positions of all games.
///
/// # Panics
/// If a file is not what its first lines say.
pub fn tactics() -> Vec<Tactic> {
    let files = [
        include_str!("fixtures/tactics-tictactoe.txt"),
        include_str!("fixtures/tactics-connect4.txt"),
        include_str!("fixtures/tactics-othello.txt"),
        include_str!("fixtures/tactics-hex.txt"),
        include_str!("fixtures/tactics-breakthrough.txt"),
    ];
    files.into_iter().flat_map(tactics_of).collect()
}

fn tactics_of(file: &'static str) -> impl Iterator<Item = Tactic> {
    let spec = file.lines().find_map(|line| line.strip_prefix("# game: ")).expect("the game is named");
    lines(file).map(move |line| {
        let [moves, best, plies] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        Tactic { spec, moves, best: best.split(' ').collect(), plies: plies.parse().expect(line) }
    })
}

fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.starts_with('#'))
}

/// The text of the move that one thread finds after `moves` with so many playouts.
///
/// # Panics
/// If the moves are not legal, the agent is none, or nothing is found: the test is wrong then.
pub fn best_move<G: Listed>(start: &G, moves: &str, agent: &str, seed: u64, playouts: u64) -> String {
    let mut position = start.clone();
    if let Err(error) = play_moves(&mut position, moves) {
        panic!("{moves}: {error}");
    }
    let agent: Settings = agent.parse().expect(agent);
    let settings = Settings { seed, memory: 64 << 20, ..agent };
    let found = Search::new(position, settings).and_then(|mut search| search.run(Budget::iterations(playouts)));
    match found.map(|report| report.best) {
        Ok(Some(best)) => best.text,
        other => panic!("{moves}: {other:?}"),
    }
}
