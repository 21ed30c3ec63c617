//! Agents for Photosynthesis: a rule, two beam searches, and Monte Carlo tree search with choices cut down to the good ones.

mod beam;
mod choices;
mod greedy;
mod habits;
mod value;
mod woods;

pub use beam::{Beam, Layers};
pub use greedy::Greedy;
pub use woods::Woodsman;

use boughs::{Game, Turn};
use boughs_games::photosynthesis::Photosynthesis;

/// Who is asked.
fn asked(game: &Photosynthesis) -> usize {
    match game.turn() {
        Turn::Player(player) => player,
        Turn::Chance | Turn::Over => 0,
    }
}
