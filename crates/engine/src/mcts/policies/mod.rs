//! Selection policies: the rules that select a child of a node, each in a file of its own.
//!
//! These rules see all children of a node at once, in the layout that keeps a prior for each child
//! ([`Informed`](crate::mcts::tree::informed::Informed)). UCB1 with a constant first-play urgency is not here: it is
//! computed in place, by every other layout ([`Ucb`](crate::mcts::tree::ucb::Ucb)).
//!
//! A new rule is a file with a [`SelectionPolicy`], a variant of [`Policy`], and a line in [`of`].

mod first_play;
#[cfg(test)]
mod formulas;
pub(crate) mod grave;
mod gumbel;
mod progressive_bias;
mod puct;
mod rave;
mod ucb1;
mod ucb1_tuned;
mod widening;

use crate::mcts::settings::{FirstPlay, Policy, Settings};
use crate::mcts::tables::CLOSED;

/// The statistics of a child, as a selection policy sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ChildStats {
    /// All visits, with those in flight.
    pub(crate) visits: u32,
    /// The visits that have come back with a reward.
    pub(crate) finished: u32,
    /// The sum of the rewards of the player who chooses, each as a share of the way from the least to the greatest
    /// reward. A visit in flight has no reward yet: that is its virtual loss.
    pub(crate) sum: f32,
    /// The prior. Those of a node's children add up to 1.
    pub(crate) prior: f32,
    /// The sum of the squares of these rewards, in a search whose policy [needs](needs_squares) it.
    pub(crate) squares: f32,
    /// The simulations in which the action was played here or later, in a search whose policy [reads](counts_amaf)
    /// them.
    pub(crate) amaf: AmafStats,
}

/// All-moves-as-first statistics of an action below a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AmafStats {
    /// The simulations in which the player who chooses at the node played the action there or later.
    pub(crate) visits: u32,
    /// The sum of that player's rewards, each as a share of the way from the least to the greatest reward.
    pub(crate) sum: f32,
}

impl ChildStats {
    /// The mean reward, 0 without a visit. A visit in flight counts as one without a reward.
    #[inline]
    fn mean(&self) -> f32 {
        self.sum / self.visits.max(1) as f32
    }

    /// The mean reward of the visits that have come back, 0 without one.
    fn finished_mean(&self) -> f32 {
        self.sum / self.finished.max(1) as f32
    }

    /// True if the outcome is known. No traversal enters such a child while another one is open.
    #[inline]
    pub(crate) fn is_closed(&self) -> bool {
        self.visits >= CLOSED
    }
}

/// The node whose children are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParentStats {
    /// The visits before this one.
    pub(crate) visits: u32,
    /// True at the root of the search.
    pub(crate) is_root: bool,
    /// The simulations that the search is going to make in all, for a policy that
    /// [needs](SelectionPolicy::needs_budget) them; `u64::MAX` if that is not known.
    pub(crate) budget: u64,
}

/// A rule that selects a child.
pub(crate) trait SelectionPolicy: std::fmt::Debug + Send + Sync {
    /// The index of the child to visit next, the first of equals. There is at least one child.
    fn select(&self, parent: &ParentStats, children: &[ChildStats]) -> usize;

    /// The index of the child to play, for a rule that does not leave this to [`Settings::final_move`].
    fn best(&self, _children: &[ChildStats]) -> Option<usize> {
        None
    }

    /// True if [`ParentStats::budget`] is read.
    fn needs_budget(&self) -> bool {
        false
    }
}

/// The policy of a search, unless it is UCB1 with a constant first-play urgency, or draws its choices. `stream` is a
/// stream of random numbers of its own.
pub(crate) fn of(settings: &Settings, stream: u64) -> Option<Box<dyn SelectionPolicy>> {
    if !needs_policy(settings) {
        return None;
    }
    let (c, first_play) = (settings.exploration as f32, settings.first_play);
    let rule: Box<dyn SelectionPolicy> = match settings.policy {
        Policy::Ucb1 => Box::new(ucb1::Ucb1 { c, first_play }),
        Policy::Puct => Box::new(puct::Puct { c, first_play }),
        Policy::ProgressiveBias => {
            Box::new(progressive_bias::ProgressiveBias { c, weight: settings.bias as f32, first_play })
        }
        Policy::Gumbel => Box::new(gumbel::Gumbel::new(settings.seed, stream)),
        Policy::Ucb1Tuned => Box::new(ucb1_tuned::Ucb1Tuned { c, first_play }),
        Policy::Rave | Policy::Grave => Box::new(rave::Rave { c, bias: settings.amaf_bias as f32, first_play }),
        Policy::RegretMatching => return None,
    };
    Some(match settings.widening {
        0.0 => rule,
        constant => Box::new(widening::Widening { constant, exponent: settings.widening_exponent, rule }),
    })
}

/// Returns true if the policy reads [`ChildStats::squares`].
pub(crate) fn needs_squares(settings: &Settings) -> bool {
    settings.policy == Policy::Ucb1Tuned
}

/// Returns true if the policy reads [`ChildStats::amaf`].
pub(crate) fn counts_amaf(settings: &Settings) -> bool {
    matches!(settings.policy, Policy::Rave | Policy::Grave)
}

/// Returns true if a search needs the layout for selection policies.
pub(crate) fn needs_policy(settings: &Settings) -> bool {
    let is_informed = match settings.policy {
        Policy::Ucb1 | Policy::RegretMatching => false,
        Policy::Puct | Policy::ProgressiveBias | Policy::Gumbel => true,
        Policy::Ucb1Tuned | Policy::Rave | Policy::Grave => true,
    };
    let is_relative = match settings.first_play {
        FirstPlay::Value(_) => false,
        FirstPlay::Parent { .. } => true,
    };
    is_informed || is_relative || settings.widening > 0.0 || settings.minimax > 0.0
}

/// The index of the greatest value, the first of equals; 0 if there is none.
fn greatest(values: impl Iterator<Item = f32>) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (index, value) in values.enumerate() {
        if value > best.0 {
            best = (value, index);
        }
    }
    best.1
}

#[cfg(test)]
fn child(visits: u32, sum: f32, prior: f32) -> ChildStats {
    ChildStats { visits, finished: visits, sum, prior, ..ChildStats::default() }
}

#[cfg(test)]
fn node(visits: u32) -> ParentStats {
    ParentStats { visits, is_root: false, budget: u64::MAX }
}
