//! The values of searches that were split, combined in a tree with choices and chance (an AND/OR tree).

use crate::turn::{UNKNOWN, worth};

/// A position that has its own search, or whose search was split.
struct SplitNode {
    weight: u32,
    value: f64,
    /// The index of the parent.
    above: Option<usize>,
    /// The index of the first child and the number of children, if the search was split.
    first: usize,
    count: usize,
    is_luck: bool,
}

/// The nodes of the tree. The positions after the first actions come first.
pub(super) struct SplitTree {
    nodes: Vec<SplitNode>,
    /// The bounds of the rewards, if they have any.
    bounds: Option<(f64, f64)>,
}

impl SplitTree {
    /// Creates a tree with a root for each first action.
    pub(super) fn new(actions: usize, bounds: Option<(f64, f64)>) -> SplitTree {
        SplitTree { nodes: (0..actions).map(|_| SplitNode::new(None, 1, UNKNOWN)).collect(), bounds }
    }

    /// Replaces a search by its children, given by weight and value. Returns the index of the first child.
    pub(super) fn split(&mut self, node: usize, is_luck: bool, next: impl Iterator<Item = (u32, f64)>) -> usize {
        let first = self.nodes.len();
        self.nodes.extend(next.map(|(weight, value)| SplitNode::new(Some(node), weight, value)));
        let count = self.nodes.len() - first;
        let node = &mut self.nodes[node];
        (node.first, node.count, node.is_luck) = (first, count, is_luck);
        first
    }

    /// Records the value of a search. Returns the new value of its first action.
    pub(super) fn found(&mut self, node: usize, value: f64) -> f64 {
        let (mut node, mut value) = (node, value);
        loop {
            self.nodes[node].value = value;
            let Some(above) = self.nodes[node].above else { return value };
            let SplitNode { first, count, is_luck, .. } = self.nodes[above];
            let next = self.nodes[first..first + count].iter().map(|node| (node.weight, node.value));
            (node, value) = (above, worth(is_luck, self.bounds, next));
        }
    }
}

impl SplitNode {
    fn new(above: Option<usize>, weight: u32, value: f64) -> SplitNode {
        SplitNode { weight, value, above, first: 0, count: 0, is_luck: false }
    }
}
