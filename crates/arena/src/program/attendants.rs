//! The three threads of a program: each takes care of one of its pipes.

use std::convert::Infallible;
use std::io::{self, PipeWriter};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use parking_lot::Mutex;

use super::notes::{Heard, Notes, take_notes};
use super::process::Pipes;
use super::talk::{Event, MOST_EVENTS, Order, listen, speak};
use super::wire::Wire;

/// How long the threads take to leave, where nothing keeps them.
const LEAVING: Duration = Duration::from_millis(200);

/// The threads, and what goes to them and comes from them. They leave when nobody is at the other end of their pipe,
/// or when this is dropped.
pub(super) struct Attendants {
    /// Nothing once the pipe is to be closed.
    orders: Option<Sender<Order>>,
    /// Bytes that were ordered and not written yet.
    owed: Arc<AtomicUsize>,
    events: Receiver<Event>,
    heard: Arc<Mutex<Heard>>,
    cord: PipeWriter,
    /// Closed when the last one leaves.
    all_left: Receiver<Infallible>,
}

impl Attendants {
    /// Puts a thread at each pipe.
    pub(super) fn start((input, output, errors): Pipes) -> io::Result<Attendants> {
        let (cord_end, cord) = io::pipe()?;
        let cord_end = Arc::new(cord_end);
        let input = Wire::new(input, cord_end.clone())?;
        let output = Wire::new(output, cord_end.clone())?;
        let errors = Wire::new(errors, cord_end)?;

        let (orders, to_write) = unbounded();
        let (happened, events) = bounded(MOST_EVENTS);
        let (here, all_left) = bounded(0);
        let owed = Arc::new(AtomicUsize::new(0));
        let heard = Arc::new(Mutex::new(Heard::default()));
        spawn(&here, {
            let (owed, happened) = (owed.clone(), happened.clone());
            move || speak(input, &to_write, &owed, &happened)
        })?;
        spawn(&here, move || listen(output, &happened))?;
        spawn(&here, {
            let heard = heard.clone();
            move || take_notes(errors, &heard)
        })?;
        Ok(Attendants { orders: Some(orders), owed, events, heard, cord, all_left })
    }

    /// Has something written, when what was ordered before is.
    pub(super) fn order(&self, order: Order) {
        self.owed.fetch_add(order.text.len(), Relaxed);
        // Where nobody writes any more, an event has said so.
        let _ = self.orders.as_ref().map(|orders| orders.send(order));
    }

    /// How many bytes are still to be written.
    pub(super) fn owed(&self) -> usize {
        self.owed.load(Relaxed)
    }

    /// What has happened.
    pub(super) fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// Closes the program's standard input, when everything is written.
    pub(super) fn close(&mut self) {
        self.orders = None;
    }

    /// Waits until all have left, and makes them if they do not. Gives what was said on standard error.
    pub(super) fn leave(self) -> Notes {
        let Attendants { orders, events, heard, cord, all_left, .. } = self;
        drop((orders, events));
        // Nobody is left at the other ends, unless a descendant could not be found or killed.
        let left = all_left.recv_timeout(LEAVING);
        drop(cord);
        if left == Err(RecvTimeoutError::Timeout) {
            // Where a cord frees nobody they may stay, and nobody waits for them.
            let _ = all_left.recv_timeout(LEAVING);
        }
        heard.lock().notes()
    }
}

/// Starts a thread, which is `here` as long as it runs.
fn spawn(here: &Sender<Infallible>, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let here = here.clone();
    let work = move || {
        work();
        drop(here);
    };
    thread::Builder::new().name("boughs-bot".to_string()).spawn(work).map(drop)
}
