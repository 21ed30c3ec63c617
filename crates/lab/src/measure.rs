//! Timed runs and spreads of values, which every measurement here uses.
//!
//! Wall clock and processor time stand side by side, because a shared machine may give a run less than it asks for. A
//! run that got clearly less is [disturbed](Timed::is_disturbed): reports show it with a mark and claim nothing about
//! scaling from it.

use std::time::Instant;

use boughs::{Rng, Session, Turn};
use serde::{Deserialize, Serialize};

/// The least share of its cores that an undisturbed run gets.
pub const LEAST_UTILISATION: f64 = 0.85;

/// Returns the first position in which a player acts. Chance nodes before it are drawn from a fixed seed.
pub(crate) fn first_decision(mut start: Box<dyn Session>) -> Box<dyn Session> {
    let mut rng = Rng::new(1, 0);
    while let Some(outcome) = draw_outcome(&*start, &mut rng) {
        start.apply(outcome);
    }
    start
}

/// Draws an outcome of a chance node; `None` where chance does not act.
pub(crate) fn draw_outcome(position: &dyn Session, rng: &mut Rng) -> Option<u32> {
    if position.turn() == Turn::Chance { position.chance(rng) } else { None }
}

/// The time a run took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    /// Seconds by the wall clock.
    pub wall: f64,
    /// Seconds of processor time of all threads; `None` where the system does not tell.
    pub cpu: Option<f64>,
}

impl Timed {
    /// Does some work and measures its time.
    pub fn run<T>(work: impl FnOnce() -> T) -> (T, Timed) {
        let before = processor_seconds();
        let started = Instant::now();
        let done = work();
        let wall = started.elapsed().as_secs_f64().max(1e-9);
        let cpu = before.zip(processor_seconds()).map(|(before, after)| after - before);
        (done, Timed { wall, cpu })
    }

    /// The number of cores kept busy, on average.
    pub fn cores_busy(self) -> Option<f64> {
        self.cpu.map(|cpu| cpu / self.wall)
    }

    /// Returns true if a run with this number of threads got less of its cores than a comparison needs.
    pub fn is_disturbed(self, threads: usize) -> bool {
        self.got_less_than(threads as f64)
    }

    /// Returns true if a run that can use this number of cores got less of them than a comparison needs.
    pub fn got_less_than(self, cores: f64) -> bool {
        self.cores_busy().is_some_and(|busy| busy < LEAST_UTILISATION * cores)
    }
}

/// Processor time of all threads of this process so far, in seconds; `None` where the system does not tell.
pub fn processor_seconds() -> Option<f64> {
    #[cfg(unix)]
    return Some(seconds_on(rustix::time::ClockId::ProcessCPUTime));
    #[cfg(not(unix))]
    None
}

/// Processor time of the calling thread so far, in seconds; `None` where the system does not tell.
pub(crate) fn thread_seconds() -> Option<f64> {
    #[cfg(unix)]
    return Some(seconds_on(rustix::time::ClockId::ThreadCPUTime));
    #[cfg(not(unix))]
    None
}

#[cfg(unix)]
fn seconds_on(clock: rustix::time::ClockId) -> f64 {
    let used = rustix::time::clock_gettime(clock);
    used.tv_sec as f64 + used.tv_nsec as f64 / 1e9
}

/// The median of some values and their range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The smallest value.
    pub low: f64,
    /// The value in the middle.
    pub median: f64,
    /// The largest value.
    pub high: f64,
}

impl Spread {
    /// The spread of these values; zeros for no values.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Spread {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let (Some(&low), Some(&high)) = (values.first(), values.last()) else { return Spread::default() };
        let middle = values.len() / 2;
        let median = if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 };
        Spread { low, median, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_in_the_middle() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0]), Spread { low: 1.0, median: 2.0, high: 3.0 });
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0]).median, 2.5);
        assert_eq!(Spread::of([]), Spread::default());
    }

    #[test]
    fn a_run_that_waits_is_disturbed() {
        let ((), timed) = Timed::run(|| std::thread::sleep(std::time::Duration::from_millis(20)));
        assert!(timed.wall >= 0.02);
        // Other tests in this process may keep every core busy meanwhile.
        assert!(timed.cpu.is_none() || timed.is_disturbed(2 * boughs::run::cores()));
    }

    #[test]
    fn two_threads_need_two_cores() {
        let timed = Timed { wall: 1.0, cpu: Some(1.6) };
        assert!(!timed.is_disturbed(1) && timed.is_disturbed(2));
        assert!(!Timed { wall: 1.0, cpu: None }.is_disturbed(2));
    }
}
