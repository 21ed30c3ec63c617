//! The canonical form of a tree: every node with its counters, in an order that depends on nothing but the tree.

use super::{Below, Node, Tree};

/// One node of a [`dump`](crate::Search::dump): how it is reached and what its counters say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeDump {
    /// The codes of the actions from the root.
    pub path: Vec<u32>,
    /// Visits.
    pub visits: u32,
    /// Visits in flight that are counted apart; none once a search has ended.
    pub in_flight: u32,
    /// The rewards of the player who chose this node, as an integer: in halves where the game declares its rewards to
    /// be halves and visits in flight are not counted apart, in units of 2^-24 where they are scores without bounds, else
    /// in units of 2^-32 of the way from the least to the greatest.
    pub sum: i64,
}

impl Tree {
    /// Calls `see` with every node down to `depth` actions below the root, parents before children and children in the
    /// order of their actions' codes. Nodes that were never visited are left out.
    pub(crate) fn walk(&self, depth: usize, mut see: impl FnMut(NodeDump)) {
        let mut waiting: Vec<(Node, Vec<u32>)> = vec![(self.root(), Vec::new())];
        while let Some((node, path)) = waiting.pop() {
            let tally = self.read(node);
            if path.len() < depth
                && let Below::Children(block) = self.below(node)
            {
                let mut children: Vec<Node> = self.children(block).filter(|&child| self.visited(child)).collect();
                children.sort_by_key(|&child| std::cmp::Reverse(self.action(child)));
                waiting.extend(children.into_iter().map(|child| {
                    let mut longer = path.clone();
                    longer.push(self.action(child));
                    (child, longer)
                }));
            }
            see(NodeDump { path, visits: tally.visits, in_flight: tally.unobserved, sum: tally.sum.cast_signed() });
        }
    }

    fn visited(&self, node: Node) -> bool {
        let tally = self.read(node);
        tally.visits > 0 || tally.unobserved > 0
    }
}
