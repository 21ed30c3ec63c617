//! What the official referee says to a player, and what it hears from them.
//!
//! A player is asked once for each decision, and told all they see. Who reads it finds what is not told by following the game:
//! see [`Follower`].

mod answer;
mod follower;
mod line;
mod view;

pub use self::answer::{Command, Number, Said, command_text, read_answer};
pub use self::follower::Follower;
pub use self::line::InputFault;
pub use self::view::{Side, View};
