//! The layout of searches with an evaluator or a selection policy of its own, and of every search whose counters do not
//! fit the layout that its game has beside this one: counters as in [`Scores`], a third word
//! for the prior of the child and the squares of its rewards, and a fourth for its all-moves-as-first statistics or its
//! implicit minimax value.
//!
//! What only a policy reads is coarse: squares and AMAF rewards are counted in 32nds, in half a word. Squares wrap
//! around after 2^27 visits, from which on UCB1-Tuned goes by means alone, and AMAF statistics are full after 2^26.

use super::layout::{Layout, LayoutKind, NodeStats};
use super::layouts::{Scores, unobserved_terms};
use super::node::Block;
use super::ucb::{Ucb, UcbTerms};
use super::{Node, Tree};
use crate::mcts::policies::{AmafStats, ChildStats};
use crate::mcts::tree::sync::Ordering::Relaxed;

/// Any rewards, with visits in flight counted apart, a prior, squares, and AMAF statistics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Informed;

/// Units of a square or of an AMAF reward that make 1.
const COARSE: f32 = 32.0;

/// The most simulations that AMAF statistics count.
const MOST_AMAF: u32 = 1 << 26;

/// The word of the prior and the squares of a child, and that of its AMAF statistics or its minimax value.
const PRIOR: usize = 2;
const AMAF: usize = 3;

/// The mark of a minimax value.
const HAS_MINIMAX: u64 = 1 << 63;

impl Layout for Informed {
    const KIND: LayoutKind = LayoutKind::Informed;
    type Words = [u64; 4];
    const UNITS: f64 = Scores::UNITS;
    const TAKES_VALUES: bool = true;

    #[inline]
    fn entered(virtual_loss: u32) -> NodeStats {
        Scores::entered(virtual_loss)
    }

    #[inline]
    fn pack(change: NodeStats) -> [u64; 4] {
        let [visits, sum] = Scores::pack(change);
        [visits, sum, 0, 0]
    }

    #[inline(always)]
    fn visits(words: [u64; 4]) -> u32 {
        Scores::visits([words[0], words[1]])
    }

    #[inline(always)]
    fn terms(words: [u64; 4], ucb: &Ucb) -> UcbTerms {
        if ucb.counts_apart() {
            let sum = ucb.share(words[1].cast_signed() as f64 / Scores::UNITS, (words[0] >> 32) as u32);
            return unobserved_terms(sum, words[0], ucb);
        }
        Scores::terms([words[0], words[1]], ucb)
    }

    #[inline]
    fn child_stats(words: [u64; 4], ucb: &Ucb) -> ChildStats {
        let finished = (words[0] >> 32) as u32;
        ChildStats {
            visits: Informed::visits(words),
            finished,
            sum: ucb.share(words[1].cast_signed() as f64 / Scores::UNITS, finished),
            prior: f32::from_bits(words[PRIOR] as u32),
            squares: coarse_sum(words[PRIOR]),
            amaf: AmafStats { visits: words[AMAF] as u32, sum: coarse_sum(words[AMAF]) },
        }
    }

    fn add_square(words: &mut [u64; 4], share: f32) {
        words[PRIOR] += coarse(share * share) << 32;
    }
}

fn coarse(share: f32) -> u64 {
    (share * COARSE).round() as u64
}

/// The sum in the high half of a word.
fn coarse_sum(word: u64) -> f32 {
    (word >> 32) as f32 / COARSE
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
    /// sees the ones before is none the worse. The squares beside them stay.
    pub(crate) fn set_priors(&self, block: Block, priors: &[f32]) {
        if self.layout == LayoutKind::Informed {
            for (child, prior) in self.children(block).zip(priors) {
                let word = &self.arena.words[child.counters as usize + PRIOR];
                let with_prior = |word: u64| Some(word >> 32 << 32 | u64::from(prior.to_bits()));
                _ = self.writers().fetch_update(word, Relaxed, Relaxed, with_prior);
            }
        }
    }

    /// The prior of a node, in the layout that keeps one.
    pub(crate) fn prior(&self, node: Node) -> Option<f32> {
        let is_kept = self.layout == LayoutKind::Informed;
        is_kept.then(|| f32::from_bits(self.arena.words[node.counters as usize + PRIOR].load(Relaxed) as u32))
    }

    /// Counts a simulation with this share of a reward for the children of a block whose actions were played.
    pub(crate) fn add_amaf(&self, block: Block, share: f32, is_played: impl Fn(u32) -> bool) {
        let more = coarse(share) << 32 | 1;
        for child in self.children(block) {
            let word = &self.arena.words[child.counters as usize + AMAF];
            if is_played(self.action(child)) && (word.load(Relaxed) as u32) < MOST_AMAF {
                self.writers().fetch_add(word, more, Relaxed);
            }
        }
    }

    /// The implicit minimax value of a node for the player who chose it, if there is one.
    pub(crate) fn minimax(&self, node: Node) -> Option<f32> {
        let word = self.arena.words[node.counters as usize + AMAF].load(Relaxed);
        (word & HAS_MINIMAX != 0).then(|| f32::from_bits(word as u32))
    }

    /// Sets the implicit minimax value of a node.
    pub(crate) fn set_minimax(&self, node: Node, value: f32) {
        self.arena.words[node.counters as usize + AMAF].store(HAS_MINIMAX | u64::from(value.to_bits()), Relaxed);
    }

    /// Calls `see` with the action of each child of a block and its AMAF statistics.
    pub(crate) fn each_amaf(&self, block: Block, mut see: impl FnMut(u32, AmafStats)) {
        for child in self.children(block) {
            let word = self.arena.words[child.counters as usize + AMAF].load(Relaxed);
            see(self.action(child), AmafStats { visits: word as u32, sum: coarse_sum(word) });
        }
    }
}
