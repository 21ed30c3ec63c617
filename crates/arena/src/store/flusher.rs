//! The thread that syncs additions to the disk.

use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// Time an addition waits for more to come. It is half of the second that may be lost; the disk has the other half.
const PAUSE: Duration = Duration::from_millis(500);

/// Calls `sync` within [`PAUSE`] of every addition, on its own thread, so that no game waits for the disk.
pub(super) struct Flusher {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// True if there was an addition since the last sync began.
    is_due: bool,
    is_closing: bool,
    failure: Option<io::Error>,
}

impl Flusher {
    pub(super) fn new(sync: impl FnMut() -> io::Result<()> + Send + 'static) -> io::Result<Flusher> {
        let shared = Arc::<Shared>::default();
        let thread = Builder::new().name("boughs-store".into()).spawn({
            let shared = shared.clone();
            move || shared.run(sync)
        })?;
        Ok(Flusher { shared, thread: Some(thread) })
    }

    /// Notes an addition.
    pub(super) fn added(&self) {
        let mut state = self.shared.state.lock();
        if !state.is_due {
            state.is_due = true;
            self.shared.changed.notify_one();
        }
    }

    /// Syncs the last additions and ends.
    ///
    /// # Errors
    /// If this sync failed, or one before it that was not reported yet.
    pub(super) fn close(mut self) -> io::Result<()> {
        self.end();
        self.failure().map_or(Ok(()), Err)
    }

    /// Returns the error of a failed sync, once.
    pub(super) fn failure(&self) -> Option<io::Error> {
        self.shared.state.lock().failure.take()
    }

    fn end(&mut self) {
        self.shared.state.lock().is_closing = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread is of no use here.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn run(&self, mut sync: impl FnMut() -> io::Result<()>) {
        let mut state = self.state.lock();
        loop {
            self.changed.wait_while(&mut state, |state| !state.is_due && !state.is_closing);
            if !state.is_due {
                return;
            }
            self.changed.wait_while_for(&mut state, |state| !state.is_closing, PAUSE);
            // An addition during the sync may miss it, and needs another one.
            state.is_due = false;
            drop(state);
            let result = sync();
            state = self.state.lock();
            state.failure = result.err().or(state.failure.take());
        }
    }
}

impl Drop for Flusher {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// A time far longer than a sync may take.
    const LONG: Duration = Duration::from_secs(20);

    fn counted() -> (Flusher, Receiver<()>) {
        let (send, receive) = channel();
        (Flusher::new(move || send.send(()).map_err(io::Error::other)).unwrap(), receive)
    }

    #[test]
    fn the_last_addition_is_synced_without_any_after_it() {
        let (flusher, syncs) = counted();
        for _ in 0..2 {
            flusher.added();
            syncs.recv_timeout(LONG).expect("a sync");
        }
    }

    #[test]
    fn many_additions_share_a_sync_and_none_costs_one() {
        let (flusher, syncs) = counted();
        for _ in 0..100_000 {
            flusher.added();
        }
        drop(flusher);
        assert!((1..1_000).contains(&syncs.iter().count()));
        let (flusher, syncs) = counted();
        drop(flusher);
        assert_eq!(syncs.iter().count(), 0);
    }

    #[test]
    fn an_addition_during_a_sync_gets_another_one() {
        let (begun, begins) = channel();
        let (allow, allowed) = channel();
        let flusher = Flusher::new(move || {
            begun.send(()).map_err(io::Error::other)?;
            allowed.recv().map_err(io::Error::other)
        })
        .unwrap();
        flusher.added();
        begins.recv_timeout(LONG).expect("a first sync");
        flusher.added();
        allow.send(()).unwrap();
        begins.recv_timeout(LONG).expect("a second sync");
        allow.send(()).unwrap();
    }

    #[test]
    fn the_end_tells_of_a_failure() {
        let flusher = Flusher::new(|| Err(io::Error::other("the disk is gone"))).unwrap();
        flusher.added();
        assert!(flusher.close().is_err());
        assert!(counted().0.close().is_ok());
    }

    #[test]
    fn a_failure_is_told_once_and_survives_a_later_success() {
        let (done, syncs) = channel();
        let mut results = vec![Ok(()), Err(io::Error::other("the disk is gone"))];
        let flusher = Flusher::new(move || {
            let result = results.pop().expect("two syncs");
            done.send(()).map_err(io::Error::other)?;
            result
        })
        .unwrap();
        for _ in 0..2 {
            flusher.added();
            syncs.recv_timeout(LONG).expect("a sync");
        }
        assert_eq!(flusher.failure().map(|error| error.to_string()), Some("the disk is gone".to_string()));
        assert!(flusher.failure().is_none());
    }
}
