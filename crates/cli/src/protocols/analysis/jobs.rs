//! The positions that wait to be searched, those with the highest priority first, and the searches in progress.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use boughs::StopFlag;
use boughs_games::StartedGame;
use parking_lot::{Condvar, Mutex};

/// A position to search.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) id: String,
    pub(super) turn: usize,
    pub(super) start: StartedGame,
    /// The actions that lead to the position.
    pub(super) actions: Vec<u32>,
    pub(super) visits: u64,
    /// Seconds between two reports of a running search.
    pub(super) every: Option<f64>,
    pub(super) includes_visits: bool,
}

/// The place of a job in the order of all.
type Rank = (Reverse<i64>, u64);

/// All jobs that are not done.
#[derive(Default)]
pub(super) struct Jobs {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: BTreeMap<Rank, Job>,
    running: Vec<(u64, String, usize, StopFlag)>,
    /// The number of jobs that have come.
    count: u64,
    /// True if no more jobs come.
    is_closed: bool,
}

impl Jobs {
    /// Adds a job.
    pub(super) fn add(&self, priority: i64, job: Job) {
        let mut state = self.state.lock();
        state.count += 1;
        let rank = (Reverse(priority), state.count);
        state.waiting.insert(rank, job);
        self.changed.notify_one();
    }

    /// Waits for a job. Returns it with its number and the flag that stops it; `None` if no more come.
    pub(super) fn next(&self) -> Option<(u64, Job, StopFlag)> {
        let mut state = self.state.lock();
        loop {
            if let Some(((_, number), job)) = state.waiting.pop_first() {
                let stop = StopFlag::default();
                state.running.push((number, job.id.clone(), job.turn, stop.clone()));
                return Some((number, job, stop));
            }
            if state.is_closed {
                return None;
            }
            self.changed.wait(&mut state);
        }
    }

    /// Takes a job that is done off the list.
    pub(super) fn done(&self, number: u64) {
        self.state.lock().running.retain(|(other, ..)| *other != number);
    }

    /// Stops the running jobs that a function chooses by their id and turn, and takes out the waiting ones, which are
    /// returned.
    pub(super) fn end(&self, chooses: impl Fn(&str, usize) -> bool) -> Vec<Job> {
        let mut state = self.state.lock();
        state.running.iter().filter(|(_, id, turn, _)| chooses(id, *turn)).for_each(|(.., stop)| stop.raise());
        let chosen = state.waiting.iter().filter(|(_, job)| chooses(&job.id, job.turn));
        let ranks: Vec<Rank> = chosen.map(|(rank, _)| *rank).collect();
        ranks.iter().filter_map(|rank| state.waiting.remove(rank)).collect()
    }

    /// Lets the searches end when all jobs are done.
    pub(super) fn close(&self) {
        self.state.lock().is_closed = true;
        self.changed.notify_all();
    }
}
