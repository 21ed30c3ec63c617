//! The MCTS solver: known outcomes of finished games prove the positions above them (Winands, Bjornsson and Saito
//! 2008).
//!
//! A traversal that ends where the game is over, or at a node with a known outcome, knows the outcome of its last node.
//! If that decides the parent, because the chooser there can win, or because all other children are known too, the
//! parent is solved as well, and so on upwards. A solved root ends the search.
//!
//! Between two players in turn, whose rewards add up to one, proofs go by a part of score bounds (Cazenave and
//! Saffidine 2010). What one player has secured below an open child leaves the other at most the rest of 1, so a
//! certain draw is the outcome of a node as soon as no open child can be worth more, without a proof of what these are
//! worth. Bounds of open nodes go up by one node; in the paper they go up to the root and close children as well. Two
//! workers that raise floors side by side may both miss a proof, which the next closed child finds.
//!
//! Solved nodes are not entered any more while others are open. A draw that is certain would still be chosen most of
//! the time where the rest looks worse. So a worse result of trying the rest does not count further up: there the
//! player would have taken the draw, and the draw is counted.

use super::plain::PlainWorker;
use super::traversal::Traversal;
use super::worker_base::WorkerBase;
use crate::budget::StopReason;
use crate::mcts::tree::{Layout, Outcome, Step, Tree};
use crate::{Game, GameFacts, MAX_PLAYERS, Rewards, Turn, TurnOrder};

impl<G: Game, L: Layout> PlainWorker<'_, G, L> {
    /// The outcome of a traversal's last node, if it is known.
    #[inline(never)]
    pub(super) fn known_outcome(&self, traversal: &Traversal<G>) -> Outcome {
        if let Some(block) = traversal.state.node.link.proven() {
            return self.base.tree.outcome_of(block);
        }
        let players = self.base.search.players;
        match traversal.position.turn() {
            Turn::Over if G::REWARDS.bounds == Rewards::ANY.bounds => {
                let rewards: [f64; MAX_PLAYERS] = std::array::from_fn(|player| match player < players {
                    true => traversal.position.reward(player),
                    false => 0.0,
                });
                Outcome::of(&rewards[..players]).unwrap_or_default()
            }
            _ => Outcome::OPEN,
        }
    }
}

impl<L: Layout> WorkerBase<'_, L> {
    /// Backpropagation with the solver: stores what the known outcome of the last node proves, then adds the rewards.
    /// Returns the reward of the root's child.
    pub(super) fn backpropagate_proofs(&mut self, path: &[(Step, u8)], unshown: usize, outcome: Outcome) -> u64 {
        if !outcome.is_open() {
            self.solve(path, outcome);
        }
        self.add_above_floors(path, unshown)
    }

    /// Stores the known outcome of a path's last node, and the outcomes that follow from it for the nodes above.
    fn solve(&mut self, path: &[(Step, u8)], mut outcome: Outcome) {
        let Some(&(last, _)) = path.last() else { return };
        self.tree.prove_over(self.cursor.node(last), outcome, &mut self.growth.stock);
        // Without room for it no other worker would know it, and an unknown outcome must not close a node.
        if self.tree.outcome(self.cursor.node(last)).is_open() {
            return;
        }
        let search = self.search;
        for above in (1..path.len()).rev() {
            let ((step, chooser), (parent, _)) = (path[above], path[above - 1]);
            let (child, parent) = (self.cursor.node(step), self.cursor.node(parent));
            let chooser = Some(usize::from(chooser)).filter(|&player| player < search.players);
            let is_closed = !outcome.is_open();
            if is_closed {
                self.tree.close(child, step.block(), chooser, outcome);
            }
            // The searching player does not mind the rewards of others.
            let wins_are_alike = above == 1 || search.facts.rewards.sum == Some(1.0);
            outcome = self.tree.outcome_of_children(step.block(), chooser, wins_are_alike, search.has_bounds);
            if above == 1 && (!outcome.is_open() || self.tree.all_are_known(step.block())) {
                search.status.stop(StopReason::Proven);
            }
            if outcome.is_open() {
                // Its new floor bounds what the node is worth to the player above.
                if is_closed && search.has_bounds {
                    continue;
                }
                return;
            }
            if above > 1 {
                self.tree.prove(parent, step.block(), outcome);
            }
        }
    }

    /// Adds the rewards to every node on the path. Above a node whose player has a better known outcome, that outcome
    /// counts instead. Returns the reward of the root's child.
    fn add_above_floors(&mut self, path: &[(Step, u8)], unshown: usize) -> u64 {
        let search = self.search;
        let mut first = 0;
        for (above, &(step, chooser)) in path.iter().enumerate().rev() {
            let player = usize::from(chooser);
            let change =
                if above < unshown { L::finished(1, self.rewards.units[player]) } else { self.rewards.changes[player] };
            self.cursor.add(step, change);
            if above == 1 {
                first = self.rewards.units[player];
            }
            if above == 0 || player >= search.players {
                continue;
            }
            let floor = self.tree.outcome_of(step.block());
            let node = self.cursor.node(step);
            if floor.is_open() || !self.tree.outcome(node).is_open() {
                continue;
            }
            let stats = self.tree.read(node);
            if stats.sum as f64 <= floor.reward(player) * L::UNITS * f64::from(stats.visits) {
                (0..search.players)
                    .for_each(|player| self.set_reward(&search.facts.rewards, player, floor.reward(player)));
            }
        }
        first
    }
}

/// Returns true if there is nothing more to learn about the root of a tree, in which `player` acts: its outcome is
/// known, or that of each of its children is. A player who loses anyway may not know to whom.
pub(super) fn is_solved(tree: &Tree, player: usize, has_bounds: bool) -> bool {
    let root = tree.expansion(tree.root()).block();
    root.is_some_and(|block| {
        !tree.outcome_of_children(block, Some(player), true, has_bounds).is_open() || tree.all_are_known(block)
    })
}

/// Returns true if what one player has secured bounds what the other can get.
pub(super) fn has_bounds(facts: &GameFacts, players: usize) -> bool {
    players == 2 && facts.turn_order == TurnOrder::Alternating && facts.rewards.sum == Some(1.0)
}
