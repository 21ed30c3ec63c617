//! Faults in the text of a puzzle.

use std::fmt::{Display, Formatter, Result};

use crate::notation::counted;

pub(super) const MAX_PLAYOUTS: usize = 499;
pub(super) const MAX_LETTERS: usize = 49;
/// Scores lie strictly between minus this and this.
pub(super) const SCORE_LIMIT: f64 = 100.1;

/// A fault in the text of a puzzle. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line of the fault, counted from 1.
    pub line: usize,
    /// The place of the fault in its line, in characters counted from 1.
    pub column: usize,
    /// The word at fault; empty where the line or the text ended too early.
    pub word: String,
    /// The text that belongs there.
    pub expected: Expected,
}

/// The part of a puzzle's text that belongs at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// N, the number of playouts.
    Count,
    /// C, the exploration constant.
    Constant,
    /// The end of the first line.
    HeaderEnd,
    /// The moves of a playout; the column is that of the first character that cannot be one.
    Word,
    /// The score of a playout.
    Score,
    /// The end of the line of a playout.
    PlayoutEnd,
    /// More playouts.
    Playouts {
        /// N, as the first line says.
        promised: usize,
        /// The number of playouts.
        found: usize,
    },
    /// The end of the text.
    TextEnd {
        /// N, as the first line says.
        promised: usize,
        /// The number of lines after the first one, without blank lines.
        found: usize,
    },
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let ParseError { line, column, word, expected } = self;
        write!(f, "line {line}, column {column}: expected {expected}, found ")?;
        match (expected, word.as_str()) {
            (Expected::Count, "") => write!(f, "the end of the text"),
            (Expected::Playouts { found, .. }, _) => write!(f, "the end of the text after {found}"),
            (_, "") => write!(f, "the end of the line"),
            (Expected::TextEnd { found, .. }, word) => write!(f, "{} and {found} in all", Quoted(word)),
            (_, word) => write!(f, "{}", Quoted(word)),
        }
    }
}

impl std::error::Error for ParseError {}

impl Display for Expected {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Expected::Count => write!(f, "the number of playouts N, a whole number from 1 to {MAX_PLAYOUTS}"),
            Expected::Constant => write!(f, "the constant C, a finite number such as 1.4"),
            Expected::HeaderEnd => write!(f, "the line to end after N and C"),
            Expected::Word => write!(f, "a word of 1 to {MAX_LETTERS} letters from a-z and A-Z"),
            Expected::Score => write!(f, "a score, a number above -{SCORE_LIMIT} and below {SCORE_LIMIT}"),
            Expected::PlayoutEnd => write!(f, "the line to end after a word without spaces and its score"),
            Expected::Playouts { promised, .. } => write!(f, "{} as N says", playouts(*promised)),
            Expected::TextEnd { promised, .. } => write!(f, "no more than {} as N says", playouts(*promised)),
        }
    }
}

fn playouts(count: usize) -> String {
    counted(count, "playouts")
}

/// Prepares a word of the text for a message: spells out invisible characters and cuts a long word.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        const SHOWN: usize = 20;
        let shown: String = self.0.chars().take(SHOWN).collect();
        let length = self.0.chars().count();
        write!(f, "'{}", shown.escape_debug())?;
        if length > SHOWN { write!(f, "...' ({length} characters)") } else { write!(f, "'") }
    }
}
