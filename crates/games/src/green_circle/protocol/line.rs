//! Lines of a decision, read as what they should be.

use std::io::BufRead;

use crate::contest_protocol::{InputFault, beginning, read_line};

/// The input of a decision, line by line.
pub(super) struct Lines<'a, R>(pub(super) &'a mut R);

impl<R: BufRead> Lines<'_, R> {
    /// Reads the next line and removes white space at its end; `None` at the end of the input.
    pub(super) fn next(&mut self) -> Result<Option<String>, InputFault> {
        Ok(read_line(self.0)?.map(|line| line.trim_end().to_string()))
    }

    /// Reads the next line with `read`, which returns `None` if the line is not as it should be.
    pub(super) fn read<T>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, InputFault> {
        let line = self.next()?.ok_or(InputFault::Ended { expected: Some(expected) })?;
        read(&line).ok_or_else(|| not_as_expected(&line, expected))
    }
}

/// The fault of a line that is not as it should be.
pub(super) fn not_as_expected(line: &str, expected: &str) -> InputFault {
    InputFault::Line { number: None, what: format!("'{}' should be {expected}", beginning(line)) }
}
