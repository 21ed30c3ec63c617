//! Lines of the input, with their numbers, and what can be wrong with them.

use std::io::{BufRead, Read};

/// Why an input cannot be read. `Display` gives one sentence for a person.
#[derive(Debug)]
pub enum InputFault {
    /// The input itself fails.
    Unreadable(std::io::Error),
    /// The source was not willing to wait for the rest of a decision any longer.
    Late,
    /// The input ends within a decision.
    Ended {
        /// What should come next.
        expected: &'static str,
    },
    /// A line is not what it should be.
    Wrong {
        /// The line.
        line: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The cards are more than the game has.
    TooMany,
    /// A card has to be chosen, and there is none.
    NoChoice,
}

impl std::fmt::Display for InputFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InputFault::Unreadable(error) => write!(f, "the input cannot be read: {error}"),
            InputFault::Late => write!(f, "the lines that were announced did not come in time"),
            InputFault::Ended { expected } => write!(f, "the input ends where there should be {expected}"),
            InputFault::Wrong { line, expected } => write!(f, "'{line}' should be {expected}"),
            InputFault::TooMany => write!(f, "there are more cards of a kind than the game has"),
            InputFault::NoChoice => write!(f, "a card has to be thrown or given, but the hand has none"),
        }
    }
}

impl std::error::Error for InputFault {}

impl From<std::io::Error> for InputFault {
    fn from(error: std::io::Error) -> InputFault {
        match error.kind() {
            std::io::ErrorKind::TimedOut => InputFault::Late,
            _ => InputFault::Unreadable(error),
        }
    }
}

/// No line of the protocol is nearly as long.
const LONGEST: u64 = 1 << 16;

/// The input of a decision, line by line.
pub(super) struct Lines<'a, R>(pub(super) &'a mut R);

impl<R: BufRead> Lines<'_, R> {
    /// The next line without its end; `None` at the end of the input.
    pub(super) fn maybe(&mut self) -> Result<Option<String>, InputFault> {
        let mut bytes = Vec::new();
        let length = self.0.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)?;
        let line = String::from_utf8_lossy(&bytes);
        Ok((length > 0).then(|| line.trim_end().to_string()))
    }

    /// The next line, read as what it should be.
    pub(super) fn read<T>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, InputFault> {
        let line = self.maybe()?.ok_or(InputFault::Ended { expected })?;
        read(&line).ok_or(InputFault::Wrong { line, expected })
    }
}

/// As many numbers as the array has, and nothing else.
pub(super) fn numbers<T: std::str::FromStr + Copy + Default, const N: usize>(text: &str) -> Option<[T; N]> {
    let mut words = text.split_ascii_whitespace();
    let mut numbers = [T::default(); N];
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    words.next().is_none().then_some(numbers)
}
