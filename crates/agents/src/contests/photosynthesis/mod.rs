//! Agents for Photosynthesis: a rule, two beam searches, and Monte Carlo Tree Search over the good choices.

mod choices;
mod days_beam;
mod greedy;
mod habits;
mod mcts;
mod value;

pub use days_beam::{DaysBeam, Layers};
pub use greedy::Greedy;
pub use habits::Playout;
pub use mcts::PhotosynthesisMcts;

use boughs::{Game, Turn};
use boughs_games::photosynthesis::Photosynthesis;

/// The player to move.
fn asked(game: &Photosynthesis) -> usize {
    match game.turn() {
        Turn::Player(player) => player,
        Turn::Chance | Turn::Over => 0,
    }
}
