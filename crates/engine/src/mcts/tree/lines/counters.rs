//! The counters of a line: 15 bits of visits, a mark, and 16 bits of halves.

use super::{Block, CLOSED, shift};
use crate::mcts::tree::sync::AtomicU64;
use crate::mcts::tree::words::{Writers, add_to};

/// The mark of a known outcome in a narrow counter, and its shift to [`CLOSED`].
pub(super) const NARROW_CLOSED: u32 = 1 << 15;

/// Adds to the counters of a child of a block, which are at this place, a change as
/// [`Packed`](crate::mcts::tree::layouts::Packed) has it.
#[inline(always)]
pub(in crate::mcts::tree) fn add(words: &[AtomicU64], block: Block, at: u32, change: u64, writers: Writers) {
    let at = at as usize;
    match block.is_wide() {
        true => add_to(&words[at], change, writers),
        false => add_to(&words[at / 2], narrow_change(change) << shift(at), writers),
    };
}

/// The sum of a narrow counter and a wide one. Either may have the mark of a known outcome.
#[inline(always)]
pub(super) fn sum(narrow: u64, wide: u64) -> u64 {
    ((narrow & !CLOSED) + (wide & !CLOSED)) | (narrow | wide) & CLOSED
}

/// A narrow counter as [`Packed`](crate::mcts::tree::layouts::Packed) has it.
#[inline(always)]
pub(super) fn packed(narrow: u32) -> u64 {
    u64::from(narrow_visits(narrow)) << 32 | u64::from(narrow >> 16)
}

/// The visits of a narrow counter, with the mark of a known outcome where [`CLOSED`] is.
#[inline(always)]
pub(super) fn narrow_visits(narrow: u32) -> u32 {
    narrow & (NARROW_CLOSED - 1) | (narrow & NARROW_CLOSED) << 16
}

/// The visits of a counter, with the mark of a known outcome.
#[inline(always)]
pub(super) fn visits(packed: u64) -> u32 {
    (packed >> 32) as u32
}

/// A change as it is added to a word of narrow counters: visits and halves, either of which may be negative.
#[inline(always)]
pub(super) fn narrow_change(packed: u64) -> u64 {
    let visits = i64::from((packed >> 32) as i32);
    let halves = packed as u32;
    (visits + (i64::from(halves) << 16)).cast_unsigned()
}
