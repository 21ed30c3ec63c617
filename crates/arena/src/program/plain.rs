//! The plain protocol for board games: the lines to programs, and the meaning of their answers. `docs/PROTOCOL.md`
//! explains it to authors of programs.

use std::fmt::Write;
use std::time::Duration;

use super::Bot;
use crate::{Fault, Limit, harmless_line};

/// Number of characters of an answer that an error message shows.
const SHOWN: usize = 160;

/// The facts that a program is told before the first move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Greeting<'a> {
    /// The game with its options, as in `hex:size=7`.
    pub game: &'a str,
    /// Seat of the program, counted from 0.
    pub seat: usize,
    /// Number of seats.
    pub seats: usize,
    /// Limit of a move. A number of playouts is counted by the program alone.
    pub limit: Limit,
}

/// Writes the lines that greet a program and ask if it is ready.
///
/// ```
/// use boughs_arena::Limit;
/// use boughs_arena::plain::{Greeting, greeting};
/// use std::time::Duration;
///
/// let limit = Limit::Time(Duration::from_millis(50));
/// let lines = greeting(&Greeting { game: "hex:size=7", seat: 0, seats: 2, limit });
/// assert_eq!(lines, "game hex:size=7\nseat 1 of 2\ntime 50\nready\n");
/// ```
pub fn greeting(greeting: &Greeting<'_>) -> String {
    let Greeting { game, seat, seats, limit } = greeting;
    let limit = match limit {
        Limit::Time(time) => format!("time {}", milliseconds(*time)),
        Limit::Playouts(playouts) => format!("playouts {playouts}"),
    };
    format!("game {game}\nseat {} of {seats}\n{limit}\nready\n", seat + 1)
}

/// Writes a time in milliseconds, as in `50` or `0.5`.
pub fn milliseconds(time: Duration) -> String {
    // Whole microseconds are written without the rounding error of a binary fraction.
    (time.as_micros() as f64 / 1e3).to_string()
}

/// Checks that the answer to a [`greeting`] is `ready`.
///
/// # Errors
/// [`Fault::NotStarted`] with another answer.
pub fn check_ready(answer: &str) -> Result<(), Fault> {
    match first_word(answer) {
        "ready" => Ok(()),
        _ => Err(Fault::NotStarted(format!("it said '{}' where docs/PROTOCOL.md asks for 'ready'", shown(answer)))),
    }
}

/// Returns true if a program that has not answered a question of a contest speaks the plain lines: it answers `ready`,
/// and has an answer to nothing else. The program's standard error counts no more: it may be about this question.
pub(crate) fn is_spoken_by(bot: &mut Bot) -> bool {
    /// Time for an answer that needs no thought.
    const MOMENT: Duration = Duration::from_millis(300);

    bot.end_notes();
    let ready = bot.ask("ready", MOMENT);
    ready.is_ok_and(|(answer, _)| check_ready(&answer).is_ok())
}

/// The reason why a program that speaks the plain lines did not start in a game that has the lines of a contest.
pub(crate) fn instead_of_contest(game: &str) -> String {
    format!(
        "it speaks the plain lines, and programs play {game} by the lines of its contest; docs/PROTOCOL.md has both"
    )
}

/// Writes the lines that ask for a move: all moves since the start of the game, and those that are legal now.
///
/// ```
/// use boughs_arena::plain::turn;
///
/// let lines = turn(&["b2".to_string()], &["a1".to_string(), "c3".to_string()]);
/// assert_eq!(lines, "moves b2\nlegal a1 c3\ngo\n");
/// ```
pub fn turn(moves: &[String], legal: &[String]) -> String {
    line("moves", moves) + &line("legal", legal) + "go\n"
}

/// Returns the place of the legal move that an answer names. Case and everything after the first word are ignored.
///
/// # Errors
/// [`Fault::Illegal`] with an answer that names no legal move.
pub fn chosen(answer: &str, legal: &[String]) -> Result<usize, Fault> {
    let named = first_word(answer);
    legal.iter().position(|text| text.eq_ignore_ascii_case(named)).ok_or_else(|| Fault::illegal(answer, legal))
}

/// Writes the line about the end of a game: the reward of each seat.
pub fn end(rewards: &[f64]) -> String {
    line("end", rewards)
}

fn line<T: std::fmt::Display>(name: &str, words: &[T]) -> String {
    let mut text = name.to_string();
    for word in words {
        // Writing to a string cannot fail.
        let _ = write!(text, " {word}");
    }
    text + "\n"
}

fn first_word(answer: &str) -> &str {
    answer.split_whitespace().next().unwrap_or_default()
}

/// Returns the beginning of an answer, fit to be printed.
pub fn shown(answer: &str) -> String {
    let shown: String = answer.chars().take(SHOWN).collect();
    let dots = if answer.chars().nth(SHOWN).is_some() { "..." } else { "" };
    harmless_line(&shown) + dots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_string).collect()
    }

    #[test]
    fn a_limit_is_written_in_milliseconds_or_playouts() {
        let lines = |limit| greeting(&Greeting { game: "nim", seat: 2, seats: 3, limit });
        let time = |micros| lines(Limit::Time(Duration::from_micros(micros)));
        assert_eq!(time(1_100), "game nim\nseat 3 of 3\ntime 1.1\nready\n");
        assert_eq!(time(3_600_000_000), "game nim\nseat 3 of 3\ntime 3600000\nready\n");
        assert_eq!(lines(Limit::Playouts(100)), "game nim\nseat 3 of 3\nplayouts 100\nready\n");
    }

    #[test]
    fn the_first_turn_has_no_moves_and_the_end_has_rewards() {
        assert_eq!(turn(&[], &words("a1")), "moves\nlegal a1\ngo\n");
        assert_eq!(end(&[1.0, 0.5, -3.25]), "end 1 0.5 -3.25\n");
    }

    #[test]
    fn a_move_may_be_followed_by_anything() {
        for answer in ["b2", "B2", " b2 ", "b2 58.3 % after 1200 playouts"] {
            assert_eq!(chosen(answer, &words("a1 b2")), Ok(1), "{answer}");
        }
    }

    #[test]
    fn what_is_no_legal_move_is_shown() {
        for (answer, shown) in [("", ""), ("b", "b"), ("c3 b2", "c3 b2"), ("\0\u{1b}[2Jb2", "\\u{0}\\u{1b}[2Jb2")] {
            assert_eq!(chosen(answer, &words("a1 b2")), Err(Fault::Illegal(format!("{shown}\na1 b2"))));
        }
        let long = chosen(&"ü".repeat(1000), &words("a1"));
        assert_eq!(long, Err(Fault::Illegal("ü".repeat(SHOWN) + "...\na1")));
    }

    #[test]
    fn ready_is_the_only_answer_to_a_greeting() {
        assert_eq!(check_ready("ready"), Ok(()));
        assert_eq!(check_ready("ready my bot 1.2"), Ok(()));
        let fault = check_ready("Hello, I am a bot").unwrap_err();
        assert!(matches!(&fault, Fault::NotStarted(why) if why.contains("'Hello, I am a bot'")), "{fault}");
        assert!(check_ready("").is_err());
    }
}
