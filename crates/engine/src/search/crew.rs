//! Threads that live as long as their search and wait for work in between.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam::channel::{Sender, unbounded};

type Task = Box<dyn FnOnce() + Send>;

/// Threads that run what they are handed, each in order. They end when the crew is dropped and their work is done.
#[derive(Debug)]
pub(super) struct Crew {
    hands: Vec<Sender<Task>>,
}

impl Crew {
    pub(super) fn new(threads: usize) -> io::Result<Crew> {
        let mut hands = Vec::with_capacity(threads);
        for number in 0..threads {
            let (sender, tasks) = unbounded::<Task>();
            // A search catches what its game throws; what is thrown when a game is dropped is caught here.
            let work = move || tasks.iter().for_each(|task| drop(catch_unwind(AssertUnwindSafe(task))));
            thread::Builder::new().name(format!("boughs-{number}")).spawn(work)?;
            hands.push(sender);
        }
        Ok(Crew { hands })
    }

    /// No threads: whoever hands out a task does it before going on.
    pub(super) fn none() -> Crew {
        Crew { hands: Vec::new() }
    }

    /// How many tasks it works on at a time.
    pub(super) fn len(&self) -> usize {
        self.hands.len().max(1)
    }

    /// Hands a task to a thread.
    pub(super) fn run(&self, thread: usize, task: impl FnOnce() + Send + 'static) {
        let Some(hand) = self.hands.get(thread) else { return task() };
        let sent = hand.send(Box::new(task));
        debug_assert!(sent.is_ok(), "a thread lives as long as its crew");
    }
}
