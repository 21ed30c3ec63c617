//! Agents for AHC015 "Halloween Candy", and what it takes to run them on cases.

mod case;
mod clock;
mod layout;
mod player;
mod playout;
mod solutions;

pub use case::{Outcome, play_case};
pub use clock::CaseClock;
pub use player::{Choice, Player};
pub use solutions::{Solution1, Solution2, Solution3};
