//! Storage of a child's counters: one to four words of the arena, which every worker adds to without a lock.
//!
//! The tree needs no order among counters, because sums of additions commute.

use std::fmt::Debug;

use crate::mcts::tree::sync::{AtomicU64, Ordering};

/// The orderings of reads, writes and additions. `--cfg counting="acqrel"` and `--cfg counting="seqcst"` ask for
/// stronger ones, to measure their cost (`benches/orderings`).
const ORDERINGS: [Ordering; 3] = if cfg!(counting = "seqcst") {
    [Ordering::SeqCst; 3]
} else if cfg!(counting = "acqrel") {
    [Ordering::Acquire, Ordering::Release, Ordering::AcqRel]
} else {
    [Ordering::Relaxed; 3]
};
pub(super) const READ: Ordering = ORDERINGS[0];
const WRITE: Ordering = ORDERINGS[1];
const ADD: Ordering = ORDERINGS[2];

/// The number of threads that write the counters of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writers {
    /// One thread: a load and a store do what an atomic addition does, without its barrier. On x86 that barrier keeps
    /// the processor from loading what comes next until the addition is done. Other threads may still read.
    One,
    /// Several threads.
    Many,
}

/// Changes of a word, each as the method of [`AtomicU64`] with that name makes it. They return the word before the
/// change. The orderings are for several threads; one thread stores by `Release`, for those that read.
impl Writers {
    #[inline(always)]
    pub(crate) fn fetch_add(self, word: &AtomicU64, more: u64, ordering: Ordering) -> u64 {
        match self {
            Writers::Many => word.fetch_add(more, ordering),
            Writers::One => change(word, |before| before.wrapping_add(more)),
        }
    }

    #[inline(always)]
    pub(crate) fn fetch_sub(self, word: &AtomicU64, less: u64, ordering: Ordering) -> u64 {
        self.fetch_add(word, less.wrapping_neg(), ordering)
    }

    #[inline(always)]
    pub(crate) fn fetch_or(self, word: &AtomicU64, bits: u64, ordering: Ordering) -> u64 {
        match self {
            Writers::Many => word.fetch_or(bits, ordering),
            Writers::One => change(word, |before| before | bits),
        }
    }

    #[inline(always)]
    pub(crate) fn fetch_and(self, word: &AtomicU64, bits: u64, ordering: Ordering) -> u64 {
        match self {
            Writers::Many => word.fetch_and(bits, ordering),
            Writers::One => change(word, |before| before & bits),
        }
    }

    #[inline(always)]
    pub(crate) fn fetch_xor(self, word: &AtomicU64, bits: u64, ordering: Ordering) -> u64 {
        match self {
            Writers::Many => word.fetch_xor(bits, ordering),
            Writers::One => change(word, |before| before ^ bits),
        }
    }

    /// Returns the word as an error where `after` gives none, and does not change it then.
    #[inline(always)]
    pub(crate) fn fetch_update(
        self,
        word: &AtomicU64,
        set: Ordering,
        fetch: Ordering,
        mut after: impl FnMut(u64) -> Option<u64>,
    ) -> Result<u64, u64> {
        match self {
            Writers::Many => word.fetch_update(set, fetch, after),
            Writers::One => {
                let before = word.load(Ordering::Relaxed);
                after(before).map(|after| change(word, |_| after)).ok_or(before)
            }
        }
    }

    #[inline(always)]
    pub(crate) fn compare_exchange(
        self,
        word: &AtomicU64,
        from: u64,
        to: u64,
        [set, fetch]: [Ordering; 2],
    ) -> Result<u64, u64> {
        match self {
            Writers::Many => word.compare_exchange(from, to, set, fetch),
            Writers::One => self.fetch_update(word, set, fetch, |before| (before == from).then_some(to)),
        }
    }
}

/// Changes a word that only this thread writes.
#[inline(always)]
fn change(word: &AtomicU64, after: impl FnOnce(u64) -> u64) -> u64 {
    let before = word.load(Ordering::Relaxed);
    word.store(after(before), Ordering::Release);
    before
}

/// The counters of one child as words, read from the arena or to be added to it.
pub(crate) trait Words: Clone + Copy + PartialEq + Send + Debug + 'static {
    /// The number of words.
    const LEN: usize;
    fn load(words: &[AtomicU64]) -> Self;

    /// Adds to the words and returns their values before the addition.
    fn add(words: &[AtomicU64], change: Self, writers: Writers) -> Self;

    fn store(self, words: &[AtomicU64]);
}

impl<const N: usize> Words for [u64; N] {
    const LEN: usize = N;
    #[inline(always)]
    fn load(words: &[AtomicU64]) -> [u64; N] {
        std::array::from_fn(|place| words[place].load(READ))
    }

    #[inline(always)]
    fn add(words: &[AtomicU64], change: [u64; N], writers: Writers) -> [u64; N] {
        std::array::from_fn(|place| add_to(&words[place], change[place], writers))
    }

    #[inline]
    fn store(self, words: &[AtomicU64]) {
        words.iter().zip(self).for_each(|(word, new)| word.store(new, WRITE));
    }
}

/// Adds to a word and returns its value before the addition.
#[inline(always)]
pub(super) fn add_to(word: &AtomicU64, change: u64, writers: Writers) -> u64 {
    match writers {
        // A write takes the cache line from all other workers, so a word with nothing to add is only read.
        Writers::Many if change == 0 => word.load(READ),
        Writers::Many => word.fetch_add(change, ADD),
        Writers::One => {
            let before = word.load(READ);
            word.store(before.wrapping_add(change), WRITE);
            before
        }
    }
}
