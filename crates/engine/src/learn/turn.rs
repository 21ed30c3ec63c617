//! The best turn by given weights: every chain of actions to the end of the turn, with equal positions searched once.
//!
//! Chains that lead to the same position are one, so most turns take a few hundred positions however many chains they have. A turn
//! with more positions than are allowed is searched by random descents instead ([`Chains`]), action by action.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::{Features, win_rate};
use crate::chains::{Chains, Descent};
use crate::{Rng, Turn};

/// Random descents go no deeper than this.
const DEEPEST: usize = 64;

/// Memory for random descents, which never have that many nodes.
const BYTES: usize = 1 << 26;

/// Finds the best turns, one after the other.
pub struct TurnSearch<G: Features> {
    /// The most positions of a turn that are searched.
    most: usize,
    /// Positions of this turn, and what they are worth to whose turn it is.
    known: HashMap<u64, f64, BuildHasherDefault<Key>>,
    actions: Vec<G::Action>,
}

/// A choice, and the share of games its player wins by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<A> {
    /// What to play; `None` where nothing can be played.
    pub action: Option<A>,
    /// The share.
    pub value: f64,
}

/// Keys are good hashes already.
#[derive(Default)]
struct Key(u64);

impl Hasher for Key {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl<G: Features> TurnSearch<G> {
    /// Searches that look at so many positions of a turn at most.
    pub fn new(most: usize) -> TurnSearch<G> {
        TurnSearch { most, known: HashMap::default(), actions: Vec::new() }
    }

    /// A turn begins: forgets the last one. Also to be called when weights change.
    pub fn begin(&mut self) {
        self.known.clear();
    }

    /// The best action of a player whose turn it is. Asked again at the player's next decision of the same turn, it knows the
    /// answer already.
    pub fn choose(&mut self, position: &G, player: usize, weights: &[f64], rng: &mut Rng) -> Choice<G::Action> {
        let found = self.search(position, player, weights).unwrap_or_else(|| {
            self.known.clear();
            self.descend(position, player, weights, rng)
        });
        self.actions.clear();
        found
    }

    /// Searches everything, if that is not too much.
    fn search(&mut self, position: &G, player: usize, weights: &[f64]) -> Option<Choice<G::Action>> {
        let first = self.actions.len();
        position.actions(&mut self.actions);
        let (mut best, mut value) = (None, f64::NEG_INFINITY);
        for place in first..self.actions.len() {
            let action = self.actions[place];
            let mut next = position.clone();
            next.apply(action);
            let worth = self.value(&next, player, weights)?;
            if worth > value {
                (best, value) = (Some(action), worth);
            }
        }
        self.actions.truncate(first);
        Some(Choice { action: best, value })
    }

    /// What a position of the turn, or its end, is worth to the player.
    fn value(&mut self, position: &G, player: usize, weights: &[f64]) -> Option<f64> {
        let is_luck = match position.turn() {
            Turn::Player(other) if other == player => false,
            Turn::Chance if !position.ends_turn() => true,
            _ => return Some(win_rate(position, player, weights)),
        };
        let key = position.key();
        if let Some(&value) = self.known.get(&key) {
            return Some(value);
        }
        if self.known.len() >= self.most {
            return None;
        }
        let value = match is_luck {
            true => self.mean(position, player, weights)?,
            false => self.search(position, player, weights)?.value,
        };
        self.known.insert(key, value);
        Some(value)
    }

    fn mean(&mut self, position: &G, player: usize, weights: &[f64]) -> Option<f64> {
        let first = self.actions.len();
        position.actions(&mut self.actions);
        let (mut sum, mut total) = (0.0, 0.0);
        for place in first..self.actions.len() {
            let outcome = self.actions[place];
            let weight = f64::from(position.weight(outcome));
            let mut next = position.clone();
            next.apply(outcome);
            sum += weight * self.value(&next, player, weights)?;
            total += weight;
        }
        self.actions.truncate(first);
        Some(if total > 0.0 { sum / total } else { win_rate(position, player, weights) })
    }

    /// Searches some chains of each action.
    fn descend(&mut self, position: &G, player: usize, weights: &[f64], rng: &mut Rng) -> Choice<G::Action> {
        self.actions.clear();
        position.actions(&mut self.actions);
        let each = self.most.div_ceil(self.actions.len().max(1));
        let (mut best, mut value) = (None, f64::NEG_INFINITY);
        for &action in &self.actions {
            let mut next = position.clone();
            next.apply(action);
            let mut chains = Chains::new(next, action, player, DEEPEST, BYTES, Rng::new(rng.bits(), 0));
            let mut leaf = |position: &G, _: &mut Rng| win_rate(position, player, weights);
            for _ in 0..each {
                if chains.descend(&mut leaf) != Descent::Made {
                    break;
                }
            }
            if let Some(worth) = chains.value().filter(|&worth| worth > value) {
                (best, value) = (Some(action), worth);
            }
        }
        Choice { action: best, value }
    }
}
