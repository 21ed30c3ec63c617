//! The reasons why there is no page.

use std::{fmt, io};

use boughs_arena::{ArenaError, StoreError};
use plotters::drawing::DrawingAreaErrorKind;

/// The reason why there is no page or plot. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageError(String);

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PageError {}

impl From<io::Error> for PageError {
    fn from(error: io::Error) -> PageError {
        PageError(format!("the page cannot be written: {error}; make room or name another file"))
    }
}

impl From<serde_json::Error> for PageError {
    fn from(error: serde_json::Error) -> PageError {
        PageError(format!("the data cannot be written as JSON: {error}"))
    }
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> PageError {
        PageError(error.to_string())
    }
}

impl From<ArenaError> for PageError {
    fn from(error: ArenaError) -> PageError {
        PageError(error.to_string())
    }
}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for PageError {
    fn from(error: DrawingAreaErrorKind<E>) -> PageError {
        PageError(format!("the plots cannot be drawn: {error}"))
    }
}
