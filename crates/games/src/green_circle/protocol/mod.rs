//! The protocol of the contest: questions of the official referee, and answers of players.
//!
//! A player is asked once for each decision, and told the own view. [`Follower`] finds the parts of the position that
//! are not told, by following the game.

mod answer;
mod follower;
mod line;
mod view;

pub use self::answer::{Command, Said, command_text, read_answer};
pub use self::follower::Follower;
pub use self::view::{Side, View};
pub use crate::contest_protocol::{InputFault, Number};
