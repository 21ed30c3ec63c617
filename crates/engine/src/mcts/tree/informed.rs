//! The layout of searches with an evaluator or a selection policy of its own: counters as in [`Scores`], and a third
//! word for the prior of the child.

use super::layout::{Layout, LayoutKind, NodeStats};
use super::layouts::Scores;
use super::node::Block;
use super::ucb::{Ucb, UcbTerms};
use super::{Node, Tree};
use crate::mcts::policies::ChildStats;
use crate::mcts::tree::sync::Ordering::Relaxed;

/// Any rewards, with visits in flight counted apart, and a prior.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Informed;

impl Layout for Informed {
    const KIND: LayoutKind = LayoutKind::Informed;
    type Words = [u64; 3];
    const UNITS: f64 = Scores::UNITS;
    const TAKES_VALUES: bool = true;

    #[inline]
    fn entered(virtual_loss: u32) -> NodeStats {
        Scores::entered(virtual_loss)
    }

    #[inline]
    fn pack(change: NodeStats) -> [u64; 3] {
        let [visits, sum] = Scores::pack(change);
        [visits, sum, 0]
    }

    #[inline(always)]
    fn visits(words: [u64; 3]) -> u32 {
        Scores::visits([words[0], words[1]])
    }

    #[inline(always)]
    fn terms(words: [u64; 3], ucb: &Ucb) -> UcbTerms {
        Scores::terms([words[0], words[1]], ucb)
    }

    #[inline]
    fn child_stats(words: [u64; 3], ucb: &Ucb) -> ChildStats {
        let finished = (words[0] >> 32) as u32;
        let sum = ucb.share(words[1].cast_signed() as f64 / Scores::UNITS, finished);
        ChildStats { visits: Informed::visits(words), finished, sum, prior: f32::from_bits(words[2] as u32) }
    }
}

impl Tree {
    /// Gives a node its children, with the prior of each. See [`Tree::expand`].
    pub(crate) fn expand_with_priors(
        &self,
        node: Node,
        actions: &[u32],
        priors: &[f32],
        stock: &mut super::Stock,
    ) -> Option<Block> {
        self.attach(node, actions, stock, |block| {
            self.set_priors(block, priors);
            0
        })
    }

    /// Sets the priors of the children of a block: before it is published, or at the root, where a reader that still
    /// sees the ones before is none the worse.
    pub(crate) fn set_priors(&self, block: Block, priors: &[f32]) {
        if self.layout == LayoutKind::Informed {
            for (child, prior) in self.children(block).zip(priors) {
                self.arena.words[child.counters as usize + 2].store(u64::from(prior.to_bits()), Relaxed);
            }
        }
    }
}
