//! Parsing of one line of a question.

use super::super::action::{Action, Answer};
use super::super::cell::Cell;
use super::answer::read_answer;
use super::view::{Tree, neighbours};
use crate::contest_protocol::{InputFault, beginning, numbers};

/// The largest accepted sun and points, so that no sum can overflow.
const MOST: i64 = 60_000;

/// A line and its number, counted from 1.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
}

impl Line {
    pub(super) fn fault(&self, what: String) -> InputFault {
        InputFault::Line { number: Some(self.number), what }
    }

    /// Returns true if the line is this many numbers.
    pub(super) fn has_numbers(&self, count: usize) -> bool {
        let words = || self.text.split_ascii_whitespace();
        words().count() == count && words().all(|word| word.parse::<i64>().is_ok())
    }

    /// Reads the numbers of the line; there must be exactly `COUNT`.
    pub(super) fn numbers<const COUNT: usize>(&self) -> Result<[i64; COUNT], InputFault> {
        numbers(&self.text).ok_or_else(|| {
            let shown = beginning(self.text.trim());
            let wanted = if COUNT == 1 { "a whole number".to_string() } else { format!("{COUNT} whole numbers") };
            self.fault(format!("there should be {wanted} here, not '{shown}'"))
        })
    }

    /// Converts a number, which must not be above `most`.
    pub(super) fn as_part<T: TryFrom<i64>>(&self, number: i64, most: i64, what: &str) -> Result<T, InputFault> {
        let value = T::try_from(number).ok().filter(|_| number <= most);
        value.ok_or_else(|| self.fault(format!("{what} cannot be {number}; {most} is the most")))
    }

    pub(super) fn sun(&self, number: i64) -> Result<u16, InputFault> {
        self.as_part(number, MOST, "sun")
    }

    pub(super) fn score(&self, number: i64) -> Result<i32, InputFault> {
        match (-MOST..=MOST).contains(&number) {
            true => Ok(number as i32),
            false => Err(self.fault(format!("a player cannot have {number} points"))),
        }
    }

    pub(super) fn flag(&self, number: i64) -> Result<bool, InputFault> {
        Ok(self.as_part::<u8>(number, 1, "a flag")? == 1)
    }

    /// Reads a cell of the ground and its richness.
    pub(super) fn cell(&self) -> Result<(Cell, u32), InputFault> {
        let [index, rich, around @ ..] = self.numbers::<8>()?;
        let cell = u32::try_from(index).ok().and_then(Cell::new).filter(|&cell| around == neighbours(cell));
        let cell = cell.ok_or_else(|| self.fault(format!("these are not the neighbours of a cell {index}")))?;
        Ok((cell, self.as_part(rich, 3, "the richness of a cell")?))
    }

    pub(super) fn tree(&self) -> Result<Tree, InputFault> {
        let [index, size, is_own, is_dormant] = self.numbers()?;
        let cell = u32::try_from(index).ok().and_then(Cell::new);
        Ok(Tree {
            cell: cell.ok_or_else(|| self.fault(format!("there is no cell {index}")))?,
            size: self.as_part(size, 3, "the size of a tree")?,
            is_own: self.flag(is_own)?,
            is_dormant: self.flag(is_dormant)?,
        })
    }

    pub(super) fn action(&self) -> Result<Action, InputFault> {
        match read_answer(&self.text).answer {
            Answer::Act(action) => Ok(action),
            _ => Err(self.fault(format!("'{}' is not an action", beginning(&self.text)))),
        }
    }
}
