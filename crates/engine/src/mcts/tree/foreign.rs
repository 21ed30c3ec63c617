//! Visits that come from another tree: they are added to the children of a node as if they had been made here.

use super::node::Node;
use super::stock::Stock;
use super::{Block, LayoutKind, NodeStats, Packed, Tree};

/// Finished visits from another tree and the sum of their rewards, in the units of the layout. Negative ones take back
/// what was added before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Foreign {
    pub(crate) visits: i64,
    pub(crate) sum: i64,
}

impl Tree {
    /// Adds to the children of a node what `take` gives for an action and the number of its child. A node without
    /// children, or without memory for wide counters, takes nothing. Only a thread that may write to the tree may call
    /// this.
    pub(crate) fn add_foreign(
        &self,
        parent: Node,
        stock: &mut Stock,
        mut take: impl FnMut(u32, usize) -> Option<Foreign>,
    ) {
        let Some(block) = self.expansion(parent).block().and_then(|block| self.wide(parent, block, stock)) else {
            return;
        };
        for (index, child) in self.children(block).enumerate() {
            if let Some(foreign) = take(self.action(child), index) {
                self.add_finished(child, foreign);
            }
        }
    }

    /// The same for the root itself.
    pub(crate) fn add_foreign_to_root(&self, visits: i64) {
        self.add_finished(self.root(), Foreign { visits, sum: 0 });
    }

    /// The block of a node with counters that have room for any number of visits. `None` if there is no memory for
    /// them.
    fn wide(&self, parent: Node, block: Block, stock: &mut Stock) -> Option<Block> {
        if self.layout == LayoutKind::Narrow && !block.is_wide() {
            return self.widen(parent, block, stock);
        }
        Some(block)
    }

    fn add_finished(&self, node: Node, foreign: Foreign) {
        let Foreign { visits, sum } = foreign;
        // The low half of a negative number is what takes it back.
        let change = NodeStats { visits: visits as u32, unobserved: 0, sum: sum.cast_unsigned() };
        if self.is_narrow() {
            let (lines, place) = self.lines_of(node);
            lines.enter(place, Packed::pack(change)[0], self.writers());
        } else {
            self.layout.add(self.counters(node, self.shape.words as usize), change, self.writers());
        }
    }
}
