//! The standard error of a program: all of it is read, and little is kept.

use std::collections::{BTreeMap, VecDeque};
use std::io::Read;

use boughs::notation::counted;

use parking_lot::Mutex;

/// Number of bytes that are kept from the beginning.
const HEAD: usize = 16 << 10;

/// Number of bytes that are kept from the end.
const TAIL: usize = 48 << 10;

/// The mark of a line with a number that is kept as a column.
const COLUMN: &[u8] = b"[PDATA]";

/// Length of the longest line with a column. The rest of a longer line is not looked at.
const LONGEST_COLUMN: usize = 256;

/// Greatest number of columns.
const MOST_COLUMNS: usize = 64;

/// The notes of a program: its standard error, shortened, and the numbers in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// The first 16 KiB and the last 48 KiB of the text, and how much was left out between them.
    pub text: String,
    /// The mean of each `[PDATA] name = number`.
    pub columns: BTreeMap<String, f64>,
}

/// The notes while a program runs.
#[derive(Default)]
pub(super) struct NoteBuffer {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: usize,
    /// The current line, as far as it could have a column.
    line: Vec<u8>,
    /// Mean and number of the values of each column. A mean cannot overflow as a sum can.
    columns: BTreeMap<String, (f64, u64)>,
    has_ended: bool,
}

/// Reads a pipe to its end.
pub(super) fn take_notes(mut pipe: impl Read, notes: &Mutex<NoteBuffer>) {
    let mut buffer = [0; 8 << 10];
    while let Ok(length @ 1..) = pipe.read(&mut buffer) {
        notes.lock().push(&buffer[..length]);
    }
}

impl NoteBuffer {
    /// Takes no more notes.
    pub(super) fn end(&mut self) {
        self.has_ended = true;
    }

    fn push(&mut self, bytes: &[u8]) {
        if self.has_ended {
            return;
        }
        let (first, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend(first);
        self.tail.extend(rest);
        let excess = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..excess);
        self.left_out += excess;
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let room = (LONGEST_COLUMN + 1).saturating_sub(self.line.len());
            self.line.extend(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let Some((name, number)) = column(&line) else { return };
        if self.columns.len() < MOST_COLUMNS || self.columns.contains_key(&name) {
            let (mean, count) = self.columns.entry(name).or_default();
            *count += 1;
            *mean += number / *count as f64 - *mean / *count as f64;
        }
    }

    /// Ends the last line and returns the notes.
    pub(super) fn notes(&mut self) -> Notes {
        self.end_line();
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.left_out > 0 {
            text += &format!("\n[{} left out here]\n", counted(self.left_out, "bytes"));
        }
        text += &String::from_utf8_lossy(self.tail.make_contiguous());
        let columns = self.columns.iter().map(|(name, &(mean, _))| (name.clone(), mean)).collect();
        Notes { text, columns }
    }
}

/// Reads the name and the number of a line `[PDATA] name = number`.
fn column(line: &[u8]) -> Option<(String, f64)> {
    let rest = line.trim_ascii_start().strip_prefix(COLUMN).filter(|_| line.len() <= LONGEST_COLUMN)?;
    let (name, number) = std::str::from_utf8(rest).ok()?.split_once('=')?;
    let number: f64 = number.trim().parse().ok()?;
    let name = name.trim();
    (number.is_finite() && !name.is_empty()).then(|| (name.to_string(), number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(says: &[u8]) -> Notes {
        let notes = Mutex::default();
        take_notes(says, &notes);
        notes.into_inner().notes()
    }

    #[test]
    fn a_little_is_kept_whole() {
        assert_eq!(notes(b"hello\n\xff\n").text, "hello\n\u{fffd}\n");
        let says = "0123456789abcdef".repeat((HEAD + TAIL) / 16);
        assert_eq!(notes(says.as_bytes()).text, says);
    }

    #[test]
    fn of_much_the_beginning_and_the_end_are_kept() {
        let says = "0123456789abcdef".repeat((HEAD + TAIL) / 16) + "twelve bytes";
        let text = notes(says.as_bytes()).text;
        assert_eq!(text, format!("{}\n[12 bytes left out here]\n{}", &says[..HEAD], &says[HEAD + 12..]));
    }

    #[test]
    fn columns_are_the_means_of_their_numbers_and_come_from_all_that_was_said() {
        let much = "x".repeat(HEAD + 2 * TAIL);
        let says = format!(
            "{much}\n[PDATA] rollouts = 100\n{much}\n  [PDATA] rollouts=200\r\n[PDATA] best move = -0.5\n{much}"
        );
        let expected = [("best move".to_string(), -0.5), ("rollouts".to_string(), 150.0)];
        assert_eq!(notes(says.as_bytes()).columns, BTreeMap::from(expected));
        assert_eq!(notes(b"[PDATA] last = 1").columns, BTreeMap::from([("last".to_string(), 1.0)]));
    }

    #[test]
    fn what_is_no_column_is_only_text() {
        let long = format!("[PDATA] {} = 1\n", "x".repeat(LONGEST_COLUMN));
        for line in ["[PDATA] a\n", "[PDATA] = 1\n", "[PDATA] a = one\n", "[PDATA] a = inf\n", "a = 1\n", &long] {
            assert_eq!(notes(line.as_bytes()), Notes { text: line.to_string(), columns: BTreeMap::new() });
        }
    }

    #[test]
    fn columns_are_bounded_in_number_and_size() {
        let many: String = (0..10 * MOST_COLUMNS).map(|number| format!("[PDATA] {number} = 1e308\n")).collect();
        let columns = notes((many.clone() + &many).as_bytes()).columns;
        assert_eq!(columns.len(), MOST_COLUMNS);
        assert!(columns.values().all(|mean| mean.is_finite()));
    }
}
