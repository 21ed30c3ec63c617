//! Rules of games for [`boughs`], on bitboards: one file a game, and one list of all games.
//!
//! ```
//! use boughs::{Game, Turn, notation::play_moves};
//! use boughs_games::{Listed, Visitor, visit};
//!
//! struct LegalMoves;
//!
//! impl Visitor for LegalMoves {
//!     type Output = usize;
//!     fn visit<G: Listed>(self, start: G) -> usize {
//!         let mut actions = Vec::new();
//!         start.actions(&mut actions);
//!         actions.len()
//!     }
//! }
//!
//! assert_eq!(visit("hex:size=7", LegalMoves).unwrap(), 49);
//! let error = visit("hexx", LegalMoves).unwrap_err();
//! assert!(error.to_string().starts_with("there is no game 'hexx'; did you mean hex?"));
//!
//! let mut game = boughs_games::connect4::Connect4::default();
//! play_moves(&mut game, "1212121").unwrap();
//! assert_eq!(game.turn(), Turn::Over);
//! ```
//!
//! A new game is a file that implements [`boughs::Game`] and [`Listed`], its `mod` line here and its line in
//! `list.rs`. Tests, help texts and the program find it there.

pub mod ahc015;
pub mod breakthrough;
pub mod connect4;
pub mod game2048;
pub mod go;
pub mod goofspiel;
pub mod green_circle;
pub mod hex;
pub mod kuhn;
mod list;
pub mod matrix;
pub mod nim;
mod official;
mod options;
pub mod othello;
pub mod photosynthesis;
pub mod pig;
pub mod tictactoe;
pub mod whist;
pub mod yavalath;

pub use list::{Entry, Listed, Visitor, entries, in_match, visit};
pub use official::{FIRST_ANSWER, Official, Verdict};
pub use options::{GameError, Options};
