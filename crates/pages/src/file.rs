//! Files with their names and texts.

use serde::Serialize;

use crate::{PageError, Plot};

/// A file to be written to the folder of a measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The name of the file.
    pub name: String,
    /// The whole text of the file.
    pub text: String,
}

impl File {
    pub(crate) fn new(name: impl Into<String>, text: String) -> File {
        File { name: name.into(), text }
    }

    /// A file of JSON.
    pub(crate) fn json(name: &str, report: &impl Serialize) -> Result<File, PageError> {
        Ok(File::new(name, serde_json::to_string(report)? + "\n"))
    }

    /// A file of SVG.
    pub(crate) fn svg(plot: Plot) -> File {
        File::new(format!("{}.svg", plot.name), plot.svg)
    }
}
