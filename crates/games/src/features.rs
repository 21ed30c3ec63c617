//! Features of positions, and the evaluation that a weighted sum of them gives: the advantage, and the share of games
//! won.
//!
//! `boughs-agents` learns the weights by self-play.

use boughs::{Game, Turn};

use crate::logistic::logistic;

/// A two-player game with features, of which a weighted sum estimates who is ahead.
pub trait Features: Game {
    /// The names of all features. The first feature is 1 in every position: the value of being player 0.
    fn names() -> Vec<String>;

    /// Calls `see` with the number and the value of every feature, from player 0's side: a value that is good for
    /// player 0 is equally bad for player 1. A feature that is not passed is 0; the values of one passed twice are
    /// added. Called where a turn has ended. A feature beyond the names counts for nothing.
    fn features(&self, see: &mut impl FnMut(usize, f64));

    /// A hash of the position within a turn: positions from which the same can follow have the same hash, even if they
    /// were reached in different ways. Different positions share a hash as rarely as hashes of 64 bits do.
    fn key(&self) -> u64;

    /// The reward of player 0 if it is certain. The game may still have to be played to its end.
    fn settled(&self) -> Option<f64> {
        (self.turn() == Turn::Over).then(|| self.reward(0))
    }
}

/// The advantage of player 0 by these weights.
#[inline]
pub fn advantage<G: Features>(position: &G, weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    position.features(&mut |number, value| sum += value * weights.get(number).copied().unwrap_or_default());
    sum
}

/// The share of games that a player wins from a position by these weights.
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
