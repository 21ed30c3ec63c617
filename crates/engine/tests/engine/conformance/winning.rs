//! Actions that win at once, and those of heavy playouts.

use boughs::{Game, Rng, Turn};

use super::{RIGHT, fails, passes};

const MISSED: u8 = 1;
const WINS_NOTHING: u8 = 2;
const HEAVY_IS_ILLEGAL: u8 = 3;

/// Nim with one heap: who takes the last stone wins.
#[derive(Clone)]
struct Heap {
    case: u8,
    stones: u8,
    player: usize,
}

impl Game for Heap {
    type Action = u8;
    const HEAVY_PLAYOUTS: bool = true;

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
    fn winning_action(&self, _: &mut Vec<u8>) -> Option<u8> {
        let most = match self.case {
            MISSED => 2,
            WINS_NOTHING => 4,
            _ => 3,
        };
        (self.stones <= most).then_some(self.stones.min(3))
    }
    fn heavy_action(&self, _: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        Some(if self.case == HEAVY_IS_ILLEGAL { 4 } else { 1 })
    }
}

#[test]
fn the_winning_action_is_one_that_wins_at_once() {
    passes(&Heap { case: RIGHT, stones: 9, player: 0 });
    let found =
        |found: &str, wins: &str| format!("`winning_action` gave {found}, but the actions that win at once are {wins}");
    fails(&Heap { case: MISSED, stones: 9, player: 0 }, &found("None", "[3]"));
    fails(&Heap { case: WINS_NOTHING, stones: 9, player: 0 }, &found("Some(3)", "[]"));
}

#[test]
fn a_heavy_playout_plays_legal_actions() {
    fails(
        &Heap { case: HEAVY_IS_ILLEGAL, stones: 9, player: 0 },
        "`heavy_action` gave Some(4), which is not among the legal actions [1, 2, 3]",
    );
}
