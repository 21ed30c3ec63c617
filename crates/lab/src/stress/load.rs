//! Threads that compete for the cores. They compute and walk through memory without a pause, as a neighbour on the same
//! machine would.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use boughs::SearchError;

use crate::measure::thread_seconds;

/// Memory that each thread walks through, in words: more than its core's own caches hold.
const WORDS: usize = 1 << 20;

/// Does the work while this number of threads competes with it. Returns the result and the processor time of the
/// threads, where the system tells.
pub(super) fn under_load<T>(threads: usize, work: impl FnOnce() -> T) -> Result<(T, Option<f64>), SearchError> {
    let (begun, done) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        // On every way out of here, the threads have to end before the scope can.
        let _end = RaiseAtEnd(&done);
        let start = |_| thread::Builder::new().name("load".to_string()).spawn_scoped(scope, || burn(&begun, &done));
        let load: Vec<_> = (0..threads)
            .map(start)
            .collect::<Result<_, _>>()
            .map_err(|error| SearchError::Threads(error.to_string()))?;
        begun.store(true, Relaxed);
        let result = work();
        done.store(true, Relaxed);
        let seconds = load.into_iter().map(|thread| thread.join().ok().flatten()).sum();
        Ok((result, seconds))
    })
}

/// Sets a flag when dropped.
struct RaiseAtEnd<'f>(&'f AtomicBool);

impl Drop for RaiseAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The time between two looks of a waiting thread at the flags.
const NAP: Duration = Duration::from_millis(1);

/// Keeps a core busy until `done` is set. Returns the processor time used.
fn burn(begun: &AtomicBool, done: &AtomicBool) -> Option<f64> {
    // Hundreds of busy threads would keep the next one from being spawned.
    while !begun.load(Relaxed) && !done.load(Relaxed) {
        thread::sleep(NAP);
    }
    let mut words = vec![1u64; WORDS];
    while !done.load(Relaxed) {
        let mut sum = 0u64;
        for word in &mut words {
            sum = sum.rotate_left(5) ^ *word;
            *word = word.wrapping_add(sum);
        }
        black_box(sum);
    }
    thread_seconds()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_lasts_as_long_as_the_work_and_is_counted() {
        let (slept, seconds) = under_load(2, || thread::sleep(Duration::from_millis(50))).unwrap();
        assert_eq!(slept, ());
        assert_eq!(seconds.is_some(), cfg!(unix));
        assert!(seconds.is_none_or(|seconds| seconds > 0.0), "{seconds:?}");
    }

    #[test]
    fn no_threads_are_no_load() {
        assert_eq!(under_load(0, || 7), Ok((7, Some(0.0))));
    }
}
