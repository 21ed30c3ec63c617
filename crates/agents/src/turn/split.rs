//! Splitting a search of chains into one for each first action.

use boughs::Rng;

use super::node::Node;
use super::{Chains, TurnPosition};

/// A child of the start, after a split.
pub(crate) struct Next<P: TurnPosition> {
    pub(crate) weight: u32,
    /// The value by the leaves that were searched.
    pub(crate) value: f64,
    /// The chains that begin with it, if some are unsearched.
    pub(crate) chains: Option<Chains<P>>,
}

impl<P: TurnPosition> Chains<P> {
    /// The number of nodes that a split would divide; 0 if the start was never expanded.
    pub(crate) fn size(&self) -> usize {
        if self.nodes[0].count > 0 { self.nodes.len() } else { 0 }
    }

    /// Splits the search into one for each child of the start. Returns true first if chance acts at the start. Values
    /// are kept.
    pub(crate) fn split(mut self) -> (bool, Vec<Next<P>>) {
        let Node { first, count, is_luck, .. } = self.nodes[0];
        let next = (first..first + count).map(|number| {
            let Node { weight, value, open, .. } = self.nodes[number as usize];
            Next { weight, value, chains: (open > 0).then(|| self.below(number)) }
        });
        (is_luck, next.collect())
    }

    /// The chains from a child of the start, without memory for more nodes.
    fn below(&mut self, number: u32) -> Chains<P> {
        let mut nodes = vec![self.nodes[number as usize]];
        let mut place = 0;
        while place < nodes.len() {
            let Node { first, count, open, .. } = nodes[place];
            if open > 0 && count > 0 {
                nodes[place].first = nodes.len() as u32;
                nodes.extend_from_slice(&self.nodes[first as usize..(first + count) as usize]);
            }
            place += 1;
        }
        let (mut start, action) = (self.start.clone(), nodes[0].action);
        start.apply(action);
        let rng = Rng::new(self.rng.bits(), 0);
        let mut chains = Chains::new(start, action, self.player, self.depth - 1, 0, rng).within(self.bounds);
        chains.nodes = nodes;
        chains
    }
}
