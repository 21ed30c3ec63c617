//! What is known for certain of a node: the outcome of a solved game, kept beside the counters.
//!
//! A node whose outcome is known has it in the header of its block, and a mark in its link, by which descents no longer
//! see its children: they end there. A position in which the game is over gets a block without children for that. The
//! mark is set after the outcome and by `Release`, as a block is published, so who sees the one sees the other.
//!
//! There is nothing more to learn from a child whose outcome is known, so others are tried while there are any. Selection
//! reads nothing but counters, so such a child is *closed*: marked in the highest bit of its visits, which no count reaches.
//! It looks like a child with two thousand million visits and next to no reward, and selection takes no step more for it.
//!
//! What the best closed child gives is the *floor* of its parent: who chooses there need not take less. It stands in the
//! header until the outcome of the parent does.

use super::counters::CLOSED;
use super::mirror::HOT;
use super::outcome::{Outcome, of_children};
use super::{Block, Node, PROVEN, Scraps, Tree};
use crate::sync::{Ordering::AcqRel, Ordering::Relaxed};

impl Tree {
    /// Notes the outcome of a node in which the game is over, unless some other worker is at it or there is no room.
    pub(crate) fn prove_over(&self, node: Node, outcome: Outcome, scraps: &mut Scraps) {
        self.hang(node, [].into_iter(), scraps, |block| {
            self.set_outcome(block, |_| true, outcome);
            PROVEN
        });
    }

    /// Notes the outcome of a node that has this block of children.
    pub(crate) fn prove(&self, node: Node, block: Block, outcome: Outcome) {
        self.set_outcome(block, |_| true, outcome);
        let before = self.arena.words[node.link as usize].fetch_or(PROVEN, AcqRel);
        if before & PROVEN == 0 && self.read(node).visits >= HOT / 2 {
            self.proofs.fetch_add(1, Relaxed);
        }
    }

    /// The outcome of a node, as far as it is known.
    pub(crate) fn outcome(&self, node: Node) -> Outcome {
        self.link(node).proven().map_or(Outcome::OPEN, |block| self.outcome_of(block))
    }

    /// What a header says: the outcome of the block's parent if that is known, or else its floor.
    pub(crate) fn outcome_of(&self, block: Block) -> Outcome {
        outcome_in(self.arena.words[block.0 as usize].load(Relaxed))
    }

    /// The outcome that the children of a block give their parent, in which `chooser` acts, or chance. Whether wins are
    /// alike says if all others lose by them.
    pub(crate) fn outcome_of_children(&self, block: Block, chooser: Option<usize>, wins_are_alike: bool) -> Outcome {
        of_children(chooser, wins_are_alike, self.children(block).map(|child| self.outcome(child)))
    }

    /// Whether the outcome of every child of a block is known.
    pub(crate) fn all_are_known(&self, block: Block) -> bool {
        self.children(block).all(|child| !self.outcome(child).is_open())
    }

    /// Closes a child with a known outcome, which may be the floor for `chooser`.
    pub(crate) fn close(&self, child: Node, parent: Node, block: Block, chooser: Option<usize>, outcome: Outcome) {
        if let Some(player) = chooser {
            self.set_outcome(block, |floor| floor.reward(player) < outcome.reward(player), outcome);
        }
        let before = self.arena.words[child.counters as usize].fetch_or(CLOSED, Relaxed);
        if before & CLOSED == 0 && self.read(parent).visits >= HOT / 2 {
            self.proofs.fetch_add(1, Relaxed);
        }
    }

    /// How often something was proven of which workers may have copies: of nodes that are visited often.
    #[inline]
    pub(crate) fn proofs(&self) -> u32 {
        self.proofs.load(Relaxed)
    }

    /// Writes an outcome into a header if that is better than what stands there.
    fn set_outcome(&self, block: Block, is_better: impl Fn(Outcome) -> bool, outcome: Outcome) {
        let header = &self.arena.words[block.0 as usize];
        let with = |header: u64| header & !OUTCOME | u64::from(outcome.bits()) << OUTCOME_AT;
        let better = |header| is_better(outcome_in(header)).then(|| with(header));
        // What is there and no worse may stay.
        let _ = header.fetch_update(Relaxed, Relaxed, better);
    }
}

/// Where a header has its outcome.
const OUTCOME_AT: u32 = 24;
const OUTCOME: u64 = 0xffff << OUTCOME_AT;

fn outcome_in(header: u64) -> Outcome {
    Outcome::from_bits((header >> OUTCOME_AT) as u16)
}
