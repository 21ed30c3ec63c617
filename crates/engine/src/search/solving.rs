//! The solver: what the end of a game says about the positions above it (Winands, Bjornsson and Saito 2008).
//!
//! A descent that ends where the game is over, or where the outcome is known, knows for certain what the last node is
//! worth. If that decides its parent, because who chooses there can win, or because all other children are known too, the
//! parent is solved as well, and so on upwards. Solved nodes are not entered any further. A solved root ends the search.

use super::worker::{Descent, Worker};
use crate::budget::StopReason;
use crate::tree::counters::Counters;
use crate::tree::{Outcome, Tree};
use crate::{Game, Rewards, Turn};

impl<G: Game, C: Counters> Worker<'_, G, C> {
    /// What the last node of a descent comes to, if that is known.
    #[inline(never)]
    pub(super) fn known_outcome(&self, descent: &Descent<G>) -> Outcome {
        if let Some(block) = descent.link.proven() {
            return self.tree.outcome_of(block);
        }
        match descent.position.turn() {
            Turn::Over if G::REWARDS.bounds == Rewards::ANY.bounds => {
                let rewards: [f64; crate::MAX_PLAYERS] = std::array::from_fn(|player| match player < self.players {
                    true => descent.position.reward(player),
                    false => 0.0,
                });
                Outcome::of(&rewards[..self.players]).unwrap_or_default()
            }
            _ => Outcome::OPEN,
        }
    }

    /// Notes what the known outcome of a descent's last node says about it and the nodes above.
    #[cold]
    pub(super) fn solve(&mut self, descent: &Descent<G>) {
        let mut outcome = descent.outcome;
        let Some(&(last, _)) = descent.path.last() else { return };
        self.tree.prove_over(self.view.node(last), outcome, &mut self.scraps);
        for above in (1..descent.path.len()).rev() {
            let ((step, chooser), (parent, _)) = (descent.path[above], descent.path[above - 1]);
            let (child, parent) = (self.view.node(step), self.view.node(parent));
            let chooser = Some(usize::from(chooser)).filter(|&player| player < self.players);
            if chooser.is_some_and(|player| outcome.is_loss_for(player)) {
                self.tree.mark_lost(child, parent);
            }
            outcome = self.tree.outcome_of_children(step.block(), chooser);
            if outcome.is_open() {
                return;
            }
            if above > 1 {
                self.tree.prove(parent, step.block(), outcome);
            } else {
                self.job.course.stop(StopReason::Proven);
            }
        }
    }
}

/// What the root of a tree, in which `player` acts, is known to come to.
pub(super) fn outcome_of_root(tree: &Tree, player: usize) -> Outcome {
    tree.below(tree.root()).block().map_or(Outcome::OPEN, |block| tree.outcome_of_children(block, Some(player)))
}
