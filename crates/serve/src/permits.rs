//! Permits: a bound on the number of things at a time, each of which holds one.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A number of permits.
pub(crate) struct Permits {
    left: Mutex<usize>,
    returned: Condvar,
}

/// One of them, until it is dropped.
pub(crate) struct Permit(Arc<Permits>);

impl Permits {
    pub(crate) fn new(count: usize) -> Arc<Permits> {
        Arc::new(Permits { left: Mutex::new(count), returned: Condvar::new() })
    }

    /// Takes a permit, and waits for it.
    pub(crate) fn take(self: &Arc<Permits>) -> Permit {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left = self.returned.wait_while(left, |left| *left == 0).unwrap_or_else(PoisonError::into_inner);
        *left -= 1;
        Permit(self.clone())
    }

    /// Takes a permit if there is one within this time.
    pub(crate) fn take_within(self: &Arc<Permits>, wait: Duration) -> Option<Permit> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.returned.wait_timeout_while(left, wait, |left| *left == 0);
        let (mut left, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *left = left.checked_sub(1)?;
        Some(Permit(self.clone()))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *self.0.left.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permit_that_is_dropped_can_be_taken_again() {
        let permits = Permits::new(1);
        let first = permits.take();
        assert!(permits.take_within(Duration::ZERO).is_none());
        drop(first);
        let panicked = std::thread::spawn({
            let permits = permits.clone();
            move || {
                let _permit = permits.take();
                panic!("the work of a permit");
            }
        });
        assert!(panicked.join().is_err());
        drop(permits.take());
    }
}
