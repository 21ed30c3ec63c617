//! The flag that ends searches from another thread.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Weak};

use crate::locks::Mutex;

/// A flag that ends searches from another thread.
///
/// [`raise`](StopFlag::raise) wakes the threads that wait for these searches. Monte Carlo Tree Search, flat Monte Carlo
/// and determinization answer within a millisecond, however long a playout takes; other agents answer when they next
/// look at the flag. It takes a lock, so a signal handler must not call it: let a thread call it that waits for the
/// signal, as the crates `ctrlc` and `signal-hook` arrange.
///
/// ```
/// # use boughs::{Budget, Search, SearchError, Settings, StopFlag, StopReason};
/// # fn end_from_another_thread<G: boughs::Game>(game: G) -> Result<(), SearchError> {
/// let flag = StopFlag::default();
/// let raised = flag.clone();
/// std::thread::spawn(move || raised.raise());
/// let report = Search::new(game, Settings::default())?.run(Budget::unlimited().or_stopped_by(flag))?;
/// assert_eq!(report.stop, StopReason::Stopped);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<Inner>);

#[derive(Default)]
struct Inner {
    raised: AtomicBool,
    /// The searches for whose end a thread waits.
    waiting: Mutex<Vec<Weak<dyn Wake>>>,
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.raised.fmt(f)
    }
}

/// A search for whose end threads wait.
pub(crate) trait Wake: Send + Sync {
    /// Wakes these threads, so that they look at the flag.
    fn wake(&self);
}

impl StopFlag {
    /// Ends every search with this flag in its budget.
    pub fn raise(&self) {
        self.0.raised.store(true, Relaxed);
        let waiting = self.0.waiting.lock().clone();
        waiting.iter().filter_map(Weak::upgrade).for_each(|search| search.wake());
    }

    /// Returns true if the flag was raised.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Relaxed)
    }

    /// Has a search woken when the flag is raised, until the result is dropped.
    pub(crate) fn wakes(&self, search: Weak<dyn Wake>) -> Waiting<'_> {
        self.0.waiting.lock().push(search.clone());
        Waiting { flag: self, search }
    }
}

/// The entry of a search among those that a flag wakes.
pub(crate) struct Waiting<'f> {
    flag: &'f StopFlag,
    search: Weak<dyn Wake>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut waiting = self.flag.0.waiting.lock();
        if let Some(place) = waiting.iter().position(|search| Weak::ptr_eq(search, &self.search)) {
            waiting.swap_remove(place);
        }
    }
}
