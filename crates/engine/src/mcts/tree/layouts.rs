//! The layouts: how visits, rewards and traversals in flight are encoded in words.

use super::layout::{Layout, LayoutKind, NodeStats};
use super::ucb::{Ucb, UcbTerms};
use crate::mcts::tables;

/// The high half of a word counts visits.
const VISIT: u64 = 1 << 32;
/// The highest bit of the visits marks a child whose outcome is known, in every layout ([`proof`](super::proof)).
pub(super) const CLOSED: u64 = (tables::CLOSED as u64) << 32;

/// Visits and sum in one word, for rewards that are multiples of 1/2. Traversals in flight are virtual loss.
///
/// The driver keeps visits below 2^31, so the sum of halves stays below 2^32 and never reaches them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed;

// The narrow layout encodes its counters like this too, so what both need is no part of the trait.
impl Packed {
    /// Units of the sum that make 1.
    pub(super) const HALVES: f64 = 2.0;

    pub(super) fn unpack(words: [u64; 1]) -> NodeStats {
        let word = words[0];
        NodeStats { visits: Packed::visits([word & !CLOSED]), unobserved: 0, sum: word & (VISIT - 1) }
    }

    #[inline]
    pub(super) fn entered(virtual_loss: u32) -> NodeStats {
        NodeStats { visits: virtual_loss, ..NodeStats::default() }
    }

    #[inline]
    pub(super) fn pack(change: NodeStats) -> [u64; 1] {
        [(u64::from(change.visits) << 32).wrapping_add(change.sum)]
    }

    #[inline(always)]
    pub(super) fn visits(words: [u64; 1]) -> u32 {
        (words[0] >> 32) as u32
    }

    #[inline(always)]
    pub(super) fn terms(words: [u64; 1], ucb: &Ucb) -> UcbTerms {
        ucb.terms(words[0] as u32 as f32 * 0.5, Packed::visits(words))
    }

    #[inline(always)]
    pub(super) fn terms_of_few(words: [u64; 1], ucb: &Ucb) -> UcbTerms {
        ucb.terms_of_few(words[0] as u32 as f32 * 0.5, Packed::visits(words))
    }
}

impl Layout for Packed {
    const KIND: LayoutKind = LayoutKind::Packed;
    type Words = [u64; 1];
    const UNITS: f64 = Packed::HALVES;

    #[inline]
    fn entered(virtual_loss: u32) -> NodeStats {
        Packed::entered(virtual_loss)
    }

    #[inline]
    fn pack(change: NodeStats) -> [u64; 1] {
        Packed::pack(change)
    }

    #[inline(always)]
    fn visits(words: [u64; 1]) -> u32 {
        Packed::visits(words)
    }

    #[inline(always)]
    fn terms(words: [u64; 1], ucb: &Ucb) -> UcbTerms {
        Packed::terms(words, ucb)
    }

    #[inline(always)]
    fn terms_of_few(words: [u64; 1], ucb: &Ucb) -> UcbTerms {
        Packed::terms_of_few(words, ucb)
    }
}

/// Units of the wide sum that make 1: 32 fractional bits, and 2^31 visits still fit.
const FINE: f64 = VISIT as f64;

/// A word of visits, with those in flight in its low half, and a word of fixed-point sum, for any rewards. Traversals
/// in flight are virtual loss, or are counted apart (WU-UCT).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide;

impl Wide {
    /// Decodes the words of every layout but [`Packed`].
    pub(super) fn unpack(words: [u64; 2]) -> NodeStats {
        NodeStats { visits: ((words[0] & !CLOSED) >> 32) as u32, unobserved: words[0] as u32, sum: words[1] }
    }
}

impl Layout for Wide {
    const KIND: LayoutKind = LayoutKind::Wide;
    type Words = [u64; 2];
    const UNITS: f64 = FINE;

    #[inline]
    fn entered(virtual_loss: u32) -> NodeStats {
        Packed::entered(virtual_loss)
    }

    #[inline]
    fn pack(change: NodeStats) -> [u64; 2] {
        // A negative low half borrows from the high one, as it should: the two are one number to the addition.
        let low = i64::from(change.unobserved.cast_signed()).cast_unsigned();
        [(u64::from(change.visits) << 32).wrapping_add(low), change.sum]
    }

    #[inline(always)]
    fn visits(words: [u64; 2]) -> u32 {
        (words[0] >> 32) as u32 + words[0] as u32
    }

    #[inline(always)]
    fn terms(words: [u64; 2], ucb: &Ucb) -> UcbTerms {
        unobserved_terms((words[1] as f64 / FINE) as f32, words[0], ucb)
    }
}

/// The terms of a child whose word of visits counts those in flight apart. Liu et al. 2020, equation 4, with the
/// constant of UCB1: the mean of the finished visits, explored as if those counted apart had finished too. A child with
/// no finished visit but one in flight has the mean 1/2.
#[inline(always)]
pub(super) fn unobserved_terms(sum: f32, visits: u64, ucb: &Ucb) -> UcbTerms {
    let (finished, in_flight) = ((visits >> 32) as u32, visits as u32);
    let known = ucb.terms(sum, finished);
    if in_flight == 0 {
        return known;
    }
    let all = ucb.terms(0.0, finished + in_flight);
    UcbTerms { mean: if finished == 0 { 0.5 } else { known.mean }, inv_sqrt_n: all.inv_sqrt_n }
}

/// Units of a sum of scores that make 1: 24 fractional bits leave 39 for the sum and its sign.
const SCORE: f64 = (1u64 << 24) as f64;

/// As [`Wide`], for scores of any size and sign. A traversal in flight is that many visits with the least score so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scores;

impl Layout for Scores {
    const KIND: LayoutKind = LayoutKind::Scores;
    type Words = [u64; 2];
    const UNITS: f64 = SCORE;

    #[inline]
    fn entered(virtual_loss: u32) -> NodeStats {
        NodeStats { unobserved: virtual_loss, ..NodeStats::default() }
    }

    #[inline]
    fn pack(change: NodeStats) -> [u64; 2] {
        Wide::pack(change)
    }

    #[inline(always)]
    fn visits(words: [u64; 2]) -> u32 {
        Wide::visits(words)
    }

    /// The mean is a share of the way from the least to the greatest score.
    #[inline(always)]
    fn terms(words: [u64; 2], ucb: &Ucb) -> UcbTerms {
        let known = (words[0] >> 32) as u32;
        ucb.terms(ucb.share(words[1].cast_signed() as f64 / SCORE, known), Scores::visits(words))
    }
}

/// Counters of a tree of information sets ([`information_sets`](super::information_sets)): as [`Scores`], and a third
/// word.
///
/// Where legal actions vary, the third word counts how often the child was legal. In regret matching it is the regret
/// of not having chosen the child; regret matching shows no traversals in flight, so the low half of the first word
/// counts how often the strategy has drawn the child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InformationSets;

impl Layout for InformationSets {
    const KIND: LayoutKind = LayoutKind::InformationSets;
    const HEAD: u32 = 4;
    type Words = [u64; 3];
    const UNITS: f64 = SCORE;
    const TAKES_VALUES: bool = true;

    #[inline]
    fn entered(virtual_loss: u32) -> NodeStats {
        Scores::entered(virtual_loss)
    }

    #[inline]
    fn pack(change: NodeStats) -> [u64; 3] {
        let [visits, sum] = Wide::pack(change);
        [visits, sum, 0]
    }

    #[inline]
    fn visits(words: [u64; 3]) -> u32 {
        Wide::visits([words[0], words[1]])
    }

    #[inline]
    fn terms(words: [u64; 3], ucb: &Ucb) -> UcbTerms {
        Scores::terms([words[0], words[1]], ucb)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::informed::Informed;
    use super::super::words::{Words, Writers};
    use super::*;
    use crate::mcts::tables::Tables;
    use crate::mcts::tree::sync::AtomicU64;

    fn ucb(first_play: f64) -> Ucb {
        Ucb::new(Arc::new(Tables::new()), 1.0, first_play)
    }

    /// With a factor of 1 before the exploration term.
    fn value<L: Layout>(words: &[AtomicU64], ucb: &Ucb) -> f32 {
        L::terms(L::Words::load(words), ucb).value(1.0)
    }

    /// The value of a child with ten visits and a mean of 1/2, before and during a traversal of it.
    fn before_and_during<L: Layout>(entered: NodeStats, is_apart: bool) -> (f32, f32) {
        let mut ucb = ucb(9.0).apart(is_apart);
        ucb.set_bounds((0.0, 1.0));
        let words: [AtomicU64; 4] = Default::default();
        let value = || value::<L>(&words, &ucb);
        for visit in 0..10 {
            let writers = if visit < 5 { Writers::One } else { Writers::Many };
            assert_eq!(L::visits(L::Words::add(&words, L::pack(entered), writers)), visit);
            L::Words::add(&words, L::returned(entered, if visit % 2 == 0 { L::UNITS as u64 } else { 0 }), writers);
        }
        assert_eq!(L::KIND.read(&words), NodeStats { visits: 10, unobserved: 0, sum: 5 * L::UNITS as u64 });
        let before = value();
        let writers = Writers::One;
        assert!((before - (0.5 + 1.0 / 10f32.sqrt())).abs() < 1e-6);
        L::Words::add(&words, L::pack(entered), writers);
        let during = value();
        L::Words::add(&words, L::taken_back(entered), writers);
        assert_eq!(value(), before, "a visit taken back leaves no trace");
        (before, during)
    }

    #[test]
    fn virtual_loss_lowers_the_mean_and_the_exploration() {
        for weight in [1, 3] {
            let entered = Packed::entered(weight);
            let with_losses = 5.0 / (10.0 + weight as f32) + 1.0 / (10.0 + weight as f32).sqrt();
            let (packed, wide) =
                (before_and_during::<Packed>(entered, false), before_and_during::<Wide>(entered, false));
            let informed = before_and_during::<Informed>(Informed::entered(weight), false);
            for (_, during) in [packed, wide, informed] {
                assert!((during - with_losses).abs() < 1e-6);
            }
        }
        let (before, during) = before_and_during::<Packed>(Packed::entered(0), false);
        assert_eq!(before, during, "without virtual loss nothing shows");
    }

    #[test]
    fn unobserved_visits_lower_the_exploration_only() {
        for before_and_during in [before_and_during::<Wide>, before_and_during::<Informed>] {
            let (_, during) = before_and_during(NodeStats::apart(), true);
            assert!((during - (0.5 + 1.0 / 11f32.sqrt())).abs() < 1e-6);
        }
    }

    #[test]
    fn a_child_never_visited_has_the_first_play_value() {
        let none = [AtomicU64::new(0), AtomicU64::new(0)];
        for value in [value::<Packed>, value::<Wide>] {
            assert_eq!(value(&none, &ucb(9.0)), 9.0);
            let ucb = ucb(f64::INFINITY);
            assert!(value(&none, &ucb) * ucb.exploration(1) > 1e6, "without one it is tried first");
        }
    }

    #[test]
    fn terms_by_a_table_are_the_same_to_the_last_bit() {
        let mut rng = crate::Rng::new(3, 0);
        for ucb in [ucb(f64::INFINITY), ucb(0.5)] {
            for _ in 0..10_000 {
                let digits = rng.below(30);
                let visits = rng.below(1 << digits);
                let sum = u64::from(rng.below(2 * visits + 1));
                let words = Packed::pack(NodeStats { visits, unobserved: 0, sum });
                assert_eq!(Packed::terms_of_few(words, &ucb), Packed::terms(words, &ucb));
            }
        }
    }
}
