//! Playout policies that learn from the moves of earlier simulations, each in a file of its own.
//!
//! A policy keeps one table, which all workers share without a lock, and all trees of root parallelisation. It is kept
//! from move to move of a game. In a batched search playouts only read it, and it learns from them in their order
//! between batches.
//!
//! A new policy is a file with a [`LearnedPolicy`], a variant of [`Learning`], and a line in [`of`].

mod averages;
pub(super) mod guided;
mod last_good_reply;
mod mast;
mod nst;

use std::fmt::Debug;
use std::sync::Arc;

use super::traversal::PlayedMove;
use crate::mcts::settings::{Learning, Settings};
use crate::mcts::tree::words::Writers;
use crate::playout::PlayoutKind;
use crate::{GameFacts, Rng};

/// A playout policy that learns.
pub(crate) trait LearnedPolicy: Debug + Send + Sync {
    /// The index of the action that a player plays, of those with these codes; `None` for the playout below. `before`
    /// are the moves from the root of the search on.
    fn pick(&self, player: u8, before: &[PlayedMove], codes: &[u32], rng: &mut Rng) -> Option<usize>;

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
    /// True if a move that wins at once is played in any case.
    is_decisive: bool,
}

/// The learning playouts that the settings ask for.
pub(super) fn of(settings: &Settings, facts: &GameFacts) -> Option<LearnedPlayouts> {
    match settings.learning {
        Learning::Off => None,
        Learning::Mast => Some(LearnedPlayouts::new(settings, mast::Mast::new(facts.max_code))),
        Learning::Nst => Some(LearnedPlayouts::new(settings, nst::Nst::new())),
        Learning::LastGoodReply => Some(LearnedPlayouts::new(settings, last_good_reply::LastGoodReply::new())),
    }
}

impl LearnedPlayouts {
    fn new(settings: &Settings, policy: impl LearnedPolicy + 'static) -> LearnedPlayouts {
        let is_decisive = settings.playout == PlayoutKind::Decisive;
        LearnedPlayouts { policy: Arc::new(policy), epsilon: settings.epsilon, is_decisive }
    }
}

/// The index of the greatest value, of equals one at random.
fn greatest_at_random(values: impl Iterator<Item = f32>, rng: &mut Rng) -> Option<usize> {
    let (mut best, mut equals) = (None, 0);
    for (index, value) in values.enumerate() {
        match best {
            Some((_, most)) if value < most => {}
            Some((_, most)) if value == most => {
                equals += 1;
                if rng.below(equals) == 0 {
                    best = Some((index, value));
                }
            }
            _ => (best, equals) = (Some((index, value)), 1),
        }
    }
    best.map(|(index, _)| index)
}
