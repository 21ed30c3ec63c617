//! RAVE (rapid action value estimation): the mean of a child is mixed with its all-moves-as-first mean, which counts
//! every simulation below the node in which its player played the action at any later time (Gelly and Silver 2007).
//!
//! The AMAF mean is known after few simulations and is biased, because an action played later is not the action played
//! now. So its weight starts at 1 and falls as the visits n of the child grow, in the form that minimises the mean
//! squared error (Silver 2009, section 4.4): `beta = m / (m + n + b m n)` with m AMAF visits, where b is 4 times the
//! square of the bias. The exploration term of UCB1 is added, with n + 1 for n.

use super::first_play::value_of_unvisited;
use super::{ChildStats, ParentStats, SelectionPolicy, greatest, ucb1};
use crate::mcts::settings::FirstPlay;

#[derive(Debug)]
pub(super) struct Rave {
    /// The exploration constant C.
    pub(super) c: f32,
    /// The bias b of an AMAF mean.
    pub(super) bias: f32,
    pub(super) first_play: FirstPlay,
}

impl Rave {
    /// The value of a child, given the exploration factor of its node.
    #[inline]
    fn value(&self, child: &ChildStats, exploration: f32, unvisited: f32) -> f32 {
        let (visits, amaf) = (child.visits as f32, child.amaf.visits as f32);
        if child.is_closed() {
            return -1.0 / visits;
        }
        if child.amaf.visits == 0 {
            return ucb1::value(child, exploration, unvisited);
        }
        let weight = amaf / (amaf + visits + self.bias * amaf * visits);
        let mean = child.mean();
        mean + weight * (child.amaf.sum / amaf - mean) + exploration / (visits + 1.0).sqrt()
    }
}

impl SelectionPolicy for Rave {
    fn select(&self, parent: &ParentStats, children: &[ChildStats]) -> usize {
        let unvisited = value_of_unvisited(self.first_play, children);
        let exploration = ucb1::exploration(self.c, parent.visits);
        greatest(children.iter().map(|child| self.value(child, exploration, unvisited)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AmafStats, child, node};
    use super::*;

    fn rule(bias: f32) -> Rave {
        Rave { c: 0.0, bias, first_play: FirstPlay::Value(f64::INFINITY) }
    }

    fn with_amaf(child: ChildStats, visits: u32, sum: f32) -> ChildStats {
        ChildStats { amaf: AmafStats { visits, sum }, ..child }
    }

    #[test]
    fn few_visits_follow_the_actions_of_later_moves_and_many_their_own_mean() {
        let few = [with_amaf(child(2, 1.5, 0.0), 100, 20.0), with_amaf(child(2, 0.5, 0.0), 100, 80.0)];
        assert_eq!(rule(0.01).select(&node(4), &few), 1);
        let many =
            [with_amaf(child(20_000, 15_000.0, 0.0), 100, 20.0), with_amaf(child(20_000, 5_000.0, 0.0), 100, 80.0)];
        assert_eq!(rule(0.01).select(&node(40_000), &many), 0);
    }

    #[test]
    fn a_child_without_visits_is_known_by_later_moves() {
        let children = [with_amaf(child(0, 0.0, 0.0), 10, 4.0), with_amaf(child(0, 0.0, 0.0), 10, 6.0)];
        assert_eq!(rule(0.01).select(&node(1), &children), 1);
        let with_unknown = [children[0], children[1], child(0, 0.0, 0.0)];
        assert_eq!(rule(0.01).select(&node(1), &with_unknown), 2, "an action that nobody played is tried first");
    }

    #[test]
    fn a_known_outcome_is_not_entered_again() {
        let children = [with_amaf(child(1 << 31, 9e9, 0.0), 10, 10.0), with_amaf(child(3, 0.0, 0.0), 10, 0.0)];
        assert_eq!(rule(0.01).select(&node(99), &children), 1);
    }
}
