//! UCB1: the two terms of a child's value, computed from its counters.

use std::sync::Arc;

use crate::mcts::tables::{SMALL, Tables, inverses, inverses_of_visits};

/// The terms of a child's value. UCB1 is `mean + exploration * inv_sqrt_n`, where the exploration is the constant times
/// `sqrt(ln N)` of the parent's visits and the same for all children.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct UcbTerms {
    pub(super) mean: f32,
    /// One by the square root of the child's visits.
    pub(super) inv_sqrt_n: f32,
}

impl UcbTerms {
    #[inline(always)]
    pub(crate) fn value(self, exploration: f32) -> f32 {
        self.mean + exploration * self.inv_sqrt_n
    }
}

/// The constants of UCB1 in one search.
#[derive(Clone, Debug)]
pub(crate) struct Ucb {
    tables: Arc<Tables>,
    /// The exploration constant.
    constant: f32,
    /// True if a child that was never visited has the terms [`unvisited`](Ucb::unvisited), not those of its counters.
    first_play: bool,
    unvisited: UcbTerms,
    /// True if visits in flight are counted apart and not as virtual loss.
    counts_apart: bool,
    /// The least score, where bounds are learned.
    least: f64,
    /// One by the distance from the least to the greatest score.
    inverse: f64,
}

impl Ucb {
    /// With an infinite `first_play` selection tries every child first.
    pub(crate) fn new(tables: Arc<Tables>, constant: f64, first_play: f64) -> Ucb {
        let unvisited = match first_play.is_finite() {
            true => UcbTerms { mean: first_play as f32, inv_sqrt_n: 0.0 },
            false => UcbTerms { mean: 0.0, inv_sqrt_n: inverses(0.0)[1] },
        };
        let first_play = first_play.is_finite();
        Ucb { tables, constant: constant as f32, first_play, unvisited, counts_apart: false, least: 0.0, inverse: 0.0 }
    }

    /// The same for visits in flight that are counted apart (WU-UCT).
    pub(crate) fn apart(self, counts_apart: bool) -> Ucb {
        Ucb { counts_apart, ..self }
    }

    #[inline(always)]
    pub(super) fn counts_apart(&self) -> bool {
        self.counts_apart
    }

    /// Sets the bounds of scores that are known by now. Without any, all scores are worth the same.
    #[inline]
    pub(super) fn set_bounds(&mut self, (least, most): (f64, f64)) {
        let range = most - least;
        (self.least, self.inverse) = if range > 0.0 { (least, 1.0 / range) } else { (0.0, 0.0) };
    }

    /// Converts a sum of scores to a sum of shares of the way from the least score to the greatest.
    #[inline(always)]
    pub(crate) fn share(&self, sum: f64, scores: u32) -> f32 {
        ((sum - f64::from(scores) * self.least) * self.inverse).max(0.0) as f32
    }

    /// Converts a difference of shares to one of scores.
    pub(crate) fn score(&self, share: f64) -> f64 {
        if self.inverse > 0.0 { share / self.inverse } else { 0.0 }
    }

    /// The factor before the exploration term of a node's children, given the node's visits.
    #[inline(always)]
    pub(crate) fn exploration(&self, visits: u32) -> f32 {
        // Not quite 0, so that the very large number that stands for no visits stays very large.
        (self.constant * self.tables.sqrt_ln(visits)).max(1e-9)
    }

    /// `[1 / n, 1 / sqrt(n)]` of few visits, unless those that are none have a value of their own.
    #[inline(always)]
    pub(super) fn of_few(&self) -> Option<&[[f32; 2]; SMALL]> {
        if self.first_play { None } else { Some(self.tables.small_inverses()) }
    }

    /// Returns true if every child is tried once, in the order they were listed, before any is chosen by its value.
    #[inline(always)]
    pub(super) fn tries_all_first(&self) -> bool {
        !self.first_play
    }

    /// The value of a child that was never visited.
    pub(super) fn value_of_unvisited(&self) -> f32 {
        if self.first_play { self.unvisited.mean } else { f32::INFINITY }
    }

    #[inline(always)]
    pub(super) fn terms(&self, sum: f32, visits: u32) -> UcbTerms {
        if self.first_play && visits == 0 {
            return self.unvisited;
        }
        let [inverse, inv_sqrt_n] = inverses_of_visits(visits);
        UcbTerms { mean: sum * inverse, inv_sqrt_n }
    }

    /// The same by a table, which is quicker where a processor waits for the result and visits are few.
    #[inline(always)]
    pub(super) fn terms_of_few(&self, sum: f32, visits: u32) -> UcbTerms {
        if self.first_play && visits == 0 {
            return self.unvisited;
        }
        let [inverse, inv_sqrt_n] = self.tables.inverses(visits);
        UcbTerms { mean: sum * inverse, inv_sqrt_n }
    }
}
