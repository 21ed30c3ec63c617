//! Playout policies that learn from the moves of earlier simulations, each in a file of its own.
//!
//! A policy keeps one table, which all workers share without a lock, and all trees of root parallelisation. It is kept
//! from move to move of a game. In a batched search playouts only read it, and it learns from them in their order
//! between batches.
//!
//! A new policy is a file with a [`LearnedPolicy`], a variant of [`Learning`], and a line in [`of`].

mod averages;
pub(super) mod guided;
mod mast;
mod nst;
mod table;

use std::fmt::Debug;
use std::sync::Arc;

use super::traversal::PlayedMove;
use crate::GameFacts;
use crate::mcts::settings::{Learning, Settings};
use crate::mcts::tree::words::Writers;

/// A playout policy that learns.
pub(crate) trait LearnedPolicy: Debug + Send + Sync {
    /// The value of an action for a player; of some, the one with the greatest value is played. `before` are the moves
    /// from the root of the search on.
    fn value(&self, player: u8, before: &[PlayedMove], code: u32) -> f32;

    /// Learns from the moves of a simulation. `shares` has the reward of each player as a share of the way from the
    /// least to the greatest reward.
    fn learn(&self, moves: &[PlayedMove], shares: &[f32], writers: Writers);

    /// Forgets everything.
    fn clear(&self);
}

/// The learning playouts of a search.
#[derive(Clone, Debug)]
pub(crate) struct LearnedPlayouts {
    pub(super) policy: Arc<dyn LearnedPolicy>,
    /// The probability that a move is left to the playout below.
    epsilon: f64,
}

/// The learning playouts that the settings ask for.
pub(super) fn of(settings: &Settings, facts: &GameFacts) -> Option<LearnedPlayouts> {
    match settings.learning {
        Learning::Off => None,
        Learning::Mast => Some(LearnedPlayouts::new(settings, mast::Mast::new(facts.max_code))),
        Learning::Nst => Some(LearnedPlayouts::new(settings, nst::Nst::new())),
    }
}

impl LearnedPlayouts {
    fn new(settings: &Settings, policy: impl LearnedPolicy + 'static) -> LearnedPlayouts {
        LearnedPlayouts { policy: Arc::new(policy), epsilon: settings.epsilon }
    }
}
