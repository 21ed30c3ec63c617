//! Threads that live as long as their search and wait for work in between.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam::channel::{Sender, unbounded};

type Task = Box<dyn FnOnce() + Send>;

/// The threads of a search. Each runs its tasks in order. They end when this is dropped and their work is done.
#[derive(Debug)]
pub(super) struct WorkerThreads {
    senders: Vec<Sender<Task>>,
}

impl WorkerThreads {
    pub(super) fn new(threads: usize) -> io::Result<WorkerThreads> {
        let mut senders = Vec::with_capacity(threads);
        for number in 0..threads {
            let (sender, tasks) = unbounded::<Task>();
            // A search catches the panics of its game; those of a game that is dropped are caught here.
            let work = move || tasks.iter().for_each(|task| drop(catch_unwind(AssertUnwindSafe(task))));
            thread::Builder::new().name(format!("boughs-{number}")).spawn(work)?;
            senders.push(sender);
        }
        Ok(WorkerThreads { senders })
    }

    /// No threads: [`run`](WorkerThreads::run) executes a task on the calling thread before it returns.
    pub(super) fn none() -> WorkerThreads {
        WorkerThreads { senders: Vec::new() }
    }

    /// The number of tasks that run at a time.
    pub(super) fn len(&self) -> usize {
        self.senders.len().max(1)
    }

    /// Hands a task to a thread.
    pub(super) fn run(&self, thread: usize, task: impl FnOnce() + Send + 'static) {
        let Some(sender) = self.senders.get(thread) else { return task() };
        let sent = sender.send(Box::new(task));
        debug_assert!(sent.is_ok(), "a thread lives as long as its sender");
    }
}
