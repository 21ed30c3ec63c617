//! Learning to value positions by self-play: a weighted sum of features gives the share of games won.
//!
//! It is for two-player games whose rewards add up to 1. A game names its features ([`Features`]), and a [`Learner`]
//! finds the weights by temporal differences (Sutton 1988). The learner plays games against itself and searches each
//! turn to its end ([`TurnSearch`]). The value that the search finds for the next turn is the target for the plain
//! value of the position before it.
//!
//! ```
//! use boughs_agents::learn::{Features, Learner, Learning};
//! use boughs::{SearchError, StopFlag};
//!
//! fn learn<G: Features>(start: impl Fn(u64) -> G + Sync) -> Result<Vec<f64>, SearchError> {
//!     let learning = Learning { games: 1_000, ..Learning::default() };
//!     let mut learner = Learner::new(learning, G::names().len())?;
//!     while let Some(round) = learner.play_round(&start, &StopFlag::default()) {
//!         println!("{} games, player 0 won {} of the last {}", learner.games(), round.won, round.games);
//!     }
//!     Ok(learner.weights().to_vec())
//! }
//! ```

mod learner;
#[cfg(feature = "crates")]
mod learning_run;
#[cfg(feature = "crates")]
mod net_run;
mod self_play;

pub use crate::turn::{ActionValues, Choice, TurnSearch};
pub use boughs_games::{Features, advantage, logistic, win_rate};
pub use learner::{Learner, Learning, Round};
#[cfg(feature = "crates")]
pub use learning_run::{Learned, LearningRun, LearningTerms, Step, Weighed, names};
#[cfg(feature = "crates")]
pub use net_run::{AGAINST, NetRun};
pub use self_play::Played;
