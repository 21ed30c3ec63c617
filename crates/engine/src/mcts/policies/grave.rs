//! GRAVE (generalised RAVE): as RAVE, but a node with few visits takes the all-moves-as-first statistics of the closest
//! node above it with at least `reference` visits (Cazenave 2015).
//!
//! A new node knows nothing of later moves. One above it has seen many simulations with the same actions, in a position
//! that is a few moves different. The statistics of a node are here those of its player alone, so the node above is one
//! in which the same player chooses; the paper keeps those of both.

use super::rave::Rave;
use super::{ChildStats, ParentStats, SelectionPolicy};

#[derive(Debug)]
pub(super) struct Grave {
    pub(super) rave: Rave,
    /// The least visits of a node whose AMAF statistics are used.
    pub(super) reference: u32,
}

impl SelectionPolicy for Grave {
    fn select(&self, parent: &ParentStats, children: &[ChildStats]) -> usize {
        self.rave.select(parent, children)
    }

    fn amaf_reference(&self) -> Option<u32> {
        Some(self.reference)
    }
}
