//! Threads that share work: those of rayon, or in builds without other crates those of std, made anew for each piece of
//! work.
//!
//! The work comes in behind `dyn` calls, so the code of rayon is compiled once and not for each game.

use self::sharing::Threads;
use crate::locks::Mutex;
use crate::mcts::SearchError;

/// A number of threads that share work. Work for one thread is done by the calling thread.
#[derive(Debug)]
pub struct Pool {
    size: usize,
    threads: Threads,
}

/// Work that is done at some time.
pub(crate) type Task = Box<dyn FnOnce() + Send>;

impl Pool {
    /// A pool of `threads` threads; 0 is taken as 1.
    ///
    /// # Errors
    /// [`SearchError::Threads`] if the threads cannot be had.
    pub fn new(threads: usize) -> Result<Pool, SearchError> {
        let size = threads.max(1);
        Ok(Pool { size, threads: Threads::new(size).map_err(SearchError::Threads)? })
    }

    /// The number of threads that work at a time.
    pub fn threads(&self) -> usize {
        self.size
    }

    /// Does the work on a thread of the pool, which then wakes only the threads it needs, and waits for it.
    pub fn install(&self, work: &mut (dyn FnMut() + Send)) {
        match self.several() {
            Some(threads) => threads.install(work),
            None => work(),
        }
    }

    /// Does both works at the same time, if there are two threads, and waits for both.
    pub fn join(&self, one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
        match self.several() {
            Some(threads) => threads.join(one, other),
            None => {
                one();
                other();
            }
        }
    }

    /// Does the work for every number below `count` and waits for all of it.
    pub fn for_each_number(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        match self.several() {
            Some(threads) => threads.for_each_number(count, work),
            None => (0..count).for_each(work),
        }
    }

    /// Does the work for each of the values, given its place too, and waits for all of it.
    pub fn for_each<T: Send>(&self, values: &mut [T], work: &(dyn Fn(usize, &mut T) + Sync)) {
        let Some(threads) = self.several() else {
            return values.iter_mut().enumerate().for_each(|(place, value)| work(place, value));
        };
        let values: Vec<Mutex<&mut T>> = values.iter_mut().map(Mutex::new).collect();
        threads.for_each_number(values.len(), &|place| work(place, &mut values[place].lock()));
    }

    fn several(&self) -> Option<&Threads> {
        (self.size > 1).then_some(&self.threads)
    }

    /// Has a task done on a thread of the pool, and does not wait for it. The task must not panic.
    ///
    /// # Errors
    /// [`SearchError::Threads`] if there is no thread for it.
    pub fn spawn(&self, task: impl FnOnce() + Send + 'static) -> Result<(), SearchError> {
        self.threads.spawn(Box::new(task)).map_err(SearchError::Threads)
    }
}

#[cfg(feature = "crates")]
mod sharing {
    use rayon::prelude::*;
    use rayon::{ThreadPool, ThreadPoolBuilder};

    use super::Task;

    #[derive(Debug)]
    pub(super) struct Threads(ThreadPool);

    impl Threads {
        pub(super) fn new(threads: usize) -> Result<Threads, String> {
            ThreadPoolBuilder::new().num_threads(threads).build().map(Threads).map_err(|error| error.to_string())
        }

        pub(super) fn install(&self, work: &mut (dyn FnMut() + Send)) {
            self.0.install(work);
        }

        pub(super) fn join(&self, one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
            self.0.join(one, other);
        }

        pub(super) fn for_each_number(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
            self.0.install(|| (0..count).into_par_iter().for_each(work));
        }

        pub(super) fn spawn(&self, task: Task) -> Result<(), String> {
            self.0.spawn(task);
            Ok(())
        }
    }
}

#[cfg(not(feature = "crates"))]
mod sharing {
    use std::panic::resume_unwind;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::thread::{self, Builder};

    use super::Task;
    use crate::locks::Mutex;

    #[derive(Debug)]
    pub(super) struct Threads {
        count: usize,
    }

    impl Threads {
        pub(super) fn new(count: usize) -> Result<Threads, String> {
            Ok(Threads { count })
        }

        pub(super) fn install(&self, work: &mut (dyn FnMut() + Send)) {
            work();
        }

        pub(super) fn join(&self, one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
            let works: [Mutex<&mut (dyn FnMut() + Send)>; 2] = [Mutex::new(one), Mutex::new(other)];
            self.for_each_number(works.len(), &|place| (*works[place].lock())());
        }

        /// Each thread takes the next number until none is left. The calling thread is one of them, and it does the
        /// work of those that the system does not give.
        pub(super) fn for_each_number(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
            let next = AtomicUsize::new(0);
            let take = &|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= count {
                        return;
                    }
                    work(number);
                }
            };
            thread::scope(|scope| {
                let spawn = |_| Builder::new().spawn_scoped(scope, take).ok();
                let others: Vec<_> = (1..self.count.min(count)).filter_map(spawn).collect();
                take();
                for other in others {
                    other.join().unwrap_or_else(|panic| resume_unwind(panic));
                }
            });
        }

        pub(super) fn spawn(&self, task: Task) -> Result<(), String> {
            Builder::new().spawn(task).map(drop).map_err(|error| error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_worked_on_once_and_in_its_place() {
        for threads in [0, 1, 2, 7] {
            let pool = Pool::new(threads).unwrap();
            for count in [0, 1, 2, 100] {
                let mut values = vec![1_000; count];
                pool.install(&mut || pool.for_each(&mut values, &|place, value| *value += place));
                assert!(values.iter().enumerate().all(|(place, &value)| value == 1_000 + place), "{values:?}");
            }
            let (mut one, mut other) = (0, 0);
            pool.join(&mut || one += 1, &mut || other += 2);
            assert_eq!((one, other), (1, 2));
        }
    }

    #[test]
    fn a_task_is_done_by_another_thread() {
        let (sender, receiver) = std::sync::mpsc::channel();
        for threads in [1, 2] {
            let (sender, pool) = (sender.clone(), Pool::new(threads).unwrap());
            pool.spawn(move || sender.send(std::thread::current().id()).unwrap()).unwrap();
            assert_ne!(receiver.recv().unwrap(), std::thread::current().id());
        }
    }

    #[test]
    fn a_panic_of_the_work_reaches_the_caller_after_all_threads_are_done() {
        let pool = Pool::new(4).unwrap();
        let mut values = [0; 8];
        let panic = crate::run::guarded(|| {
            pool.for_each(&mut values, &|place, _| assert!(place != 3, "three"));
        });
        assert!(panic.is_err_and(|panic| panic.to_string().contains("three")));
    }
}
