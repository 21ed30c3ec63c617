//! Positions whose answers are known, and exact judges of small games, for the tests in `tests/`.
//!
//! The files are written by the package `boughs-generate`; their first lines say what they hold and how it was found.

pub mod exact;

use boughs::notation::play_moves;
use boughs::{Budget, Search, Settings};
use boughs_games::Listed;

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// What a position or a move is worth with best play on both sides, to the player to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// The other player wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The player to act wins.
    Win,
}

/// A position with the value of each legal move.
#[derive(Clone, Debug)]
pub struct Valued {
    /// The moves that lead there.
    pub moves: &'static str,
    /// Each legal move in the game's order, as the game writes it, and its value.
    pub values: Vec<(String, Value)>,
}

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

/// The thousand Connect Four positions.
///
/// # Panics
/// If the file is not what its first lines say.
pub fn connect4_values() -> Vec<Valued> {
    let positions = lines(include_str!("fixtures/connect4-values.txt"));
    let valued = |line: &'static str| {
        let (moves, words) = line.split_once(' ').expect(line);
        let mut letters = words.chars();
        let mut values = Vec::new();
        while let (Some(column), Some(value)) = (letters.next(), letters.next()) {
            let value = match value {
                'W' => Value::Win,
                'D' => Value::Draw,
                'L' => Value::Loss,
                _ => panic!("{line}"),
            };
            values.push((column.to_string(), value));
        }
        Valued { moves, values }
    };
    positions.map(valued).collect()
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
