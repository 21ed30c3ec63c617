//! What the official referee says to a player, and what it hears from them.
//!
//! A player is told the board once, and each turn in which they are awake what they see. Who reads it is player 0 of the
//! position that comes of it: the rules treat both alike, and nobody is told which of them they are.
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
pub use listener::{InputFault, Listener};
pub use view::{Tree, View, ground_text};
