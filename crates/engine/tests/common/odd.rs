//! Games that break their promises or have extreme rewards.

use boughs::{Game, Rewards, Turn};

/// A game of ten plies and three actions that can be made to misbehave.
#[derive(Clone, Debug)]
pub(crate) struct Odd {
    pub(crate) ply: u32,
    sum: u32,
    fault: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    None,
    PanicInApply,
    PanicInActions,
    PanicInReward,
    NoActions,
    NoActionsAtStart,
    Reward(f64),
    Endless,
    OverAtStart,
    PanicAtRoot,
    UnknownPlayer,
    UnknownPlayerAtStart,
}

impl Odd {
    pub(crate) fn new(fault: Fault) -> Odd {
        Odd { ply: 0, sum: 0, fault }
    }

    /// Returns true for a position well inside the tree.
    fn is_marked(&self) -> bool {
        self.ply == 3 && self.sum == 4
    }
}

impl Game for Odd {
    type Action = u32;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const MAX_PLIES: u32 = 50;
    fn turn(&self) -> Turn {
        let over = self.ply >= 10 && self.fault != Fault::Endless || self.fault == Fault::OverAtStart;
        match over {
            true => Turn::Over,
            false if self.fault == Fault::UnknownPlayer && self.is_marked() => Turn::Player(9),
            false if self.fault == Fault::UnknownPlayerAtStart && self.ply == 0 => Turn::Player(9),
            false => Turn::Player(self.ply as usize % 2),
        }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        match self.fault {
            Fault::PanicInActions if self.is_marked() => panic!("no list for you"),
            Fault::NoActions if self.is_marked() => {}
            Fault::NoActionsAtStart => {}
            _ => out.extend([0, 1, 2]),
        }
    }
    fn apply(&mut self, action: u32) {
        self.ply += 1;
        self.sum += action;
        assert!(!(self.fault == Fault::PanicInApply && self.is_marked()), "no move for you");
        assert!(!(self.fault == Fault::PanicAtRoot && self.ply == 1 && action == 2), "not this one");
    }
    fn reward(&self, player: usize) -> f64 {
        match self.fault {
            Fault::PanicInReward if self.sum == 7 => panic!("no reward for you"),
            Fault::Reward(reward) if self.sum == 7 => reward,
            _ => f64::from(u8::from(self.sum.is_multiple_of(2) == (player == 0))),
        }
    }
}

/// One choice of three prizes, each larger than the one before, so large that sums fill up within hundreds of playouts.
#[derive(Clone)]
pub(crate) struct Riches(pub(crate) Option<u32>);

pub(crate) const FORTUNE: f64 = (1u64 << 31) as f64;

impl Game for Riches {
    type Action = u32;
    const REWARDS: Rewards = Rewards::SCORES;
    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        if self.0.is_none() { Turn::Player(0) } else { Turn::Over }
    }
    fn actions(&self, out: &mut Vec<u32>) {
        out.extend([0, 1, 2]);
    }
    fn apply(&mut self, prize: u32) {
        self.0 = Some(prize);
    }
    fn reward(&self, _: usize) -> f64 {
        FORTUNE * (f64::from(self.0.unwrap_or(0)) - 1.0)
    }
}
