//! What the program says when it has no result: one sentence on standard error, and an exit code.

use std::io::Write;
use std::process::ExitCode;

/// Why there is no result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    sentence: String,
    code: u8,
}

impl Failure {
    /// The input, or the system, does not allow what was asked for: exit code 2.
    pub(crate) fn new(sentence: impl Into<String>) -> Failure {
        Failure { sentence: sentence.into(), code: 2 }
    }

    /// What was to be checked is wrong: exit code 1.
    pub(crate) fn of_check(sentence: impl Into<String>) -> Failure {
        Failure { sentence: sentence.into(), code: 1 }
    }

    /// The sentence, on one line whatever it quotes.
    pub(crate) fn sentence(&self) -> String {
        on_one_line(&self.sentence)
    }

    /// Says so.
    pub(crate) fn tell(self) -> ExitCode {
        // Where standard error is closed there is nobody to tell, and the code still says it.
        let _ = writeln!(std::io::stderr(), "boughs: {}", self.sentence());
        self.code.into()
    }
}

/// Everything that can go wrong elsewhere says so in one sentence.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::new(error.to_string())
    }
}

/// Input is quoted in sentences, and what it holds must not break the line, move the cursor or turn the text around.
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
