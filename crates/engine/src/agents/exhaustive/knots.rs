//! What searches that were split find out together.

use crate::chains::{UNKNOWN, worth};

/// A position whose chains are searched together, or were split.
struct Knot {
    weight: u32,
    value: f64,
    /// The position before it.
    above: Option<usize>,
    /// The first of the knots that follow, and how many do, if it was split.
    first: usize,
    count: usize,
    is_luck: bool,
}

/// The positions where searches began, with those after the first actions in front.
pub(super) struct Knots(Vec<Knot>);

impl Knots {
    /// So many first actions.
    pub(super) fn new(actions: usize) -> Knots {
        Knots((0..actions).map(|_| Knot::new(None, 1, UNKNOWN)).collect())
    }

    /// Puts what follows, by weight and value, in the place of one search, and says where that begins.
    pub(super) fn split(&mut self, knot: usize, is_luck: bool, next: impl Iterator<Item = (u32, f64)>) -> usize {
        let first = self.0.len();
        self.0.extend(next.map(|(weight, value)| Knot::new(Some(knot), weight, value)));
        let count = self.0.len() - first;
        let knot = &mut self.0[knot];
        (knot.first, knot.count, knot.is_luck) = (first, count, is_luck);
        first
    }

    /// A search has found what its position is worth; says what the first action is worth now.
    pub(super) fn found(&mut self, knot: usize, value: f64) -> f64 {
        let (mut knot, mut value) = (knot, value);
        loop {
            self.0[knot].value = value;
            let Some(above) = self.0[knot].above else { return value };
            let Knot { first, count, is_luck, .. } = self.0[above];
            let next = self.0[first..first + count].iter().map(|knot| (knot.weight, knot.value));
            (knot, value) = (above, worth(is_luck, next));
        }
    }
}

impl Knot {
    fn new(above: Option<usize>, weight: u32, value: f64) -> Knot {
        Knot { weight, value, above, first: 0, count: 0, is_luck: false }
    }
}
