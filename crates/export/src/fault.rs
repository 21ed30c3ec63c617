//! The reasons why there is no file.

use std::fmt;

/// The reason why there is no file: one sentence that names the fault and its cure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportError {
    sentence: String,
    pub(crate) source: Source,
}

/// The part that is at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// The compiler does not take what was made of the crates.
    Merged,
    /// The compiler does not take the crate itself.
    Crate,
    Other,
}

impl ExportError {
    pub(crate) fn new(sentence: impl Into<String>) -> ExportError {
        ExportError { sentence: sentence.into(), source: Source::Other }
    }

    /// The error of a compiler that does not take the merged file.
    pub(crate) fn of_merged(rendered: &str) -> ExportError {
        let sentence = format!("rustc does not take the file that export made of the crate: {rendered}");
        ExportError { sentence, source: Source::Merged }
    }

    /// The first error of a crate that cargo does not take.
    pub(crate) fn of_crate(rendered: &str) -> ExportError {
        let sentence =
            format!("the crate does not compile; cargo build shows all errors, of which the first is {rendered}");
        ExportError { sentence, source: Source::Crate }
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for ExportError {}
