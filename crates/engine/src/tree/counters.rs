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

use super::weights::{Scales, Weight};
use crate::sync::{AtomicU64, Ordering};

/// How counters are read, written and added to. The tree needs no order among them; `--cfg counting="acqrel"` and
/// `--cfg counting="seqcst"` ask for more, to see what it costs (`benches/orderings`).
const ORDERINGS: [Ordering; 3] = if cfg!(counting = "seqcst") {
    [Ordering::SeqCst; 3]
} else if cfg!(counting = "acqrel") {
    [Ordering::Acquire, Ordering::Release, Ordering::AcqRel]
} else {
    [Ordering::Relaxed; 3]
};
const READ: Ordering = ORDERINGS[0];
const WRITE: Ordering = ORDERINGS[1];
const ADD: Ordering = ORDERINGS[2];

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

/// One way to keep a child's counters in words of the arena.
pub(crate) trait Counters: Clone + Copy + std::fmt::Debug + 'static {
    /// Words a child takes.
    const WORDS: usize;
    /// Words a block has before them.
    const HEAD: u32 = 1;
    /// As many words, read from a child or to be added to one.
    type Words: Clone + Copy + Default + PartialEq + Send + std::fmt::Debug;
    /// How many units of the sum make a reward of 1.
    const UNITS: f64;

    /// The visit of a descent on its way down.
    fn entered(virtual_loss: u32) -> Tally;

    /// A number for each counter, perhaps negative as a wrapping number, as what to add to the words.
    fn pack(change: Tally) -> Self::Words;

    /// What makes a finished visit of an entered one.
    fn returned(virtual_loss: u32, units: u64) -> Self::Words {
        let entered = Self::entered(virtual_loss);
        Self::pack(Tally {
            visits: 1u32.wrapping_sub(entered.visits),
            unobserved: 0u32.wrapping_sub(entered.unobserved),
            sum: units,
        })
    }

    /// What takes an entered visit back.
    fn taken_back(virtual_loss: u32) -> Self::Words {
        let entered = Self::entered(virtual_loss);
        Self::pack(Tally {
            visits: 0u32.wrapping_sub(entered.visits),
            unobserved: 0u32.wrapping_sub(entered.unobserved),
            sum: 0,
        })
    }

    fn plus(words: Self::Words, change: Self::Words) -> Self::Words;
    fn minus(words: Self::Words, change: Self::Words) -> Self::Words;
    fn load(words: &[AtomicU64]) -> Self::Words;

    /// Adds to the counters, and returns what they were.
    fn add(words: &[AtomicU64], change: Self::Words, writers: Writers) -> Self::Words;

    fn store(words: &[AtomicU64], new: Self::Words);

    /// All visits, with those in flight.
    fn visits(words: Self::Words) -> u32;

    fn read(words: Self::Words) -> Tally;

    fn weight(words: Self::Words, scales: &Scales) -> Weight;

    /// The same to the last bit, in the way that is quickest where visits are few and the next step waits for it.
    #[inline(always)]
    fn weight_of_few(words: Self::Words, scales: &Scales) -> Weight {
        Self::weight(words, scales)
    }
}

/// The high half of a word counts visits.
const VISIT: u64 = 1 << 32;
/// The highest bit of the visits marks a child whose outcome is known, whatever its layout ([`proof`](super::proof)).
pub(super) const CLOSED: u64 = 1 << 63;

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
        _ if change == 0 => word.load(READ),
        Writers::Many => word.fetch_add(change, ADD),
        Writers::One => {
            let before = word.load(READ);
            word.store(before.wrapping_add(change), WRITE);
            before
        }
    }
}

/// Visits and sum in one word, for rewards that are multiples of 1/2; in flight is virtual loss.
///
/// Visits stay below 2^31 (the driver sees to it), so the sum of halves stays below 2^32 and never reaches them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed;

impl Counters for Packed {
    const WORDS: usize = 1;
    type Words = u64;
    const UNITS: f64 = 2.0;

    #[inline]
    fn entered(virtual_loss: u32) -> Tally {
        Tally { visits: virtual_loss, ..Tally::default() }
    }

    fn pack(change: Tally) -> Self::Words {
        (u64::from(change.visits) << 32).wrapping_add(change.sum)
    }

    #[inline(always)]
    fn plus(words: u64, change: u64) -> u64 {
        words.wrapping_add(change)
    }

    fn minus(words: u64, change: u64) -> u64 {
        words.wrapping_sub(change)
    }

    #[inline(always)]
    fn load(words: &[AtomicU64]) -> Self::Words {
        words[0].load(READ)
    }

    #[inline(always)]
    fn add(words: &[AtomicU64], change: Self::Words, writers: Writers) -> Self::Words {
        add_to(&words[0], change, writers)
    }

    fn store(words: &[AtomicU64], new: Self::Words) {
        words[0].store(new, WRITE);
    }

    #[inline(always)]
    fn visits(words: Self::Words) -> u32 {
        (words >> 32) as u32
    }

    fn read(words: Self::Words) -> Tally {
        Tally { visits: Packed::visits(words & !CLOSED), unobserved: 0, sum: words & (VISIT - 1) }
    }

    #[inline(always)]
    fn weight(words: Self::Words, scales: &Scales) -> Weight {
        scales.weight(words as u32 as f32 * 0.5, Packed::visits(words))
    }

    #[inline(always)]
    fn weight_of_few(words: Self::Words, scales: &Scales) -> Weight {
        scales.weight_of_few(words as u32 as f32 * 0.5, Packed::visits(words))
    }
}

/// Units of the wide sum that make 1: 32 fractional bits, and 2^31 visits still fit.
const FINE: f64 = VISIT as f64;

/// A word of visits, with those in flight in its low half, and a word of fixed-point sum, for any rewards; in flight is
/// virtual loss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide;

impl Counters for Wide {
    const WORDS: usize = 2;
    type Words = [u64; 2];
    const UNITS: f64 = FINE;

    #[inline]
    fn entered(virtual_loss: u32) -> Tally {
        Packed::entered(virtual_loss)
    }

    fn pack(change: Tally) -> Self::Words {
        // A negative low half borrows from the high one, as it should: the two are one number to the addition.
        let low = i64::from(change.unobserved.cast_signed()).cast_unsigned();
        [(u64::from(change.visits) << 32).wrapping_add(low), change.sum]
    }

    #[inline(always)]
    fn plus(words: [u64; 2], change: [u64; 2]) -> [u64; 2] {
        [words[0].wrapping_add(change[0]), words[1].wrapping_add(change[1])]
    }

    fn minus(words: [u64; 2], change: [u64; 2]) -> [u64; 2] {
        [words[0].wrapping_sub(change[0]), words[1].wrapping_sub(change[1])]
    }

    #[inline(always)]
    fn load(words: &[AtomicU64]) -> Self::Words {
        [words[0].load(READ), words[1].load(READ)]
    }

    #[inline(always)]
    fn add(words: &[AtomicU64], change: Self::Words, writers: Writers) -> Self::Words {
        [add_to(&words[0], change[0], writers), add_to(&words[1], change[1], writers)]
    }

    fn store(words: &[AtomicU64], new: Self::Words) {
        words[0].store(new[0], WRITE);
        words[1].store(new[1], WRITE);
    }

    #[inline(always)]
    fn visits(words: Self::Words) -> u32 {
        (words[0] >> 32) as u32 + words[0] as u32
    }

    fn read(words: Self::Words) -> Tally {
        Tally { visits: ((words[0] & !CLOSED) >> 32) as u32, unobserved: words[0] as u32, sum: words[1] }
    }

    #[inline(always)]
    fn weight(words: Self::Words, scales: &Scales) -> Weight {
        scales.weight((words[1] as f64 / FINE) as f32, (words[0] >> 32) as u32)
    }
}

/// As [`Wide`], with the visits in flight counted apart (WU-UCT).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unobserved;

impl Counters for Unobserved {
    const WORDS: usize = 2;
    type Words = [u64; 2];
    const UNITS: f64 = FINE;

    #[inline]
    fn entered(_: u32) -> Tally {
        Tally { unobserved: 1, ..Tally::default() }
    }

    fn pack(change: Tally) -> Self::Words {
        Wide::pack(change)
    }

    #[inline(always)]
    fn plus(words: [u64; 2], change: [u64; 2]) -> [u64; 2] {
        Wide::plus(words, change)
    }

    fn minus(words: [u64; 2], change: [u64; 2]) -> [u64; 2] {
        Wide::minus(words, change)
    }

    #[inline(always)]
    fn load(words: &[AtomicU64]) -> Self::Words {
        Wide::load(words)
    }

    #[inline(always)]
    fn add(words: &[AtomicU64], change: Self::Words, writers: Writers) -> Self::Words {
        Wide::add(words, change, writers)
    }

    fn store(words: &[AtomicU64], new: Self::Words) {
        Wide::store(words, new);
    }

    #[inline(always)]
    fn visits(words: Self::Words) -> u32 {
        Wide::visits(words)
    }

    fn read(words: Self::Words) -> Tally {
        Wide::read(words)
    }

    /// Liu et al. 2020, equation 4, with the constant of UCB1: the mean of what is known, explored as if what is in
    /// flight were known too. A child of which nothing is known but something in flight has the mean 1/2.
    #[inline(always)]
    fn weight(words: Self::Words, scales: &Scales) -> Weight {
        let known = Wide::weight(words, scales);
        if words[0] as u32 == 0 {
            return known;
        }
        let all = scales.weight(0.0, Wide::visits(words));
        Weight { mean: if words[0] >> 32 == 0 { 0.5 } else { known.mean }, root: all.root }
    }
}

/// Units of a sum of scores that make 1: 24 fractional bits leave 39 for the sum and its sign.
const SCORE: f64 = (1u64 << 24) as f64;

/// As [`Wide`], for scores of any size and sign. In flight is as many visits with the least score there was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scores;

impl Counters for Scores {
    const WORDS: usize = 2;
    type Words = [u64; 2];
    const UNITS: f64 = SCORE;

    #[inline]
    fn entered(virtual_loss: u32) -> Tally {
        Tally { unobserved: virtual_loss, ..Tally::default() }
    }

    fn pack(change: Tally) -> Self::Words {
        Wide::pack(change)
    }

    #[inline(always)]
    fn plus(words: [u64; 2], change: [u64; 2]) -> [u64; 2] {
        Wide::plus(words, change)
    }

    fn minus(words: [u64; 2], change: [u64; 2]) -> [u64; 2] {
        Wide::minus(words, change)
    }

    #[inline(always)]
    fn load(words: &[AtomicU64]) -> Self::Words {
        Wide::load(words)
    }

    #[inline(always)]
    fn add(words: &[AtomicU64], change: Self::Words, writers: Writers) -> Self::Words {
        Wide::add(words, change, writers)
    }

    fn store(words: &[AtomicU64], new: Self::Words) {
        Wide::store(words, new);
    }

    #[inline(always)]
    fn visits(words: Self::Words) -> u32 {
        Wide::visits(words)
    }

    fn read(words: Self::Words) -> Tally {
        Wide::read(words)
    }

    /// The mean as a share of the way from the least to the greatest score.
    #[inline(always)]
    fn weight(words: Self::Words, scales: &Scales) -> Weight {
        let known = (words[0] >> 32) as u32;
        scales.weight(scales.share(words[1].cast_signed() as f64 / SCORE, known), Scores::visits(words))
    }
}

/// Counters of a tree of what players know ([`informed`](super::informed)): as [`Scores`], and a third word. That is how
/// often the child was legal, where that varies, or the regret of not having chosen it. With regrets nothing shows what is
/// in flight, and the low half of the first word says how often the strategy has drawn the child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Informed;

impl Counters for Informed {
    const WORDS: usize = 3;
    const HEAD: u32 = 3;
    type Words = [u64; 3];
    const UNITS: f64 = SCORE;

    #[inline]
    fn entered(virtual_loss: u32) -> Tally {
        Scores::entered(virtual_loss)
    }

    fn pack(change: Tally) -> Self::Words {
        let [visits, sum] = Wide::pack(change);
        [visits, sum, 0]
    }

    fn plus(words: [u64; 3], change: [u64; 3]) -> [u64; 3] {
        std::array::from_fn(|place| words[place].wrapping_add(change[place]))
    }

    fn minus(words: [u64; 3], change: [u64; 3]) -> [u64; 3] {
        std::array::from_fn(|place| words[place].wrapping_sub(change[place]))
    }

    fn load(words: &[AtomicU64]) -> Self::Words {
        std::array::from_fn(|place| words[place].load(READ))
    }

    fn add(words: &[AtomicU64], change: Self::Words, writers: Writers) -> Self::Words {
        std::array::from_fn(|place| add_to(&words[place], change[place], writers))
    }

    fn store(words: &[AtomicU64], new: Self::Words) {
        words.iter().zip(new).for_each(|(word, new)| word.store(new, WRITE));
    }

    fn visits(words: Self::Words) -> u32 {
        Wide::visits([words[0], words[1]])
    }

    fn read(words: Self::Words) -> Tally {
        Wide::read([words[0], words[1]])
    }

    fn weight(words: Self::Words, scales: &Scales) -> Weight {
        Scores::weight([words[0], words[1]], scales)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::numbers::Tables;

    fn scales(first_play: f64) -> Scales {
        Scales::new(Arc::new(Tables::new()), 1.0, first_play)
    }

    /// With a factor of 1 before the exploration term.
    fn value<C: Counters>(words: &[AtomicU64], scales: &Scales) -> f32 {
        let Weight { mean, root } = C::weight(C::load(words), scales);
        mean + root
    }

    /// The value of a child with ten visits and a mean of 1/2, before and during a descent into it.
    fn before_and_during<C: Counters>(virtual_loss: u32) -> (f32, f32) {
        let (words, scales) = ([AtomicU64::new(0), AtomicU64::new(0)], scales(9.0));
        let value = || value::<C>(&words, &scales);
        for visit in 0..10 {
            let writers = if visit < 5 { Writers::One } else { Writers::Many };
            assert_eq!(C::visits(C::add(&words, C::pack(C::entered(virtual_loss)), writers)), visit);
            C::add(&words, C::returned(virtual_loss, if visit % 2 == 0 { C::UNITS as u64 } else { 0 }), writers);
        }
        assert_eq!(C::read(C::load(&words)), Tally { visits: 10, unobserved: 0, sum: 5 * C::UNITS as u64 });
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
        let none = [AtomicU64::new(0), AtomicU64::new(0)];
        for value in [value::<Packed>, value::<Wide>, value::<Unobserved>] {
            assert_eq!(value(&none, &scales(9.0)), 9.0);
            let scales = scales(f64::INFINITY);
            assert!(value(&none, &scales) * scales.exploration(1) > 1e6, "without one it is tried first");
        }
    }

    #[test]
    fn weights_by_a_table_are_the_same_to_the_last_bit() {
        let mut rng = crate::Rng::new(3, 0);
        for scales in [scales(f64::INFINITY), scales(0.5)] {
            for _ in 0..10_000 {
                let digits = rng.below(30);
                let visits = rng.below(1 << digits);
                let sum = u64::from(rng.below(2 * visits + 1));
                let words = Packed::pack(Tally { visits, unobserved: 0, sum });
                assert_eq!(Packed::weight_of_few(words, &scales), Packed::weight(words, &scales));
            }
        }
    }
}
