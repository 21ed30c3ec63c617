//! Playout policies that learn from the moves of earlier simulations, each in a file of its own.
//!
//! A policy keeps one table, which all workers share without a lock, and all trees of root parallelisation. It is kept
//! from move to move of a game. In a batched search playouts only read it, and it learns from them in their order
//! between batches.
//!
//! A new policy is a file with a [`LearnedPolicy`], a variant of [`Learning`], and a line in [`of`].

mod averages;
pub(super) mod choices;
pub(super) mod guided;
mod last_good_reply;
mod mast;
mod nst;
mod ppa;
mod table;

use std::fmt::Debug;
use std::sync::Arc;

use self::choices::Choices;
use super::traversal::PlayedMove;
use crate::GameFacts;
use crate::mcts::settings::{Learning, Settings};
use crate::mcts::tree::words::Writers;

/// A playout policy that learns.
pub(crate) trait LearnedPolicy: Debug + Send + Sync {
    /// The action by which a player answers, if one is known. It may not be legal. `before` are the moves from the root
    /// of the search on.
    fn reply(&self, _player: u8, _before: &[PlayedMove]) -> Option<u32> {
        None
    }

    /// True if the policy tells actions apart by [`value`](LearnedPolicy::value).
    fn compares(&self) -> bool {
        false
    }

    /// True if playouts draw from all legal actions in proportion to their [`value`](LearnedPolicy::value)s, and the
    /// policy learns from what they did not play.
    fn draws(&self) -> bool {
        false
    }

    /// The value of an action for a player; of some, the one with the greatest value is played.
    fn value(&self, _player: u8, _before: &[PlayedMove], _code: u32) -> f32 {
        0.0
    }

    /// Learns from the moves of a simulation. `shares` has the reward of each player as a share of the way from the
    /// least to the greatest reward.
    fn learn(&self, _moves: &[PlayedMove], _shares: &[f32], _writers: Writers) {}

    /// Learns from the choices of a playout, for a policy that [`draws`](LearnedPolicy::draws).
    fn learn_choices(&self, _choices: &Choices, _shares: &[f32], _writers: Writers) {}

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
        Learning::Ppa => Some(LearnedPlayouts::new(settings, ppa::Ppa::new(facts.max_code))),
        Learning::LastGoodReply => Some(LearnedPlayouts::new(settings, last_good_reply::LastGoodReply::new())),
    }
}

impl LearnedPlayouts {
    fn new(settings: &Settings, policy: impl LearnedPolicy + 'static) -> LearnedPlayouts {
        LearnedPlayouts { policy: Arc::new(policy), epsilon: settings.epsilon }
    }
}
