//! The best turn by given weights: every chain of actions to the end of the turn, with equal positions searched once.
//!
//! Chains that lead to the same position are one, so most turns take a few hundred positions however many chains they have. Where
//! there are more than are allowed, each action gets its share of them, what small ones leave goes to the others, and what an action
//! leads to that is still too large is searched by random descents ([`Chains`]).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::{Features, advantage, logistic, win_rate};
use crate::chains::{Chains, Descent};
use crate::game::turn_goes_on;
use crate::{Rng, Turn};

/// No search goes deeper into a turn than this.
const DEEPEST: usize = 64;

/// The most memory for random descents; they take a small part of it.
const BYTES: usize = 1 << 26;

/// Later decisions of a turn that was not searched to its end may look at so many times fewer positions than its first one: much of
/// what they need was searched then.
const LATER: usize = 4;

/// How often what small actions have left is shared by the others. What was searched stays known, but the way to where it ended has
/// to be gone again.
const ROUNDS: usize = 2;

/// Positions between two looks at the clock.
const POSITIONS_AT_ONCE: usize = 256;

/// A random descent takes as long as so many positions.
const CHAIN: usize = 8;

/// Random descents between two looks at the clock, but for at least one from each action.
const CHAINS_AT_ONCE: usize = 64;

/// Finds the best turns, one after the other.
#[derive(Clone)]
pub struct TurnSearch<G: Features> {
    /// The most positions that are looked at for the first decision of a turn.
    most: usize,
    /// The same for the next one.
    quota: usize,
    /// Positions of this turn, and what they are worth to whose turn it is.
    known: HashMap<u64, f64, BuildHasherDefault<Key>>,
    /// How many more may be looked at by now.
    left: usize,
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

/// All actions of a decision, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking<A> {
    /// Each with the share of games that its player wins by it. Equals are in the order of the game.
    pub actions: Vec<(A, f64)>,
    /// Whether everything that may follow in the turn was searched. Then it is known what is best at its later decisions.
    pub is_whole: bool,
}

/// Keys are good hashes already.
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

/// For whom a turn is searched, by which weights, and how long.
struct Asked<'a, S> {
    player: usize,
    weights: &'a [f64],
    /// Whether the search has to end.
    ask: S,
    /// What it said.
    is_spent: bool,
    /// Positions since it was asked.
    seen: usize,
}

impl<S: FnMut() -> bool> Asked<'_, S> {
    /// The advantage of the player.
    fn advantage(&self, position: &impl Features) -> f64 {
        let advantage = advantage(position, self.weights);
        if self.player == 0 { advantage } else { -advantage }
    }

    /// A position is looked at.
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
    /// Searches that look at so many positions for the first decision of a turn at most, and at a quarter of them for each one after
    /// it. Those where the turn ends count, and those that are looked at twice count twice. Where that is not enough, random descents
    /// come on top that take about as long again.
    pub fn new(most: usize) -> TurnSearch<G> {
        TurnSearch { most, quota: most, known: HashMap::default(), left: 0, actions: Vec::new() }
    }

    /// A turn begins: forgets the last one. Also to be called when weights change.
    pub fn begin(&mut self) {
        self.known.clear();
        self.quota = self.most;
    }

    /// The best action of a player whose turn it is. Asked again at the player's next decision of the same turn, it knows what it
    /// has searched. `ask` is asked now and then whether to end soon, with what is known by then.
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

    /// All actions of a player whose turn it is, found in the same way.
    pub fn rank(
        &mut self,
        position: &G,
        player: usize,
        weights: &[f64],
        rng: &mut Rng,
        ask: impl FnMut() -> bool,
    ) -> Ranking<G::Action> {
        let mut actions = Vec::new();
        let asked = Asked { player, weights, ask, is_spent: false, seen: 0 };
        let is_whole = self.each(position, asked, rng, |action, value| actions.push((action, value)));
        actions.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        Ranking { actions, is_whole }
    }

    /// Sees each action with its value, and says whether everything that may follow was searched.
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
                value.inspect(|&value| values[place] = value).is_none()
            });
            if open.is_empty() || asked.is_spent {
                break;
            }
        }
        if !open.is_empty() {
            self.descend(&open, next, &mut values, &mut asked, rng);
        }
        self.quota = self.most / LATER;
        self.actions.iter().zip(values).for_each(|(&action, value)| see(action, value));
        open.is_empty()
    }

    /// Values actions by random descents: all get the same number of them.
    fn descend(
        &self,
        places: &[usize],
        next: impl Fn(G::Action) -> G,
        values: &mut [f64],
        asked: &mut Asked<'_, impl FnMut() -> bool>,
        rng: &mut Rng,
    ) {
        let (player, weights) = (asked.player, asked.weights);
        let mut leaf = |position: &G, _: &mut Rng| win_rate(position, player, weights);
        let chains = places.iter().map(|&place| {
            let action = self.actions[place];
            Chains::new(next(action), action, player, DEEPEST, BYTES / places.len(), Rng::new(rng.bits(), 0))
        });
        let (mut chains, mut left) = (Vec::from_iter(chains), (self.quota / CHAIN).max(1).div_ceil(places.len()));
        while left > 0 {
            // Who has no time has one of each.
            let count = if asked.is_spent { 1 } else { left.min(CHAINS_AT_ONCE.div_ceil(places.len())) };
            for chains in &mut chains {
                let _ = (0..count).all(|_| chains.descend(1, &mut leaf) == Descent::Made);
            }
            left = if asked.look() { 0 } else { left - count };
        }
        for (&place, chains) in places.iter().zip(&chains) {
            values[place] = chains.value().unwrap_or_else(|| win_rate(&next(self.actions[place]), player, weights));
        }
    }

    /// What a position of the turn, or its end, is worth to the player; `None` if there is no room or no time for all of it.
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
            // Of ends of the turn the one with the greatest advantage is the best: no need to turn all into shares.
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
