//! Lines of an input that is not trusted.

use std::io::{self, BufRead, Read};

/// The length at which a line is broken. No line of a protocol is nearly as long; without a bound an endless line would
/// fill the memory.
const LONGEST: u64 = 1 << 16;

/// Reads the next line and removes its end; `None` at the end of the input. Bytes that are not UTF-8 are replaced.
pub(crate) fn read_line(source: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if source.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string()))
}

/// Reads a line that holds as many numbers as the array, and nothing else.
pub(crate) fn numbers<T: std::str::FromStr + Copy + Default, const N: usize>(text: &str) -> Option<[T; N]> {
    let mut words = text.split_ascii_whitespace();
    let mut numbers = [T::default(); N];
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    words.next().is_none().then_some(numbers)
}
