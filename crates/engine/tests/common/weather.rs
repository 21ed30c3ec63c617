//! A random game with chance, and optionally with hidden cards and scores.

use boughs::{Game, Information, Rewards, Rng, Turn};

use super::mix;

/// Like [`Thicket`](super::Thicket), but chance acts now and then, and a player's card decides their legal actions.
/// With `HIDDEN` players do not see the cards of others; with `SCORES` rewards are scores of either sign without
/// bounds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weather<const HIDDEN: bool, const SCORES: bool> {
    /// A hash of everything that all players have seen.
    seen: u64,
    cards: Vec<u8>,
    ply: u32,
}

/// The number of different cards.
const CARDS: u32 = 4;

impl<const HIDDEN: bool, const SCORES: bool> Weather<HIDDEN, SCORES> {
    pub(crate) fn new(seed: u64, players: usize) -> Self {
        let mut rng = Rng::new(seed, 0);
        Weather { seen: mix(seed), cards: (0..players).map(|_| rng.below(CARDS) as u8).collect(), ply: 0 }
    }
}

impl<const HIDDEN: bool, const SCORES: bool> Game for Weather<HIDDEN, SCORES> {
    type Action = u16;
    const REWARDS: Rewards = if SCORES { Rewards::SCORES } else { Rewards::ANY };
    const INFORMATION: Information = if HIDDEN { Information::Hidden } else { Information::Perfect };
    const MAX_PLIES: u32 = 12;

    fn players(&self) -> usize {
        self.cards.len()
    }
    fn turn(&self) -> Turn {
        match (self.seen >> 8) % 5 {
            _ if self.ply == 12 || self.ply > 2 && self.seen.is_multiple_of(9) => Turn::Over,
            0 if self.ply > 0 => Turn::Chance,
            _ => Turn::Player((self.seen >> 16) as usize % self.cards.len()),
        }
    }
    fn actions(&self, out: &mut Vec<u16>) {
        let first = match self.turn() {
            Turn::Player(player) => u16::from(self.cards[player]),
            Turn::Chance | Turn::Over => 0,
        };
        out.extend((0..1 + (self.seen >> 24) as u16 % 4).map(|action| first + 2 * action));
    }
    fn weight(&self, outcome: u16) -> u32 {
        1 + u32::from(outcome)
    }
    fn apply(&mut self, action: u16) {
        self.seen = mix(self.seen.wrapping_add(u64::from(action + 1) * 0x1234_5678_9abc));
        self.ply += 1;
    }
    fn reward(&self, player: usize) -> f64 {
        let own = u64::from(self.cards[player]);
        let share = (mix(self.seen ^ player as u64 ^ own << 40) >> 40) as f64 / (1 << 24) as f64;
        if SCORES { 1000.0 * share - 700.0 } else { share }
    }
    fn information(&self, player: usize) -> u64 {
        mix(self.seen ^ u64::from(self.cards[player]) << 32 ^ player as u64)
    }
    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        for (_, card) in self.cards.iter_mut().enumerate().filter(|(other, _)| *other != player) {
            *card = rng.below(CARDS) as u8;
        }
    }
}
