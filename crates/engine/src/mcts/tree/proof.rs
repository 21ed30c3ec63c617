//! Proofs: the known outcome of a node in a solved game, kept beside the counters.
//!
//! A node whose outcome is known has it in the header of its block, and a mark in its link, by which traversals no
//! longer see its children: they end there. A position in which the game is over gets a block without children for
//! that. The mark is set after the outcome and by `Release`, as a block is published, so a reader that sees the one
//! sees the other.
//!
//! There is nothing more to learn from a child whose outcome is known, so others are tried while there are any.
//! Selection reads nothing but counters, so such a child is *closed*: marked in the highest bit of its visits, which no
//! count reaches. Selection gives a child with so many visits a value below that of every open one.
//!
//! The outcome of the best closed child is the *floor* of its parent: the player who chooses there need not take less.
//! It stands in the header until the outcome of the parent does.

use super::layouts::CLOSED;
use super::node::{Block, Node, PROVEN};
use super::outcome::{Outcome, of_children};
use super::{Stock, Tree};
use crate::mcts::tree::sync::{Ordering::AcqRel, Ordering::Relaxed};

impl Tree {
    /// Stores the outcome of a node in which the game is over, unless some other worker is at it or there is no room.
    pub(crate) fn prove_over(&self, node: Node, outcome: Outcome, stock: &mut Stock) {
        self.attach(node, &[], stock, |block| {
            self.set_outcome(block, |_| true, outcome);
            PROVEN
        });
    }

    /// Stores the outcome of a node that has this block of children.
    pub(crate) fn prove(&self, node: Node, block: Block, outcome: Outcome) {
        self.set_outcome(block, |_| true, outcome);
        if self.is_narrow() {
            let (lines, place) = self.lines_of(node);
            return lines.mark_proven(place, self.writers());
        }
        self.writers().fetch_or(&self.arena.words[node.link as usize], PROVEN, AcqRel);
    }

    /// The outcome of a node, if it is known.
    pub(crate) fn outcome(&self, node: Node) -> Outcome {
        self.link(node).proven().map_or(Outcome::OPEN, |block| self.outcome_of(block))
    }

    /// The outcome in a header: that of the block's parent if it is known, or else its floor.
    pub(crate) fn outcome_of(&self, block: Block) -> Outcome {
        if self.is_narrow() {
            return self.lines(block).outcome();
        }
        outcome_in(self.arena.words[block.0 as usize].load(Relaxed))
    }

    /// The outcome that the children of a block give their parent, in which `chooser` acts, or chance. Wins are alike
    /// if all other players lose by them. With bounds an open child is worth at most what its floor leaves.
    pub(crate) fn outcome_of_children(
        &self,
        block: Block,
        chooser: Option<usize>,
        wins_are_alike: bool,
        has_bounds: bool,
    ) -> Outcome {
        let has_bounds = has_bounds && chooser.is_some();
        let bounded = |child: Node| {
            let outcome = self.outcome(child);
            (outcome, if has_bounds && outcome.is_open() { self.floor_below(child) } else { Outcome::OPEN })
        };
        of_children(chooser, wins_are_alike, self.children(block).map(bounded))
    }

    /// The floor of the player who chooses at an open node.
    pub(crate) fn floor_below(&self, node: Node) -> Outcome {
        self.link(node).children().map_or(Outcome::OPEN, |block| self.outcome_of(block))
    }

    /// Returns true if the outcome of every child of a block is known.
    pub(crate) fn all_are_known(&self, block: Block) -> bool {
        self.children(block).all(|child| !self.outcome(child).is_open())
    }

    /// Closes a child with a known outcome, which becomes the floor for `chooser` if it is better than the floor so
    /// far.
    pub(crate) fn close(&self, child: Node, block: Block, chooser: Option<usize>, outcome: Outcome) {
        if let Some(player) = chooser {
            self.set_outcome(block, |floor| floor.reward(player) < outcome.reward(player), outcome);
        }
        if self.is_narrow() {
            let (lines, place) = self.lines_of(child);
            return lines.close(place, self.writers());
        }
        self.writers().fetch_or(&self.arena.words[child.counters as usize], CLOSED, Relaxed);
    }

    /// Writes an outcome into a header if it is better than the one that stands there.
    fn set_outcome(&self, block: Block, is_better: impl Fn(Outcome) -> bool, outcome: Outcome) {
        if self.is_narrow() {
            let lines = self.lines(block);
            return lines.set_outcome(is_better, outcome, self.writers());
        }
        let header = &self.arena.words[block.0 as usize];
        let with = |header: u64| header & !OUTCOME | u64::from(outcome.bits()) << OUTCOME_AT;
        let better = |header| is_better(outcome_in(header)).then(|| with(header));
        // An outcome that is no worse may stay.
        let _ = self.writers().fetch_update(header, Relaxed, Relaxed, better);
    }
}

/// The place of the outcome in a header, in bits.
const OUTCOME_AT: u32 = 24;
const OUTCOME: u64 = 0xffff << OUTCOME_AT;

fn outcome_in(header: u64) -> Outcome {
    Outcome::from_bits((header >> OUTCOME_AT) as u16)
}
