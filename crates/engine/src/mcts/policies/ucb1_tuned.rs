//! UCB1-Tuned: mean + C sqrt(ln N / n min(1/4, V)), where V is an upper bound of the variance of the child's rewards
//! (Auer, Cesa-Bianchi and Fischer 2002, section 4): `V = mean of squares - mean^2 + sqrt(2 ln N / n)`.
//!
//! A child whose rewards hardly vary needs few visits until its mean is known. No reward in 0..=1 varies by more than
//! 1/4, so there this rule explores at most half as much as UCB1 with the same C.

use super::first_play::value_of_unvisited;
use super::{ChildStats, ParentStats, SelectionPolicy, greatest};
use crate::logarithm::ln;
use crate::mcts::settings::FirstPlay;

#[derive(Debug)]
pub(super) struct Ucb1Tuned {
    /// The factor C before the exploration term, 1 in the paper.
    pub(super) c: f32,
    pub(super) first_play: FirstPlay,
}

/// The greatest variance of rewards in 0..=1.
const MOST_VARIANCE: f32 = 0.25;

impl SelectionPolicy for Ucb1Tuned {
    fn select(&self, parent: &ParentStats, children: &[ChildStats]) -> usize {
        let unvisited = value_of_unvisited(self.first_play, children);
        let ln_visits = ln(f64::from(parent.visits.max(1))) as f32;
        greatest(children.iter().map(|child| match child.visits {
            0 => unvisited,
            visits if child.is_closed() => -1.0 / visits as f32,
            visits => {
                let (mean, by_visits) = (child.mean(), 1.0 / visits as f32);
                let share = ln_visits * by_visits;
                let variance = child.squares * by_visits - mean * mean + (2.0 * share).sqrt();
                mean + self.c * (share * variance.clamp(0.0, MOST_VARIANCE)).sqrt()
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{child, node};
    use super::*;

    #[test]
    fn of_equal_means_the_one_that_varies_is_explored() {
        let rule = Ucb1Tuned { c: 1.0, first_play: FirstPlay::Value(f64::INFINITY) };
        // Always 1/2, and by turns 0 and 1.
        let steady = ChildStats { squares: 25_000.0, ..child(100_000, 50_000.0, 0.0) };
        let varied = ChildStats { squares: 50_000.0, ..child(100_000, 50_000.0, 0.0) };
        assert_eq!(rule.select(&node(200_000), &[steady, varied]), 1);
        let ahead = ChildStats { squares: 25_100.0, ..child(100_000, 50_100.0, 0.0) };
        assert_eq!(rule.select(&node(200_000), &[ahead, varied]), 1, "UCB1 would take the better mean");
    }
}
