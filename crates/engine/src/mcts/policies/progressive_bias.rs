//! Progressive bias: UCB1 + H / (n + 1), where H is the heuristic value of the action (Chaslot, Winands, van den Herik,
//! Uiterwijk and Bouzy 2008, section 4.1, with n + 1 in the place of n so that it counts from the first visit on).
//!
//! H is the prior of the action times a weight. It matters while there are few visits and fades as their mean becomes
//! known.

use super::first_play::value_of_unvisited;
use super::{ChildStats, ParentStats, SelectionPolicy, greatest, ucb1};
use crate::mcts::settings::FirstPlay;

#[derive(Debug)]
pub(super) struct ProgressiveBias {
    /// The exploration constant C.
    pub(super) c: f32,
    /// The weight of a prior.
    pub(super) weight: f32,
    pub(super) first_play: FirstPlay,
}

impl SelectionPolicy for ProgressiveBias {
    fn select(&self, parent: &ParentStats, children: &[ChildStats]) -> usize {
        let unvisited = value_of_unvisited(self.first_play, children);
        let is_new = |child: &ChildStats| child.visits == 0;
        if unvisited == f32::INFINITY && children.iter().any(is_new) {
            return greatest(children.iter().map(|child| if is_new(child) { child.prior } else { -1.0 }));
        }
        let exploration = ucb1::exploration(self.c, parent.visits);
        greatest(children.iter().map(|child| {
            let value = ucb1::value(child, exploration, unvisited);
            if child.is_closed() { value } else { value + self.weight * child.prior / (child.visits as f32 + 1.0) }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{child, node};
    use super::*;

    fn rule(weight: f32) -> ProgressiveBias {
        ProgressiveBias { c: 0.1, weight, first_play: FirstPlay::Value(f64::INFINITY) }
    }

    #[test]
    fn the_bias_orders_first_visits_and_fades() {
        let children = [child(0, 0.0, 0.25), child(0, 0.0, 0.5), child(0, 0.0, 0.25)];
        assert_eq!(rule(1.0).select(&node(0), &children), 1);
        let children = [child(4, 2.0, 0.9), child(4, 2.1, 0.1)];
        assert_eq!(rule(1.0).select(&node(8), &children), 0);
        let children = [child(4_000, 2_000.0, 0.9), child(4_000, 2_100.0, 0.1)];
        assert_eq!(rule(1.0).select(&node(8_000), &children), 1);
    }
}
