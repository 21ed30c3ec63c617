//! A gamble on a hidden bit, which the other player's turn must not give away.

use boughs::{Game, Information, Rewards, Rng, Turn};

/// The other player has the actions 0 and 1, or 2 and 3, by the bit.
pub(crate) const ACTIONS_BY_BIT: u8 = 0;
/// The other player acts once or twice, by the bit.
pub(crate) const LENGTH_BY_BIT: u8 = 1;
/// The other player acts or is left out, by the bit.
pub(crate) const TURN_BY_BIT: u8 = 2;
/// The other player or chance shows a coin, by the bit, and only the coin is seen.
pub(crate) const COIN_BY_BIT: u8 = 3;

/// The reward that the first player can have for sure.
pub(crate) const SAFE: f64 = 0.7;
/// The action that takes it, and the one that gambles.
pub(crate) const TAKE: u8 = 10;
pub(crate) const GAMBLE: u8 = 11;

/// The first player takes [`SAFE`], or gambles: then the other player acts in secret, and the first player guesses a
/// bit that only the other player knows. A gamble is worth 0.5.
#[derive(Clone, Debug)]
pub(crate) struct Gamble {
    kind: u8,
    bit: u8,
    gambles: Option<bool>,
    secret: Vec<u8>,
    guess: Option<u8>,
}

impl Gamble {
    pub(crate) fn new(kind: u8, bit: u8) -> Gamble {
        Gamble { kind, bit, gambles: None, secret: Vec::new(), guess: None }
    }

    /// The number of actions between the gamble and the guess.
    fn secrets(&self) -> usize {
        match self.kind {
            LENGTH_BY_BIT => 1 + usize::from(self.bit),
            TURN_BY_BIT => usize::from(self.bit),
            _ => 1,
        }
    }

    fn is_guessing(&self) -> bool {
        self.gambles == Some(true) && self.secret.len() == self.secrets()
    }
}

impl Game for Gamble {
    type Action = u8;
    const REWARDS: Rewards = Rewards { sum: Some(1.0), ..Rewards::ANY };
    const INFORMATION: Information = Information::Hidden;
    const MAX_PLIES: u32 = 4;

    fn turn(&self) -> Turn {
        match (self.gambles, self.guess) {
            (None, _) => Turn::Player(0),
            (Some(false), _) | (_, Some(_)) => Turn::Over,
            _ if self.is_guessing() => Turn::Player(0),
            _ if self.kind == COIN_BY_BIT && self.bit == 1 => Turn::Chance,
            _ => Turn::Player(1),
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        match self.gambles {
            None => out.extend([TAKE, GAMBLE]),
            Some(_) if !self.is_guessing() && self.kind == ACTIONS_BY_BIT => {
                out.extend([2 * self.bit, 2 * self.bit + 1])
            }
            Some(_) => out.extend([0, 1]),
        }
    }
    fn apply(&mut self, action: u8) {
        match self.gambles {
            None => self.gambles = Some(action == GAMBLE),
            Some(_) if self.is_guessing() => self.guess = Some(action),
            Some(_) => self.secret.push(action),
        }
    }
    fn reward(&self, player: usize) -> f64 {
        let first = self.guess.map_or(SAFE, |guess| f64::from(u8::from(guess == self.bit)));
        if player == 0 { first } else { 1.0 - first }
    }
    fn information(&self, player: usize) -> u64 {
        let mut seen = vec![self.gambles.map_or(0, |gambles| 1 + u8::from(gambles)), u8::from(self.is_guessing())];
        seen.push(self.guess.map_or(0, |guess| 1 + guess));
        if player == 1 {
            seen.push(self.bit);
        }
        if player == 1 || self.kind == COIN_BY_BIT {
            seen.extend(self.secret.iter().map(|&action| 1 + action));
        }
        seen.iter().fold(1, |number, &word| number * 8 + u64::from(word))
    }
    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        if player == 1 {
            return;
        }
        let is_guessing = self.is_guessing();
        let acts_for_sure = self.kind == TURN_BY_BIT && self.gambles == Some(true) && !is_guessing;
        self.bit = if acts_for_sure { 1 } else { rng.below(2) as u8 };
        if self.kind == COIN_BY_BIT && is_guessing {
            return;
        }
        let secrets = if is_guessing { self.secrets() } else { 0 };
        let least = if self.kind == ACTIONS_BY_BIT { 2 * self.bit } else { 0 };
        self.secret = (0..secrets).map(|_| least + rng.below(2) as u8).collect();
    }
}
