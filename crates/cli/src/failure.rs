//! The errors of the program: one sentence on standard error, and an exit code.

use std::io::Write;
use std::process::ExitCode;

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
        on_one_line(&self.sentence)
    }

    /// Writes the sentence to standard error and returns the exit code.
    pub(crate) fn tell(self) -> ExitCode {
        // With standard error closed, the exit code still tells.
        let _ = writeln!(std::io::stderr(), "{}: {}", program::name(), self.sentence());
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

/// Escapes characters of quoted input that would break the line, move the cursor or turn the text around.
fn on_one_line(sentence: &str) -> String {
    let mut line = String::new();
    for c in sentence.chars() {
        match c {
            '\'' | '"' | '\\' => line.push(c),
            _ => line.extend(c.escape_debug()),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_input_stays_on_the_line() {
        assert_eq!(on_one_line("'a\n\u{1b}[2J\u{202e}' é \"b\\\""), "'a\\n\\u{1b}[2J\\u{202e}' é \"b\\\"");
    }
}
