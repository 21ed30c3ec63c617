//! A table of mean rewards that all workers add to without a lock.

use super::table;
use crate::mcts::tree::sync::{AtomicU64, Ordering::Relaxed};
use crate::mcts::tree::words::Writers;

/// Units of a reward that make 1.
const UNITS: f32 = 32.0;

/// Rewards of an entry at which it forgets half of them, so that it never overflows and follows what is new.
const MOST: u32 = 1 << 26;

/// The mean rewards of some keys. An entry is a word: the number of its rewards in the low half, their sum in the high
/// half.
#[derive(Debug)]
pub(super) struct Averages(Box<[AtomicU64]>);

impl Averages {
    /// An empty table, of a power of two of entries.
    pub(super) fn new(bits: u32) -> Averages {
        Averages((0..1usize << bits).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    fn entry(&self, key: u64) -> &AtomicU64 {
        &self.0[table::place(key, self.0.len())]
    }

    /// The number of rewards of a key, and their sum.
    #[inline]
    pub(super) fn get(&self, key: u64) -> (u32, f32) {
        let word = self.entry(key).load(Relaxed);
        (word as u32, (word >> 32) as f32 / UNITS)
    }

    /// Adds a reward in 0..=1.
    pub(super) fn add(&self, key: u64, share: f32, writers: Writers) {
        let entry = self.entry(key);
        let before = writers.fetch_add(entry, ((share * UNITS).round() as u64) << 32 | 1, Relaxed);
        if before as u32 >= MOST {
            let halved = |word: u64| (word as u32 >= MOST).then_some((word >> 33) << 32 | (word as u32 >> 1) as u64);
            // Some other worker may have halved it.
            _ = writers.fetch_update(entry, Relaxed, Relaxed, halved);
        }
    }

    pub(super) fn clear(&self) {
        self.0.iter().for_each(|entry| entry.store(0, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_threads_lose_no_reward() {
        let averages = Averages::new(4);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let averages = &averages;
                scope.spawn(move || {
                    (0..100_000).for_each(|number| averages.add((number + thread) % 3, 0.5, Writers::Many));
                });
            }
        });
        let all: Vec<(u32, f32)> = (0..3).map(|key| averages.get(key)).collect();
        assert_eq!(all.iter().map(|(count, _)| count).sum::<u32>(), 400_000, "{all:?}");
        assert!(all.iter().all(|&(count, sum)| sum == count as f32 / 2.0), "{all:?}");
    }

    #[test]
    fn a_full_entry_forgets_half_and_keeps_its_mean() {
        let averages = Averages::new(4);
        averages.entry(1).store(u64::from(MOST * 8) << 32 | u64::from(MOST), Relaxed);
        averages.add(1, 0.25, Writers::One);
        let (count, sum) = averages.get(1);
        assert_eq!(count, MOST / 2);
        assert!((sum / count as f32 - 0.25).abs() < 1e-6);
    }
}
