//! The solver: what the end of a game says about the positions above it (Winands, Bjornsson and Saito 2008).
//!
//! A descent that ends where the game is over, or where the outcome is known, knows for certain what the last node is
//! worth. If that decides its parent, because who chooses there can win, or because all other children are known too, the
//! parent is solved as well, and so on upwards. A solved root ends the search.
//!
//! Solved nodes are not entered any more while others are open. A draw that is certain would still be chosen most of the time
//! where the rest looks worse. So what comes of trying the rest does not count further up where it looks worse: there the
//! player would have taken the draw, and that is what is counted.

use super::descent::Descent;
use super::worker::Worker;
use crate::budget::StopReason;
use crate::tree::counters::Counters;
use crate::tree::{Outcome, Step, Tree};
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
        // Without room for it nobody would know it, and what nobody knows must not be closed.
        if self.tree.outcome(self.view.node(last)).is_open() {
            return;
        }
        for above in (1..descent.path.len()).rev() {
            let ((step, chooser), (parent, _)) = (descent.path[above], descent.path[above - 1]);
            let (child, parent) = (self.view.node(step), self.view.node(parent));
            let chooser = Some(usize::from(chooser)).filter(|&player| player < self.players);
            self.tree.close(child, parent, step.block(), chooser, outcome);
            // To the searching player it is all one how others fare.
            let wins_are_alike = above == 1 || G::REWARDS.sum == Some(1.0);
            outcome = self.tree.outcome_of_children(step.block(), chooser, wins_are_alike);
            if above == 1 && (!outcome.is_open() || self.tree.all_are_known(step.block())) {
                self.job.course.stop(StopReason::Proven);
            }
            if outcome.is_open() {
                return;
            }
            if above > 1 {
                self.tree.prove(parent, step.block(), outcome);
            }
        }
    }
}

impl<G: Game, C: Counters> Worker<'_, G, C> {
    /// Adds the outcome to every node on the way, and from a node on whose player has something better for certain, that.
    /// Returns what was added to the child of the root.
    #[inline(never)]
    pub(super) fn back_up_above_floors(&mut self, path: &[(Step, u8)]) -> u64 {
        let mut first = 0;
        for (above, &(step, chooser)) in path.iter().enumerate().rev() {
            self.view.add(step, self.changes[usize::from(chooser)]);
            if above == 1 {
                first = self.units[usize::from(chooser)];
            }
            let player = usize::from(chooser);
            if above == 0 || player >= self.players {
                continue;
            }
            let floor = self.tree.outcome_of(step.block());
            let node = self.view.node(step);
            if floor.is_open() || !self.tree.outcome(node).is_open() {
                continue;
            }
            let tally = self.tree.read(node);
            if tally.sum as f64 <= floor.reward(player) * C::UNITS * f64::from(tally.visits) {
                (0..self.players).for_each(|player| self.set_reward(player, floor.reward(player)));
            }
        }
        first
    }
}

/// Whether there is nothing more to learn about the root of a tree, in which `player` acts: it is known what that comes to, or
/// what each of its children does. Who loses anyway may not know to whom.
pub(super) fn is_solved(tree: &Tree, player: usize) -> bool {
    let root = tree.below(tree.root()).block();
    root.is_some_and(|block| {
        !tree.outcome_of_children(block, Some(player), true).is_open() || tree.all_are_known(block)
    })
}
