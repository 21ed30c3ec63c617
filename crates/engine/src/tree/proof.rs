//! What is known for certain of a node: the outcome of a solved game, kept beside the counters.
//!
//! A node whose outcome is known has it in the header of its block, and a mark in its link, by which descents no longer
//! see its children: they end there. A position in which the game is over gets a block without children for that. The
//! mark is set after the outcome and by `Release`, as a block is published, so who sees the one sees the other.
//!
//! Who is to choose should keep away from a child that loses for certain. Selection reads nothing but counters, so such a
//! child is marked there too: in the highest bit of its visits, which no count reaches. It looks like a child with two
//! thousand million visits and next to no reward. So selection takes no step more for it.

use super::counters::LOST;
use super::mirror::HOT;
use super::outcome::{Outcome, of_children};
use super::{Block, Node, PROVEN, Scraps, Tree};
use crate::sync::{Ordering::AcqRel, Ordering::Relaxed};

impl Tree {
    /// Notes the outcome of a node in which the game is over, unless some other worker is at it or there is no room.
    pub(crate) fn prove_over(&self, node: Node, outcome: Outcome, scraps: &mut Scraps) {
        self.hang(node, [].into_iter(), scraps, |block| {
            self.set_outcome(block, outcome);
            PROVEN
        });
    }

    /// Notes the outcome of a node that has this block of children.
    pub(crate) fn prove(&self, node: Node, block: Block, outcome: Outcome) {
        self.set_outcome(block, outcome);
        let before = self.arena.words[node.link as usize].fetch_or(PROVEN, AcqRel);
        if before & PROVEN == 0 && self.read(node).visits >= HOT / 2 {
            self.proofs.fetch_add(1, Relaxed);
        }
    }

    /// The outcome of a node, as far as it is known.
    pub(crate) fn outcome(&self, node: Node) -> Outcome {
        self.link(node).proven().map_or(Outcome::OPEN, |block| self.outcome_of(block))
    }

    /// The outcome in a header.
    pub(crate) fn outcome_of(&self, block: Block) -> Outcome {
        Outcome::from_bits((self.arena.words[block.0 as usize].load(Relaxed) >> 24) as u16)
    }

    /// The outcome that the children of a block give their parent, in which `chooser` acts, or chance.
    pub(crate) fn outcome_of_children(&self, block: Block, chooser: Option<usize>) -> Outcome {
        of_children(chooser, self.children(block).map(|child| self.outcome(child)))
    }

    /// Marks a child that loses for who chooses it.
    pub(crate) fn mark_lost(&self, node: Node, parent: Node) {
        let before = self.arena.words[node.counters as usize].fetch_or(LOST, Relaxed);
        if before & LOST == 0 && self.read(parent).visits >= HOT / 2 {
            self.proofs.fetch_add(1, Relaxed);
        }
    }

    /// How often something was proven of which workers may have copies: of nodes that are visited often.
    #[inline]
    pub(crate) fn proofs(&self) -> u32 {
        self.proofs.load(Relaxed)
    }

    /// The first outcome that is found stays: all that can be found are equal but for what players get who do not count.
    fn set_outcome(&self, block: Block, outcome: Outcome) {
        let header = &self.arena.words[block.0 as usize];
        let before = header.load(Relaxed);
        if Outcome::from_bits((before >> 24) as u16).is_open() {
            // Losing this race is no harm: some other worker has found an outcome.
            let _ = header.compare_exchange(before, before | u64::from(outcome.bits()) << 24, Relaxed, Relaxed);
        }
    }
}
