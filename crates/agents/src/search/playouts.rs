//! Playouts by all threads of a search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::{PlayoutScratch, SharedSearch, lock};
use boughs::run::panic_text;

/// The longest time for which a thread keeps its results to itself.
const MERGE_INTERVAL: Duration = Duration::from_micros(50);

/// The most playouts a thread takes at a time.
const MOST_AT_ONCE: u64 = 16;

/// A playout to make: its line, and the stream of its random numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) line: usize,
    pub(crate) stream: u64,
}

/// The playouts to make.
pub(crate) struct PlayoutPlan<'p> {
    /// The number of playouts, unless the search is over before.
    pub(crate) count: u64,
    /// The time at which to stop, if there is one before the deadline.
    pub(crate) until: Option<Instant>,
    /// The playout of each number below the count.
    pub(crate) slot: &'p (dyn Fn(u64) -> Slot + Sync),
}

impl SharedSearch {
    /// Runs the work on every thread and waits for all. A panic of the game ends the search.
    fn on_all_threads(&self, work: &(dyn Fn() + Sync)) {
        let guarded = |_| {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
                self.result.status.panicked(panic_text(&*panic));
            }
        };
        self.pool.for_each_number(self.pool.threads(), &guarded);
    }

    /// Calls `make` for each number below `count`, in parallel. The results are `None` for those without time.
    pub(crate) fn map<T: Send>(
        &self,
        count: usize,
        until: Option<Instant>,
        make: &(dyn Fn(&mut PlayoutScratch, usize) -> T + Sync),
    ) -> Vec<Option<T>> {
        let next = AtomicUsize::new(0);
        let made = Mutex::new(Vec::new());
        self.on_all_threads(&|| {
            let mut scratch = self.scratch();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= count || self.result.status.is_over() || is_past(until) {
                    break;
                }
                let result = make(&mut scratch, number);
                lock(&made).push((number, result));
            }
        });
        let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
        lock(&made).drain(..).for_each(|(number, result)| results[number] = Some(result));
        results
    }

    /// Makes the playouts of a plan in the order of their numbers. `begin` puts a thread at the beginning of a line.
    pub(crate) fn play(&self, plan: &PlayoutPlan<'_>, begin: &(dyn Fn(&mut PlayoutScratch, usize) + Sync)) {
        let next = AtomicU64::new(0);
        let end = [plan.until, self.result.status.deadline()].into_iter().flatten().min();
        self.on_all_threads(&|| {
            let (mut scratch, mut delta, mut time) = (self.scratch(), Vec::new(), Instant::now());
            let mut merged = time;
            'work: loop {
                let left = plan.count.saturating_sub(next.load(Relaxed));
                let several = (left / (8 * self.pool.threads() as u64)).clamp(1, MOST_AT_ONCE);
                let first = next.fetch_add(several, Relaxed);
                if first >= plan.count {
                    break;
                }
                for number in first..first.saturating_add(several).min(plan.count) {
                    if self.result.status.is_stopped() || end.is_some_and(|end| end <= time) {
                        // At the deadline this records why the search ends.
                        self.result.status.is_over();
                        break 'work;
                    }
                    delta.push(self.play_one((plan.slot)(number), &mut scratch, begin));
                    time = Instant::now();
                    if time.duration_since(merged) >= MERGE_INTERVAL {
                        merged = time;
                        self.merge(&mut delta);
                    }
                }
            }
            self.merge(&mut delta);
        });
    }

    /// Makes one playout. Returns its line and its reward in units.
    fn play_one(
        &self,
        slot: Slot,
        scratch: &mut PlayoutScratch,
        begin: &(dyn Fn(&mut PlayoutScratch, usize) + Sync),
    ) -> (usize, u64) {
        scratch.rng = self.rng(slot.stream);
        scratch.plies = 0;
        if let Some(moves) = &mut scratch.moves {
            moves.clear();
        }
        begin(scratch, slot.line);
        let limit = self.facts.max_plies.saturating_sub(scratch.plies);
        let PlayoutScratch { position, rng, moves, .. } = scratch;
        let end = position.play_out(self.playout, rng, limit, moves.as_mut());
        let reward = self.reward(&**position, end);
        if let Some(moves) = moves
            && reward >= scratch.best
        {
            scratch.best = reward;
            self.result.stats(|stats| stats.offer(reward, moves));
        }
        (slot.line, self.units(reward))
    }

    fn merge(&self, delta: &mut Vec<(usize, u64)>) {
        self.result.stats(|stats| delta.drain(..).for_each(|(line, units)| stats.add(line, units)));
    }
}

fn is_past(time: Option<Instant>) -> bool {
    time.is_some_and(|time| time <= Instant::now())
}
