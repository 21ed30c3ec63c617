//! Bots for programming contests: the lines of each contest over standard input and output, and the deadlines.
//!
//! `boughs bot` plays by these lines with any agent, and each program of this crate is one agent of one contest. They
//! need std alone, so that one file for the judge can be made of them.

pub mod ahc015;
mod choice;
pub mod green_circle;
mod input;
mod lines;
pub mod photosynthesis;
mod program;
mod turns;

use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::time::{Duration, Instant};

use boughs::{Agent, DelayMeter, SearchError, Session};

pub use choice::{budget, choose};
pub use input::Input;
pub use lines::{Line, Lines, read_line};
pub use program::run;

/// The reason why a bot cannot go on. `Display` gives one sentence.
pub type Fault = Box<dyn Error>;

/// Builds the agent in a position.
pub type Build<'b> = dyn Fn(&dyn Session) -> Result<Box<dyn Agent>, SearchError> + 'b;

/// Plays a game or a case by the lines of a contest.
pub type Play = fn(&mut Lines, &Setup<'_>) -> Result<(), Fault>;

/// The agent and its times.
pub struct Setup<'b> {
    /// Builds the agent.
    pub build: &'b Build<'b>,
    /// The seed of all randomness.
    pub seed: u64,
    /// The time for one case or one answer of a contest.
    pub time: Duration,
    /// The least time before the limit at which the search ends.
    pub margin: Duration,
    /// Measures how late the machine wakes threads, which makes the margin wider.
    pub meter: DelayMeter,
    /// The start of the program.
    pub began: Instant,
    /// The number of playouts of each answer, instead of its time.
    pub iterations: Option<u64>,
    /// Writes a line to standard error.
    pub tell: fn(&str),
}

impl Setup<'_> {
    /// Writes the number of playouts to standard error, in the form that matches collect.
    pub fn tell_rollouts(&self, playouts: u64) {
        (self.tell)(&format!("[PDATA] rollouts = {playouts}"));
    }
}

/// Writes an answer to standard output and flushes it.
fn print(answer: &str) -> Result<(), Fault> {
    let mut out = io::stdout().lock();
    out.write_all(answer.as_bytes()).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => "standard output was closed before the answer was written".into(),
        _ => format!("standard output cannot be written: {error}").into(),
    })
}
