//! One line of what a player is told, taken apart.

use super::super::action::{Action, Answer};
use super::super::cell::Cell;
use super::answer::read_answer;
use super::listener::InputFault;
use super::view::{Tree, neighbours};

/// The most sun and the most points that are believed, so that no sum can overflow.
const MOST: i64 = 60_000;

/// A line and its number, counted from 1.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
}

impl Line {
    pub(super) fn fault(&self, what: String) -> InputFault {
        InputFault::Line { line: self.number, what }
    }

    fn whole_numbers(&self) -> Option<Vec<i64>> {
        self.text.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
    }

    /// Whether the line is so many numbers.
    pub(super) fn has_numbers(&self, count: usize) -> bool {
        self.whole_numbers().is_some_and(|numbers| numbers.len() == count)
    }

    /// The numbers of the line, of which there must be so many.
    pub(super) fn numbers<const COUNT: usize>(&self) -> Result<[i64; COUNT], InputFault> {
        let numbers = self.whole_numbers().and_then(|numbers| numbers.try_into().ok());
        numbers.ok_or_else(|| {
            let shown: String = self.text.trim().chars().take(40).collect();
            let wanted = if COUNT == 1 { "a whole number".to_string() } else { format!("{COUNT} whole numbers") };
            self.fault(format!("there should be {wanted} here, not '{shown}'"))
        })
    }

    /// The number as what it stands for, if it can be that at all.
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
            false => Err(self.fault(format!("nobody can have {number} points"))),
        }
    }

    pub(super) fn flag(&self, number: i64) -> Result<bool, InputFault> {
        Ok(self.as_part::<u8>(number, 1, "a flag")? == 1)
    }

    /// A cell of the ground, and how rich it is.
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
            _ => {
                let shown: String = self.text.chars().take(40).collect();
                Err(self.fault(format!("'{shown}' is not an action")))
            }
        }
    }
}
