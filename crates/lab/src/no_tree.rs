//! The no-tree baseline, called the roof in tables and files: random playouts without a tree, as fast as any search
//! could be.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use boughs::{Rng, SearchError, Session};

use crate::measure::Timed;

/// Plays random games without a tree on this number of threads.
///
/// Returns the number of playouts, which is at least the number asked for, and the time they took.
///
/// # Errors
/// If the system has no threads to give.
pub fn no_tree_baseline(start: &dyn Session, playouts: u64, threads: usize) -> Result<(u64, Timed), SearchError> {
    no_tree_baseline_until(start, playouts, threads, &|| false)
}

/// Playouts between two calls of `is_over`: a call costs a fraction of the cheapest playout.
const BETWEEN_CALLS: u64 = 16;

/// Plays like [`no_tree_baseline`], but ends early once `is_over` returns true.
///
/// # Errors
/// If the system has no threads to give.
pub fn no_tree_baseline_until(
    start: &dyn Session,
    playouts: u64,
    threads: usize,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<(u64, Timed), SearchError> {
    let threads = threads.max(1) as u64;
    let share = playouts.div_ceil(threads);
    let total = AtomicU64::new(0);
    let work = |stream| {
        let mut rng = Rng::new(0, stream);
        let mut done = 0;
        while done < share && !is_over() {
            let next = BETWEEN_CALLS.min(share - done);
            start.play_without_tree(next, &mut rng);
            done += next;
        }
        total.fetch_add(done, Relaxed);
    };
    let (spawned, timed) = Timed::run(|| {
        thread::scope(|scope| {
            (0..threads).try_for_each(|stream| {
                let thread = thread::Builder::new().name(format!("boughs-{stream}"));
                thread.spawn_scoped(scope, move || work(stream)).map(|_| ())
            })
        })
    });
    spawned.map_err(|error| SearchError::Threads(error.to_string()))?;
    Ok((total.into_inner(), timed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs_games::{connect4::Connect4, tictactoe::TicTacToe};

    #[test]
    fn the_baseline_plays_as_much_as_it_is_asked_for() {
        let (playouts, timed) = no_tree_baseline(&Connect4::default(), 101, 2).expect("two threads");
        assert_eq!(playouts, 102);
        assert!(timed.wall > 0.0);
    }

    #[test]
    fn the_baseline_ends_when_it_is_told_to() {
        let calls = AtomicU64::new(0);
        let is_over = || calls.fetch_add(1, Relaxed) >= 10;
        let (playouts, _) = no_tree_baseline_until(&TicTacToe::default(), u64::MAX, 2, &is_over).unwrap();
        assert_eq!(playouts, 10 * BETWEEN_CALLS);
    }
}
