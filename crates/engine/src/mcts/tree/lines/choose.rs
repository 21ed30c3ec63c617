//! Selection among the children of a narrow block: the innermost loop of a search.

use super::counters::{narrow_change, narrow_visits};
use super::links::link_in;
use super::{Block, CHILDREN, COUNT, FOLLOWED, LINE, line_at, shift};
use crate::mcts::tables::SMALL;
use crate::mcts::tree::choice::LAST;
use crate::mcts::tree::layout::Seen;
use crate::mcts::tree::sync::{AtomicU64, Ordering::Relaxed};
use crate::mcts::tree::words::{READ, Writers, add_to};

/// Enters a child if it was never visited and the one before it was. `None` if not, or if the block is wide.
#[inline(always)]
pub(in crate::mcts::tree) fn enter_untried(
    words: &[AtomicU64],
    block: Block,
    child: u32,
    change: u64,
    writers: Writers,
) -> Option<Seen> {
    if block.is_wide() {
        return None;
    }
    let visits = |line: &[AtomicU64; LINE], child: usize| (line[child / 2].load(READ) >> shift(child)) as u16;
    let (mut at, mut child, mut is_next) = (block.0 as usize, child as usize, true);
    let mut line = line_at(words, at);
    while child >= CHILDREN {
        if line[3].load(Relaxed) >> 32 & FOLLOWED == 0 {
            return None;
        }
        is_next = visits(line, CHILDREN - 1) > 0;
        (at, child) = (at + LINE, child - CHILDREN);
        line = line_at(words, at);
    }
    if child > 0 {
        is_next = visits(line, child - 1) > 0;
    }
    let exists = child < (line[3].load(Relaxed) >> 32 & COUNT) as usize;
    (exists && is_next && visits(line, child) == 0).then(|| enter_narrow(line, at, child, change, writers))
}

/// Enters the child with the highest UCB1 value, the first of those equal but for their last bits, and returns its
/// number. `None` if the block is wide or some child has many visits. `inverses` are those of few visits
/// ([`Ucb::of_few`](crate::mcts::tree::ucb::Ucb::of_few)).
#[inline(always)]
pub(in crate::mcts::tree) fn enter_highest_of_few(
    words: &[AtomicU64],
    block: Block,
    inverses: &[[f32; 2]; SMALL],
    exploration: f32,
    change: u64,
    writers: Writers,
) -> Option<(u32, Seen)> {
    if block.is_wide() {
        return None;
    }
    // The line with the highest so far, its place, and the number of its first child.
    let (mut at, mut first) = (block.0 as usize, 0);
    let mut line = line_at(words, at);
    let (mut highest, mut head) = highest_of_few(line, inverses, exploration)?;
    let (mut next, mut number) = (at, 0);
    while head & FOLLOWED != 0 {
        (next, number) = (next + LINE, number + CHILDREN as u32);
        let other = line_at(words, next);
        let key;
        (key, head) = highest_of_few(other, inverses, exploration)?;
        if key | LAST > highest | LAST {
            (highest, line, at, first) = (key, other, next, number);
        }
    }
    let child = LAST - (highest & LAST);
    Some((first + child as u32, enter_narrow(line, at, child as usize, change, writers)))
}

/// The highest UCB1 value of a line's children as an ordered number, with the child in its last bits, and the head of
/// the line. `None` if some child has many visits.
#[inline(always)]
fn highest_of_few(line: &[AtomicU64; LINE], inverses: &[[f32; 2]; SMALL], exploration: f32) -> Option<(i32, u64)> {
    let head = line[3].load(Relaxed) >> 32;
    let mut highest = -1;
    // Child by child, each read anew: from values that are there together the compiler makes vectors, and gathers their
    // table entries, which is slow.
    for child in 0..(head & COUNT) as usize {
        let counter = (line[child / 2].load(READ) >> shift(child)) as u32;
        let &[inverse, inv_sqrt_n] = inverses.get(counter as usize & 0xffff)?;
        // Twice the value, because the counter has halves. It is not negative, so it compares as its bits do.
        let value = (counter >> 16) as f32 * inverse + 2.0 * exploration * inv_sqrt_n;
        highest = highest.max(value.to_bits().cast_signed() & !LAST | (LAST - child as i32));
    }
    Some((highest, head))
}

/// Adds to the narrow counters of a child of a line, and returns its state from before the addition.
#[inline(always)]
pub(super) fn enter_narrow(line: &[AtomicU64; LINE], at: usize, child: usize, change: u64, writers: Writers) -> Seen {
    let before = add_to(&line[child / 2 % LINE], narrow_change(change) << shift(child), writers) >> shift(child);
    Seen { visits: narrow_visits(before as u32), at: (at * 2 + child) as u32, link: link_in(line, child) }
}
