//! Parallel Monte Carlo Tree Search for any game.

mod budget;
mod checksum;
mod clock;
pub mod conformance;
mod game;
pub mod log;
mod logarithm;
mod memory;
pub mod notation;
mod numbers;
mod perft;
mod playout;
mod random;
mod report;
mod search;
mod settings;
mod sync;
#[cfg(test)]
mod testing;
mod tree;

pub use budget::{Budget, StopFlag, StopReason};
pub use checksum::Checksum;
pub use clock::GameClock;
pub use game::{Action, Game, MAX_PLAYERS, Rewards, Turn, TurnOrder};
pub use memory::{default_memory, parse_size, write_size};
pub use perft::perft;
pub use playout::{Decisive, End, Light, Playout, PlayoutKind};
pub use random::Rng;
pub use report::{Child, Move, Report, Warning};
pub use search::{PlayoutRecord, Running, Search, SearchError, cores};
pub use settings::{FinalMove, InFlight, KEYS, Key, MAX_THREADS, Parallel, Policy, Settings, SpecError};
pub use tree::NodeDump;

/// What a panic said.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
