//! The search tree of recorded playouts, with one letter a move, and the path that UCB1 takes through it.
//!
//! A text gives the number of playouts N and the exploration constant C, then N lines, each a word (the moves of a
//! playout, one letter each) and its score. Each playout adds its score to the nodes of its path and at most one new
//! node to the tree. The answer is the path from the root to a leaf, always to the child that maximises
//! `sum / visits + C * sqrt(ln(parent's visits) / visits)`, the smaller letter where values are equal.
//!
//! ```
//! use boughs::puzzle::Puzzle;
//!
//! let puzzle = Puzzle::parse("3 0.1\nbaa 30\nab 20\nbbb 4\n")?;
//! assert_eq!(puzzle.answer(), "a");
//! assert_eq!(puzzle.explain().to_string(), "\
//! C = 0.1
//!
//! root, 3 visits
//!   move  visits       mean  exploration      value
//!   a          1  20.000000     0.104815  20.104815  <-
//!   b          2  17.000000     0.074115  17.074115
//! a has the greatest value.
//!
//! a is a leaf. The answer is a.
//! ");
//! # Ok::<(), boughs::puzzle::ParseError>(())
//! ```
//!
//! The answer is the same on every machine: numbers are `f64`, scores are added in the order of the input, the
//! logarithm is this library's own, and values are compared as they are, without a tolerance. (The search engine sums
//! integers instead, because its threads add in any order. Here the order is given, and where two sums are equal
//! but for rounding, it is part of the definition.)

#[cfg(test)]
mod edge_cases;
mod error;
mod explain;
mod parse;
#[cfg(test)]
mod random_cases;
mod selection;
mod tree;

pub use error::{Expected, ParseError};
pub use explain::{Decision, Explanation, Step};
pub use selection::Candidate;
pub use tree::Tree;

/// The playouts to build a tree from, and the constant to walk it with.
///
/// [`parse`](Puzzle::parse) reads one from text, and `Display` writes that text.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// C, the weight of the exploration term.
    pub constant: f64,
    /// The playouts in the order in which they happened.
    pub playouts: Vec<Playout>,
}

/// One recorded game.
#[derive(Clone, Debug, PartialEq)]
pub struct Playout {
    /// The moves, one letter each.
    pub word: String,
    /// The score of the game.
    pub score: f64,
}

impl Puzzle {
    /// The letters on the path from the root to a leaf.
    pub fn answer(&self) -> String {
        Tree::build(&self.playouts).select(self.constant)
    }

    /// The same path with every value that was compared.
    pub fn explain(&self) -> Explanation {
        Tree::build(&self.playouts).explain(self.constant)
    }
}

impl std::fmt::Display for Puzzle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} {}", self.playouts.len(), self.constant)?;
        self.playouts.iter().try_for_each(|Playout { word, score }| writeln!(f, "{word} {score}"))
    }
}
