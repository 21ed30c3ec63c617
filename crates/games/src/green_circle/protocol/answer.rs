//! What a player says: one line, of which the official referee takes every letter at its word.

use super::super::cards::{CONTINUOUS_INTEGRATION, DESKS, NAMES, TASK_PRIORITIZATION};
use super::super::position::GreenCircle;
use super::super::step::Step;

/// A number as the official referee reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// At most 2^31 - 1.
    Fits(u32),
    /// Beyond that, which the official referee does not survive.
    TooLarge,
}

/// What a line asks for, whether or not it can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// To go to a desk and take from there, or from another one if a number follows.
    Move {
        /// Where to go.
        to: Number,
        /// The number that follows.
        from: Option<Number>,
    },
    /// To put a card back.
    Throw(Number),
    /// To give a card.
    Give(Number),
    /// To play an action card by itself.
    Play(u8),
    /// To play TASK_PRIORITIZATION.
    Prioritize {
        /// What is put back.
        drop: Number,
        /// What is wanted.
        take: Number,
    },
    /// To play CONTINUOUS_INTEGRATION.
    Automate(Number),
    /// To release an application.
    Release(Number),
    /// To do nothing more.
    Wait,
    /// To do what the referee chooses.
    Random,
    /// No command.
    Unknown,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// What it asks for.
    pub command: Command,
    /// What follows it, all of it; empty if there is nothing. The second number of a MOVE stands there too.
    pub rest: String,
}

/// Longer messages are cut.
const MESSAGE: usize = 48;
const CUT: usize = 46;

impl Said {
    /// What the player wants to be shown beside the board of a position, where the command comes to a step.
    pub fn message(&self, position: &GreenCircle, step: Step) -> String {
        let takes_from = match (self.command, step) {
            // Without a DAILY_ROUTINE at work a second desk is part of the message.
            (Command::Move { from, .. }, Step::Move { from: taken, .. })
                if position.seat(position.active()).routines > 0 =>
            {
                from == Some(Number::Fits(u32::from(taken)))
            }
            _ => false,
        };
        let message = if takes_from { self.rest.trim_start_matches(|c: char| c.is_ascii_digit()) } else { &self.rest };
        let message = message.trim_matches(|c| c <= ' ');
        match message.chars().count() {
            0..=MESSAGE => message.to_string(),
            _ => message.chars().take(CUT).chain("...".chars()).collect(),
        }
    }
}

/// Reads what a player says, without the end of the line: a command, and a message after white space. Capitals and single spaces
/// count.
pub fn read_answer(line: &str) -> Said {
    let (command, rest) = read_command(line).filter(|(_, rest)| ends(rest)).unwrap_or((Command::Unknown, ""));
    Said { command, rest: rest.trim_matches(|c| c <= ' ').to_string() }
}

fn read_command(line: &str) -> Option<(Command, &str)> {
    let length = line.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(line.len());
    let (word, rest) = line.split_at(length);
    let actions = &NAMES[..usize::from(DESKS)];
    Some(match word {
        "WAIT" => (Command::Wait, rest),
        "RANDOM" => (Command::Random, rest),
        "MOVE" => {
            let (to, rest) = read_number(rest)?;
            match read_number(rest).filter(|(_, rest)| ends(rest)) {
                Some((from, _)) => (Command::Move { to, from: Some(from) }, rest),
                None => (Command::Move { to, from: None }, rest),
            }
        }
        "THROW" => read_number(rest).map(|(kind, rest)| (Command::Throw(kind), rest))?,
        "GIVE" => read_number(rest).map(|(kind, rest)| (Command::Give(kind), rest))?,
        "RELEASE" => read_number(rest).map(|(id, rest)| (Command::Release(id), rest))?,
        name => match actions.iter().position(|&known| known == name)? as u8 {
            TASK_PRIORITIZATION => {
                let (drop, rest) = read_number(rest)?;
                let (take, rest) = read_number(rest)?;
                (Command::Prioritize { drop, take }, rest)
            }
            CONTINUOUS_INTEGRATION => read_number(rest).map(|(kind, rest)| (Command::Automate(kind), rest))?,
            kind => (Command::Play(kind), rest),
        },
    })
}

/// Whether a command can end here: with the line, or with white space and what then has no further end of a line.
fn ends(rest: &str) -> bool {
    let is_white = |c: char| matches!(c, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r');
    let breaks = |c: char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    rest.is_empty() || rest.starts_with(is_white) && !rest.trim_start_matches(is_white).contains(breaks)
}

/// The number after a space, and what follows.
fn read_number(text: &str) -> Option<(Number, &str)> {
    let text = text.strip_prefix(' ')?;
    let (digits, rest) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    if digits.is_empty() {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let number = match digits.parse() {
        Ok(number) if number <= i32::MAX as u32 => Number::Fits(number),
        Err(_) if digits.is_empty() => Number::Fits(0),
        _ => Number::TooLarge,
    };
    Some((number, rest))
}

/// How a step is said to the official referee; what chance does is not.
pub fn command_text(step: Step) -> String {
    match step {
        Step::Move { to, from } if to == from => format!("MOVE {to}"),
        Step::Move { to, from } => format!("MOVE {to} {from}"),
        Step::Throw(kind) => format!("THROW {kind}"),
        Step::Give(kind) => format!("GIVE {kind}"),
        Step::Play(kind) => NAMES[usize::from(kind % DESKS)].to_string(),
        Step::Prioritize { drop, take } => format!("TASK_PRIORITIZATION {drop} {take}"),
        Step::Automate(kind) => format!("CONTINUOUS_INTEGRATION {kind}"),
        Step::Release(id) => format!("RELEASE {id}"),
        Step::Wait | Step::Draw(_) | Step::Deal(_) => "WAIT".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{at, with_hands};
    use super::*;
    use Number::{Fits, TooLarge};

    #[test]
    fn a_command_is_read_with_or_without_a_message() {
        for (line, command, rest) in [
            ("WAIT", Command::Wait, ""),
            ("WAIT\r", Command::Wait, ""),
            ("RANDOM whatever", Command::Random, "whatever"),
            ("MOVE 5", Command::Move { to: Fits(5), from: None }, ""),
            ("MOVE 05 5x", Command::Move { to: Fits(5), from: None }, "5x"),
            ("MOVE 5 12", Command::Move { to: Fits(5), from: Some(Fits(12)) }, "12"),
            ("MOVE 5  1", Command::Move { to: Fits(5), from: None }, "1"),
            ("THROW 9\t héé 🌱 ", Command::Throw(Fits(9)), "héé 🌱"),
            ("GIVE 2147483647", Command::Give(Fits(2_147_483_647)), ""),
            ("GIVE 2147483648", Command::Give(TooLarge), ""),
            ("CODE_REVIEW 7", Command::Play(6), "7"),
            ("TASK_PRIORITIZATION 8 9 x", Command::Prioritize { drop: Fits(8), take: Fits(9) }, "x"),
            ("CONTINUOUS_INTEGRATION 8", Command::Automate(Fits(8)), ""),
            ("RELEASE 000", Command::Release(Fits(0)), ""),
            ("RELEASE 99999999999999999999999", Command::Release(TooLarge), ""),
        ] {
            assert_eq!(read_answer(line), Said { command, rest: rest.into() }, "{line}");
        }
    }

    #[test]
    fn whatever_else_is_no_command() {
        for line in [
            "",
            " ",
            " WAIT",
            "wait",
            "WAITING",
            "WAIT.",
            "WAIT a\rb",
            "MOVE",
            "MOVE ",
            "MOVE  3",
            "MOVE\t3",
            "MOVE +1",
            "MOVE -1",
            "MOVE 3x",
            "MOVE3",
            "MOVE ٣",
            "TASK_PRIORITIZATION 8",
            "TASK_PRIORITIZATION 8  1",
            "CODING.",
            "BONUS",
            "TECHNICAL_DEBT",
            "RELEASE 1,2",
            "GIVE",
            "FOO",
        ] {
            assert_eq!(read_answer(line), Said { command: Command::Unknown, rest: String::new() }, "{line:?}");
        }
    }

    #[test]
    fn a_long_message_is_cut() {
        let mut game = at([2, -1], with_hands(&[9], &[]));
        game.seats[0].routines = 1;
        for (command, step) in [
            ("RANDOM", Step::Wait),
            ("MOVE 5", Step::Move { to: 5, from: 5 }),
            ("MOVE 5 5", Step::Move { to: 5, from: 5 }),
            ("MOVE 5 06", Step::Move { to: 5, from: 6 }),
        ] {
            let message =
                |letters: usize| read_answer(&format!("{command}  {}", "é".repeat(letters))).message(&game, step);
            assert_eq!([message(0), message(48)], [String::new(), "é".repeat(48)], "{command}");
            assert_eq!(message(49), "é".repeat(46) + "...", "{command}");
        }
    }

    #[test]
    fn a_second_desk_from_which_nothing_is_taken_is_part_of_the_message() {
        let mut game = at([2, -1], with_hands(&[9], &[]));
        let step = Step::Move { to: 5, from: 5 };
        assert_eq!(read_answer("MOVE 5 5 ho").message(&game, step), "5 ho");
        assert_eq!(read_answer("MOVE 5 6 ho").message(&game, step), "6 ho");
        game.seats[0].routines = 1;
        assert_eq!(read_answer("MOVE 5 7 ho").message(&game, step), "7 ho");
    }
}
