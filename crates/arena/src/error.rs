//! Why there is no match.

use std::fmt;

/// Why a match could not be played. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaError(pub(crate) String);

impl ArenaError {
    /// With this sentence, from somebody who plays matches.
    pub fn new(sentence: impl Into<String>) -> ArenaError {
        ArenaError(sentence.into())
    }
}

impl fmt::Display for ArenaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ArenaError {}

impl From<crate::StoreError> for ArenaError {
    fn from(error: crate::StoreError) -> ArenaError {
        ArenaError(error.to_string())
    }
}
