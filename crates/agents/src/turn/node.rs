//! A node of the tree of chains, and its value.

use super::TurnPosition;
use crate::search::mean;

/// A node of the tree: a position, seen from the one before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<A> {
    /// The action that leads here.
    pub(super) action: A,
    /// The weight of that action, if it is an outcome of chance.
    pub(super) weight: u32,
    /// The value by the leaves that were searched so far.
    pub(super) value: f64,
    /// The index of the first child.
    pub(super) first: u32,
    /// The number of children; 0 if the node was never expanded.
    pub(super) count: u32,
    /// The number of children that are not completely searched. They come first in the block.
    pub(super) open: u32,
    /// True if chance acts here.
    pub(super) is_luck: bool,
}

/// The value of a node without searched leaves.
pub(crate) const UNKNOWN: f64 = f64::NEG_INFINITY;

/// The value of a position, given the weight and the value of each child: the best value, or where chance acts the
/// mean of the known values in a game with these bounds of rewards. (If all known children weigh nothing, the best of
/// them.)
#[inline]
pub(crate) fn worth(is_luck: bool, bounds: Option<(f64, f64)>, next: impl Iterator<Item = (u32, f64)> + Clone) -> f64 {
    let known = next.clone().filter(|&(_, value)| is_luck && value != UNKNOWN);
    mean(bounds, known).unwrap_or_else(|| next.map(|(_, value)| value).fold(UNKNOWN, f64::max))
}

/// The number of nodes that fit into this much memory.
pub(super) fn room<P: TurnPosition>(bytes: usize) -> usize {
    (bytes / size_of::<Node<P::Action>>()).min(u32::MAX as usize)
}
