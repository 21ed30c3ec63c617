//! What counters are worth: the two terms of UCB1.

use std::sync::Arc;

use crate::numbers::{Tables, inverses};

/// What the value of a child is made of. With `r = 1 / sqrt(n)` UCB1 is `mean + exploration * r`, where the exploration
/// is the constant times `sqrt(ln N)` of the parent's visits and the same for all children.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Weight {
    pub(super) mean: f32,
    pub(super) root: f32,
}

impl Weight {
    pub(crate) fn value(self, exploration: f32) -> f32 {
        self.mean + exploration * self.root
    }
}

/// What makes weights of counters.
#[derive(Clone, Debug)]
pub(crate) struct Scales {
    tables: Arc<Tables>,
    /// The exploration constant.
    constant: f32,
    /// Whether a child that was never visited has a weight of its own, not the one its counters give.
    first_play: bool,
    unvisited: Weight,
    /// The least score and one by the distance to the greatest, where bounds are learned.
    least: f64,
    inverse: f64,
}

impl Scales {
    /// With an infinite `first_play` every child is tried first.
    pub(crate) fn new(tables: Arc<Tables>, constant: f64, first_play: f64) -> Scales {
        let unvisited = match first_play.is_finite() {
            true => Weight { mean: first_play as f32, root: 0.0 },
            false => Weight { mean: 0.0, root: inverses(0.0)[1] },
        };
        let first_play = first_play.is_finite();
        Scales { tables, constant: constant as f32, first_play, unvisited, least: 0.0, inverse: 0.0 }
    }

    /// Takes the bounds of scores that are known by now. Without any all scores are worth the same.
    #[inline]
    pub(super) fn set_bounds(&mut self, (least, most): (f64, f64)) {
        let range = most - least;
        (self.least, self.inverse) = if range > 0.0 { (least, 1.0 / range) } else { (0.0, 0.0) };
    }

    /// The sum of so many scores as a sum of shares of the way from the least to the greatest.
    #[inline(always)]
    pub(crate) fn share(&self, sum: f64, scores: u32) -> f32 {
        ((sum - f64::from(scores) * self.least) * self.inverse).max(0.0) as f32
    }

    /// What the exploration of a node's children is multiplied by, given the node's visits.
    #[inline(always)]
    pub(crate) fn exploration(&self, visits: u32) -> f32 {
        // Not quite 0, so that the very large number that stands for no visits stays very large.
        (self.constant * self.tables.sqrt_ln(visits)).max(1e-9)
    }

    #[inline(always)]
    pub(super) fn weight(&self, sum: f32, visits: u32) -> Weight {
        if self.first_play && visits == 0 {
            return self.unvisited;
        }
        let [inverse, root] = inverses(visits as f32);
        Weight { mean: sum * inverse, root }
    }

    /// The same by a table, which is quicker where a processor waits for the result and visits are few.
    #[inline(always)]
    pub(super) fn weight_of_few(&self, sum: f32, visits: u32) -> Weight {
        if self.first_play && visits == 0 {
            return self.unvisited;
        }
        let [inverse, root] = self.tables.inverses(visits);
        Weight { mean: sum * inverse, root }
    }
}
