//! The counters of a child: what a descent writes on its way down and up, and what selection reads.
//!
//! A child counts its visits and the sum of the rewards of the player who chose it. A descent in flight must be seen
//! by the others, or they all follow it into the same leaf. There are two ways to show it. *Virtual loss* counts
//! the visit on the way down with no reward yet: to the chooser, whoever that is, it looks like a loss until the
//! reward arrives (Chaslot, Winands and van den Herik 2008). *Unobserved visits* (WU-UCT: Liu, Chen, Yu, Zhai, Zhou
//! and Liu 2020) are counted apart and widen the exploration term only, never the mean.
//!
//! With one descent in flight neither has an effect: every counter a selection reads is as it was before the
//! descent, because [`Counters::enter`] returns the parent's visits from before its own.
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
    pub(crate) tables: &'a Tables,
    /// The exploration constant times `sqrt(ln(visits of the parent))`.
    pub(crate) exploration: f32,
    /// The value of a child that was never visited.
    pub(crate) first_play: f32,
}

/// One way to keep a child's counters in words of the arena.
pub(crate) trait Counters: 'static {
    /// Words a child takes.
    const WORDS: usize;
    /// How many units of the sum make a reward of 1.
    const UNITS: f64;

    /// Counts a descent on its way down and returns the visits from before it, those in flight included.
    fn enter(words: &[AtomicU64], virtual_loss: u32) -> u32;
    /// Turns the entered visit into a finished one with a reward.
    fn back_up(words: &[AtomicU64], virtual_loss: u32, units: u64);
    /// Takes an entered visit back.
    fn leave(words: &[AtomicU64], virtual_loss: u32);
    /// UCB1, or the first-play value. Never negative, never NaN.
    fn value(words: &[AtomicU64], weighing: &Weighing<'_>) -> f32;
    fn read(words: &[AtomicU64]) -> Tally;
    fn write(words: &[AtomicU64], tally: Tally);
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

/// Finished visits come to `1 - virtual_loss` more than was entered. Wraps on purpose: it is added to a word whose
/// high half is at least `virtual_loss`.
fn settle_visit(virtual_loss: u32) -> u64 {
    VISIT.wrapping_sub(u64::from(virtual_loss) * VISIT)
}

/// UCB1 as a product: `sum / n + exploration / sqrt(n)`, with `r = 1 / sqrt(n)`, is `r (sum r + exploration)`.
#[inline]
fn ucb(sum: f32, n: u32, weighing: &Weighing<'_>) -> f32 {
    let root = weighing.tables.inverse_root(n);
    let value = root * (sum * root + weighing.exploration);
    if n == 0 { weighing.first_play } else { value }
}

/// Visits and sum in one word, for rewards that are multiples of 1/2; in flight is virtual loss.
///
/// Visits stay below 2^31 (the driver sees to it), so the sum of halves stays below 2^32 and never reaches them.
pub(crate) struct Packed;

impl Counters for Packed {
    const WORDS: usize = 1;
    const UNITS: f64 = 2.0;

    #[inline]
    fn enter(words: &[AtomicU64], virtual_loss: u32) -> u32 {
        let before = match virtual_loss {
            0 => words[0].load(Relaxed),
            weight => words[0].fetch_add(u64::from(weight) * VISIT, Relaxed),
        };
        (before >> 32) as u32
    }

    #[inline]
    fn back_up(words: &[AtomicU64], virtual_loss: u32, units: u64) {
        let change = settle_visit(virtual_loss).wrapping_add(units);
        // A loss under the usual virtual loss of one visit changes nothing more.
        if change != 0 {
            words[0].fetch_add(change, Relaxed);
        }
    }

    fn leave(words: &[AtomicU64], virtual_loss: u32) {
        words[0].fetch_sub(u64::from(virtual_loss) * VISIT, Relaxed);
    }

    #[inline]
    fn value(words: &[AtomicU64], weighing: &Weighing<'_>) -> f32 {
        let word = words[0].load(Relaxed);
        ucb(word as u32 as f32 * 0.5, (word >> 32) as u32, weighing)
    }

    fn read(words: &[AtomicU64]) -> Tally {
        let word = words[0].load(Relaxed);
        Tally { visits: (word >> 32) as u32, unobserved: 0, sum: word & (VISIT - 1) }
    }

    fn write(words: &[AtomicU64], tally: Tally) {
        words[0].store(u64::from(tally.visits) * VISIT + tally.sum, Relaxed);
    }
}

/// A word of visits and a word of fixed-point sum, for any rewards; in flight is virtual loss.
pub(crate) struct Wide;

/// Units of the wide sum that make 1: 32 fractional bits, and 2^31 visits still fit.
const FINE: f64 = (1u64 << 32) as f64;

impl Counters for Wide {
    const WORDS: usize = 2;
    const UNITS: f64 = FINE;

    #[inline]
    fn enter(words: &[AtomicU64], virtual_loss: u32) -> u32 {
        Packed::enter(words, virtual_loss)
    }

    #[inline]
    fn back_up(words: &[AtomicU64], virtual_loss: u32, units: u64) {
        Packed::back_up(words, virtual_loss, 0);
        if units != 0 {
            words[1].fetch_add(units, Relaxed);
        }
    }

    fn leave(words: &[AtomicU64], virtual_loss: u32) {
        Packed::leave(words, virtual_loss);
    }

    #[inline]
    fn value(words: &[AtomicU64], weighing: &Weighing<'_>) -> f32 {
        let visits = (words[0].load(Relaxed) >> 32) as u32;
        ucb((words[1].load(Relaxed) as f64 / FINE) as f32, visits, weighing)
    }

    fn read(words: &[AtomicU64]) -> Tally {
        let word = words[0].load(Relaxed);
        Tally { visits: (word >> 32) as u32, unobserved: word as u32, sum: words[1].load(Relaxed) }
    }

    fn write(words: &[AtomicU64], tally: Tally) {
        words[0].store(u64::from(tally.visits) * VISIT + u64::from(tally.unobserved), Relaxed);
        words[1].store(tally.sum, Relaxed);
    }
}

/// As [`Wide`], with the visits in flight counted apart (WU-UCT) in the low half of the word of visits.
pub(crate) struct Unobserved;

impl Counters for Unobserved {
    const WORDS: usize = 2;
    const UNITS: f64 = FINE;

    #[inline]
    fn enter(words: &[AtomicU64], _: u32) -> u32 {
        let before = words[0].fetch_add(1, Relaxed);
        (before >> 32) as u32 + before as u32
    }

    #[inline]
    fn back_up(words: &[AtomicU64], _: u32, units: u64) {
        words[0].fetch_add(VISIT - 1, Relaxed);
        if units != 0 {
            words[1].fetch_add(units, Relaxed);
        }
    }

    fn leave(words: &[AtomicU64], _: u32) {
        words[0].fetch_sub(1, Relaxed);
    }

    /// Liu et al. 2020, equation 4, with the constant of UCB1: the mean of what is known, explored as if what is in
    /// flight were known too. A child of which nothing is known but something in flight has the mean 1/2.
    #[inline]
    fn value(words: &[AtomicU64], weighing: &Weighing<'_>) -> f32 {
        let Tally { visits, unobserved, sum } = Wide::read(words);
        let all = visits + unobserved;
        let sum = (sum as f64 / FINE) as f32;
        // With nothing in flight the factor is exactly 1, and this is UCB1 to the last bit.
        let sum = if visits == 0 { 0.5 * all as f32 } else { sum * (all as f32 / visits as f32) };
        ucb(sum, all, weighing)
    }

    fn read(words: &[AtomicU64]) -> Tally {
        Wide::read(words)
    }

    fn write(words: &[AtomicU64], tally: Tally) {
        Wide::write(words, tally);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> [AtomicU64; 2] {
        [AtomicU64::new(0), AtomicU64::new(0)]
    }

    /// The value of a child with ten visits and a mean of 1/2, before and during a descent into it.
    fn before_and_during<C: Counters>(virtual_loss: u32) -> (f32, f32) {
        let (words, tables) = (words(), Tables::new());
        let weighing = Weighing { tables: &tables, exploration: 1.0, first_play: 9.0 };
        for visit in 0..10 {
            assert_eq!(C::enter(&words, virtual_loss), visit);
            C::back_up(&words, virtual_loss, if visit % 2 == 0 { C::UNITS as u64 } else { 0 });
        }
        assert_eq!(C::read(&words), Tally { visits: 10, unobserved: 0, sum: 5 * C::UNITS as u64 });
        let before = C::value(&words, &weighing);
        assert!((before - (0.5 + 1.0 / 10f32.sqrt())).abs() < 1e-6);
        C::enter(&words, virtual_loss);
        let during = C::value(&words, &weighing);
        C::leave(&words, virtual_loss);
        assert_eq!(C::value(&words, &weighing), before, "a visit taken back leaves no trace");
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
        let (words, tables) = (words(), Tables::new());
        let weighing = Weighing { tables: &tables, exploration: 1.0, first_play: 9.0 };
        let values =
            [Packed::value(&words, &weighing), Wide::value(&words, &weighing), Unobserved::value(&words, &weighing)];
        assert_eq!(values, [9.0; 3]);
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
