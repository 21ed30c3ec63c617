//! Regret matching: choosing in proportion to what one regrets not to have chosen (Hart and Mas-Colell 2000; in trees of
//! simultaneous moves Lanctot, Lisy and Winands 2014).
//!
//! The average of the strategies that are drawn from goes to an equilibrium, which no strategy that always takes the best
//! does. What is drawn is counted, a little exploration aside, so the average needs no sum of its own.
//!
//! The outcome of one choice says nothing of the others, so what they would have brought is estimated: by their mean so
//! far, and for the one that was chosen by its mean and the difference to it, divided by the odds of choosing it. Such an
//! estimate is right on average whatever the means are, and the better they are the less it varies (Schmid et al. 2019). Where
//! the same player has chosen again further down, exploring there too, the difference counts as often as the strategy alone
//! would have gone that way: or else a choice would learn what it brings to somebody who explores for ever.

use crate::Rng;
use crate::tree::counters::{Counters, Informed};
use crate::tree::weights::Scales;
use crate::tree::{Block, Step, Tree};

/// How often a choice is drawn from all alike, to learn what it brings.
const EXPLORATION: f64 = 0.1;

/// How likely a choice was that is learned from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    /// As it was drawn, exploration included.
    pub(super) drawn: f64,
    /// By the strategy alone.
    pub(super) share: f64,
}

/// Draws a child of a block by the strategy its regrets give, and counts it as drawn unless it is tried only.
pub(super) fn draw(tree: &Tree, block: Block, learns: bool, rng: &mut Rng) -> (u32, Option<Odds>) {
    let strategy = strategy(tree, block);
    if !learns {
        let index = pick(&strategy, rng.unit()) as u32;
        tree.add_drawn(tree.informed_child(block, index));
        return (index, None);
    }
    let uniform = 1.0 / strategy.len() as f64;
    let explores = rng.unit() < EXPLORATION;
    let index = if explores { rng.below(strategy.len() as u32) as usize } else { pick(&strategy, rng.unit()) };
    let share = strategy[index];
    (index as u32, Some(Odds { drawn: EXPLORATION * uniform + (1.0 - EXPLORATION) * share, share }))
}

/// Adds to the regrets of a block what `reward`, between 0 and 1, says about the child that was chosen; `weight` makes what is
/// seen there right on average.
pub(super) fn learn(tree: &Tree, step: Step, weight: f64, reward: f64, scales: &Scales) {
    let block = step.block();
    let strategy = strategy(tree, block);
    let means: Vec<f64> = tree
        .informed_words(block)
        .map(|words| match words[0] >> 32 {
            0 => 0.5,
            visits => {
                f64::from(scales.share(words[1].cast_signed() as f64 / Informed::UNITS, visits as u32)) / visits as f64
            }
        })
        .collect();
    let brings = |index: usize| match index == step.index() {
        true => means[index] + (reward - means[index]) * weight,
        false => means[index],
    };
    let expected: f64 = strategy.iter().enumerate().map(|(index, share)| share * brings(index)).sum();
    for index in 0..strategy.len() {
        let regret = ((brings(index) - expected) * Informed::UNITS) as i64;
        tree.add_third(tree.informed_child(block, index as u32), regret.cast_unsigned());
    }
}

/// The share of each child: in proportion to its regret, of those that have one; all alike if none has.
fn strategy(tree: &Tree, block: Block) -> Vec<f64> {
    let regrets: Vec<f64> = tree.informed_words(block).map(|words| words[2].cast_signed().max(0) as f64).collect();
    let total: f64 = regrets.iter().sum();
    let all_alike = 1.0 / regrets.len() as f64;
    regrets.into_iter().map(|regret| if total > 0.0 { regret / total } else { all_alike }).collect()
}

/// Where a number in 0..1 falls among shares that add up to 1.
pub(super) fn pick(shares: &[f64], at: f64) -> usize {
    let mut left = at;
    let found = shares.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    // Rounding may leave a little.
    found.unwrap_or_else(|| shares.iter().rposition(|&share| share > 0.0).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_fall_where_their_shares_are() {
        let shares = [0.25, 0.0, 0.5, 0.25];
        assert_eq!([0.0, 0.2, 0.25, 0.7, 0.75, 0.999, 1.0].map(|at| pick(&shares, at)), [0, 0, 2, 2, 3, 3, 3]);
    }
}
