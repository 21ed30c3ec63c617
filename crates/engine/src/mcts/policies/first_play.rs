//! First-play urgency: the value of a child that was never visited (Gelly and Wang 2006).
//!
//! Without it every child is tried once before any is visited again, which takes most of a search where there are many
//! actions. As a constant it is the same everywhere. Relative to the parent it is the mean of the children that were
//! visited, less a reduction that grows with the prior of these children: once the likely actions have been tried, the
//! rest is likely to be worse. That is the rule of Leela Zero: `Q(parent) - reduction * sqrt(visited prior)`.

use super::ChildStats;
use crate::mcts::settings::FirstPlay;

/// The value of children without visits, if all children of their node have these statistics. Infinite for a rule that
/// tries each child first.
pub(super) fn value_of_unvisited(first_play: FirstPlay, children: &[ChildStats]) -> f32 {
    match first_play {
        FirstPlay::Value(value) => value as f32,
        FirstPlay::Parent { reduction } => {
            let visited = || children.iter().filter(|child| child.visits > 0 && !child.is_closed());
            let visits: u32 = visited().map(|child| child.visits).sum();
            if visits == 0 {
                return 0.5;
            }
            let sum: f32 = visited().map(|child| child.sum).sum();
            let all: f32 = children.iter().map(|child| child.prior).sum();
            // Without priors all children are alike.
            let prior = match all > 0.0 {
                true => visited().map(|child| child.prior).sum(),
                false => visited().count() as f32 / children.len() as f32,
            };
            (sum / visits as f32 - reduction as f32 * prior.min(1.0).sqrt()).max(0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::child;
    use super::*;

    #[test]
    fn an_unvisited_child_is_worth_what_its_parent_is_less_a_reduction() {
        let children = [child(3, 1.5, 0.5), child(1, 1.0, 0.14), child(0, 0.0, 0.36)];
        let value = |first_play| value_of_unvisited(first_play, &children);
        assert_eq!(value(FirstPlay::Value(0.25)), 0.25);
        assert_eq!(value(FirstPlay::Parent { reduction: 0.0 }), 0.625);
        assert!((value(FirstPlay::Parent { reduction: 0.25 }) - (0.625 - 0.25 * 0.8)).abs() < 1e-6);
        assert_eq!(value(FirstPlay::Parent { reduction: 5.0 }), 0.0, "no value is below the least reward");
        assert_eq!(value_of_unvisited(FirstPlay::Parent { reduction: 0.5 }, &children[2..]), 0.5);
        let alike = [child(4, 4.0, 0.0), child(0, 0.0, 0.0), child(0, 0.0, 0.0), child(0, 0.0, 0.0)];
        assert_eq!(value_of_unvisited(FirstPlay::Parent { reduction: 0.5 }, &alike), 0.75, "without priors");
    }
}
