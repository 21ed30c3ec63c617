//! Faults of the input that a program gets from a referee.

use std::io;

/// Reason why the input of a program cannot be used. `Display` gives one sentence for a person.
#[derive(Debug)]
pub enum InputFault {
    /// The input itself fails.
    Unreadable(io::Error),
    /// The source stopped waiting for lines that were announced.
    Late,
    /// The input ends within a message of the referee.
    Ended {
        /// The line that should come next, if only one kind can.
        expected: Option<&'static str>,
    },
    /// A line is not as it should be.
    Line {
        /// The number of the line, counted from 1, if lines are counted.
        number: Option<usize>,
        /// The fault.
        what: String,
    },
    /// The lines can be read, but no position of the game agrees with them.
    Impossible(&'static str),
}

impl std::fmt::Display for InputFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InputFault::Unreadable(error) => write!(f, "the input cannot be read: {error}"),
            InputFault::Late => write!(f, "the lines that were announced did not come in time"),
            InputFault::Ended { expected: None } => write!(f, "the input ended before all was told"),
            InputFault::Ended { expected: Some(line) } => write!(f, "the input ends where there should be {line}"),
            InputFault::Line { number: Some(number), what } => write!(f, "line {number}: {what}"),
            InputFault::Line { number: None, what } => f.write_str(what),
            InputFault::Impossible(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for InputFault {}

impl From<io::Error> for InputFault {
    fn from(error: io::Error) -> InputFault {
        match error.kind() {
            io::ErrorKind::TimedOut => InputFault::Late,
            _ => InputFault::Unreadable(error),
        }
    }
}

/// Returns the beginning of a text, for messages.
pub(crate) fn beginning(text: &str) -> String {
    text.chars().take(40).collect()
}
