//! The error of plans and shards.

use std::fmt;

use boughs::SearchError;
use boughs_arena::judge::JudgeError;
use boughs_arena::{ArenaError, ContestantError, StoreError};
use boughs_games::GameError;
use boughs_lab::scale::ScaleError;

/// The reason why a plan or a shard is of no use. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError(String);

impl PlanError {
    pub(crate) fn new(sentence: impl Into<String>) -> PlanError {
        PlanError(sentence.into())
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

macro_rules! from {
    ($($error:ty),*) => {$(
        impl From<$error> for PlanError {
            fn from(error: $error) -> PlanError {
                PlanError(error.to_string())
            }
        }
    )*};
}

from!(ArenaError, ContestantError, GameError, JudgeError, ScaleError, SearchError, StoreError, serde_json::Error);
