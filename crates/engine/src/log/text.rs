//! The lines of a log, written and read.

use std::fmt;
use std::io::{self, BufRead, Read, Write};

use crate::checksum::Checksum;

/// The searched position and the agent that searched it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// The moves from the start of the game to the position.
    pub position: String,
    /// The agent as text.
    pub agent: String,
    /// The seed of the agent's random numbers.
    pub seed: u64,
}

/// The first line: the format and its version.
pub(super) const FORMAT: &str = "boughs-log 1";

/// A length that no line of a log reaches. Without this bound a file of another kind could fill the memory.
const LONGEST_LINE: u64 = 1 << 24;

/// A fault of a log and its line. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, counted from 1.
    pub line: u64,
    /// The fault.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for Fault {}

/// The check word over all lines so far.
fn word(check: Checksum) -> String {
    format!("{:016x}", check.value())
}

/// Joins a list by commas.
pub(super) fn list<T: fmt::Display>(items: &[T]) -> String {
    if items.is_empty() {
        return "-".to_string();
    }
    items.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

/// Reads the items of a list. `None` if one is malformed.
pub(super) fn read_list<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    if text == "-" { Some(Vec::new()) } else { text.split(',').map(|item| item.parse().ok()).collect() }
}

/// Writes lines and keeps the checksum over them.
pub(super) struct Writer<'w> {
    out: &'w mut dyn Write,
    check: Checksum,
}

impl<'w> Writer<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Writer<'w> {
        Writer { out, check: Checksum::default() }
    }

    /// Writes the lines before the first playout.
    pub(super) fn header(&mut self, header: &Header, units: f64) -> io::Result<()> {
        let Header { game, position, agent, seed } = header;
        self.line(FORMAT)?;
        self.line(&format!("game {game}"))?;
        self.line(&format!("position {position}"))?;
        self.line(&format!("agent {agent}"))?;
        self.line(&format!("seed {seed}"))?;
        self.line(&format!("units {units}"))
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        self.check.add(line.as_bytes());
        writeln!(self.out, "{line}")
    }

    /// Writes a line that ends with the check word over itself and all lines before it.
    pub(super) fn checked_line(&mut self, line: &str) -> io::Result<()> {
        self.check.add(line.as_bytes());
        writeln!(self.out, "{line} {}", word(self.check))
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reads lines and keeps the checksum over them.
pub(super) struct Reader<R> {
    input: R,
    pub(super) line: u64,
    check: Checksum,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(input: R) -> Reader<R> {
        Reader { input, line: 0, check: Checksum::default() }
    }

    /// A fault of the current line.
    pub(super) fn fault(&self, what: impl Into<String>) -> Fault {
        Fault { line: self.line, what: what.into() }
    }

    /// Reads the next line, without its line end.
    pub(super) fn next(&mut self) -> Result<String, Fault> {
        self.line += 1;
        let mut text = String::new();
        match self.input.by_ref().take(LONGEST_LINE).read_line(&mut text) {
            Ok(_) if text.len() as u64 == LONGEST_LINE => Err(self.fault("is longer than any line of a log")),
            Ok(0) => Err(self.fault("the log was cut off here; its last line should begin with 'end'")),
            Ok(_) => Ok(text.trim_end_matches(['\n', '\r']).to_string()),
            Err(error) => Err(self.fault(format!("cannot be read: {error}"))),
        }
    }

    /// Checks that no line follows.
    pub(super) fn require_end(&mut self) -> Result<(), Fault> {
        self.line += 1;
        match self.input.fill_buf() {
            Ok([]) => Ok(()),
            Ok(_) => Err(self.fault("the log goes on after its last line")),
            Err(error) => Err(self.fault(format!("cannot be read: {error}"))),
        }
    }

    /// Reads the value of the next line of the header, which must begin with this name.
    pub(super) fn header_line(&mut self, name: &str) -> Result<String, Fault> {
        let line = self.next()?;
        self.check.add(line.as_bytes());
        match line.split_once(' ').unwrap_or((&line, "")) {
            (word, value) if word == name => Ok(value.to_string()),
            (word, _) => Err(self.fault(format!("'{word}' should be '{name}'"))),
        }
    }

    /// Checks a line that ends with a check word, and returns it without the check word.
    pub(super) fn checked<'l>(&mut self, line: &'l str) -> Result<&'l str, Fault> {
        let (line, found) = line.rsplit_once(' ').unwrap_or((line, ""));
        self.check.add(line.as_bytes());
        let right = word(self.check);
        if found == right {
            return Ok(line);
        }
        Err(self.fault(format!("was changed, or lines before it were: its check word should be {right}")))
    }
}
