//! Programs that play: child processes that are spoken to in lines, over standard input and output.
//!
//! A program is not trusted. Three threads serve its three pipes (`io_threads.rs`, `line_io.rs`, `notes.rs`), so that
//! no other thread waits for one, and end when the arena hangs up (`pipe.rs`). A program that another program starts
//! writes its standard error to a named pipe (`note_pipe.rs`). Every wait has a bound, and so has
//! everything that is read and kept. At the end the program is killed with all its descendants (`process.rs`,
//! `descendants.rs`). The lines themselves and the meaning of answers are not known here, see [`plain`].

mod bot;
#[cfg(target_os = "linux")]
mod descendants;
mod io_threads;
mod line_io;
mod note_pipe;
mod notes;
mod pipe;
pub mod plain;
mod process;
pub(crate) mod source;

pub use bot::{Bot, Launch};
pub(crate) use note_pipe::NotePipe;
pub use notes::Notes;
pub use process::{TIME as TIME_VARIABLE, kill_programs};
pub(crate) use process::{running_program, why_not_started};
pub use source::Edition;
