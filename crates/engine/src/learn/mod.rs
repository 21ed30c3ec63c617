//! Learning to value positions by self-play: a weighted sum of features, turned into a share of games won.
//!
//! It is for games of two whose rewards add up to 1. A game names its features ([`Features`]), and a [`Learner`] finds the weights
//! by temporal differences (Sutton 1988): games are played against itself, each turn is searched to its end ([`TurnSearch`]), and
//! what the search says of the next turn is what the plain value of the position before it should have been.
//!
//! ```
//! use boughs::learn::{Features, Learner, Learning};
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
mod logistic;
mod self_play;
mod turn;

pub use learner::{Learner, Learning, Round};
pub use logistic::logistic;
pub use turn::{Choice, Ranking, TurnSearch};

use crate::{Game, Turn};

/// A game of two with features of which a weighted sum says who is ahead.
pub trait Features: Game {
    /// The names of all features. The first one is 1 in every position: what it is worth to be player 0.
    fn names() -> Vec<String>;

    /// Calls `see` with the number and the value of every feature, as player 0 has it: what is good for the one is as bad for the
    /// other. A feature that is not seen is 0, and one that is seen twice the sum. Asked where a turn has ended. A feature beyond the
    /// names counts for nothing.
    fn features(&self, see: &mut impl FnMut(usize, f64));

    /// A number that is the same for positions of a turn in which the same may follow, however they came about. Different
    /// positions may have the same number as rarely as hashes of 64 bits do.
    fn key(&self) -> u64;

    /// What player 0 gets, where that is certain. The game may still have to be played to its end.
    fn settled(&self) -> Option<f64> {
        (self.turn() == Turn::Over).then(|| self.reward(0))
    }
}

/// The advantage of player 0 by weights.
#[inline]
pub fn advantage<G: Features>(position: &G, weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    position.features(&mut |number, value| sum += value * weights.get(number).copied().unwrap_or_default());
    sum
}

/// The share of games that a player wins from a position by weights.
#[inline]
pub fn win_rate<G: Features>(position: &G, player: usize, weights: &[f64]) -> f64 {
    match position.settled() {
        Some(reward) => {
            if player == 0 {
                reward
            } else {
                1.0 - reward
            }
        }
        None => {
            let advantage = advantage(position, weights);
            logistic(if player == 0 { advantage } else { -advantage })
        }
    }
}
