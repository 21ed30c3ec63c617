//! The best turn by given weights: every chain of actions to the end of the turn, with equal positions searched once.
//!
//! Chains that lead to the same position are one, so most turns take a few hundred positions however many chains they have. A turn
//! with more positions than are allowed is searched by random descents instead ([`Chains`]), from where the room ran out.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::{Features, win_rate};
use crate::chains::{Chains, Descent};
use crate::{Rng, Turn};

/// No search goes deeper into a turn than this.
const DEEPEST: usize = 64;

/// Memory for random descents, which never have that many nodes.
const BYTES: usize = 1 << 26;

/// Finds the best turns, one after the other.
#[derive(Clone)]
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
        let mut best = Choice { action: None, value: f64::NEG_INFINITY };
        self.each(position, player, weights, rng, |action, value| {
            if value > best.value {
                best = Choice { action: Some(action), value };
            }
        });
        best
    }

    /// All actions of a player whose turn it is, with the share of games that the player wins by each, the best first.
    pub fn rank(&mut self, position: &G, player: usize, weights: &[f64], rng: &mut Rng) -> Vec<(G::Action, f64)> {
        let mut ranked = Vec::new();
        self.each(position, player, weights, rng, |action, value| ranked.push((action, value)));
        // The sort keeps equals in the order of the game.
        ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        ranked
    }

    /// Sees each action with its value.
    fn each(
        &mut self,
        position: &G,
        player: usize,
        weights: &[f64],
        rng: &mut Rng,
        mut see: impl FnMut(G::Action, f64),
    ) {
        self.actions.clear();
        position.actions(&mut self.actions);
        let (count, mut is_whole) = (self.actions.len(), true);
        for place in 0..count {
            let action = self.actions[place];
            let mut next = position.clone();
            next.apply(action);
            let value = self.value(&next, player, weights, 1).unwrap_or_else(|| {
                is_whole = false;
                let chains = Chains::new(next, action, player, DEEPEST, BYTES, Rng::new(rng.bits(), 0));
                descend(chains, self.most.div_ceil(count), player, weights)
            });
            self.actions.truncate(count);
            see(action, value);
        }
        if !is_whole {
            // There may be room for all that follows on one of the actions.
            self.known.clear();
        }
    }

    /// What a position of the turn, or its end, is worth to the player.
    fn value(&mut self, position: &G, player: usize, weights: &[f64], depth: usize) -> Option<f64> {
        let is_luck = match position.turn() {
            Turn::Player(other) if other == player && depth < DEEPEST => false,
            Turn::Chance if !position.ends_turn() && depth < DEEPEST => true,
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
            true => self.mean(position, player, weights, depth)?,
            false => self.best(position, player, weights, depth)?,
        };
        self.known.insert(key, value);
        Some(value)
    }

    fn best(&mut self, position: &G, player: usize, weights: &[f64], depth: usize) -> Option<f64> {
        let first = self.actions.len();
        position.actions(&mut self.actions);
        let mut best = f64::NEG_INFINITY;
        for place in first..self.actions.len() {
            let mut next = position.clone();
            next.apply(self.actions[place]);
            best = best.max(self.value(&next, player, weights, depth + 1)?);
        }
        let is_stuck = self.actions.len() == first;
        self.actions.truncate(first);
        Some(if is_stuck { win_rate(position, player, weights) } else { best })
    }

    fn mean(&mut self, position: &G, player: usize, weights: &[f64], depth: usize) -> Option<f64> {
        let first = self.actions.len();
        position.actions(&mut self.actions);
        let (mut sum, mut total) = (0.0, 0.0);
        for place in first..self.actions.len() {
            let outcome = self.actions[place];
            let weight = f64::from(position.weight(outcome));
            let mut next = position.clone();
            next.apply(outcome);
            sum += weight * self.value(&next, player, weights, depth + 1)?;
            total += weight;
        }
        self.actions.truncate(first);
        Some(if total > 0.0 { sum / total } else { win_rate(position, player, weights) })
    }
}

/// What a search of so many chains says.
fn descend<G: Features>(mut chains: Chains<G>, count: usize, player: usize, weights: &[f64]) -> f64 {
    let mut leaf = |position: &G, _: &mut Rng| win_rate(position, player, weights);
    for _ in 0..count {
        if chains.descend(1, &mut leaf) != Descent::Made {
            break;
        }
    }
    chains.value().unwrap_or(0.0)
}
