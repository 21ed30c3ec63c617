//! The errors of the program: one sentence on standard error, and an exit code.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// The reason why no file was written.
#[derive(Debug)]
pub(crate) struct Failure {
    sentence: String,
    code: u8,
}

impl Failure {
    /// A fault of the input or the system: exit code 2.
    pub(crate) fn new(sentence: impl Into<String>) -> Failure {
        Failure { sentence: sentence.into(), code: 2 }
    }

    /// A file that does not answer as its program does: exit code 1.
    pub(crate) fn of_check(sentence: impl Into<String>) -> Failure {
        Failure { sentence: sentence.into(), code: 1 }
    }

    /// A file that cannot be written.
    pub(crate) fn of_file(file: &Path, why: impl Display) -> Failure {
        Failure::new(format!("'{}' cannot be written: {why}", file.display()))
    }

    /// The sentence on one line.
    pub(crate) fn sentence(&self) -> String {
        harmless(&self.sentence)
    }

    /// Writes the sentence to standard error and returns the exit code.
    pub(crate) fn tell(&self) -> ExitCode {
        // With standard error closed, the exit code still tells.
        let _ = writeln!(std::io::stderr(), "boughs-export: {}", self.sentence());
        self.code.into()
    }
}

/// Every error of another crate displays as one sentence.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::new(error.to_string())
    }
}

/// Escapes the characters of a text that a terminal obeys instead of showing them, and line breaks.
pub(crate) fn harmless(text: &str) -> String {
    let is_obeyed = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if is_obeyed(c) { c.escape_default().to_string() } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_input_stays_on_the_line() {
        assert_eq!(harmless("'a\n\u{1b}[2J\u{202e}' é \"b\\\""), "'a\\n\\u{1b}[2J\\u{202e}' é \"b\\\"");
    }
}
