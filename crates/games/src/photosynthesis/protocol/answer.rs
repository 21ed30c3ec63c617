//! What a player says: one line, of which the official referee takes every letter at its word.

use super::super::action::{Action, Answer};
use super::super::cell::Cell;

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// What the player does.
    pub answer: Answer,
    /// What follows it, to be shown beside the board; empty if there is nothing.
    pub message: String,
}

/// Numbers above this are not understood.
const GREATEST: u64 = 0x7fff_ffff;
/// Longer messages are cut.
const MESSAGE: usize = 48;
const CUT: usize = 46;

/// Reads what a player says, without the end of the line: `WAIT`, `GROW 5`, `COMPLETE 4` or `SEED 3 12`, with or without
/// white space and a message after it. Capitals and single spaces count; whatever else it is, is a [`Answer::Fault`].
pub fn read_answer(line: &str) -> Said {
    let (answer, rest) = read_words(line).unwrap_or((Answer::Fault, ""));
    let message = rest.trim_matches(|c| c <= ' ');
    let message = match message.chars().count() {
        0..=MESSAGE => message.to_string(),
        _ => message.chars().take(CUT).chain("...".chars()).collect(),
    };
    Said { answer, message }
}

/// The answer a line begins with, and what follows it; `None` if it begins with none.
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
    let is_white = |c: char| matches!(c, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r');
    let ends = rest.is_empty() || rest.starts_with(is_white);
    ends.then_some((answer.map_or(Answer::Nowhere, Answer::Act), rest))
}

/// The number after a space, as a cell if the board has it, and what follows; `None` if there is no such number.
fn read_cell(text: &str) -> Option<(Option<Cell>, &str)> {
    let text = text.strip_prefix(' ')?;
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let digits = match digits.trim_start_matches('0') {
        "" if !digits.is_empty() => "0",
        digits => digits,
    };
    let number: u64 = digits.parse().ok().filter(|&number| number <= GREATEST)?;
    Some((Cell::new(number as u32), rest))
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
    fn whatever_else_is_a_fault() {
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
