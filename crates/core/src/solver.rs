//! MCTS-Solver (Winands, Bjornsson and Saito 2008): wins and losses at the ends of the game go up the tree.
//!
//! A proof is an infinite mean of the player who chose the node: selection then goes to a win, and to a loss only if
//! all children lose.

use crate::local::{LocalSearch, Step, NONE};
use crate::tree::Node;
use crate::{Game, LeafEvaluator, Turn, Values, MAX_PLAYERS};

impl<G: Game, E: LeafEvaluator<G>> LocalSearch<G, E> {
    /// The values of a leaf that is a proven win or loss, or the end of the game with the greatest or the least reward.
    /// Such an end proves what it can on the way up.
    pub(crate) fn solve(&mut self, position: &G) -> Option<Values> {
        let Step { node, chooser } = self.path[self.path.len() - 1];
        if chooser == NONE || !self.is_solvable() {
            return None;
        }
        if !self.tree.node(node).mean.is_infinite() {
            if position.turn() != Turn::Over {
                return None;
            }
            let reward = position.reward(usize::from(chooser));
            match reward {
                reward if G::REWARDS.is_win(reward) => self.prove(f32::INFINITY),
                reward if G::REWARDS.is_loss(reward) => self.prove(f32::NEG_INFINITY),
                _ => return None,
            }
        }
        let (least, most) = self.selection.bounds;
        let (own, other) = if self.tree.node(node).mean > 0.0 { (most, least) } else { (least, most) };
        let mut values = [other; MAX_PLAYERS];
        values[usize::from(chooser)] = own;
        Some(values)
    }

    /// Notes a proof for the last node of the path, and what follows from it for the nodes above.
    fn prove(&mut self, value: f32) {
        let mut value = value;
        let path = std::mem::take(&mut self.path);
        for (index, &Step { node, chooser }) in path.iter().enumerate().rev() {
            self.tree.node_mut(node).mean = value;
            // The parent is won for the player who acts there if one child is, and lost if all are.
            let parent = match index {
                0 | 1 => break,
                _ => path[index - 1],
            };
            let is_lost = |child: &Node<G::Action>| child.mean == f32::NEG_INFINITY;
            let is_known = value > 0.0 || self.tree.nodes(self.tree.children(parent.node)).iter().all(is_lost);
            if parent.chooser == NONE || !is_known {
                break;
            }
            value = if parent.chooser == chooser { value } else { -value };
        }
        self.path = path;
    }

    /// Returns true if one child of the root is a proven win, or all are proven losses.
    pub(crate) fn is_proven(&self, children: &[Node<G::Action>]) -> bool {
        let is_loss = |child: &Node<_>| child.mean == f32::NEG_INFINITY;
        children.iter().any(|child| child.mean == f32::INFINITY) || children.iter().all(is_loss)
    }

    /// Returns true if rewards have bounds, and a loss of one player is a win of the other.
    fn is_solvable(&self) -> bool {
        G::REWARDS.bounds.map_or(false, |(least, most)| match self.position.players() {
            1 => true,
            2 => G::REWARDS.sum == Some(least + most),
            _ => false,
        })
    }
}
