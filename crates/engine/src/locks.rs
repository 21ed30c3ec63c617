//! Locks that no panic poisons. They are those of std, which share nothing with each other: a copy of the process by
//! `fork` may inherit one that is locked for ever, and new searches have new ones. ThreadSanitizer sees only what is
//! compiled with it, which std is not, so its builds have the locks of parking_lot.

pub(crate) use self::kind::{Condvar, Mutex, wait};

#[cfg(race)]
mod kind {
    use std::time::Instant;

    use parking_lot::MutexGuard;
    pub(crate) use parking_lot::{Condvar, Mutex};

    /// Waits until the condition may have changed, at most until `deadline`. Returns true if that has come.
    pub(crate) fn wait<'m, T>(
        changed: &Condvar,
        mut guard: MutexGuard<'m, T>,
        deadline: Option<Instant>,
    ) -> (MutexGuard<'m, T>, bool) {
        let is_late = match deadline {
            None => {
                changed.wait(&mut guard);
                false
            }
            Some(deadline) => changed.wait_until(&mut guard, deadline).timed_out(),
        };
        (guard, is_late)
    }
}

#[cfg(not(race))]
mod kind {
    pub(crate) use std::sync::Condvar;
    use std::sync::{self, MutexGuard, PoisonError};
    use std::time::Instant;

    use crate::clock::now;

    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Mutex<T> {
            Mutex(sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    /// Waits until the condition may have changed, at most until `deadline`. Returns true if that has come.
    pub(crate) fn wait<'m, T>(
        changed: &Condvar,
        guard: MutexGuard<'m, T>,
        deadline: Option<Instant>,
    ) -> (MutexGuard<'m, T>, bool) {
        match deadline {
            None => (changed.wait(guard).unwrap_or_else(PoisonError::into_inner), false),
            Some(deadline) => {
                let time = deadline.saturating_duration_since(now());
                // A wait of no time at all would still take longer than the report has.
                if time.is_zero() {
                    return (guard, true);
                }
                let (guard, end) = changed.wait_timeout(guard, time).unwrap_or_else(PoisonError::into_inner);
                (guard, end.timed_out())
            }
        }
    }
}
