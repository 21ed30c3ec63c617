//! A program with two games that no list has, for the tests of this crate: one for any number of players, and one that
//! breaks a promise.

use std::process::ExitCode;

use boughs_cli::boughs::{Game, Turn};
use boughs_cli::{NamedGame, Options, games, main_with};

/// Each of the players says once if the reward is shared; the last word counts.
#[derive(Clone)]
struct Sharing {
    players: usize,
    said: Vec<u8>,
}

impl Game for Sharing {
    type Action = u8;

    fn players(&self) -> usize {
        self.players
    }

    fn turn(&self) -> Turn {
        if self.said.len() == self.players { Turn::Over } else { Turn::Player(self.said.len()) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }

    fn apply(&mut self, word: u8) {
        self.said.push(word);
    }

    fn reward(&self, player: usize) -> f64 {
        let shared = 1.0 / self.players as f64;
        match (self.said.last(), player + 1 == self.players) {
            (Some(1), _) => shared,
            (_, true) => 1.0,
            (_, false) => 0.0,
        }
    }
}

impl NamedGame for Sharing {
    const NAME: &'static str = "sharing";
    const OPTIONS: &'static str = "players=1..9 (2)";

    fn start(options: &mut Options) -> Result<Sharing, String> {
        Ok(Sharing { players: options.number("players", 1..=9, 2)? as usize, said: Vec::new() })
    }
}

/// A game that pays twice the reward of a win.
#[derive(Clone)]
struct Generous {
    is_over: bool,
}

impl Game for Generous {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.is_over { Turn::Over } else { Turn::Player(0) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.push(7);
    }

    fn apply(&mut self, _: u8) {
        self.is_over = true;
    }

    fn reward(&self, _: usize) -> f64 {
        2.0
    }
}

impl NamedGame for Generous {
    const NAME: &'static str = "generous";

    fn start(_: &mut Options) -> Result<Generous, String> {
        Ok(Generous { is_over: false })
    }
}

fn main() -> ExitCode {
    main_with(&games![Sharing, Generous])
}
