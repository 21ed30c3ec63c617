//! The errors of the program: one sentence on standard error, and an exit code.

use std::io::Write;
use std::process::ExitCode;

use boughs_arena::harmless_line;

use crate::program;

/// The reason for no result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    sentence: String,
    code: u8,
}

impl Failure {
    /// A fault of the input or the system: exit code 2.
    pub(crate) fn new(sentence: impl Into<String>) -> Failure {
        Failure { sentence: sentence.into(), code: 2 }
    }

    /// A check that failed: exit code 1.
    pub(crate) fn of_check(sentence: impl Into<String>) -> Failure {
        Failure { sentence: sentence.into(), code: 1 }
    }

    /// The sentence on one line, with quoted control characters escaped.
    pub(crate) fn sentence(&self) -> String {
        harmless_line(&self.sentence)
    }

    /// Writes the sentence to standard error and returns the exit code.
    pub(crate) fn tell(self) -> ExitCode {
        // With standard error closed, the exit code still tells.
        // In one piece, because the processes of an MPI job write at the same time.
        let line = format!("{}: {}\n", harmless_line(program::name()), self.sentence());
        let _ = std::io::stderr().write_all(line.as_bytes());
        self.code()
    }

    /// The exit code.
    pub(crate) fn code(&self) -> ExitCode {
        self.code.into()
    }
}

/// Every error of another crate displays as one sentence.
impl<E: std::error::Error> From<E> for Failure {
    #[inline]
    fn from(error: E) -> Failure {
        Failure::new(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_input_stays_on_the_line() {
        assert_eq!(Failure::new("'a\n\u{1b}[2J\u{202e}' é \"b\\\"").sentence(), "'a\\n\\u{1b}[2J\\u{202e}' é \"b\\\"");
    }
}
