//! The stock of a worker: memory that no other worker has.

use std::ops::Range;

/// The memory that one worker cuts its blocks from, and the dropped subtrees it takes apart.
///
/// A dropped subtree is taken apart only as memory is needed, so that dropping it takes no time.
#[derive(Debug, Default)]
pub(crate) struct Stock {
    /// Roots of dropped subtrees.
    pub(super) dropped: Vec<u32>,
    /// The half of them that another worker would get, where there is no other.
    pub(super) half: Vec<u32>,
    /// Free words, from the first to before the last, that no other worker sees. New blocks stand here.
    pub(super) run: Range<u32>,
    /// The regions that this worker holds. All words of the run are in them.
    pub(super) held: Range<u32>,
    /// The region to look at next, if a good part of it is free.
    pub(super) next: u32,
    /// The region to look at next, however little of it is free.
    pub(super) next_rest: u32,
    /// The number of regions that were looked at since the last free run was found, however little of them was free.
    pub(super) passed: u32,
    /// The size of the largest block that was looked for since then.
    pub(super) largest: u32,
    /// No run is long enough for a block of this size; 0 if there may be one.
    pub(super) too_large: u32,
    /// True if looking for memory is not worth the effort any more.
    pub(super) exhausted: bool,
    /// True if there was no room for wide lines, not even in the reserve.
    pub(super) saw_no_reserve: bool,
}

impl Stock {
    /// Begins to count the regions that are looked at in vain.
    pub(super) fn begin_pass(&mut self) {
        (self.passed, self.largest) = (0, 0);
    }
}
