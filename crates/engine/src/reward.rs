//! Rewards in the tree: integers, so that sums do not depend on the order of playouts.
//!
//! A reward with bounds is kept as a share in 0..=1 of the range from the least to the greatest reward. Scores
//! without bounds are kept as they are. The search learns their range (`Bounds`), which selection alone uses.

use crate::Rewards;
use crate::mcts::tree::sync::{AtomicU64, Ordering::Relaxed};
use crate::mcts::tree::words::Writers;

/// The largest score, up or down, that fits into a sum with others.
pub(crate) const LARGEST_SCORE: f64 = (1u64 << 31) as f64;

/// Converts a reward to the tree's units. A negative score becomes a wrapping negative number. The second value is
/// false if the reward was not as declared; then the nearest declared reward is converted, 0 for NaN.
#[inline]
pub fn to_units(rewards: &Rewards, reward: f64, units: f64) -> (u64, bool) {
    let share = match rewards.bounds {
        None => return score_units(reward, units),
        Some((0.0, 1.0)) => reward,
        Some((least, most)) => (reward - least) / (most - least),
    };
    if rewards.halves {
        // By the exponent and not by comparisons: who has won is not predictable, so nothing should branch on it.
        let halves = (share.to_bits() >> 52).saturating_sub(0x3fd).min(2);
        let is_exact = [0.0, 0.5, 1.0f64][halves as usize].to_bits() == share.to_bits();
        return if is_exact { (halves * (units * 0.5) as u64, true) } else { nearest_half(share, units) };
    }
    if (0.0..=1.0).contains(&share) { ((share * units) as i64 as u64, true) } else { nearest(share, units) }
}

#[cold]
fn nearest_half(share: f64, units: f64) -> (u64, bool) {
    // A zero may be negative.
    (((share.clamp(0.0, 1.0) * 2.0).round() / 2.0 * units) as u64, share == 0.0)
}

#[cold]
fn nearest(share: f64, units: f64) -> (u64, bool) {
    ((share.clamp(0.0, 1.0) * units) as u64, false)
}

#[inline]
fn score_units(score: f64, units: f64) -> (u64, bool) {
    let clamped = score.clamp(-LARGEST_SCORE, LARGEST_SCORE);
    (((clamped * units) as i64).cast_unsigned(), clamped == score)
}

/// Converts a mean of the tree to a mean of rewards.
#[inline]
pub fn to_reward(rewards: &Rewards, mean: f64) -> f64 {
    match rewards.bounds {
        None | Some((0.0, 1.0)) => mean,
        Some((least, most)) => least + mean * (most - least),
    }
}

/// The least and the greatest score so far.
#[derive(Debug)]
pub(crate) struct Bounds {
    least: AtomicU64,
    most: AtomicU64,
}

impl Bounds {
    pub(crate) fn new((least, most): (f64, f64)) -> Bounds {
        Bounds { least: AtomicU64::new(least.to_bits()), most: AtomicU64::new(most.to_bits()) }
    }

    /// The bounds before the first score: the least is above the greatest.
    pub(crate) const NONE: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

    #[inline]
    pub(crate) fn get(&self) -> (f64, f64) {
        let read = |bits: &AtomicU64| f64::from_bits(bits.load(Relaxed));
        (read(&self.least), read(&self.most))
    }

    #[inline]
    pub(crate) fn see(&self, score: f64, writers: Writers) {
        let (least, most) = self.get();
        // Most scores change nothing. A thread that loses a race looks again.
        if score < least {
            let lower = |bits| (score < f64::from_bits(bits)).then_some(score.to_bits());
            let _ = writers.fetch_update(&self.least, Relaxed, Relaxed, lower);
        }
        if score > most {
            let higher = |bits| (score > f64::from_bits(bits)).then_some(score.to_bits());
            let _ = writers.fetch_update(&self.most, Relaxed, Relaxed, higher);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALVES: f64 = 2.0;
    const FINE: f64 = 4_294_967_296.0;

    #[test]
    fn rewards_become_integers_and_strange_ones_the_nearest() {
        let (halves, any) = (Rewards::WIN_DRAW_LOSS, Rewards::ANY);
        assert_eq!(to_units(&halves, 0.5, HALVES), (1, true));
        assert_eq!(to_units(&any, 0.75, FINE), (3 << 30, true));
        assert_eq!(to_units(&halves, 0.3, HALVES), (1, false));
        assert_eq!(to_units(&any, 7.0, FINE), (1 << 32, false));
        assert_eq!(to_units(&halves, -1.0, HALVES), (0, false));
        assert_eq!(to_units(&any, f64::NAN, FINE), (0, false));
    }

    #[test]
    fn declared_bounds_are_mapped_there_and_back() {
        let chips = Rewards::scores(-2.0, 2.0);
        assert_eq!(to_units(&chips, -2.0, FINE), (0, true));
        assert_eq!(to_units(&chips, 1.0, FINE), (3 << 30, true));
        assert_eq!(to_units(&chips, 3.0, FINE), (1 << 32, false));
        assert_eq!(to_reward(&chips, 0.75), 1.0);
    }

    #[test]
    fn scores_without_bounds_keep_their_sign() {
        let units = |score| to_units(&Rewards::SCORES, score, 16.0);
        assert_eq!(units(2.5), (40, true));
        assert_eq!(units(-2.5), ((-40i64).cast_unsigned(), true));
        assert_eq!(units(f64::NAN), (0, false));
        assert_eq!(units(f64::INFINITY), (1 << 35, false));
    }

    #[test]
    fn bounds_are_the_extremes_of_what_was_seen() {
        let bounds = Bounds::new(Bounds::NONE);
        for score in [3.0, -1.0, 2.0, 7.5] {
            bounds.see(score, Writers::Many);
        }
        assert_eq!(bounds.get(), (-1.0, 7.5));
    }
}
