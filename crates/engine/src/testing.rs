//! Small games for the engine's own unit tests.

use crate::{Game, Rewards, Turn};

/// Players take one to three stones in turn. The player who takes the last stone wins.
#[derive(Clone, Debug)]
pub(crate) struct Nim {
    pub(crate) stones: u8,
    pub(crate) player: usize,
}

impl Nim {
    pub(crate) fn new(stones: u8) -> Nim {
        Nim { stones, player: 0 }
    }
}

impl Game for Nim {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.stones.min(3));
    }
    fn apply(&mut self, take: u8) {
        self.stones -= take;
        self.player = 1 - self.player;
    }
    fn reward(&self, player: usize) -> f64 {
        if player == self.player { 0.0 } else { 1.0 }
    }
}

/// The game goes on in one way for more plies than a small memory has wide lines, and in many ways for the last plies.
/// All players win. The number is that of the plies left.
#[derive(Clone)]
pub(crate) struct Corridor<const PLAYERS: usize>(pub(crate) u32);

impl<const PLAYERS: usize> Corridor<PLAYERS> {
    /// The last plies, which go in many ways.
    pub(crate) const LAST: u32 = 6;
}

impl<const PLAYERS: usize> Game for Corridor<PLAYERS> {
    type Action = u8;
    const REWARDS: Rewards = Rewards { halves: true, ..Rewards::ANY };
    const MAX_PLIES: u32 = 500 + Self::LAST;

    fn players(&self) -> usize {
        PLAYERS
    }
    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(self.0 as usize % PLAYERS) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..if self.0 > Self::LAST { 1 } else { 7 });
    }
    fn apply(&mut self, _: u8) {
        self.0 -= 1;
    }
    fn reward(&self, _: usize) -> f64 {
        1.0
    }
}
