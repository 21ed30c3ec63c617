//! The reasons why there is no file.

use std::fmt;

/// The reason why there is no file: one sentence that names the fault and its cure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportError {
    sentence: String,
    /// True if the compiler does not take what was made of the crates.
    pub(crate) is_of_merged: bool,
}

impl ExportError {
    pub(crate) fn new(sentence: impl Into<String>) -> ExportError {
        ExportError { sentence: sentence.into(), is_of_merged: false }
    }

    /// The error of a compiler that does not take the merged file.
    pub(crate) fn of_merged(rendered: &str) -> ExportError {
        let sentence = format!("rustc does not take the file that export made of the crate: {rendered}");
        ExportError { sentence, is_of_merged: true }
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for ExportError {}
