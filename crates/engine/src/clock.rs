//! Time. This is the only file of the engine that reads a clock.

use std::time::Instant;

/// The current time.
#[inline]
pub(crate) fn now() -> Instant {
    Instant::now()
}
