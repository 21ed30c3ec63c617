//! Rewards and their declaration.

use boughs::{Game, Rewards, Turn};

use super::{fails, passes};

const SCORES: u8 = 0;
const UNKNOWN: u8 = 1;
const TOO_MUCH: u8 = 2;
const INFINITE: u8 = 3;
const HALVES_AND_SCORES: u8 = 4;
const BOUNDS_THE_WRONG_WAY: u8 = 5;
const BOUNDS_WITHOUT_END: u8 = 6;
const CUT_OUTSIDE: u8 = 7;
const WRONG_SUM: u8 = 8;
const TOO_LARGE: u8 = 9;

/// One player takes one of two prizes, and the other player pays it.
#[derive(Clone)]
struct Prize<const CASE: u8>(Option<u8>);

impl<const CASE: u8> Game for Prize<CASE> {
    type Action = u8;
    const REWARDS: Rewards = match CASE {
        UNKNOWN | INFINITE | TOO_LARGE => Rewards::SCORES,
        HALVES_AND_SCORES => Rewards { halves: true, ..Rewards::scores(-1.0, 1.0) },
        BOUNDS_THE_WRONG_WAY => Rewards::scores(1.0, -1.0),
        BOUNDS_WITHOUT_END => Rewards::scores(0.0, f64::INFINITY),
        _ => Rewards { sum: Some(0.0), ..Rewards::scores(-1e6, 1e6) },
    };

    fn turn(&self) -> Turn {
        if self.0.is_some() { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend([3, 7]);
    }
    fn apply(&mut self, prize: u8) {
        self.0 = Some(prize);
    }
    fn reward(&self, player: usize) -> f64 {
        let prize = f64::from(self.0.unwrap_or(0));
        match (CASE, player) {
            (UNKNOWN, _) => prize * 1e8,
            (TOO_LARGE, _) => prize * 1e9,
            (INFINITE, _) => 1.0 / (prize - 7.0),
            (TOO_MUCH, 0) => prize * 1e6,
            (WRONG_SUM, 0) => prize,
            // A third of a large number has a large rounding error.
            (_, 0) => prize * 1e5 / 3.0 + 0.1,
            (WRONG_SUM, _) => -prize + 0.01,
            _ => -prize * 1e5 / 3.0 - 0.1,
        }
    }
    fn cut_reward(&self, _: usize) -> f64 {
        if CASE == CUT_OUTSIDE { 2e6 } else { 0.0 }
    }
}

#[test]
fn scores_within_their_bounds_pass() {
    passes(&Prize::<SCORES>(None));
    passes(&Prize::<UNKNOWN>(None));
}

#[test]
fn rewards_stay_within_their_declaration() {
    fails(&Prize::<TOO_MUCH>(None), "player 0's reward is 7000000, outside -1000000..=1000000");
    fails(&Prize::<INFINITE>(None), "player 0's reward is inf, which is no finite number");
    fails(&Prize::<CUT_OUTSIDE>(None), "player 0's `cut_reward` is 2000000, outside -1000000..=1000000");
    fails(&Prize::<TOO_LARGE>(None), "outside -2147483648..=2147483648");
    fails(&Prize::<WRONG_SUM>(None), "not to the declared 0.0");
}

#[test]
fn the_declaration_of_rewards_can_be_true() {
    fails(&Prize::<HALVES_AND_SCORES>(None), "declares that rewards are 0, 1/2 or 1, and bounds other than 0..=1");
    fails(&Prize::<BOUNDS_THE_WRONG_WAY>(None), "declares rewards from 1 to -1");
    fails(&Prize::<BOUNDS_WITHOUT_END>(None), "declares rewards from 0 to inf");
}
