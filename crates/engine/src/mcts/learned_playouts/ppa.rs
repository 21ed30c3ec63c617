//! PPA (playout policy adaptation): a playout draws its actions in proportion to weights, and the weights of the
//! actions that its winner has played grow at the expense of the others that were legal there (Cazenave 2015).
//!
//! An action has the weight exp(w). After a playout, each choice of the winner adds the rate to the w of the action
//! played, and takes the rate times its probability from that of each legal action: a step along the gradient of the
//! logarithm of the probability of what was played.

use super::choices::Choices;
use super::mast::key;
use super::{LearnedPolicy, table};
use crate::logarithm::exp;
use crate::mcts::traversal::PlayedMove;
use crate::mcts::tree::sync::{AtomicU64, Ordering::Relaxed};
use crate::mcts::tree::words::Writers;

/// The step of an adaptation.
const RATE: f64 = 0.32;

/// Units of a weight that make 1. Sums of integers do not depend on the order of their parts.
const UNITS: f64 = (1 << 20) as f64;

/// The greatest distance of a weight from 0, far beyond those that still draw other actions.
const MOST: f64 = 50.0;

/// The weights, as integers of either sign.
#[derive(Debug)]
pub(super) struct Ppa(Box<[AtomicU64]>);

impl Ppa {
    /// For a game with codes of actions up to `most`.
    pub(super) fn new(most: u32) -> Ppa {
        Ppa((0..1usize << table::bits(most)).map(|_| AtomicU64::new(0)).collect())
    }

    fn entry(&self, player: u8, code: u32) -> &AtomicU64 {
        &self.0[table::place(key(player, code), self.0.len())]
    }

    fn add(&self, player: u8, code: u32, change: f64, writers: Writers) {
        let change = (change * UNITS).round() as i64;
        writers.fetch_add(self.entry(player, code), change.cast_unsigned(), Relaxed);
    }
}

impl LearnedPolicy for Ppa {
    fn draws(&self) -> bool {
        true
    }

    fn value(&self, player: u8, _: &[PlayedMove], code: u32) -> f32 {
        let weight = self.entry(player, code).load(Relaxed).cast_signed() as f64 / UNITS;
        exp(weight.clamp(-MOST, MOST)) as f32
    }

    fn learn_choices(&self, choices: &Choices, shares: &[f32], writers: Writers) {
        for choice in choices.iter() {
            if shares.get(usize::from(choice.player)).is_none_or(|&share| share <= 0.5) {
                continue;
            }
            let total: f64 = choice.weights.iter().map(|&weight| f64::from(weight)).sum();
            for (&code, &weight) in choice.codes.iter().zip(choice.weights) {
                self.add(choice.player, code, -RATE * f64::from(weight) / total, writers);
            }
            self.add(choice.player, choice.played, RATE, writers);
        }
    }

    fn clear(&self) {
        self.0.iter().for_each(|entry| entry.store(0, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_winner_played_is_drawn_more_often_and_what_else_was_legal_less() {
        let ppa = Ppa::new(255);
        let mut choices = Choices::default();
        assert_eq!(choices.list(0, [3, 4, 5].into_iter(), |_| 1.0), 3.0);
        assert_eq!(choices.draw(1.5), 1);
        assert_eq!(choices.list(1, [3, 4].into_iter(), |_| 1.0), 2.0);
        assert_eq!(choices.draw(0.5), 0);
        ppa.learn_choices(&choices, &[1.0, 0.0], Writers::One);
        let value = |player, code| ppa.value(player, &[], code);
        assert!(value(0, 4) > 1.2 && value(0, 3) < 1.0 && value(0, 3) == value(0, 5), "{}", value(0, 4));
        assert_eq!((value(1, 3), value(1, 4), value(0, 9)), (1.0, 1.0, 1.0), "the loser's choices, an unknown action");
        let sum: f64 = [3, 4, 5].map(|code| f64::from(value(0, code)).ln()).iter().sum();
        assert!(sum.abs() < 1e-4, "what one gains the others lose: {sum}");
        ppa.learn_choices(&choices, &[0.5, 0.5], Writers::One);
        assert!(value(1, 3) == 1.0, "a draw teaches nothing");
        ppa.clear();
        assert_eq!(ppa.value(0, &[], 4), 1.0);
    }
}
