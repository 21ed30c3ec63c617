//! Reward of games that the player with more points wins.

use std::cmp::Ordering;

/// The reward of a player with `own` points against `other` points: 1 for more, 1/2 for equally many, 0 for fewer.
#[inline]
pub(crate) fn reward_for_more<T: Ord>(own: T, other: T) -> f64 {
    match own.cmp(&other) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    }
}
