//! Programs that play: child processes that are spoken to in lines, over standard input and output.
//!
//! A program is not trusted. Whatever it does, the arena goes on: three threads take care of its three pipes
//! (`attendants.rs`, `talk.rs`, `notes.rs`), so that nobody else waits for one, and leave when they are told to (`wire.rs`);
//! every wait has a bound; what is read and kept is bounded too. When it is let go it is killed with all its descendants (`process.rs`, `descendants.rs`).
//! What it is told and what its answers mean is not known here, see [`plain`].

pub mod plain;

mod attendants;
mod bot;
mod notes;
mod process;
mod talk;
mod wire;

#[cfg(target_os = "linux")]
mod descendants;

pub use bot::{Bot, Launch};
pub use notes::Notes;
pub use process::kill_programs;
