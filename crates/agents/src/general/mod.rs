//! Agents that play any game that suits them.

mod beam;
mod determinization;
mod exhaustive;
mod expectimax;
mod flat;
mod mcts;
mod random;

pub use beam::Beam;
pub use determinization::Determinization;
pub use exhaustive::Exhaustive;
pub use expectimax::Expectimax;
pub use flat::{Flat, FlatPolicy};
pub use mcts::tree_search;
pub use random::Random;
