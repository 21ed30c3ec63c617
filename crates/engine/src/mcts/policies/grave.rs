//! GRAVE (generalised RAVE): [RAVE](super::rave) by the all-moves-as-first statistics of another node. A node with few
//! visits takes those of the closest node above it with at least `reference` visits (Cazenave 2015).
//!
//! A new node knows nothing of later moves. One above it has seen many simulations with the same actions, in a position
//! that is a few moves different. The statistics of a node are here those of its player alone, so the node above is one
//! in which the same player chooses; the paper keeps those of both.

use crate::MAX_PLAYERS;
use crate::mcts::tree::{Block, Step};

/// The block of children whose AMAF statistics are those of the closest node above the last one of a path that has at
/// least `reference` visits and in which the same player chooses. `visits` gives the visits of a node.
pub(crate) fn reference_block(
    path: &[(Step, u8)],
    chooser: u8,
    reference: u32,
    visits: impl Fn(Step) -> u32,
) -> Option<Block> {
    if usize::from(chooser) >= MAX_PLAYERS {
        return None;
    }
    let above = path.windows(2).rev().find(|pair| pair[1].1 == chooser && visits(pair[0].0) >= reference)?;
    Some(above[1].0.block())
}
