//! A program with a game of your own: `cargo run --release --example stones -- analyze stones`.

use std::process::ExitCode;

use boughs_cli::boughs::{Game, Rewards, Turn, TurnOrder};
use boughs_cli::{NamedGame, Options, games, main_with};

/// Players take one to three stones in turn; who takes the last one wins.
#[derive(Clone)]
struct Stones {
    left: u8,
    player: usize,
}

impl Game for Stones {
    type Action = u8;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.left.min(3));
    }

    fn apply(&mut self, stones: u8) {
        self.left -= stones;
        self.player = 1 - self.player;
    }

    fn reward(&self, player: usize) -> f64 {
        if player == self.player { 0.0 } else { 1.0 }
    }

    fn board(&self) -> String {
        format!("{} stones", self.left)
    }
}

impl NamedGame for Stones {
    const NAME: &'static str = "stones";
    const SUMMARY: &'static str = "take one to three stones in turn; the last one wins";
    const NOTATION: &'static str = "the number of stones, as in 3 1 2";
    const OPTIONS: &'static str = "stones=1..200 (21)";

    fn start(options: &mut Options) -> Result<Stones, String> {
        Ok(Stones { left: options.number("stones", 1..=200, 21)? as u8, player: 0 })
    }
}

fn main() -> ExitCode {
    main_with(&games![Stones])
}
