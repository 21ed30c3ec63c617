//! Threads that live as long as their search and wait for work in between.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread;

type Task = Box<dyn FnOnce() + Send>;

/// The threads of a search. Each runs its tasks in order. They end when this is dropped and their work is done.
#[derive(Debug)]
pub(super) struct WorkerThreads {
    threads: Vec<WorkerThread>,
    /// The unfinished tasks of each thread that was replaced. Such a thread ends when it has none.
    replaced: Vec<Arc<AtomicUsize>>,
}

#[derive(Debug)]
struct WorkerThread {
    /// The way to the thread, which ends when this is dropped.
    sender: Sender<Task>,
    /// The tasks that the thread has not finished.
    unfinished: Arc<AtomicUsize>,
}

impl WorkerThread {
    fn spawn(number: usize) -> io::Result<WorkerThread> {
        let (sender, tasks) = channel::<Task>();
        let unfinished = Arc::new(AtomicUsize::new(0));
        let left = unfinished.clone();
        let work = move || {
            for task in &tasks {
                // A search catches the panics of its game; those of a game that is dropped are caught here.
                drop(catch_unwind(AssertUnwindSafe(task)));
                left.fetch_sub(1, Relaxed);
            }
        };
        thread::Builder::new().name(format!("boughs-{number}")).spawn(work)?;
        Ok(WorkerThread { sender, unfinished })
    }

    fn is_busy(&self) -> bool {
        self.unfinished.load(Relaxed) > 0
    }
}

impl WorkerThreads {
    pub(super) fn new(threads: usize) -> io::Result<WorkerThreads> {
        let threads = (0..threads).map(WorkerThread::spawn).collect::<io::Result<_>>()?;
        Ok(WorkerThreads { threads, replaced: Vec::new() })
    }

    /// No threads: [`run`](WorkerThreads::run) executes a task on the calling thread before it returns.
    pub(super) fn none() -> WorkerThreads {
        WorkerThreads { threads: Vec::new(), replaced: Vec::new() }
    }

    /// Hands a task to a thread.
    pub(super) fn run(&self, thread: usize, task: impl FnOnce() + Send + 'static) {
        let Some(thread) = self.threads.get(thread) else { return task() };
        thread.unfinished.fetch_add(1, Relaxed);
        let sent = thread.sender.send(Box::new(task));
        debug_assert!(sent.is_ok(), "a thread lives as long as its sender");
    }

    /// Replaces the threads that are still in a task. At most one replaced thread for each may be at
    /// work; then, or if the system gives too few threads, none is replaced and this returns false.
    pub(super) fn replace_busy(&mut self) -> bool {
        self.replaced.retain(|unfinished| unfinished.load(Relaxed) > 0);
        let busy: Vec<usize> = (0..self.threads.len()).filter(|&number| self.threads[number].is_busy()).collect();
        if self.replaced.len() + busy.len() > self.threads.len() {
            return false;
        }
        let Ok(fresh) = busy.iter().map(|&number| WorkerThread::spawn(number)).collect::<io::Result<Vec<_>>>() else {
            return false;
        };
        for (number, fresh) in busy.into_iter().zip(fresh) {
            self.replaced.push(std::mem::replace(&mut self.threads[number], fresh).unfinished);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locks::Mutex;

    #[test]
    fn there_are_at_most_twice_as_many_threads_as_tasks_at_a_time() {
        let mut threads = WorkerThreads::new(3).unwrap();
        let (open, closed) = channel::<()>();
        let closed = Arc::new(Mutex::new(closed));
        let block = |threads: &WorkerThreads, number| {
            let closed = closed.clone();
            threads.run(number, move || _ = closed.lock().recv());
        };
        (0..3).for_each(|number| block(&threads, number));
        assert!(threads.replace_busy() && threads.replaced.len() == 3);
        block(&threads, 1);
        assert!(!threads.replace_busy() && threads.replaced.len() == 3);
        assert_eq!(threads.threads.iter().map(WorkerThread::is_busy).collect::<Vec<_>>(), [false, true, false]);
        drop(open);
        while !threads.replace_busy() || !threads.replaced.is_empty() {
            thread::yield_now();
        }
    }
}
