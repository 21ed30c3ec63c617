//! Agents for AHC015 "Halloween Candy", and the player that runs them on cases.

#[doc(hidden)]
pub mod batch;
mod candy;
mod clock;
mod layout;
mod player;
mod solutions;

pub use candy::Candy;
pub use clock::CaseClock;
pub use player::{Choice, Player};
pub use solutions::{Solution1, Solution2, Solution3, play_by_rule};
