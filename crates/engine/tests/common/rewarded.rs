//! A random game with rewards of a given kind.

use boughs::{Game, Rewards, Turn};

use super::Thicket;

/// Every player always wins, and rewards are declared to be halves.
pub(crate) const WINS_AS_HALVES: u8 = 0;
/// Every player always wins, and rewards are declared to be any between 0 and 1.
pub(crate) const WINS_AS_SHARES: u8 = 1;
/// Every player always wins, and rewards are declared to be scores.
pub(crate) const WINS_AS_SCORES: u8 = 2;
/// Rewards are scores of either sign.
pub(crate) const SCORES: u8 = 3;

/// A [`Thicket`] with rewards of one of these kinds.
#[derive(Clone, Debug)]
pub(crate) struct Rewarded<const KIND: u8>(Thicket<false>);

impl<const KIND: u8> Rewarded<KIND> {
    pub(crate) fn new(seed: u64, players: usize) -> Self {
        Rewarded(Thicket::new(seed, players))
    }
}

impl<const KIND: u8> Game for Rewarded<KIND> {
    type Action = u8;
    const REWARDS: Rewards = match KIND {
        WINS_AS_HALVES => Rewards { halves: true, ..Rewards::ANY },
        WINS_AS_SHARES => Rewards::ANY,
        _ => Rewards::SCORES,
    };
    const MAX_PLIES: u32 = Thicket::<false>::MAX_PLIES;

    fn players(&self) -> usize {
        self.0.players()
    }
    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self, out: &mut Vec<u8>) {
        self.0.actions(out);
    }
    fn apply(&mut self, action: u8) {
        self.0.apply(action);
    }
    fn reward(&self, player: usize) -> f64 {
        if KIND == SCORES { 9.0 * self.0.reward(player) - 4.0 } else { 1.0 }
    }
}
