//! The canonical form of a tree: every node with its counters, in an order that depends on nothing but the tree.

use super::{Block, LayoutKind, Node, Tree};

/// One node of a [`dump`](crate::Search::dump): its path from the root and its counters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeDump {
    /// The codes of the actions from the root. In a tree of information sets each action comes after the two halves of
    /// the key of its information set, and the trees of other players begin with `u32::MAX` and the player.
    pub path: Vec<u32>,
    /// Visits.
    pub visits: u32,
    /// Visits in flight, where they have a counter of their own; 0 once a search has ended. With regret matching, the
    /// number of draws of this node by the strategy.
    pub in_flight: u32,
    /// The sum of the rewards of the player who chose this node, as an integer. A reward of 1 has
    /// [`Search::units`](crate::Search::units) units: halves where the game declares its rewards to be halves and
    /// visits in flight are not counted apart; 2^-24 in trees of information sets and for scores without bounds; else
    /// 2^-32. Rewards with declared bounds are measured from the least one, as a share of the range.
    pub sum: i64,
}

impl Tree {
    /// Calls `see` with every node down to `depth` actions below the root, parents before children and children in the
    /// order of their actions' codes. Nodes that were never visited are left out.
    pub(crate) fn walk(&self, depth: usize, mut see: impl FnMut(NodeDump)) {
        let mut waiting: Vec<(Node, Vec<u32>)> = vec![(self.root(), Vec::new())];
        if self.layout() == LayoutKind::InformationSets {
            // The trees of the other players come after that of the one whose decision is searched.
            let others = self.children(self.first()).enumerate().skip(1).filter(|&(_, root)| self.visited(root));
            let others: Vec<_> = others.map(|(number, root)| (root, vec![u32::MAX, number as u32 - 1])).collect();
            waiting.splice(0..0, others.into_iter().rev());
        }
        while let Some((node, path)) = waiting.pop() {
            let stats = self.read(node);
            let mut children = if path.len() < depth { self.dumped_below(node) } else { Vec::new() };
            children.retain(|(child, _)| self.visited(*child));
            children.sort_by(|(_, one), (_, other)| other.cmp(one));
            waiting.extend(children.into_iter().map(|(child, step)| (child, [&path[..], &step].concat())));
            see(NodeDump { path, visits: stats.visits, in_flight: stats.unobserved, sum: stats.sum.cast_signed() });
        }
    }

    /// The children of a node, each with the numbers it adds to the path.
    fn dumped_below(&self, node: Node) -> Vec<(Node, Vec<u32>)> {
        match self.layout() {
            LayoutKind::InformationSets => self.all_below(node).flat_map(|block| self.dumped_chain(block)).collect(),
            _ => {
                let block = self.expansion(node).block();
                block
                    .into_iter()
                    .flat_map(|block| self.children(block))
                    .map(|child| (child, vec![self.action(child)]))
                    .collect()
            }
        }
    }

    fn dumped_chain(&self, block: Block) -> impl Iterator<Item = (Node, Vec<u32>)> {
        let key = self.key(block);
        std::iter::successors(Some(block), |&block| self.more(block)).flat_map(move |block| {
            self.children(block).map(move |child| (child, vec![(key >> 32) as u32, key as u32, self.action(child)]))
        })
    }

    fn visited(&self, node: Node) -> bool {
        let stats = self.read(node);
        stats.visits > 0 || stats.unobserved > 0
    }
}
