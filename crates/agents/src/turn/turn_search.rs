//! The best turn by given weights: every chain of actions to the end of the turn, with equal positions searched once.
//!
//! Chains that lead to the same position are merged, so most turns have a few hundred positions however many chains
//! they have. Where there are more than the limit, each action gets its share of the limit, actions with few
//! positions leave the rest of their share to the others, and the actions that are still too large are sampled by
//! random traversals ([`Chains`]).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use boughs::run::turn_goes_on;
use boughs::{Rng, Turn};
use boughs_games::{Features, advantage, logistic, win_rate};

use super::{Chains, Traversal, Typed};

/// The depth limit within a turn, in actions.
const DEEPEST: usize = 64;

/// The memory limit of random traversals, of which they use a small part.
const BYTES: usize = 1 << 26;

/// The divisor of the limit for the later decisions of a turn that was not searched to its end. Most of their
/// positions are known from the first decision.
const LATER: usize = 4;

/// The number of times that the rest of the limit is shared. Values stay known from one round to the next, but the
/// paths to unfinished positions have to be searched again.
const ROUNDS: usize = 2;

/// The positions between two looks at the clock.
const POSITIONS_AT_ONCE: usize = 256;

/// The cost of a random traversal in positions.
const CHAIN: usize = 8;

/// The random traversals between two looks at the clock. Each action gets at least one.
const CHAINS_AT_ONCE: usize = 64;

/// A search for the best turns, one after the other.
#[derive(Clone)]
pub struct TurnSearch<G: Features> {
    /// The limit of positions for the first decision of a turn.
    most: usize,
    /// The limit of positions for the next decision.
    quota: usize,
    /// The values of the positions of this turn to the player who acts.
    known: HashMap<u64, f64, BuildHasherDefault<Key>>,
    /// The positions that are left of the limit.
    left: usize,
    actions: Vec<G::Action>,
}

/// A choice and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<A> {
    /// The action to play; `None` where there is none.
    pub action: Option<A>,
    /// The share of games that the player wins by it.
    pub value: f64,
}

/// All actions of a decision, in the order of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionValues<A> {
    /// Each action with the share of games that its player wins by it.
    pub actions: Vec<(A, f64)>,
    /// True if everything that may follow in the turn was searched. Then the best later decisions are known too.
    pub is_whole: bool,
}

/// A hasher for keys, which are good hashes already.
#[derive(Clone, Copy, Default)]
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

/// The conditions of a search: the player, the weights, and when to end.
struct Asked<'a, S> {
    player: usize,
    weights: &'a [f64],
    /// Returns true if the search has to end.
    ask: S,
    /// The last answer.
    is_spent: bool,
    /// The positions since the last question.
    seen: usize,
}

impl<S: FnMut() -> bool> Asked<'_, S> {
    /// The advantage of the player.
    fn advantage(&self, position: &impl Features) -> f64 {
        let advantage = advantage(position, self.weights);
        if self.player == 0 { advantage } else { -advantage }
    }

    /// Counts a position.
    fn count(&mut self) {
        self.seen += 1;
        if self.seen == POSITIONS_AT_ONCE {
            self.seen = 0;
            self.look();
        }
    }

    fn look(&mut self) -> bool {
        self.is_spent = self.is_spent || (self.ask)();
        self.is_spent
    }
}

impl<G: Features> TurnSearch<G> {
    /// Creates searches that examine at most `most` positions for the first decision of a turn, and a quarter of that
    /// for each later one. Positions where the turn ends count, and a position that is examined twice counts twice.
    /// Where the limit is too low, random traversals come on top, which take about the same time again.
    pub fn new(most: usize) -> TurnSearch<G> {
        TurnSearch { most, quota: most, known: HashMap::default(), left: 0, actions: Vec::new() }
    }

    /// Begins a turn: forgets the last one. Call it also when the weights change.
    pub fn begin(&mut self) {
        self.known.clear();
        self.quota = self.most;
    }

    /// The best action of the player to move. At the player's next decision in the same turn the known values are
    /// used again. `ask` is called now and then; once it returns true the search ends with the values so far.
    pub fn choose(
        &mut self,
        position: &G,
        player: usize,
        weights: &[f64],
        rng: &mut Rng,
        ask: impl FnMut() -> bool,
    ) -> Choice<G::Action> {
        let mut best: Option<(G::Action, f64)> = None;
        self.each(position, Asked { player, weights, ask, is_spent: false, seen: 0 }, rng, |action, value| {
            if best.is_none_or(|(_, other)| value > other) {
                best = Some((action, value));
            }
        });
        match best {
            Some((action, value)) => Choice { action: Some(action), value },
            None => Choice { action: None, value: win_rate(position, player, weights) },
        }
    }

    /// All actions of the player to move with their values, found in the same way.
    pub fn values(
        &mut self,
        position: &G,
        player: usize,
        weights: &[f64],
        rng: &mut Rng,
        ask: impl FnMut() -> bool,
    ) -> ActionValues<G::Action> {
        let mut actions = Vec::new();
        let asked = Asked { player, weights, ask, is_spent: false, seen: 0 };
        let is_whole = self.each(position, asked, rng, |action, value| actions.push((action, value)));
        ActionValues { actions, is_whole }
    }

    /// Gives each action with its value to `see`. Returns true if everything that may follow was searched.
    fn each(
        &mut self,
        position: &G,
        mut asked: Asked<'_, impl FnMut() -> bool>,
        rng: &mut Rng,
        mut see: impl FnMut(G::Action, f64),
    ) -> bool {
        self.actions.clear();
        position.actions(&mut self.actions);
        let count = self.actions.len();
        let next = |action| {
            let mut next = position.clone();
            next.apply(action);
            next
        };
        let (mut values, mut open, mut quota) = (vec![0.0; count], Vec::from_iter(0..count), self.quota);
        for _ in 0..ROUNDS {
            let mut others = open.len();
            open.retain(|&place| {
                let share = quota / others;
                (self.left, others) = (share, others - 1);
                let value = self.value(&next(self.actions[place]), &mut asked, 1);
                quota -= share - self.left;
                self.actions.truncate(count);
                value.map(|value| values[place] = value).is_none()
            });
            if open.is_empty() || asked.is_spent {
                break;
            }
        }
        if !open.is_empty() {
            self.sample(&open, next, &mut values, &mut asked, rng);
        }
        self.quota = self.most / LATER;
        self.actions.iter().zip(values).for_each(|(&action, value)| see(action, value));
        open.is_empty()
    }

    /// Values actions by random traversals, the same number for each.
    fn sample(
        &self,
        places: &[usize],
        next: impl Fn(G::Action) -> G,
        values: &mut [f64],
        asked: &mut Asked<'_, impl FnMut() -> bool>,
        rng: &mut Rng,
    ) {
        let (player, weights) = (asked.player, asked.weights);
        let mut leaf = |position: &Typed<G>, _: &mut Rng| win_rate(&position.0, player, weights);
        let chains = places.iter().map(|&place| {
            let action = self.actions[place];
            Chains::new(Typed(next(action)), action, player, DEEPEST, BYTES / places.len(), Rng::new(rng.bits(), 0))
        });
        let (mut chains, mut left) = (Vec::from_iter(chains), (self.quota / CHAIN).max(1).div_ceil(places.len()));
        while left > 0 {
            // Without time each action gets one traversal.
            let count = if asked.is_spent { 1 } else { left.min(CHAINS_AT_ONCE.div_ceil(places.len())) };
            for chains in &mut chains {
                let _ = (0..count).all(|_| chains.traverse(1, &mut leaf) == Traversal::Made);
            }
            left = if asked.look() { 0 } else { left - count };
        }
        for (&place, chains) in places.iter().zip(&chains) {
            values[place] = chains.value().unwrap_or_else(|| win_rate(&next(self.actions[place]), player, weights));
        }
    }

    /// The value of a position of the turn, or of its end, to the player; `None` if the limit or the time does not
    /// suffice.
    fn value(&mut self, position: &G, asked: &mut Asked<'_, impl FnMut() -> bool>, depth: usize) -> Option<f64> {
        if depth >= DEEPEST || !turn_goes_on(position, asked.player) {
            return Some(win_rate(position, asked.player, asked.weights));
        }
        let key = position.key();
        if let Some(&value) = self.known.get(&key) {
            return Some(value);
        }
        let is_luck = position.turn() == Turn::Chance;
        let first = self.actions.len();
        position.actions(&mut self.actions);
        let (mut best, mut ahead, mut sum, mut total) = (None, None, 0.0, 0.0);
        for place in first..self.actions.len() {
            if self.left == 0 || asked.is_spent {
                return None;
            }
            self.left -= 1;
            asked.count();
            let action = self.actions[place];
            let mut next = position.clone();
            next.apply(action);
            // Of several ends of the turn the one with the greatest advantage is the best, so only that one is turned
            // into a share.
            if !is_luck && !turn_goes_on(&next, asked.player) && next.settled().is_none() {
                ahead = better(ahead, asked.advantage(&next));
                continue;
            }
            let value = self.value(&next, asked, depth + 1)?;
            best = better(best, value);
            if is_luck {
                let weight = f64::from(position.weight(action));
                (sum, total) = (sum + weight * value, total + weight);
            }
        }
        self.actions.truncate(first);
        let value = match is_luck {
            true => (total > 0.0).then(|| sum / total),
            false => ahead.map_or(best, |ahead| better(best, logistic(ahead))),
        };
        let value = value.unwrap_or_else(|| win_rate(position, asked.player, asked.weights));
        self.known.insert(key, value);
        Some(value)
    }
}

/// The greater of two values.
fn better(one: Option<f64>, other: f64) -> Option<f64> {
    Some(one.map_or(other, |one| one.max(other)))
}
