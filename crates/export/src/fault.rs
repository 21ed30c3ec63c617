//! The reasons why there is no file.

use std::fmt;

/// The reason why there is no file: one sentence that names the fault and its cure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportError(String);

impl ExportError {
    pub(crate) fn new(sentence: impl Into<String>) -> ExportError {
        ExportError(sentence.into())
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ExportError {}
