//! The free list of a worker: memory that fell out of use.

use std::collections::BTreeMap;
use std::ops::Range;

/// Memory a worker uses before it takes fresh words: subtrees that were dropped, and blocks found in them.
///
/// A dropped subtree is taken apart only as its blocks are needed, so that dropping it takes no time. Each worker
/// holds a free list of its own; no other worker can reach these blocks.
#[derive(Debug, Default)]
pub(crate) struct FreeList {
    /// Roots of dropped subtrees.
    pub(super) dropped: Vec<u32>,
    /// Free blocks by their size in words: the first and the last of a list linked through the word after the header.
    pub(super) free: BTreeMap<u32, (u32, u32)>,
    /// True if what is left here was too small for the last block asked for.
    pub(super) exhausted: bool,
    /// Fresh words, from the first to before the last.
    pub(super) fresh: Range<u32>,
}

impl FreeList {
    pub(super) fn is_empty(&self) -> bool {
        self.dropped.is_empty() && self.free.is_empty()
    }
}
