//! Lines of input, of bounded length.

use std::io::{self, BufRead, Read};

use crate::Fault;
use crate::input::Input;

/// A line of input.
pub enum Line {
    /// A line, with its end if it has one. Bytes that are no UTF-8 are replaced.
    Text(String),
    /// The line is longer than the bound.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads one line of fewer than `longest` bytes.
///
/// # Errors
/// If the input cannot be read.
pub fn read_line(input: &mut dyn BufRead, longest: u64) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let read = input.take(longest).read_until(b'\n', &mut bytes)?;
    Ok(match read {
        0 => Line::End,
        _ if bytes.len() as u64 == longest => Line::TooLong,
        _ => Line::Text(String::from_utf8_lossy(&bytes).into_owned()),
    })
}

/// The longest line in bytes. No protocol has a line this long.
const LONGEST_LINE: u64 = 1 << 20;

/// The lines of standard input.
pub struct Lines {
    /// The input that the lines are read from.
    pub input: Input,
    /// The number of lines that were read.
    pub read: u64,
}

impl Lines {
    /// The lines of the program's own standard input.
    ///
    /// # Errors
    /// If the system gives no thread that reads them.
    pub fn standard() -> Result<Lines, Fault> {
        Ok(Lines { input: Input::standard().map_err(unreadable)?, read: 0 })
    }

    /// Puts a line back, to be read next.
    pub fn put_back(&mut self, line: &str) {
        self.input.put_back(line);
        self.read = self.read.saturating_sub(1);
    }

    /// The next line without its end, if there is one.
    ///
    /// # Errors
    /// If the input cannot be read, or the line is too long.
    pub fn next_line(&mut self) -> Result<Option<String>, Fault> {
        match read_line(&mut self.input, LONGEST_LINE).map_err(unreadable)? {
            Line::End => Ok(None),
            Line::TooLong => Err(format!("a line of input has more than {LONGEST_LINE} bytes").into()),
            Line::Text(line) => {
                self.read += 1;
                Ok(Some(line.trim_end().to_string()))
            }
        }
    }
}

fn unreadable(error: io::Error) -> Fault {
    format!("the input cannot be read: {error}").into()
}
