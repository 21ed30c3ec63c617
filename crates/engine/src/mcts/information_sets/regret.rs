//! Regret matching: drawing choices in proportion to the regret of not having made them (Hart and Mas-Colell 2000; in
//! trees of simultaneous moves Lanctot, Lisy and Winands 2014).
//!
//! The average of the drawn strategies converges to an equilibrium; a strategy that always takes the best action does
//! not. Draws are counted, a little exploration aside, so the average needs no sum of its own.
//!
//! The outcome of one choice says nothing of the others, so their rewards are estimated: by their mean so far, and for
//! the choice that was made by its mean and the difference to it, divided by the probability of making it. Such an
//! estimate is unbiased for any means, and varies less the better they are (Schmid et al. 2019). Where the same player
//! has chosen again further down, exploring there too, the difference counts as often as the strategy alone would have
//! gone that way; otherwise a choice would learn its reward for a player who explores for ever.
//!
//! Means are of these estimates. They count where their player explores and the others do not, so that a mean is that
//! of a choice against strategies, by a player who follows the own one after it.
//!
//! A regret must not depend on how often its player comes to the information set, or choices would be weighed by
//! strategies of the past. So the regrets of a traversal are divided by the probability that the player who explores
//! came there (outcome sampling: Lanctot, Waugh, Zinkevich and Bowling 2009). Much exploration keeps these weights
//! small and alike.

use crate::Rng;
use crate::mcts::tree::Layout;
use crate::mcts::tree::layouts::InformationSets;
use crate::mcts::tree::ucb::Ucb;
use crate::mcts::tree::{Block, Step, Tree};

/// The probability that a choice is one of all in turn, to explore, as in the paper on outcome sampling.
const EXPLORATION: f64 = 0.6;

/// The greatest weight of a traversal's regrets. Sums of regrets stay far from overflow.
const MOST_WEIGHT: f64 = (1 << 20) as f64;

/// The probability of a choice that is learned from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    /// With exploration.
    pub(super) drawn: f64,
    /// By the strategy alone.
    pub(super) share: f64,
    /// The probability that the player who explores made the choices before.
    pub(super) reach: f64,
}

/// The turns of children to be explored, of the blocks that a worker saw last: their estimates vary less than with
/// random ones.
pub(super) struct Turns(Vec<Option<(Block, u32)>>);

impl Turns {
    /// The blocks whose turns are kept.
    const KEPT: usize = 1024;

    pub(super) fn new(are_needed: bool) -> Turns {
        Turns(vec![None; if are_needed { Turns::KEPT } else { 0 }])
    }

    /// The child of a block whose turn it is, of this number. The first is drawn.
    fn next(&mut self, block: Block, count: u32, rng: &mut Rng) -> u32 {
        let kept = &mut self.0[block.number() % Turns::KEPT];
        let turn = match *kept {
            Some((other, turn)) if other == block => (turn + 1) % count,
            _ => rng.below(count),
        };
        *kept = Some((block, turn));
        turn
    }
}

/// Draws a child of a block by the strategy of its regrets. Counts it as drawn unless the player explores, who came
/// here with the probability `reach`.
pub(super) fn draw(
    tree: &Tree,
    block: Block,
    reach: Option<f64>,
    turns: &mut Turns,
    rng: &mut Rng,
) -> (u32, Option<Odds>) {
    let strategy = strategy(tree, block);
    let Some(reach) = reach else {
        let index = pick(&strategy, rng.unit()) as u32;
        tree.add_drawn(tree.keyed_child(block, index));
        return (index, None);
    };
    let uniform = 1.0 / strategy.len() as f64;
    let explores = rng.unit() < EXPLORATION;
    let count = strategy.len() as u32;
    let index = if explores { turns.next(block, count, rng) as usize } else { pick(&strategy, rng.unit()) };
    let share = strategy[index];
    (index as u32, Some(Odds { drawn: EXPLORATION * uniform + (1.0 - EXPLORATION) * share, share, reach }))
}

/// Updates the regrets of a block with the `reward`, between 0 and 1, of the child that was chosen with these odds.
/// `follows` is the probability that the strategy alone goes on as the traversal went, by that of the traversal.
/// Returns an estimate of the reward of a player who follows the strategy after this choice.
pub(super) fn learn(tree: &Tree, step: Step, odds: Odds, follows: f64, reward: f64, ucb: &Ucb) -> f64 {
    let block = step.block();
    let strategy = strategy(tree, block);
    let means: Vec<f64> = tree
        .keyed_words(block)
        .map(|words| match (words[0] >> 32).saturating_sub(words[0] & u64::from(u32::MAX)) {
            0 => 0.5,
            // Draws in flight are ahead of their visits.
            visits => {
                let sum = words[1].cast_signed() as f64 / InformationSets::UNITS;
                (f64::from(ucb.share(sum, visits as u32)) / visits as f64).min(1.0)
            }
        })
        .collect();
    let reward_of = |index: usize| match index == step.index() {
        true => means[index] + (reward - means[index]) * follows / odds.drawn,
        false => means[index],
    };
    let expected: f64 = strategy.iter().enumerate().map(|(index, share)| share * reward_of(index)).sum();
    let weight = (1.0 / odds.reach).min(MOST_WEIGHT) * InformationSets::UNITS;
    for index in 0..strategy.len() {
        let regret = ((reward_of(index) - expected) * weight) as i64;
        tree.add_third(tree.keyed_child(block, index as u32), regret.cast_unsigned());
    }
    means[step.index()] + (reward - means[step.index()]) * follows
}

/// The share of each child: in proportion to its regret, of those that have one; all alike if none has.
fn strategy(tree: &Tree, block: Block) -> Vec<f64> {
    let regrets: Vec<f64> = tree.keyed_words(block).map(|words| words[2].cast_signed().max(0) as f64).collect();
    let total: f64 = regrets.iter().sum();
    let all_alike = 1.0 / regrets.len() as f64;
    regrets.into_iter().map(|regret| if total > 0.0 { regret / total } else { all_alike }).collect()
}

/// The index of the share in which a number in 0..1 falls, among shares that add up to 1.
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
