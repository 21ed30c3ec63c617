//! Reading of a player's answer: one line, which the official referee reads letter by letter.

use super::super::cards::{CONTINUOUS_INTEGRATION, DESKS, NAMES, TASK_PRIORITIZATION};
use super::super::position::GreenCircle;
use super::super::step::Step;
use crate::contest_protocol::{Number, WHITE_SPACE, ends_command, read_number, shown_message, trim_control};

/// A command, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Go to a desk and take from there, or from another one if a number follows.
    Move {
        /// The desk to go to.
        to: Number,
        /// The number that follows.
        from: Option<Number>,
    },
    /// Put a card back.
    Throw(Number),
    /// Give a card.
    Give(Number),
    /// Play an action card by itself.
    Play(u8),
    /// Play TASK_PRIORITIZATION.
    Prioritize {
        /// The card to put back.
        drop: Number,
        /// The card to take.
        take: Number,
    },
    /// Play CONTINUOUS_INTEGRATION.
    Automate(Number),
    /// Release an application.
    Release(Number),
    /// Do nothing more.
    Wait,
    /// Let the referee choose.
    Random,
    /// No command.
    Unknown,
}

/// A player's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The command.
    pub command: Command,
    /// The rest of the line; empty if there is none. The second number of a MOVE stands there too.
    pub rest: String,
}

impl Said {
    /// The message that the viewer shows beside the board of a position, if the command was resolved to `step`.
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
        shown_message(message)
    }
}

/// Reads a player's answer without the end of the line: a command, and a message after white space. Capitals and single
/// spaces matter.
pub fn read_answer(line: &str) -> Said {
    let (command, rest) = read_command(line).filter(|(_, rest)| ends(rest)).unwrap_or((Command::Unknown, ""));
    Said { command, rest: trim_control(rest).to_string() }
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

/// Returns true if a command can end here: at the end of the line, or at white space after which no other line begins.
fn ends(rest: &str) -> bool {
    let breaks = |c: char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    ends_command(rest) && !rest.trim_start_matches(WHITE_SPACE).contains(breaks)
}

/// Writes a step as the player's command for it; an outcome of chance as `WAIT`.
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
    fn every_other_line_is_no_command() {
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
