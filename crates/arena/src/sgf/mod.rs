//! Games as SGF, the Smart Game Format in its fourth version, which programs for Go, Hex and Othello exchange.

mod read;
mod write;

use boughs_games::Place;

pub use read::{SgfPosition, SgfTree, TreeMove, read, read_tree};
pub use write::{write, write_record, write_tree};

/// The reason why a file is not read, or a game is not written. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfError(String);

impl std::fmt::Display for SgfError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SgfError {}

/// A game of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Format {
    name: &'static str,
    /// The number of the game in the format.
    number: u32,
    points: Points,
}

/// The way of writing a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Points {
    /// A letter for the column and one for the row, counted from the top.
    Letters,
    /// A letter for the column and the number of the row, counted from the top.
    LetterAndNumber,
}

const FORMATS: [Format; 3] = [
    Format { name: "go", number: 1, points: Points::Letters },
    Format { name: "othello", number: 2, points: Points::Letters },
    Format { name: "hex", number: 11, points: Points::LetterAndNumber },
];

/// Checks that the format has a game.
///
/// # Errors
/// If it has not.
pub fn check(game: &str) -> Result<(), SgfError> {
    Format::of(game).map(|_| ())
}

impl Format {
    /// The format of the game with a name.
    fn of(game: &str) -> Result<Format, SgfError> {
        let found = FORMATS.into_iter().find(|format| format.name == game);
        found.ok_or_else(|| SgfError(format!("SGF is for go, hex and othello here, and not for {game}")))
    }

    fn point(self, place: Place) -> String {
        let letter = |number: u8| char::from(b'a' + number);
        match self.points {
            Points::Letters => format!("{}{}", letter(place.column), letter(place.row)),
            Points::LetterAndNumber => format!("{}{}", letter(place.column), place.row + 1),
        }
    }

    /// Reads a point in any way that programs write it. In Othello some write letters and some numbers.
    fn place(self, text: &str) -> Option<Place> {
        let mut letters = text.chars();
        let number = |letter: char| letter.is_ascii_lowercase().then(|| letter as u8 - b'a');
        let column = number(letters.next()?.to_ascii_lowercase())?;
        let rest = letters.as_str();
        let row = match rest.parse::<u8>() {
            Ok(row) if self.number != 1 => row.checked_sub(1)?,
            Ok(_) => return None,
            Err(_) if self.points == Points::LetterAndNumber => return None,
            Err(_) => {
                let row = number(letters.next()?.to_ascii_lowercase())?;
                letters.as_str().is_empty().then_some(row)?
            }
        };
        Some(Place { column, row })
    }

    /// Returns true for the move of a player who passes.
    fn is_pass(self, text: &str) -> bool {
        text.is_empty() || text == "tt" && self.number == 1 || text.eq_ignore_ascii_case("pass")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_as_they_are_read() {
        for (game, place, text) in [
            ("go", Place { column: 3, row: 15 }, "dp"),
            ("hex", Place { column: 8, row: 10 }, "i11"),
            ("othello", Place { column: 5, row: 4 }, "fe"),
        ] {
            let format = Format::of(game).expect(game);
            assert_eq!(format.point(place), text);
            assert_eq!(format.place(text), Some(place));
        }
        let [go, othello, hex] = FORMATS;
        assert_eq!(othello.place("F5"), Some(Place { column: 5, row: 4 }));
        assert_eq!([go.place("d4"), hex.place("dd"), go.place(""), go.place("abc"), hex.place("a0")], [None; 5]);
        assert!(go.is_pass("tt") && go.is_pass("") && !hex.is_pass("tt"));
        assert!(Format::of("chess").is_err());
    }
}
