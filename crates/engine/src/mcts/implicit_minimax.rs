//! Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant 2014): beside the mean of its simulations a node
//! has the minimax of the evaluations below it, and selection goes by a mixture of both.
//!
//! A mean needs many simulations to forget the bad replies that it has tried. The minimax follows the best reply at
//! once, and is as wrong as the evaluation is. The paper evaluates all children of a node when it is expanded; here
//! each is evaluated when it is first visited, and the minimax is that of the children known so far.
//!
//! The value stands in the word of a child where RAVE has its statistics, as the bits of a number beside a mark.
//! Workers write it without a lock: each writes what it computes from the children, and the next one to pass corrects
//! what two have written at the same time.

use crate::mcts::policies::ChildStats;
use crate::mcts::tree::{Block, Node, Outcome, Step, Tree};

/// Mixes the minimax values of the children of a block into their means.
pub(super) fn mix(tree: &Tree, block: Block, share: f32, children: &mut [ChildStats]) {
    for (stats, child) in children.iter_mut().zip(tree.children(block)) {
        if let Some(value) = tree.minimax(child)
            && !stats.is_closed()
        {
            // Visits in flight go on as losses.
            stats.sum += share * (value * stats.finished as f32 - stats.sum);
        }
    }
}

/// Stores the value of the last node of a path for the player who chose it, and the minimax of the nodes above. A node
/// with a known outcome is worth that and not what evaluations said before. Two players act in turn.
pub(super) fn back_up(tree: &Tree, node: impl Fn(Step) -> Node, path: &[(Step, u8)], value: f32) {
    let Some(&(leaf, _)) = path.last() else { return };
    tree.set_minimax(node(leaf), value);
    for pair in path.windows(2).rev() {
        let ((above, _), (below, chooser)) = (pair[0], pair[1]);
        let value = |child| match tree.outcome(child) {
            Outcome::OPEN => tree.minimax(child),
            outcome => Some(outcome.reward(usize::from(chooser)) as f32),
        };
        let values = tree.children(below.block()).filter_map(value);
        let best = values.fold(f32::NEG_INFINITY, f32::max);
        if best == f32::NEG_INFINITY {
            return;
        }
        // Written where it is the same too: another worker may have stopped half way with an older value above.
        tree.set_minimax(node(above), 1.0 - best);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::mcts::tables::Tables;
    use crate::mcts::tree::informed::Informed;
    use crate::mcts::tree::ucb::Ucb;
    use crate::mcts::tree::words::Writers;
    use crate::mcts::tree::{LayoutKind, TreeCursor};

    #[test]
    fn a_proven_reply_is_worth_its_outcome_and_not_what_an_evaluation_said() {
        let tree = Tree::new(1 << 16, LayoutKind::Informed, Writers::One).unwrap();
        let mut stock = tree.new_stock();
        let mut cursor = TreeCursor::<Informed>::new(&tree, Ucb::new(Arc::new(Tables::new()), 1.0, 1.0), 1, 2);
        let root = cursor.enter_root([0; 4]);
        let moves = tree.expand(cursor.node(root.step), &[0, 1], &mut stock).unwrap();
        let first = cursor.enter_nth(moves, 0, [0; 4]);
        let replies = tree.expand(cursor.node(first.step), &[0, 1], &mut stock).unwrap();
        let [refuted, other] = [0, 1].map(|reply| cursor.enter_nth(replies, reply, [0; 4]));
        tree.set_minimax(cursor.node(refuted.step), 0.9);
        let path = [(root.step, u8::MAX), (first.step, 0), (other.step, 1)];
        let value_of_first = || {
            back_up(&tree, |step| cursor.node(step), &path, 0.25);
            tree.minimax(cursor.node(first.step))
        };
        assert!(value_of_first().is_some_and(|value| (value - 0.1).abs() < 1e-6));
        let loss = Outcome::of(&[1.0, 0.0]).unwrap();
        tree.prove_over(cursor.node(refuted.step), loss, &mut stock);
        assert_eq!(value_of_first(), Some(0.75), "the second player has the other reply left");
    }
}
