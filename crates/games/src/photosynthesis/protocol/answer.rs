//! Reading of a player's answer: one line, which the official referee reads letter by letter.

use super::super::action::{Action, Answer};
use super::super::cell::Cell;
use crate::contest_protocol::{Number, ends_command, read_number, shown_message};

/// A player's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The answer itself.
    pub answer: Answer,
    /// The message after it, which the viewer shows beside the board; empty if there is none.
    pub message: String,
}

/// Reads a player's answer without the end of the line: `WAIT`, `GROW 5`, `COMPLETE 4` or `SEED 3 12`, with or without
/// white space and a message after it. Capitals and single spaces matter; every other line is an [`Answer::Fault`].
pub fn read_answer(line: &str) -> Said {
    let (answer, rest) = read_words(line).unwrap_or((Answer::Fault, ""));
    Said { answer, message: shown_message(rest) }
}

/// Reads the answer at the beginning of a line. Returns it with the rest, or `None` if the line begins with no answer.
fn read_words(line: &str) -> Option<(Answer, &str)> {
    let (answer, rest) = if let Some(rest) = line.strip_prefix("WAIT") {
        (Some(Action::Wait), rest)
    } else if let Some(rest) = line.strip_prefix("GROW") {
        let (cell, rest) = read_cell(rest)?;
        (cell.map(Action::Grow), rest)
    } else if let Some(rest) = line.strip_prefix("COMPLETE") {
        let (cell, rest) = read_cell(rest)?;
        (cell.map(Action::Complete), rest)
    } else {
        let (from, rest) = read_cell(line.strip_prefix("SEED")?)?;
        let (to, rest) = read_cell(rest)?;
        (from.zip(to).map(|(from, to)| Action::Seed { from, to }), rest)
    };
    ends_command(rest).then_some((answer.map_or(Answer::Nowhere, Answer::Act), rest))
}

/// Reads the number of a cell. Returns the cell, `None` if the board does not have it, with the rest of the text; or
/// nothing if there is no number, or one too large for the official referee.
fn read_cell(text: &str) -> Option<(Option<Cell>, &str)> {
    match read_number(text)? {
        (Number::Fits(number), rest) => Some((Cell::new(number), rest)),
        (Number::TooLarge, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(index: u32) -> Cell {
        Cell::new(index).expect("a cell")
    }

    #[test]
    fn an_answer_is_read_with_or_without_a_message() {
        let seed = Action::Seed { from: cell(3), to: cell(12) };
        for (line, action, message) in [
            ("WAIT", Action::Wait, ""),
            ("WAIT\r", Action::Wait, ""),
            ("GROW 5", Action::Grow(cell(5)), ""),
            ("GROW 0005 6", Action::Grow(cell(5)), "6"),
            ("GROW 000", Action::Grow(cell(0)), ""),
            ("COMPLETE 36\t héé 🌱 ", Action::Complete(cell(36)), "héé 🌱"),
            ("SEED 3 12  GROW 3", seed, "GROW 3"),
            ("SEED 3 12 ", seed, ""),
        ] {
            assert_eq!(read_answer(line), Said { answer: Answer::Act(action), message: message.into() }, "{line}");
        }
    }

    #[test]
    fn a_cell_that_does_not_exist_is_understood() {
        for line in ["GROW 37", "COMPLETE 2147483647", "SEED 1 54 hello", "SEED 99 1", "GROW 00000000000000000000099"] {
            assert_eq!(read_answer(line).answer, Answer::Nowhere, "{line}");
        }
    }

    #[test]
    fn every_other_line_is_a_fault() {
        for line in [
            "",
            " ",
            " WAIT",
            "wait",
            "Wait",
            "WAITING",
            "WAIT.",
            "GROW",
            "GROW ",
            "GROW  3",
            "GROW\t3",
            "GROW +1",
            "GROW -1",
            "GROW 3x",
            "GROW3",
            "GROW 2147483648",
            "GROW 99999999999999999999999",
            "COMPLETE 1.5",
            "SEED 1",
            "SEED 1 ",
            "SEED 1  2",
            "SEED 1,2",
            "GROW ٣",
            "WAIT\u{a0}x",
            "PLANT 3",
        ] {
            assert_eq!(read_answer(line), Said { answer: Answer::Fault, message: String::new() }, "{line:?}");
        }
    }

    #[test]
    fn a_long_message_is_cut() {
        let message = |letters: usize| read_answer(&format!("WAIT {}", "é".repeat(letters))).message;
        assert_eq!(message(48), "é".repeat(48));
        assert_eq!(message(49), "é".repeat(46) + "...");
    }
}
