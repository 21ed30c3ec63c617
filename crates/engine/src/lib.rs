//! Parallel Monte Carlo Tree Search for any game.
#![cfg_attr(not(test), warn(missing_docs))]

pub mod conformance;
pub mod game;
mod logarithm;
pub mod notation;
mod perft;
pub mod puzzle;
mod random;
#[cfg(test)]
mod testing;

pub use game::{Action, Game, Rewards, Turn, TurnOrder};
pub use perft::perft;
pub use random::Rng;

/// What a panic said.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
