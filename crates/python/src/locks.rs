//! Locks of std that no panic poisons. Those of parking_lot share a table, which a copy of the process by `fork` may
//! inherit locked for ever.

use std::sync::{self, MutexGuard, PoisonError, TryLockError};
use std::time::Instant;

/// A lock that is as it was left where a thread panicked.
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(sync::Mutex<T>);

impl<T> Mutex<T> {
    pub(crate) const fn new(value: T) -> Mutex<T> {
        Mutex(sync::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The content, unless a thread holds the lock.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// A condition that threads wait for.
#[derive(Debug, Default)]
pub(crate) struct Condvar(sync::Condvar);

impl Condvar {
    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }

    /// Waits until the condition may have changed, at most until a time. Returns true if that has come.
    pub(crate) fn wait_until<'m, T>(&self, guard: MutexGuard<'m, T>, until: Instant) -> (MutexGuard<'m, T>, bool) {
        let time = until.saturating_duration_since(Instant::now());
        let (guard, end) = self.0.wait_timeout(guard, time).unwrap_or_else(PoisonError::into_inner);
        (guard, end.timed_out())
    }
}
