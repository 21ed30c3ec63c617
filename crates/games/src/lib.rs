//! Rules of games for [`boughs`], on bitboards: one module a game, and one list of all games.
//!
//! ```
//! use boughs::{Game, Turn, notation::play_moves};
//!
//! let hex = boughs_games::start("hex:size=7").unwrap();
//! assert_eq!(hex.position.legal_moves().len(), 49);
//! let error = boughs_games::start("hexx").err().unwrap();
//! assert!(error.to_string().starts_with("there is no game 'hexx'; did you mean hex?"));
//!
//! let mut game = boughs_games::connect4::Connect4::default();
//! play_moves(&mut game, "1212121").unwrap();
//! assert_eq!(game.turn(), Turn::Over);
//! ```
//!
//! A new game is a file that implements [`boughs::Game`] and [`NamedGame`], its `mod` line here and its line in
//! `list.rs`. Tests, help texts and the program find it there. [`connect4`] is a good model. [`add_games`] adds a game
//! of another crate to the list.

pub mod ahc015;
pub mod breakthrough;
mod cells;
mod comparison;
pub mod connect4;
pub mod contest_protocol;
mod features;
pub mod game2048;
pub mod go;
pub mod goofspiel;
pub mod green_circle;
mod grid;
pub mod hex;
pub mod kuhn;
mod list;
mod logistic;
pub mod matrix;
mod named_game;
pub mod nim;
mod options;
pub mod othello;
pub mod photosynthesis;
mod picture;
pub mod pig;
mod prior;
pub mod tictactoe;
pub mod whist;
pub mod yavalath;

pub use cells::{CellsShape, Change, Choices, Colours, Symmetries, exchange_players};
pub use contest_protocol::{ContestReferee, FIRST_ANSWER, Referee, Verdict};
pub use features::{Features, advantage, win_rate};
pub use grid::{Content, Grid, Names, Place};
pub use list::{ListError, StartedGame, add_games, entries, entry_of, has_added_games, in_match, start};
pub use logistic::logistic;
pub use named_game::{GameEntry, NamedGame, Tallies, View};
pub use options::{GameError, Options};
pub use picture::Part;
