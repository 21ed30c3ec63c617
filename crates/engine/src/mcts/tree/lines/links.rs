//! The links of a line: claim, publication, and the swing to wide lines.

use super::{ACTIONS_AT, LINE, Lines, Place, shift};
use crate::mcts::tree::node::{CLAIMED, Link, PROVEN, UNEXPANDED, publishing};
use crate::mcts::tree::sync::{AtomicU64, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed};
use crate::mcts::tree::words::Writers;

impl<'w> Lines<'w> {
    /// The action that leads to a child.
    #[inline]
    pub(in crate::mcts::tree) fn action(self, place: Place) -> u32 {
        action(Lines::head(self.line(place.line)), place.child)
    }

    /// The link of a child; the contents of the block it leads to are visible to the caller.
    #[inline(always)]
    pub(in crate::mcts::tree) fn link(self, place: Place) -> Link {
        link_in(self.line(place.line), place.child)
    }

    fn link_word(self, place: Place) -> (&'w AtomicU64, u32) {
        let (word, shift) = place.half();
        (&self.line(place.line)[4 + word], shift)
    }

    /// Claims the link of a child without children. Returns false if some other worker was faster.
    pub(in crate::mcts::tree) fn claim(self, place: Place, writers: Writers) -> bool {
        self.swing(place, UNEXPANDED as u32, CLAIMED as u32, writers)
    }

    /// Publishes what a claimed child has below it.
    pub(in crate::mcts::tree) fn publish(self, place: Place, below: u32, writers: Writers) {
        let (word, shift) = self.link_word(place);
        writers.fetch_xor(word, (CLAIMED ^ u64::from(below)) << shift, publishing());
    }

    /// Sets a link if it is `from`. The other half of its word may change meanwhile.
    pub(in crate::mcts::tree) fn swing(self, place: Place, from: u32, to: u32, writers: Writers) -> bool {
        let (word, shift) = self.link_word(place);
        let change = |word: u64| {
            let is_from = (word >> shift) as u32 == from;
            is_from.then_some(word ^ u64::from(from ^ to) << shift)
        };
        writers.fetch_update(word, AcqRel, Acquire, change).is_ok()
    }

    /// Sets a link. No worker may be in the tree.
    pub(in crate::mcts::tree) fn set_link(self, place: Place, to: u32) {
        let (word, shift) = self.link_word(place);
        let rest = word.load(Relaxed) & !(u64::from(u32::MAX) << shift);
        word.store(rest | u64::from(to) << shift, Relaxed);
    }

    /// Marks the outcome of a child as known.
    pub(in crate::mcts::tree) fn mark_proven(self, place: Place, writers: Writers) {
        let (word, shift) = self.link_word(place);
        writers.fetch_or(word, PROVEN << shift, AcqRel);
    }
}

#[inline(always)]
fn action(head: u64, child: usize) -> u32 {
    (head >> (ACTIONS_AT + 8 * child as u32)) as u32 & 0xff
}

#[inline(always)]
pub(super) fn link_in(line: &[AtomicU64; LINE], child: usize) -> Link {
    let below = (line[(4 + child / 2) % LINE].load(Acquire) >> shift(child)) as u32;
    Link { action: action(Lines::head(line), child), below }
}
