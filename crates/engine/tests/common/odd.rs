//! Games that break their promises or have extreme rewards.

use boughs::Turn;

use super::bomb::Method;
use super::table::{Event, Spot};
use super::{Scores, WideOutcomes};

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

/// A game of ten plies and three actions that can be made to misbehave, most often at a position well inside the tree.
pub(crate) fn odd(fault: Fault) -> WideOutcomes {
    WideOutcomes::table(2, [0, 0], |[ply, sum]| {
        if ply == 10 || fault == Fault::OverAtStart {
            let spot = Spot::over_for_two(if sum.is_multiple_of(2) { 1.0 } else { 0.0 });
            return match fault {
                Fault::PanicInReward if sum == 7 => spot.with(Method::Reward, Event::Panic("no reward for you")),
                Fault::Reward(reward) if sum == 7 => Spot::over(&[reward; 2]),
                _ => spot,
            };
        }
        let is_marked = [ply, sum] == [3, 4];
        let after = |action: u32| match (ply + 1, sum + u64::from(action)) {
            (ply, sum) if fault == Fault::Endless => [ply % 2, sum % 2],
            (ply, sum) => [ply, sum],
        };
        let spot = Spot::player(ply % 2, (0..3).map(|action| (action, after(action))));
        match fault {
            Fault::PanicInApply if is_marked => spot.with(Method::Apply, Event::Panic("no move for you")),
            Fault::PanicAtRoot if [ply, sum] == [1, 2] => spot.with(Method::Apply, Event::Panic("not this one")),
            Fault::PanicInActions if is_marked => spot.with(Method::Actions, Event::Panic("no list for you")),
            Fault::NoActions if is_marked => Spot::player(1, []),
            Fault::NoActionsAtStart => Spot::player(0, []),
            Fault::UnknownPlayer if is_marked => Spot { turn: Turn::Player(9), ..spot },
            Fault::UnknownPlayerAtStart if ply == 0 => Spot { turn: Turn::Player(9), ..spot },
            _ => spot,
        }
    })
}

pub(crate) const FORTUNE: f64 = (1u64 << 31) as f64;

/// One choice of three prizes, each larger than the one before, so large that sums fill up within hundreds of playouts.
pub(crate) fn riches() -> Scores {
    Scores::table(1, [0, 0], |[ply, prize]| match ply {
        0 => Spot::player(0, (0..3).map(|prize| (prize, [1, u64::from(prize)]))),
        _ => Spot::over(&[FORTUNE * (prize as f64 - 1.0)]),
    })
}
