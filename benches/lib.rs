//! The games that the benchmarks measure.

use boughs::Session;

/// A game with cheap playouts, and one with dear ones.
pub const GAMES: [&str; 2] = ["connect4", "othello"];

/// The start of a game of the list.
///
/// # Panics
/// If there is no such game.
pub fn start(game: &str) -> Box<dyn Session> {
    boughs_games::start(game).expect(game).position
}
