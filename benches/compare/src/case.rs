//! A case of the comparison: a game from its start, and a number of playouts.

use std::fmt;
use std::str::FromStr;

use boughs::Game;
use boughs_games::NamedGame;
use boughs_games::breakthrough::Breakthrough;
use boughs_games::connect4::Connect4;
use boughs_games::go::Go;
use boughs_games::hex::Hex;
use boughs_games::othello::Othello;
use serde::{Serialize, Serializer};

/// A game and a number of playouts, as text `connect4:500k`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) game: &'static str,
    pub(crate) playouts: u32,
}

impl FromStr for Case {
    type Err = String;

    fn from_str(text: &str) -> Result<Case, String> {
        let wrong = || format!("'{text}' is not a game and a number of playouts, such as connect4:500k or othello:2M");
        let (game, number) = text.rsplit_once(':').ok_or_else(wrong)?;
        let playouts = read_number(number).ok_or_else(wrong)?;
        let name = NAMES.into_iter().find(|name| *name == game).ok_or_else(|| not_compared(game))?;
        Ok(Case { game: name, playouts })
    }
}

/// The names of the games that are compared.
pub(crate) const NAMES: [&str; 5] = [Connect4::NAME, Othello::NAME, Hex::NAME, Go::NAME, Breakthrough::NAME];

/// A measurement that is compiled for each game.
pub(crate) trait Measurement {
    type Output;
    fn of<G: Game>(self, start: G) -> Self::Output;
}

/// Makes a measurement of the game of this name. Any game would do in which two players alternate and win, draw or
/// lose, but every engine is compiled again for each.
///
/// # Errors
/// If the game is not compared.
pub(crate) fn measure<M: Measurement>(game: &str, measurement: M) -> Result<M::Output, String> {
    match game {
        Connect4::NAME => Ok(measurement.of(Connect4::default())),
        Othello::NAME => Ok(measurement.of(Othello::default())),
        Hex::NAME => Ok(measurement.of(Hex::default())),
        Go::NAME => Ok(measurement.of(Go::default())),
        Breakthrough::NAME => Ok(measurement.of(Breakthrough::default())),
        _ => Err(not_compared(game)),
    }
}

fn not_compared(game: &str) -> String {
    format!("'{game}' is not compared; the games are {}", NAMES.join(", "))
}

/// Reads 500, 500k or 5M, but not 0.
fn read_number(text: &str) -> Option<u32> {
    let (digits, unit) = match text.strip_suffix('k') {
        Some(digits) => (digits, 1_000),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1_000_000)),
    };
    digits.parse::<u32>().ok()?.checked_mul(unit).filter(|&number| number > 0)
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { game, playouts } = self;
        match (playouts % 1_000_000, playouts % 1_000) {
            (0, _) => write!(f, "{game}:{}M", playouts / 1_000_000),
            (_, 0) => write!(f, "{game}:{}k", playouts / 1_000),
            _ => write!(f, "{game}:{playouts}"),
        }
    }
}

impl Serialize for Case {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_read_as_they_are_written() {
        for (text, playouts) in [("connect4:500k", 500_000), ("othello:5M", 5_000_000), ("othello:1234", 1234)] {
            let case: Case = text.parse().unwrap();
            assert_eq!((case.playouts, case.to_string().as_str()), (playouts, text));
        }
    }

    #[test]
    fn a_wrong_case_is_an_error_that_names_the_fault() {
        for text in ["connect4", "connect4:", "connect4:0", "connect4:-1", "connect4:9999M", "chess:1k", ""] {
            assert!(text.parse::<Case>().is_err(), "{text}");
        }
        assert!("conect4:1k".parse::<Case>().unwrap_err().contains("the games are connect4, othello, hex"));
    }
}
