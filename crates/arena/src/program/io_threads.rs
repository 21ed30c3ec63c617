//! The three threads of a program: each serves one of its pipes.

use std::convert::Infallible;
use std::io::{self, PipeWriter};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use parking_lot::Mutex;

use super::line_io::{IoEvent, MOST_EVENTS, Message, read_lines, write_messages};
use super::notes::{NoteBuffer, Notes, take_notes};
use super::pipe::Pipe;
use super::process::ChildPipes;

/// Time the threads take to end, unless a process keeps a pipe open.
const ENDING: Duration = Duration::from_millis(200);

/// The threads of a program with their channels. They end when the other end of their pipe is closed, or when this is
/// dropped.
pub(super) struct IoThreads {
    /// `None` once the program's standard input is to be closed.
    messages: Option<Sender<Message>>,
    /// Number of bytes that were sent and are not written yet.
    unwritten: Arc<AtomicUsize>,
    events: Receiver<IoEvent>,
    notes: Arc<Mutex<NoteBuffer>>,
    /// Open end of the hang-up pipe.
    hang_up: PipeWriter,
    /// Closed when the last thread ends.
    all_ended: Receiver<Infallible>,
}

impl IoThreads {
    /// Starts a thread for each pipe.
    pub(super) fn start((input, output, errors): ChildPipes) -> io::Result<IoThreads> {
        let (hung_up, hang_up) = io::pipe()?;
        let hung_up = Arc::new(hung_up);
        let input = Pipe::new(input, hung_up.clone())?;
        let output = Pipe::new(output, hung_up.clone())?;
        let errors = Pipe::new(errors, hung_up)?;

        let (messages, to_write) = unbounded();
        let (happened, events) = bounded(MOST_EVENTS);
        let (running, all_ended) = bounded(0);
        let unwritten = Arc::new(AtomicUsize::new(0));
        let notes = Arc::new(Mutex::new(NoteBuffer::default()));
        spawn(&running, {
            let (unwritten, happened) = (unwritten.clone(), happened.clone());
            move || write_messages(input, &to_write, &unwritten, &happened)
        })?;
        spawn(&running, move || read_lines(output, &happened))?;
        spawn(&running, {
            let notes = notes.clone();
            move || take_notes(errors, &notes)
        })?;
        Ok(IoThreads { messages: Some(messages), unwritten, events, notes, hang_up, all_ended })
    }

    /// Sends a message, which is written after those before it.
    pub(super) fn send(&self, message: Message) {
        self.unwritten.fetch_add(message.text.len(), Relaxed);
        // If the writing thread has ended, it has left an event that says so.
        let _ = self.messages.as_ref().map(|messages| messages.send(message));
    }

    /// Number of bytes that are still to be written.
    pub(super) fn unwritten(&self) -> usize {
        self.unwritten.load(Relaxed)
    }

    /// The events of the pipes, in the order in which they happened.
    pub(super) fn events(&self) -> &Receiver<IoEvent> {
        &self.events
    }

    /// Closes the program's standard input after the last message.
    pub(super) fn close_input(&mut self) {
        self.messages = None;
    }

    /// Drops what the program writes to standard error from now on.
    pub(super) fn end_notes(&self) {
        self.notes.lock().end();
    }

    /// Waits until all threads have ended, and hangs up if they do not. Returns the program's notes.
    pub(super) fn end(self) -> Notes {
        let IoThreads { messages, events, notes, hang_up, all_ended, .. } = self;
        drop((messages, events));
        // The other ends are closed, unless a descendant could not be found or killed.
        let ended = all_ended.recv_timeout(ENDING);
        drop(hang_up);
        if ended == Err(RecvTimeoutError::Timeout) {
            // Where hanging up frees no thread, threads may stay behind, and the arena goes on without them.
            let _ = all_ended.recv_timeout(ENDING);
        }
        notes.lock().notes()
    }
}

/// Starts a thread that holds a `running` sender until it ends.
fn spawn(running: &Sender<Infallible>, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let running = running.clone();
    let work = move || {
        work();
        drop(running);
    };
    thread::Builder::new().name("boughs-bot".to_string()).spawn(work).map(drop)
}
