//! The size of a table by player and action, and the place of a key in it.

/// The most entries of a table, as a power of two.
const MOST_BITS: u32 = 18;

/// The entries of a table for codes of actions up to `most`, as a power of two: room for several players, and to spare,
/// so that few actions share an entry.
pub(super) fn bits(most: u32) -> u32 {
    ((u64::from(most) + 1).next_power_of_two().ilog2() + 3).min(MOST_BITS)
}

/// The place of a key in a table with a power of two of entries. Many keys share an entry if there are more keys than
/// entries.
#[inline]
pub(super) fn place(key: u64, entries: usize) -> usize {
    // Fibonacci hashing: the high bits of the product depend on all bits of the key.
    let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> (u64::BITS - entries.ilog2())) as usize
}
