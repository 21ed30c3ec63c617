//! PUCT: mean + C P sqrt(N) / (1 + n), where P is the prior of the action (Rosin 2011; in the form of Silver et al.
//! 2017, AlphaGo Zero).
//!
//! An infinite first-play urgency counts as that of the parent here: tried each once in the order of the game, children
//! would make nothing of their priors.
//!
//! A prior says how likely an action is the best one. Exploration is divided among the actions by their priors, so a
//! search of many actions with good priors looks at few of them.

use super::first_play::value_of_unvisited;
use super::{ChildStats, ParentStats, SelectionPolicy, greatest};
use crate::mcts::settings::FirstPlay;

#[derive(Debug)]
pub(super) struct Puct {
    /// The exploration constant C.
    pub(super) c: f32,
    pub(super) first_play: FirstPlay,
}

impl SelectionPolicy for Puct {
    fn select(&self, parent: &ParentStats, children: &[ChildStats]) -> usize {
        let first_play = match self.first_play {
            FirstPlay::Value(value) if value == f64::INFINITY => FirstPlay::Parent { reduction: 0.0 },
            first_play => first_play,
        };
        let unvisited = value_of_unvisited(first_play, children);
        // The first traversal of a node has no visit before it, and goes by the priors too.
        let exploration = self.c * (parent.visits.max(1) as f32).sqrt();
        greatest(children.iter().map(|child| {
            if child.is_closed() {
                return -1.0 / child.visits as f32;
            }
            let mean = if child.visits == 0 { unvisited } else { child.mean() };
            mean + exploration * child.prior / (1.0 + child.visits as f32)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{child, node};
    use super::*;

    fn rule(c: f32) -> Puct {
        Puct { c, first_play: FirstPlay::Parent { reduction: 0.0 } }
    }

    #[test]
    fn the_first_visit_follows_the_prior() {
        let children = [child(0, 0.0, 0.2), child(0, 0.0, 0.5), child(0, 0.0, 0.3)];
        assert_eq!(rule(1.0).select(&node(0), &children), 1);
    }

    #[test]
    fn exploration_is_divided_by_the_priors() {
        let mut children = [child(0, 0.0, 0.6), child(0, 0.0, 0.3), child(0, 0.0, 0.1)];
        for visits in 0..10_000 {
            let index = rule(5.0).select(&node(visits), &children);
            children[index].visits += 1;
            children[index].finished += 1;
            children[index].sum += 0.5;
        }
        let visits = children.map(|child| child.visits);
        assert!((5_900..6_100).contains(&visits[0]) && (2_950..3_050).contains(&visits[1]), "{visits:?}");
    }

    #[test]
    fn a_better_mean_outweighs_a_prior_in_the_end() {
        let children = [child(900, 400.0, 0.9), child(90, 70.0, 0.1)];
        assert_eq!(rule(1.0).select(&node(990), &children), 1);
    }

    #[test]
    fn a_known_outcome_is_not_entered_again() {
        let children = [child(1 << 31, 9e9, 0.9), child(90, 0.0, 0.0)];
        assert_eq!(rule(1.0).select(&node(990), &children), 1);
    }
}
