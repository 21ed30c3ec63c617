//! Lines of input, of bounded length.

use std::io::{self, BufRead, Read};

/// A line of input.
pub(crate) enum Line {
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
pub(crate) fn read_line(input: &mut dyn BufRead, longest: u64) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let read = input.take(longest).read_until(b'\n', &mut bytes)?;
    Ok(match read {
        0 => Line::End,
        _ if bytes.len() as u64 == longest => Line::TooLong,
        _ => Line::Text(String::from_utf8_lossy(&bytes).into_owned()),
    })
}
