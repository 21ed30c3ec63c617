//! The command line of [`boughs`] as a library: ten lines give your own game the whole program.
//!
//! ```no_run
//! use boughs_cli::boughs::{Game, Turn};
//! use boughs_cli::{NamedGame, Options, games, main_with};
//!
//! /// Players take one to three stones in turn; who takes the last one wins.
//! #[derive(Clone)]
//! struct Stones { left: u8, player: usize }
//!
//! impl Game for Stones {
//!     type Action = u8;
//!     fn turn(&self) -> Turn {
//!         if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
//!     }
//!     fn actions(&self, out: &mut Vec<u8>) {
//!         out.extend(1..=self.left.min(3));
//!     }
//!     fn apply(&mut self, take: u8) {
//!         self.left -= take;
//!         self.player = 1 - self.player;
//!     }
//!     fn reward(&self, player: usize) -> f64 {
//!         if player == self.player { 0.0 } else { 1.0 }
//!     }
//! }
//!
//! impl NamedGame for Stones {
//!     const NAME: &'static str = "stones";
//!     const OPTIONS: &'static str = "stones=1..255 (21)";
//!     fn start(options: &mut Options) -> Result<Stones, String> {
//!         Ok(Stones { left: options.number("stones", 1..=255, 21)? as u8, player: 0 })
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     main_with(&games![Stones])
//! }
//! ```
//!
//! `cargo run --release -- analyze stones:stones=30 --time 2s` searches it; `play`, `match`, `tournament`, `tune`,
//! `bot`, `check`, `scale` and every other command know it too. The crate needs one dependency, `boughs-cli`, which has
//! the engine as [`boughs`] and every type that a method of [`NamedGame`] takes or returns.
//!
//! # Path of a command
//! `commands` reads the arguments (`args` has those that several commands share). The list of games starts the game,
//! and the engine works while `progress` shows a line on standard error. `show` turns the result into text or JSON.
//! `output` prints it. `named_file` writes every file that a user names, and `boughs::named_file` reads it. `opponent`
//! plays against a person, and `protocols` against other programs. Every error becomes one sentence and an exit code
//! (`failure`).
//!
//! The crate is compiled once for all games: it knows a game as a `boughs::Session` only.

mod allocator;
mod args;
mod bests;
mod commands;
mod failure;
mod folder;
mod interrupt;
mod lock;
mod named_file;
mod opponent;
mod output;
mod position_file;
mod program;
mod progress;
mod protocols;
mod ranks;
mod show;

use std::process::ExitCode;

pub use boughs;
pub use boughs_games::{
    CellsShape, Change, Choices, Colours, Content, ContestReferee, GameEntry, Grid, NamedGame, Names, Options, Part,
    Place, Symmetries, Tallies, Verdict, View, games,
};

use crate::failure::Failure;

/// Runs the program for the built-in games and these: reads the command line, prints the result, and returns the exit
/// code.
///
/// The exit code is 0 for a result, 1 for a check that fails, and 2 for an error; an error is one sentence on standard
/// error. A command that a signal has ended has 128 and the number of the signal: 130 after Ctrl-C, 143 after SIGTERM,
/// 129 after SIGHUP and 131 after SIGQUIT. Call this once, first in `main`.
pub fn main_with(games: &[GameEntry]) -> ExitCode {
    let code = match run(games) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ranks::tell_once(failure),
    };
    interrupt::exit_code().unwrap_or(code)
}

fn run(games: &[GameEntry]) -> Result<(), Failure> {
    allocator::save_addresses();
    boughs_games::add_games(games)?;
    interrupt::listen()?;
    commands::run()
}
