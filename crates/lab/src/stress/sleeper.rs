//! A bare thread that sleeps until the deadlines of a bot's searches: what the system alone makes late.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use boughs::SearchError;

/// A deadline, and the limit after which a thread that slept until then is late.
type Sleep = [Instant; 2];

/// The thread, which nothing joins: an interrupted search leaves it asleep until its deadline.
pub(super) struct Sleeper {
    sleeps: Sender<Sleep>,
    overruns: Receiver<f64>,
}

impl Sleeper {
    pub(super) fn start() -> Result<Sleeper, SearchError> {
        let (sleeps, asked) = channel::<Sleep>();
        let (ended, overruns) = channel();
        let sleep = move |[deadline, limit]: Sleep| {
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
            let now = Instant::now();
            now.saturating_duration_since(limit).as_secs_f64() - limit.saturating_duration_since(now).as_secs_f64()
        };
        let thread = thread::Builder::new().name("sleeper".into());
        // The channel is closed where the others are not wanted.
        let thread = thread.spawn(move || asked.iter().map(sleep).try_for_each(|overrun| ended.send(overrun)));
        thread.map_err(|error| SearchError::Threads(error.to_string()))?;
        Ok(Sleeper { sleeps, overruns })
    }

    /// Lets the thread sleep until a deadline.
    pub(super) fn sleep(&self, deadline: Instant, limit: Instant) {
        // The thread reads until this is dropped.
        let _ = self.sleeps.send([deadline, limit]);
    }

    /// The seconds from each limit to the end of its sleep, of the first sleeps; negative for an early end.
    pub(super) fn overruns(self, count: usize) -> Vec<f64> {
        drop(self.sleeps);
        self.overruns.iter().take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_sleep_that_is_not_asked_for_is_not_waited_for() {
        let (sleeper, now) = (Sleeper::start().unwrap(), Instant::now());
        sleeper.sleep(now, now);
        sleeper.sleep(now + Duration::from_secs(3600), now);
        assert_eq!(sleeper.overruns(1).len(), 1);
    }
}
