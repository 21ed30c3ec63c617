//! A small game for unit tests.

use crate::{Game, Turn};

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
        if self.stones == 0 {
            Turn::Over
        } else {
            Turn::Player(self.player)
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.stones.min(3));
    }
    fn apply(&mut self, take: u8) {
        self.stones -= take;
        self.player = 1 - self.player;
    }
    fn reward(&self, player: usize) -> f64 {
        if player == self.player {
            0.0
        } else {
            1.0
        }
    }
}
