//! Random trees of positions that are grown from a hash.

use boughs::{Rng, Turn};

pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ (word >> 29)
}

/// The number between 0 and 1 of a hash.
pub(crate) fn share(word: u64) -> f64 {
    (word >> 40) as f64 / (1 << 24) as f64
}

fn after(hash: u64, action: u32) -> u64 {
    mix(hash.wrapping_add(u64::from(action) * 0x1234_5678_9abc))
}

/// The rewards of a [`Thicket`].
#[derive(Clone, Copy)]
pub(crate) enum Pays {
    Halves,
    /// Any number between 0 and 1.
    Shares,
    /// Scores of either sign.
    Scores,
    /// Every player always wins.
    Wins,
    /// Wins, draws and losses of two players in turn, in games of at most seven plies.
    Duels,
}

/// A random tree of positions: one to five actions each and now and then many, players in any order, and games of very
/// different lengths.
#[derive(Clone)]
pub(crate) struct Thicket {
    hash: u64,
    pub(crate) players: usize,
    pays: Pays,
}

impl Thicket {
    pub(crate) fn new(seed: u64, players: usize, pays: Pays) -> Thicket {
        Thicket { hash: mix(seed), players, pays }
    }

    pub(crate) fn turn(&self, ply: u32) -> Turn {
        let is_duel = matches!(self.pays, Pays::Duels);
        let is_over = match is_duel {
            true => ply > 1 && self.hash.is_multiple_of(4) || ply >= 7,
            false => ply > 2 && self.hash.is_multiple_of(9) || ply >= 16,
        };
        match is_over {
            true => Turn::Over,
            false if is_duel => Turn::Player(ply as usize % 2),
            false => Turn::Player((self.hash >> 8) as usize % self.players),
        }
    }

    pub(crate) fn codes(&self, ply: u32) -> impl Iterator<Item = u32> + use<> {
        let count = match ply {
            0 => 5,
            _ if (self.hash >> 24).is_multiple_of(8) => 6 + (self.hash >> 16) % 20,
            _ => 1 + (self.hash >> 16) % 5,
        };
        (0..count as u32).map(|action| action * 3 + 1)
    }

    pub(crate) fn apply(&mut self, action: u32) {
        self.hash = after(self.hash, action);
    }

    pub(crate) fn reward(&self, player: usize) -> f64 {
        let word = mix(self.hash ^ player as u64);
        match self.pays {
            Pays::Halves => ((word >> 40) % 3) as f64 / 2.0,
            Pays::Shares => share(word),
            Pays::Scores => 9.0 * share(word) - 4.0,
            Pays::Wins => 1.0,
            Pays::Duels if player == 1 => 1.0 - self.reward(0),
            Pays::Duels => [0.0, 0.0, 0.5, 1.0, 1.0][(word >> 40) as usize % 5],
        }
    }
}

/// The number of different cards.
const CARDS: u32 = 4;

/// Like a [`Thicket`], but chance acts now and then, and a player's card decides their legal actions and their reward.
/// Where information is hidden players do not see the cards of others.
#[derive(Clone)]
pub(crate) struct Weather {
    /// A hash of everything that all players have seen.
    seen: u64,
    cards: [u8; 4],
    pub(crate) players: usize,
}

impl Weather {
    pub(crate) fn new(seed: u64, players: usize) -> Weather {
        let (mut rng, mut cards) = (Rng::new(seed, 0), [0; 4]);
        cards[..players].fill_with(|| rng.below(CARDS) as u8);
        Weather { seen: mix(seed), cards, players }
    }

    pub(crate) fn turn(&self, ply: u32) -> Turn {
        match (self.seen >> 8) % 5 {
            _ if ply == 12 || ply > 2 && self.seen.is_multiple_of(9) => Turn::Over,
            0 if ply > 0 => Turn::Chance,
            _ => Turn::Player((self.seen >> 16) as usize % self.players),
        }
    }

    pub(crate) fn codes(&self, ply: u32) -> impl Iterator<Item = u32> + use<> {
        let first = match self.turn(ply) {
            Turn::Player(player) => u32::from(self.cards[player]),
            Turn::Chance | Turn::Over => 0,
        };
        (0..1 + (self.seen >> 24) as u32 % 4).map(move |action| first + 2 * action)
    }

    pub(crate) fn apply(&mut self, action: u32) {
        self.seen = after(self.seen, action + 1);
    }

    pub(crate) fn share(&self, player: usize) -> f64 {
        share(mix(self.seen ^ player as u64 ^ u64::from(self.cards[player]) << 40))
    }

    pub(crate) fn information(&self, player: usize) -> u64 {
        mix(self.seen ^ u64::from(self.cards[player]) << 32 ^ player as u64)
    }

    pub(crate) fn determinize(&mut self, player: usize, rng: &mut Rng) {
        for (_, card) in self.cards[..self.players].iter_mut().enumerate().filter(|(other, _)| *other != player) {
            *card = rng.below(CARDS) as u8;
        }
    }
}
