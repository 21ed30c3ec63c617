//! The delays that a meter has seen, counted by their length.

use std::array::from_fn;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

/// A delay has to be seen this often to count. So one hiccup of a machine that is idle costs no time.
const OFTEN: u32 = 3;

/// The number of classes of delays.
const CLASSES: usize = 72;

/// The longest delay of the lowest class.
const SHORTEST: Duration = Duration::from_micros(25);

/// The number of classes in which delays double.
const CLASSES_AN_OCTAVE: f64 = 4.0;

/// Delays are forgotten after one to two of these times.
const PERIOD: Duration = Duration::from_secs(10);

/// The number of delays of each class, in this period and in the one before. No lock holds up a bot.
#[derive(Debug)]
pub(super) struct Delays {
    counts: [[AtomicU32; CLASSES]; 2],
    /// The start of the first period.
    began: Instant,
    /// The number of the current period, counted from 0.
    period: AtomicU64,
    /// The number of questions and answers so far; odd during a search.
    turns: AtomicU64,
}

impl Delays {
    /// No delays, in a first period that begins at this time.
    pub(super) fn new(began: Instant) -> Delays {
        Delays {
            counts: from_fn(|_| from_fn(|_| AtomicU32::new(0))),
            began,
            period: AtomicU64::new(0),
            turns: AtomicU64::new(0),
        }
    }

    /// Notes that a search begins.
    pub(super) fn begin_turn(&self) {
        self.turns.fetch_or(1, Relaxed);
    }

    /// Notes that a search has ended, if there was one.
    pub(super) fn end_turn(&self) {
        // An odd number becomes the next even one.
        self.turns.fetch_add(self.turns.load(Relaxed) & 1, Relaxed);
    }

    /// The delay that was reached [`OFTEN`] times in this period and the one before; zero if there were fewer.
    pub(super) fn longest(&self) -> Duration {
        let mut seen = 0;
        let count = |class: usize| self.counts.iter().map(|counts| counts[class].load(Relaxed)).sum::<u32>();
        let class = (0..CLASSES).rev().find(|&class| {
            seen += count(class);
            seen >= OFTEN
        });
        class.map_or(Duration::ZERO, longest_of)
    }

    /// The number of turns so far; `None` during a search.
    pub(super) fn turns_between(&self) -> Option<u64> {
        Some(self.turns.load(Relaxed)).filter(|turns| turns % 2 == 0)
    }

    pub(super) fn add(&self, delay: Duration) {
        self.counts[half_of(self.period.load(Relaxed))][class_of(delay)].fetch_add(1, Relaxed);
    }

    /// Begins the period of this time, if it has not begun, and forgets all periods but the one before it.
    pub(super) fn turn_over(&self, now: Instant) {
        let period = now.saturating_duration_since(self.began).as_secs() / PERIOD.as_secs();
        let before = self.period.fetch_max(period, Relaxed);
        for begun in (before + 1..=period).rev().take(2) {
            self.counts[half_of(begun)].iter().for_each(|count| count.store(0, Relaxed));
        }
    }
}

/// The place of a period's counts.
fn half_of(period: u64) -> usize {
    (period % 2) as usize
}

/// The class of a delay.
fn class_of(delay: Duration) -> usize {
    let octaves = (delay.as_secs_f64() / SHORTEST.as_secs_f64()).log2();
    // A cast brings negative numbers to 0.
    ((octaves * CLASSES_AN_OCTAVE).ceil() as usize).min(CLASSES - 1)
}

/// The longest delay of a class.
fn longest_of(class: usize) -> Duration {
    SHORTEST.mul_f64((class as f64 / CLASSES_AN_OCTAVE).exp2())
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::clock::now;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_delay_counts_when_it_was_seen_three_times_and_is_rounded_up() {
        for (delay, most) in [(MS / 1000, SHORTEST), (MS, MS * 6 / 5), (7 * MS, 42 * MS / 5), (900 * MS, 1080 * MS)] {
            let delays = Delays::new(now());
            for _ in 1..OFTEN {
                delays.add(delay);
                assert_eq!(delays.longest(), Duration::ZERO);
            }
            delays.add(delay);
            assert!((delay..=most).contains(&delays.longest()), "{delay:?}: {:?}", delays.longest());
            delays.add(5_000 * MS);
            assert!((delay..=most).contains(&delays.longest()), "one hiccup: {:?}", delays.longest());
        }
    }

    #[test]
    fn delays_are_forgotten_in_the_period_after_the_next() {
        let began = now();
        let delays = Delays::new(began);
        (0..OFTEN).for_each(|_| delays.add(9 * MS));
        delays.turn_over(began + PERIOD);
        (0..OFTEN).for_each(|_| delays.add(4 * MS));
        delays.turn_over(began + PERIOD + PERIOD / 2);
        assert!(delays.longest() >= 9 * MS);
        delays.turn_over(began + 2 * PERIOD);
        assert!((4 * MS..9 * MS).contains(&delays.longest()));
        delays.turn_over(began + 3 * PERIOD);
        assert_eq!(delays.longest(), Duration::ZERO);
    }

    #[test]
    fn periods_without_a_look_at_the_clock_are_forgotten_too() {
        for periods in 2..6 {
            let began = now();
            let delays = Delays::new(began);
            (0..OFTEN).for_each(|_| delays.add(9 * MS));
            delays.turn_over(began + PERIOD);
            (0..OFTEN).for_each(|_| delays.add(9 * MS));
            delays.turn_over(began + periods * PERIOD);
            assert_eq!(delays.longest().is_zero(), periods > 2, "{periods}");
        }
    }
}
