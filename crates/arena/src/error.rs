//! The error of a contest.

use std::fmt;

use boughs::SearchError;
use boughs_games::GameError;

use crate::{ContestantError, StoreError};

/// The reason why a contest cannot be played. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaError(String);

impl ArenaError {
    /// An error with this sentence. For callers that play matches of their own.
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

impl From<StoreError> for ArenaError {
    fn from(error: StoreError) -> ArenaError {
        ArenaError(error.to_string())
    }
}

impl From<ContestantError> for ArenaError {
    fn from(error: ContestantError) -> ArenaError {
        ArenaError(error.to_string())
    }
}

impl From<GameError> for ArenaError {
    fn from(error: GameError) -> ArenaError {
        ArenaError(error.to_string())
    }
}

impl From<SearchError> for ArenaError {
    fn from(error: SearchError) -> ArenaError {
        ArenaError(error.to_string())
    }
}
