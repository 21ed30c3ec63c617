//! The counters of a child: what a descent writes on its way down and up, and what selection reads.
//!
//! A child counts its visits and the sum of the rewards of the player who chose it. A descent in flight must be seen
//! by the others, or they all follow it into the same leaf. There are two ways to show it. *Virtual loss* counts
//! the visit on the way down with no reward yet: to the chooser, whoever that is, it looks like a loss until the
//! reward arrives (Chaslot, Winands and van den Herik 2008). *Unobserved visits* (WU-UCT: Liu, Chen, Yu, Zhai, Zhou
//! and Liu 2020) are counted apart and widen the exploration term only, never the mean.
//!
//! With one descent in flight neither has an effect: every counter a selection reads is as it was before the
//! descent, because [`Counters::add`] returns the parent's visits from before its own.
//!
//! Sums are integers, so additions commute: the counters after a search depend on its playouts, not on their order.

use crate::numbers::Tables;
use crate::sync::{AtomicU64, Ordering::Relaxed};

/// What a child's counters say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Finished visits, and under virtual loss those in flight.
    pub visits: u32,
    /// Visits in flight, where they are counted apart.
    pub unobserved: u32,
    /// The rewards of the player who chose this child, in the units of the layout.
    pub sum: u64,
}

/// How the value of a child is weighed during a descent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighing<'a> {
    tables: &'a Tables,
    /// The exploration constant times `sqrt(ln(visits of the parent))`.
    exploration: f32,
    /// The value of a child that was never visited, if that is finite.
    first_play: Option<f32>,
}

impl<'a> Weighing<'a> {
    /// For the children of a node with so many `visits`. With an infinite `first_play` every child is tried first.
    #[inline]
    pub(crate) fn new(tables: &'a Tables, constant: f32, visits: u32, first_play: Option<f32>) -> Weighing<'a> {
        // Not quite 0, so that the very large number the tables have for no visits stays very large.
        let exploration = (constant * tables.sqrt_ln(visits)).max(1e-9);
        Weighing { tables, exploration, first_play }
    }

    /// UCB1 of `n` visits with rewards that add up to `sum`, as a product: with `r = 1 / sqrt(n)` the usual
    /// `sum / n + exploration / sqrt(n)` is `r (sum r + exploration)`. Never negative, never NaN.
    #[inline]
    fn ucb1(&self, sum: f32, n: u32) -> f32 {
        let root = self.tables.inverse_root(n);
        match self.first_play {
            Some(value) if n == 0 => value,
            _ => root * (sum * root + self.exploration),
        }
    }
}

/// What is added to the words of a child.
pub(crate) type Change = [u64; 2];

/// One way to keep a child's counters in words of the arena.
pub(crate) trait Counters: 'static {
    /// Words a child takes.
    const WORDS: usize;
    /// How many units of the sum make a reward of 1.
    const UNITS: f64;

    /// The visit of a descent on its way down.
    fn entered(virtual_loss: u32) -> Tally;

    /// A number for each counter, perhaps negative as a wrapping number, as what to add to the words.
    fn pack(change: Tally) -> Change;

    /// What makes a finished visit of an entered one.
    fn returned(virtual_loss: u32, units: u64) -> Change {
        let entered = Self::entered(virtual_loss);
        Self::pack(Tally {
            visits: 1u32.wrapping_sub(entered.visits),
            unobserved: 0u32.wrapping_sub(entered.unobserved),
            sum: units,
        })
    }

    /// What takes an entered visit back.
    fn taken_back(virtual_loss: u32) -> Change {
        let entered = Self::entered(virtual_loss);
        Self::pack(Tally {
            visits: 0u32.wrapping_sub(entered.visits),
            unobserved: 0u32.wrapping_sub(entered.unobserved),
            sum: 0,
        })
    }

    /// Adds to the counters, and returns all visits from before.
    fn add(words: &[AtomicU64], change: Change, writers: Writers) -> u32;
    fn read(words: &[AtomicU64]) -> Tally;
    fn write(words: &[AtomicU64], tally: Tally);

    /// The value of a child. Never negative, never NaN.
    fn value(words: &[AtomicU64], weighing: &Weighing<'_>) -> f32;
}

/// A reward as an integer, and whether it was as declared. Of another the nearest declared one is taken, 0 for no number.
#[inline]
pub(crate) fn to_units(reward: f64, halves: bool, units: f64) -> (u64, bool) {
    let declared = (0.0..=1.0).contains(&reward) && (!halves || (reward * 2.0) as u64 as f64 == reward * 2.0);
    if declared { ((reward * units) as u64, true) } else { (nearest(reward, halves, units), false) }
}

#[cold]
fn nearest(reward: f64, halves: bool, units: f64) -> u64 {
    let clamped = reward.clamp(0.0, 1.0);
    ((if halves { (clamped * 2.0).round() / 2.0 } else { clamped }) * units) as u64
}

/// The high half of a word counts visits.
const VISIT: u64 = 1 << 32;

/// How many threads write the counters of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writers {
    /// One, so a load and a store do what an atomic addition does, without its barrier: on x86 that keeps the processor
    /// from loading what comes next until the addition is done. Others may still read.
    One,
    Many,
}

/// Adds to a word and returns what it was.
#[inline]
fn add_to(word: &AtomicU64, change: u64, writers: Writers) -> u64 {
    // A write takes the cache line from everyone else, so it is left alone when there is nothing to add.
    match writers {
        _ if change == 0 => word.load(Relaxed),
        Writers::Many => word.fetch_add(change, Relaxed),
        Writers::One => {
            let before = word.load(Relaxed);
            word.store(before.wrapping_add(change), Relaxed);
            before
        }
    }
}

/// Visits and sum in one word, for rewards that are multiples of 1/2; in flight is virtual loss.
///
/// Visits stay below 2^31 (the driver sees to it), so the sum of halves stays below 2^32 and never reaches them.
pub(crate) struct Packed;

impl Counters for Packed {
    const WORDS: usize = 1;
    const UNITS: f64 = 2.0;

    #[inline]
    fn entered(virtual_loss: u32) -> Tally {
        Tally { visits: virtual_loss, ..Tally::default() }
    }

    fn pack(change: Tally) -> Change {
        [(u64::from(change.visits) << 32).wrapping_add(change.sum), 0]
    }

    #[inline]
    fn add(words: &[AtomicU64], change: Change, writers: Writers) -> u32 {
        (add_to(&words[0], change[0], writers) >> 32) as u32
    }

    #[inline]
    fn read(words: &[AtomicU64]) -> Tally {
        let word = words[0].load(Relaxed);
        Tally { visits: (word >> 32) as u32, unobserved: 0, sum: word & (VISIT - 1) }
    }

    fn write(words: &[AtomicU64], tally: Tally) {
        words[0].store(u64::from(tally.visits) * VISIT + tally.sum, Relaxed);
    }

    #[inline]
    fn value(words: &[AtomicU64], weighing: &Weighing<'_>) -> f32 {
        let word = words[0].load(Relaxed);
        weighing.ucb1(word as u32 as f32 * 0.5, (word >> 32) as u32)
    }
}

/// Units of the wide sum that make 1: 32 fractional bits, and 2^31 visits still fit.
const FINE: f64 = VISIT as f64;

/// A word of visits, with those in flight in its low half, and a word of fixed-point sum, for any rewards; in flight is
/// virtual loss.
pub(crate) struct Wide;

impl Counters for Wide {
    const WORDS: usize = 2;
    const UNITS: f64 = FINE;

    #[inline]
    fn entered(virtual_loss: u32) -> Tally {
        Packed::entered(virtual_loss)
    }

    fn pack(change: Tally) -> Change {
        // A negative low half borrows from the high one, as it should: the two are one number to the addition.
        let low = i64::from(change.unobserved.cast_signed()).cast_unsigned();
        [(u64::from(change.visits) << 32).wrapping_add(low), change.sum]
    }

    #[inline]
    fn add(words: &[AtomicU64], change: Change, writers: Writers) -> u32 {
        let before = add_to(&words[0], change[0], writers);
        add_to(&words[1], change[1], writers);
        (before >> 32) as u32 + before as u32
    }

    #[inline]
    fn read(words: &[AtomicU64]) -> Tally {
        let word = words[0].load(Relaxed);
        Tally { visits: (word >> 32) as u32, unobserved: word as u32, sum: words[1].load(Relaxed) }
    }

    fn write(words: &[AtomicU64], tally: Tally) {
        words[0].store(u64::from(tally.visits) * VISIT + u64::from(tally.unobserved), Relaxed);
        words[1].store(tally.sum, Relaxed);
    }

    #[inline]
    fn value(words: &[AtomicU64], weighing: &Weighing<'_>) -> f32 {
        let visits = (words[0].load(Relaxed) >> 32) as u32;
        weighing.ucb1((words[1].load(Relaxed) as f64 / FINE) as f32, visits)
    }
}

/// As [`Wide`], with the visits in flight counted apart (WU-UCT).
pub(crate) struct Unobserved;

impl Counters for Unobserved {
    const WORDS: usize = 2;
    const UNITS: f64 = FINE;

    #[inline]
    fn entered(_: u32) -> Tally {
        Tally { unobserved: 1, ..Tally::default() }
    }

    fn pack(change: Tally) -> Change {
        Wide::pack(change)
    }

    #[inline]
    fn add(words: &[AtomicU64], change: Change, writers: Writers) -> u32 {
        Wide::add(words, change, writers)
    }

    #[inline]
    fn read(words: &[AtomicU64]) -> Tally {
        Wide::read(words)
    }

    fn write(words: &[AtomicU64], tally: Tally) {
        Wide::write(words, tally);
    }

    /// Liu et al. 2020, equation 4, with the constant of UCB1: the mean of what is known, explored as if what is in
    /// flight were known too. A child of which nothing is known but something in flight has the mean 1/2.
    #[inline]
    fn value(words: &[AtomicU64], weighing: &Weighing<'_>) -> f32 {
        let tally = Wide::read(words);
        let all = tally.visits + tally.unobserved;
        let sum = (tally.sum as f64 / FINE) as f32;
        // With nothing in flight the factor is exactly 1, and this is UCB1 to the last bit.
        let sum = if tally.visits == 0 { 0.5 * all as f32 } else { sum * (all as f32 / tally.visits as f32) };
        weighing.ucb1(sum, all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weighing with a factor of 1 before the exploration term.
    const VALUES: fn(&Tables) -> Weighing<'_> = |tables| Weighing { tables, exploration: 1.0, first_play: Some(9.0) };

    /// The value of a child with ten visits and a mean of 1/2, before and during a descent into it.
    fn before_and_during<C: Counters>(virtual_loss: u32) -> (f32, f32) {
        let (words, tables) = ([AtomicU64::new(0), AtomicU64::new(0)], Tables::new());
        let weighing = VALUES(&tables);
        let value = || C::value(&words, &weighing);
        for visit in 0..10 {
            let writers = if visit < 5 { Writers::One } else { Writers::Many };
            assert_eq!(C::add(&words, C::pack(C::entered(virtual_loss)), writers), visit);
            C::add(&words, C::returned(virtual_loss, if visit % 2 == 0 { C::UNITS as u64 } else { 0 }), writers);
        }
        assert_eq!(C::read(&words), Tally { visits: 10, unobserved: 0, sum: 5 * C::UNITS as u64 });
        let before = value();
        let writers = Writers::One;
        assert!((before - (0.5 + 1.0 / 10f32.sqrt())).abs() < 1e-6);
        C::add(&words, C::pack(C::entered(virtual_loss)), writers);
        let during = value();
        C::add(&words, C::taken_back(virtual_loss), writers);
        assert_eq!(value(), before, "a visit taken back leaves no trace");
        (before, during)
    }

    #[test]
    fn virtual_loss_lowers_the_mean_and_the_exploration() {
        for weight in [1, 3] {
            let with_losses = 5.0 / (10.0 + weight as f32) + 1.0 / (10.0 + weight as f32).sqrt();
            for during in [before_and_during::<Packed>(weight).1, before_and_during::<Wide>(weight).1] {
                assert!((during - with_losses).abs() < 1e-6);
            }
        }
        let (before, during) = before_and_during::<Packed>(0);
        assert_eq!(before, during, "without virtual loss nothing shows");
    }

    #[test]
    fn unobserved_visits_lower_the_exploration_only() {
        let (_, during) = before_and_during::<Unobserved>(1);
        assert!((during - (0.5 + 1.0 / 11f32.sqrt())).abs() < 1e-6);
    }

    #[test]
    fn a_child_never_visited_has_the_first_play_value() {
        let tables = Tables::new();
        let weighing = VALUES(&tables);
        let none = [AtomicU64::new(0), AtomicU64::new(0)];
        for value in [Packed::value, Wide::value, Unobserved::value] {
            assert_eq!(value(&none, &weighing), 9.0);
            assert!(value(&none, &Weighing::new(&tables, 0.0, 1, None)) > 1e6, "without one it is tried first");
        }
    }

    #[test]
    fn rewards_become_integers_and_strange_ones_the_nearest() {
        assert_eq!(to_units(0.5, true, 2.0), (1, true));
        assert_eq!(to_units(0.75, false, FINE), (3 << 30, true));
        assert_eq!(to_units(0.3, true, 2.0), (1, false));
        assert_eq!(to_units(7.0, false, FINE), (1 << 32, false));
        assert_eq!(to_units(-1.0, true, 2.0), (0, false));
        assert_eq!(to_units(f64::NAN, false, FINE), (0, false));
    }
}
