//! A bare thread that sleeps until the deadlines of a bot's searches: what the system alone makes late.

use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use boughs::SearchError;

/// A deadline, and the limit after which a thread that slept until then is late.
type Sleep = [Instant; 2];

/// The thread.
pub(super) struct Sleeper {
    sleeps: Sender<Sleep>,
    thread: JoinHandle<Vec<f64>>,
}

impl Sleeper {
    pub(super) fn start() -> Result<Sleeper, SearchError> {
        let (sleeps, asked) = channel::<Sleep>();
        let sleep = move |[deadline, limit]: Sleep| {
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
            let now = Instant::now();
            now.saturating_duration_since(limit).as_secs_f64() - limit.saturating_duration_since(now).as_secs_f64()
        };
        let thread = thread::Builder::new().name("sleeper".into());
        let thread = thread.spawn(move || asked.iter().map(sleep).collect());
        Ok(Sleeper { sleeps, thread: thread.map_err(|error| SearchError::Threads(error.to_string()))? })
    }

    /// Lets the thread sleep until a deadline.
    pub(super) fn sleep(&self, deadline: Instant, limit: Instant) {
        // The thread reads until this is dropped.
        let _ = self.sleeps.send([deadline, limit]);
    }

    /// The seconds from each limit to the end of its sleep; negative for an early end.
    pub(super) fn overruns(self) -> Vec<f64> {
        drop(self.sleeps);
        self.thread.join().unwrap_or_default()
    }
}
