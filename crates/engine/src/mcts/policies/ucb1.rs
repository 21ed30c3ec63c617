//! UCB1 in the layout with priors, for first-play urgency relative to the parent and for widening: mean + C sqrt(ln N /
//! n) (Kocsis and Szepesvari 2006, with UCB1 of Auer, Cesa-Bianchi and Fischer 2002).

use super::first_play::value_of_unvisited;
use super::{ChildStats, ParentStats, SelectionPolicy, greatest};
use crate::logarithm::ln;
use crate::mcts::settings::FirstPlay;

#[derive(Debug)]
pub(super) struct Ucb1 {
    /// The exploration constant C.
    pub(super) c: f32,
    pub(super) first_play: FirstPlay,
}

impl SelectionPolicy for Ucb1 {
    fn select(&self, parent: &ParentStats, children: &[ChildStats]) -> usize {
        let unvisited = value_of_unvisited(self.first_play, children);
        let exploration = exploration(self.c, parent.visits);
        greatest(children.iter().map(|child| value(child, exploration, unvisited)))
    }
}

/// The factor C sqrt(ln N) of a node's children.
pub(super) fn exploration(c: f32, visits: u32) -> f32 {
    c * ln(f64::from(visits.max(1))).sqrt() as f32
}

/// The value of a child by UCB1.
#[inline]
pub(super) fn value(child: &ChildStats, exploration: f32, unvisited: f32) -> f32 {
    match child.visits {
        0 => unvisited,
        visits if child.is_closed() => -1.0 / visits as f32,
        visits => child.mean() + exploration / (visits as f32).sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{child, node};
    use super::*;

    #[test]
    fn the_mean_and_the_visits_decide() {
        let rule = |c, first_play| Ucb1 { c, first_play };
        let children = [child(60, 30.0, 0.0), child(30, 13.5, 0.0), child(10, 2.0, 0.0)];
        assert_eq!(rule(0.1, FirstPlay::Value(9.0)).select(&node(100), &children), 0);
        assert_eq!(rule(0.5, FirstPlay::Value(9.0)).select(&node(100), &children), 1);
        assert_eq!(rule(3.0, FirstPlay::Value(9.0)).select(&node(100), &children), 2);
    }

    #[test]
    fn an_unvisited_child_waits_if_its_parent_is_worth_less_than_the_best() {
        let children = [child(9, 8.0, 0.0), child(9, 2.0, 0.0), child(0, 0.0, 0.0)];
        let select = |first_play| Ucb1 { c: 0.1, first_play }.select(&node(18), &children);
        assert_eq!(select(FirstPlay::Value(f64::INFINITY)), 2);
        assert_eq!(select(FirstPlay::Parent { reduction: 0.0 }), 0);
    }
}
