//! The atomics of the tree: std's, or loom's where the crate is built with `--cfg loom` to be model-checked.

#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Zeroed words. The system hands out the pages on first touch, so a large arena costs nothing until it is used.
#[cfg(not(loom))]
pub(crate) fn zeroed_words(count: usize) -> Option<Box<[AtomicU64]>> {
    bytemuck::try_zeroed_slice_box(count).ok()
}

#[cfg(loom)]
pub(crate) fn zeroed_words(count: usize) -> Option<Box<[AtomicU64]>> {
    Some((0..count).map(|_| AtomicU64::new(0)).collect())
}
