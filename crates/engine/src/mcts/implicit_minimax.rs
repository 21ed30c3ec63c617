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
use crate::mcts::tree::{Block, Node, Step, Tree};

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

/// Stores the value of the last node of a path for the player who chose it, and the minimax of the nodes above. Two
/// players act in turn.
pub(super) fn back_up(tree: &Tree, node: impl Fn(Step) -> Node, path: &[(Step, u8)], value: f32) {
    let Some(&(leaf, _)) = path.last() else { return };
    tree.set_minimax(node(leaf), value);
    for pair in path.windows(2).rev() {
        let ((above, _), (below, _)) = (pair[0], pair[1]);
        let values = tree.children(below.block()).filter_map(|child| tree.minimax(child));
        let best = values.fold(f32::NEG_INFINITY, f32::max);
        if best == f32::NEG_INFINITY {
            return;
        }
        // Written where it is the same too: another worker may have stopped half way with an older value above.
        tree.set_minimax(node(above), 1.0 - best);
    }
}
