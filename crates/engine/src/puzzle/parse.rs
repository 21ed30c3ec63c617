//! Reading a puzzle from text.

use super::error::{MAX_LETTERS, MAX_PLAYOUTS, SCORE_LIMIT};
use super::{Expected, ParseError, Playout, Puzzle};

impl Puzzle {
    /// Reads a puzzle: a line `N C`, then N lines `word score`.
    ///
    /// N is from 1 to 499; C is any finite number; a word is 1 to 49 of the letters a-z and A-Z; a score is above
    /// -100.1 and below 100.1. White space around words, blank lines and either kind of line end are accepted, and
    /// a node may have any number of different moves.
    ///
    /// ```
    /// use boughs::puzzle::Puzzle;
    ///
    /// let error = Puzzle::parse("2 0.1\nab 20\nb4 30\n").unwrap_err();
    /// let sentence = "line 3, column 2: expected a word of 1 to 49 letters from a-z and A-Z, found 'b4'";
    /// assert_eq!(error.to_string(), sentence);
    /// ```
    ///
    /// # Errors
    /// The first place where the text is not as described.
    pub fn parse(text: &str) -> Result<Puzzle, ParseError> {
        // Editors on Windows like to begin a file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let (header, mut number) = lines.next().unwrap_or(("", 1));
        let (promised, constant) = parse_header(fields(header, number))?;

        let mut playouts = Vec::new();
        for found in 0..promised {
            let Some((line, its_number)) = lines.next() else {
                let end = Field { line: number + 1, column: 1, text: "" };
                return Err(end.error(Expected::Playouts { promised, found }));
            };
            number = its_number;
            playouts.push(parse_playout(fields(line, number))?);
        }
        if let Some((line, number)) = lines.next() {
            let [first, ..] = fields(line, number);
            return Err(first.error(Expected::TextEnd { promised, found: promised + 1 + lines.count() }));
        }
        Ok(Puzzle { constant, playouts })
    }
}

fn parse_header([count, constant, rest]: [Field; 3]) -> Result<(usize, f64), ParseError> {
    let promised = count.text.parse().ok().filter(|promised| (1..=MAX_PLAYOUTS).contains(promised));
    let promised = promised.ok_or_else(|| count.error(Expected::Count))?;
    let value = constant.number(f64::is_finite).ok_or_else(|| constant.error(Expected::Constant))?;
    rest.end(Expected::HeaderEnd)?;
    Ok((promised, value))
}

fn parse_playout([word, score, rest]: [Field; 3]) -> Result<Playout, ParseError> {
    let letters = word.text.chars().take_while(char::is_ascii_alphabetic).take(MAX_LETTERS).count();
    if letters < word.text.chars().count() {
        return Err(Field { column: word.column + letters, ..word }.error(Expected::Word));
    }
    // A third field is looked at before the second: in `ba a 30` the fault is the space, not the score 'a'.
    rest.end(Expected::PlayoutEnd)?;
    let value = score.number(|score| score.abs() < SCORE_LIMIT).ok_or_else(|| score.error(Expected::Score))?;
    Ok(Playout { word: word.text.to_owned(), score: value })
}

/// A word and its place; the word is empty at the end of a line or of the text.
#[derive(Clone, Copy)]
struct Field<'a> {
    line: usize,
    column: usize,
    text: &'a str,
}

/// The first three fields of a line.
fn fields(text: &str, line: usize) -> [Field<'_>; 3] {
    let mut rest = text.trim_end();
    let mut column = 1;
    std::array::from_fn(|_| {
        let from_word = rest.trim_start();
        column += rest[..rest.len() - from_word.len()].chars().count();
        let (word, after) = from_word.split_at(from_word.find(char::is_whitespace).unwrap_or(from_word.len()));
        let field = Field { line, column, text: word };
        column += word.chars().count();
        rest = after;
        field
    })
}

impl Field<'_> {
    fn number(&self, allowed: impl Fn(f64) -> bool) -> Option<f64> {
        self.text.parse().ok().filter(|&number| allowed(number))
    }

    fn end(&self, expected: Expected) -> Result<(), ParseError> {
        if self.text.is_empty() { Ok(()) } else { Err(self.error(expected)) }
    }

    fn error(&self, expected: Expected) -> ParseError {
        ParseError { line: self.line, column: self.column, word: self.text.to_owned(), expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(text: &str) -> String {
        Puzzle::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn faults_of_the_first_line_are_named() {
        let count = "expected the number of playouts N, a whole number from 1 to 499, found";
        for text in ["", "\n", " \r\n\t\n", "\u{feff}"] {
            assert_eq!(sentence(text), format!("line 1, column 1: {count} the end of the text"), "{text:?}");
        }
        for word in ["0", "-3", "2.5", "3.0", "1e2", "500", "99999999999999999999999", "N", "baa"] {
            let quoted =
                if word.len() > 20 { "'99999999999999999999...' (23 characters)" } else { &format!("'{word}'") };
            assert_eq!(sentence(&format!("{word} 0.1\na 1\n")), format!("line 1, column 1: {count} {quoted}"));
        }

        let constant = "expected the constant C, a finite number such as 1.4, found";
        assert_eq!(sentence("  12 \na 1\n"), format!("line 1, column 5: {constant} the end of the line"));
        for word in ["x", "0,1", "nan", "NaN", "inf", "-inf", "infinity", "1e309", "-1e309", "0x1p3", "--1"] {
            assert_eq!(sentence(&format!("1 {word}\na 1\n")), format!("line 1, column 3: {constant} '{word}'"));
        }

        let rest = "line 1, column 7: expected the line to end after N and C, found '7'";
        assert_eq!(sentence("1 0.1 7 8\na 1\n"), rest);
    }

    #[test]
    fn faults_of_a_playout_are_named() {
        let word = "expected a word of 1 to 49 letters from a-z and A-Z, found";
        for (line, column, quoted) in [
            ("b4 1", 2, "'b4'"),
            ("30", 1, "'30'"),
            ("-1 ab", 1, "'-1'"),
            ("  ab- 1", 5, "'ab-'"),
            ("né 1", 2, "'né'"),
            ("а 1", 1, "'а'"),
            ("a\u{1b}[2J 1", 2, r"'a\u{1b}[2J'"),
            (&format!("{} 1", "ab".repeat(25)), 50, "'abababababababababab...' (50 characters)"),
        ] {
            let expected = format!("line 3, column {column}: {word} {quoted}");
            assert_eq!(sentence(&format!("2 0.1\nab 20\n{line}\n")), expected);
        }

        let score = "expected a score, a number above -100.1 and below 100.1, found";
        assert_eq!(sentence("1 0.1\nab  \n"), format!("line 2, column 3: {score} the end of the line"));
        for word in ["x", "b", "1,5", "nan", "inf", "-inf", "100.1", "-100.1", "101", "1e3", "1e999"] {
            assert_eq!(sentence(&format!("1 0.1\nab {word}\n")), format!("line 2, column 4: {score} '{word}'"));
        }

        let spaces = "line 2, column 6: expected the line to end after a word without spaces and its score, found '30'";
        assert_eq!(sentence("1 0.1\nba a 30\n"), spaces);
        assert_eq!(sentence("1 0.1\na 1  30 7\n"), spaces);
    }

    #[test]
    fn a_wrong_number_of_playouts_is_named_with_the_right_one() {
        assert_eq!(
            sentence("3 0.1\nbaa 30\n\n"),
            "line 3, column 1: expected 3 playouts as N says, found the end of the text after 1"
        );
        assert_eq!(
            sentence("1 0.1"),
            "line 2, column 1: expected 1 playout as N says, found the end of the text after 0"
        );
        assert_eq!(
            sentence("1 0.1\nbaa 30\n\n  bb 4\nc 5"),
            "line 4, column 3: expected no more than 1 playout as N says, found 'bb' and 3 in all"
        );
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        assert_eq!(Puzzle::parse("1 0.1\n\u{a0}\u{2003}é 1\n").unwrap_err().column, 3);
        assert_eq!(Puzzle::parse("\u{feff}é 1\n").unwrap_err().column, 1);
    }

    #[test]
    fn white_space_and_either_line_end_are_accepted() {
        let plain = Puzzle::parse("2 0.1\nab 20\nB -4\n").unwrap();
        let playout = |word: &str, score| Playout { word: word.to_owned(), score };
        assert_eq!(plain, Puzzle { constant: 0.1, playouts: vec![playout("ab", 20.0), playout("B", -4.0)] });
        for text in [
            "2 0.1\nab 20\nB -4",
            "2 0.1\r\nab 20\r\nB -4\r\n\r\n",
            "  2\t0.1  \n\tab   20 \n B -4\t\n\n  \n",
            "\u{feff}\n2 0.1\n\nab 20\n\nB -4\n",
        ] {
            assert_eq!(Puzzle::parse(text).as_ref(), Ok(&plain), "{text:?}");
        }
    }

    #[test]
    fn numbers_may_be_written_in_any_usual_way() {
        let scores =
            [("+5", 5.0), ("5.0", 5.0), ("-0.0", 0.0), ("1e1", 10.0), (".5", 0.5), ("5.", 5.0), ("100.09", 100.09)];
        for (text, score) in scores {
            let puzzle = Puzzle::parse(&format!("+1 {text}\na {text}\n")).unwrap();
            assert_eq!([puzzle.constant, puzzle.playouts[0].score], [score, score], "{text}");
        }
        assert_eq!(Puzzle::parse("1 0\na -100.09\n").unwrap().playouts[0].score, -100.09);
        for (text, constant) in [("1e308", 1e308), ("-1e308", -1e308), ("-0.5", -0.5)] {
            assert_eq!(Puzzle::parse(&format!("1 {text}\na 0\n")).unwrap().constant, constant);
        }
    }

    #[test]
    fn the_largest_puzzle_is_accepted() {
        let text = format!("499 1\n{}", format!("{} 100\n", "z".repeat(49)).repeat(499));
        assert_eq!(Puzzle::parse(&text).unwrap().answer(), "z".repeat(49));
    }
}
