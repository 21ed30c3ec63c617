//! What every measurement here is made of: a timed run, a spread of values, and the roof.
//!
//! Wall clock and processor time stand side by side, because a shared machine may give a run less than it asks for. A run
//! that got clearly less is [disturbed](Timed::is_disturbed): it is shown with a mark, and no claim about scaling is made
//! from it.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use boughs::{Game, Rng, SearchError, Turn};
use serde::{Deserialize, Serialize};

/// The least share of its cores that a run must have got to count as undisturbed.
pub const LEAST_UTILISATION: f64 = 0.85;

/// The first position in which a player acts: where chance comes first, what it does is drawn, always the same.
pub(crate) fn first_decision<G: Game>(mut start: G) -> G {
    let mut rng = Rng::new(1, 0);
    while let Some(outcome) = drawn(&start, &mut rng) {
        start.apply(outcome);
    }
    start
}

/// What chance does in a position, if it acts there.
pub(crate) fn drawn<G: Game>(position: &G, rng: &mut Rng) -> Option<G::Action> {
    if position.turn() == Turn::Chance { position.chance(rng, &mut Vec::new()) } else { None }
}

/// How long a run took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    /// Seconds by the wall clock.
    pub wall: f64,
    /// Seconds of processor time, of all threads; `None` where the system does not tell.
    pub cpu: Option<f64>,
}

impl Timed {
    /// Does some work, and says how long it took.
    pub fn run<T>(work: impl FnOnce() -> T) -> (T, Timed) {
        let before = processor_seconds();
        let started = Instant::now();
        let done = work();
        let wall = started.elapsed().as_secs_f64().max(1e-9);
        let cpu = before.zip(processor_seconds()).map(|(before, after)| after - before);
        (done, Timed { wall, cpu })
    }

    /// How many cores were kept busy.
    pub fn cores_busy(self) -> Option<f64> {
        self.cpu.map(|cpu| cpu / self.wall)
    }

    /// Whether so many threads got less of their cores than a comparison needs.
    pub fn is_disturbed(self, threads: usize) -> bool {
        self.got_less_than(threads as f64)
    }

    /// Whether a run that can use so many cores got less of them than a comparison needs.
    pub fn got_less_than(self, cores: f64) -> bool {
        self.cores_busy().is_some_and(|busy| busy < LEAST_UTILISATION * cores)
    }
}

/// Processor time of all threads of this process so far in seconds; `None` where the system does not tell.
fn processor_seconds() -> Option<f64> {
    #[cfg(unix)]
    return Some(seconds_on(rustix::time::ClockId::ProcessCPUTime));
    #[cfg(not(unix))]
    None
}

/// Processor time of the calling thread so far in seconds; `None` where the system does not tell.
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

/// The middle of some values, and how far apart they are.
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
    /// Of these values; zeros where there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Spread {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let (Some(&low), Some(&high)) = (values.first(), values.last()) else { return Spread::default() };
        let middle = values.len() / 2;
        let median = if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 };
        Spread { low, median, high }
    }
}

/// Plays random games without a tree on so many threads, which is as fast as any search could be.
///
/// Returns how many playouts that were, which is at least as many as asked for, and how long they took.
///
/// # Errors
/// If the system has no threads to give.
pub fn roof<G: Game>(start: &G, playouts: u64, threads: usize) -> Result<(u64, Timed), SearchError> {
    roof_until(start, playouts, threads, &|| false)
}

/// Playouts of the roof between two looks at whether it is over: a look costs a fraction of the cheapest playout.
const BETWEEN_LOOKS: u64 = 16;

/// The [`roof`], which also ends as soon as it hears that it is over.
///
/// # Errors
/// If the system has no threads to give.
pub fn roof_until<G: Game>(
    start: &G,
    playouts: u64,
    threads: usize,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<(u64, Timed), SearchError> {
    let threads = threads.max(1) as u64;
    let share = playouts.div_ceil(threads);
    let total = AtomicU64::new(0);
    let work = |stream| {
        let mut rng = Rng::new(0, stream);
        let mut done = 0;
        while done < share && !is_over() {
            let next = BETWEEN_LOOKS.min(share - done);
            play_out(start, next, &mut rng);
            done += next;
        }
        total.fetch_add(done, Relaxed);
    };
    let (spawned, timed) = Timed::run(|| {
        thread::scope(|scope| {
            (0..threads).try_for_each(|stream| {
                let thread = thread::Builder::new().name(format!("boughs-{stream}"));
                thread.spawn_scoped(scope, move || work(stream)).map(|_| ())
            })
        })
    });
    spawned.map_err(|error| SearchError::Threads(error.to_string()))?;
    Ok((total.into_inner(), timed))
}

/// Plays games out, as [`boughs::Light`] does, with everything in this loop: nothing the compiler could do better here
/// than in a search is held against the search.
#[inline(never)]
fn play_out<G: Game>(start: &G, playouts: u64, rng: &mut Rng) {
    let mut scratch = Vec::new();
    for _ in 0..playouts {
        let mut position = start.clone();
        for _ in 0..G::MAX_PLIES {
            let action = match position.turn() {
                Turn::Over => break,
                Turn::Chance => position.chance(rng, &mut scratch),
                Turn::Player(_) => position.random_action(rng, &mut scratch),
            };
            let Some(action) = action else { break };
            position.apply(action);
        }
        black_box(position.reward(0));
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
        let ((), timed) = Timed::run(|| thread::sleep(std::time::Duration::from_millis(20)));
        assert!(timed.wall >= 0.02);
        // Other tests in this process may keep every core busy meanwhile.
        assert!(timed.cpu.is_none() || timed.is_disturbed(2 * boughs::cores()));
    }

    #[test]
    fn two_threads_need_two_cores() {
        let timed = Timed { wall: 1.0, cpu: Some(1.6) };
        assert!(!timed.is_disturbed(1) && timed.is_disturbed(2));
        assert!(!Timed { wall: 1.0, cpu: None }.is_disturbed(2));
    }

    #[test]
    fn the_roof_plays_as_much_as_it_is_asked_for() {
        let (playouts, timed) = roof(&boughs_games::connect4::Connect4::default(), 101, 2).expect("two threads");
        assert_eq!(playouts, 102);
        assert!(timed.wall > 0.0);
    }

    #[test]
    fn the_roof_ends_when_it_is_told_to() {
        let looks = AtomicU64::new(0);
        let is_over = || looks.fetch_add(1, Relaxed) >= 10;
        let (playouts, _) = roof_until(&boughs_games::tictactoe::TicTacToe::default(), u64::MAX, 2, &is_over).unwrap();
        assert_eq!(playouts, 10 * BETWEEN_LOOKS);
    }
}
