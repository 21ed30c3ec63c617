//! A game whose rules are a random tree, for tests of searches: every fact about it can be computed.

use boughs_core::{Game, Information, Rewards, Rng, Turn, TurnOrder};

/// A position of a random tree of two players, in which chance acts too if `LUCK` is true. The hash of the way to it
/// says all. An end is a win or a loss, and seldom a draw.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grove<const LUCK: bool> {
    hash: u64,
    plies: u32,
}

impl<const LUCK: bool> Grove<LUCK> {
    pub(crate) fn new(seed: u64) -> Self {
        Grove { hash: Rng::new(seed, 1).bits(), plies: 0 }
    }

    fn draw(&self, what: u64, below: u64) -> u64 {
        Rng::new(self.hash, what).bits() % below
    }

    /// The value for the first player if both play as well as possible.
    pub(crate) fn value(&self) -> f64 {
        let (mut actions, after) = (Vec::new(), |action| {
            let mut after = self.clone();
            after.apply(action);
            after
        });
        let turn = self.turn();
        if turn == Turn::Over {
            return self.reward(0);
        }
        self.actions(&mut actions);
        let values = actions.iter().map(|&action| after(action).value());
        match turn {
            Turn::Player(0) => values.fold(0.0, f64::max),
            Turn::Player(_) => values.fold(1.0, f64::min),
            _ => {
                let weights: Vec<f64> = actions.iter().map(|&action| f64::from(self.weight(action))).collect();
                values.zip(&weights).map(|(value, weight)| value * weight).sum::<f64>() / weights.iter().sum::<f64>()
            }
        }
    }
}

impl<const LUCK: bool> Game for Grove<LUCK> {
    type Action = u16;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Any;
    const INFORMATION: Information = Information::Perfect;

    fn turn(&self) -> Turn {
        match (self.plies, self.draw(0, 8)) {
            (7.., _) => Turn::Over,
            (3.., 0) => Turn::Over,
            (1.., 1 | 2) if LUCK => Turn::Chance,
            (_, other) => Turn::Player((self.plies as usize + usize::from(other == 7)) % 2),
        }
    }
    fn actions(&self, out: &mut Vec<u16>) {
        out.extend((0..2 + self.draw(1, 3) as u16).map(|index| index * 300));
    }
    fn apply(&mut self, action: u16) {
        self.hash = Rng::new(self.hash, 100 + u64::from(action)).bits();
        self.plies += 1;
    }
    fn reward(&self, player: usize) -> f64 {
        let first = match self.draw(2, 9) {
            0 => 0.5,
            other => (other % 2) as f64,
        };
        if player == 0 {
            first
        } else {
            1.0 - first
        }
    }
    fn weight(&self, outcome: u16) -> u32 {
        1 + u32::from(outcome / 300)
    }
}
