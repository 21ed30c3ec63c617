//! The processor time that the program takes.

use std::cell::Cell;
use std::time::{Duration, Instant};

use boughs_lab::measure::processor_seconds;

/// The time over which the meter takes the mean. The system counts processor time in steps of some milliseconds.
const WINDOW: Duration = Duration::from_secs(1);

/// A meter of the processor time of this program.
pub(super) struct Meter {
    since: Cell<(Instant, Option<f64>)>,
    last: Cell<Option<f64>>,
}

impl Default for Meter {
    fn default() -> Meter {
        Meter { since: Cell::new((Instant::now(), processor_seconds())), last: Cell::new(None) }
    }
}

impl Meter {
    /// The number of cores that have worked in the last second. `None` in the first one.
    pub(super) fn busy(&self) -> Option<f64> {
        let ((before, used_before), now) = (self.since.get(), Instant::now());
        let passed = now - before;
        if passed >= WINDOW {
            let used = processor_seconds();
            self.last.set(used.zip(used_before).map(|(used, before)| (used - before) / passed.as_secs_f64()));
            self.since.set((now, used));
        }
        self.last.get()
    }
}
