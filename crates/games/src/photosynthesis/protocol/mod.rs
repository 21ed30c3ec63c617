//! The protocol of the contest: questions of the official referee, and answers of players.
//!
//! A player is told the ground once, and the own view before each turn in which the player is awake. Readers are player
//! 0 of the position that they get: the rules treat both players alike, and the referee does not tell which one a
//! player is.
//!
//! ```
//! use boughs_games::photosynthesis::protocol::{Listener, View, ground_text, read_answer};
//! use boughs_games::photosynthesis::{Action, Answer, Position, Map};
//!
//! let map = Map::from_seed(1);
//! let position = Position::start(&map);
//! let mut told = ground_text(&map.ground);
//! told += &View::of(&position, 0, &[Action::Wait]).to_string();
//!
//! let mut listener = Listener::new(told.as_bytes());
//! let (ground, told) = listener.ground();
//! assert!(told.is_ok());
//! let view = listener.turn().unwrap().expect("a turn");
//! assert_eq!(view.position(ground).unwrap(), position);
//! assert!(listener.turn().unwrap().is_none(), "the input has ended");
//! assert_eq!(read_answer("WAIT for tomorrow").answer, Answer::Act(Action::Wait));
//! ```

mod answer;
mod line;
mod listener;
mod view;

pub use answer::{Said, read_answer};
pub use listener::Listener;
pub use view::{Tree, View, ground_text};

pub use crate::contest_protocol::InputFault;
