//! The compiler as the judge of what a file needs.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::time::Duration;

use cargo_metadata::diagnostic::{Diagnostic as Message, DiagnosticLevel, DiagnosticSpan};
use tempfile::TempDir;

use super::layout::{Layout, Placed};
use crate::fault::ExportError;
use crate::print::lines::Line;
use crate::process;

/// The most time for one check, which takes seconds.
const LIMIT: Duration = Duration::from_secs(120);

/// A folder in which files are compiled.
pub(crate) struct Compiler {
    folder: TempDir,
    edition: &'static str,
    /// The last text, and what the compiler said of it.
    last: RefCell<(Vec<Line>, Arc<[Diagnostic]>)>,
    /// The rows of the last text that the compiler took.
    layout: RefCell<Layout>,
}

/// A warning or an error.
#[derive(Debug)]
pub(crate) struct Diagnostic {
    /// The name of the lint or of the error.
    pub code: String,
    pub message: String,
    pub is_error: bool,
    /// The bytes of the text that it is about.
    pub spans: Vec<Range<usize>>,
    /// The message with its notes, and the code that they quote.
    pub rendered: String,
    /// The message, its notes, its labels, and the short places that they are about.
    pub notes: String,
}

impl Compiler {
    pub(crate) fn new(edition: &'static str) -> Result<Compiler, ExportError> {
        let folder = tempfile::tempdir()
            .map_err(|error| ExportError::new(format!("there is no temporary folder for the compiler: {error}")))?;
        Ok(Compiler { folder, edition, last: RefCell::default(), layout: RefCell::default() })
    }

    /// Checks a text. The same text again takes no time.
    pub(crate) fn check(&self, lines: &[Line]) -> Result<Arc<[Diagnostic]>, ExportError> {
        if let (last, diagnostics) = &*self.last.borrow()
            && last == lines
            && !lines.is_empty()
        {
            return Ok(Arc::clone(diagnostics));
        }
        let file = self.folder.path().join("bot.rs");
        let placed = self.layout.borrow().place(lines);
        std::fs::write(&file, &placed.text)
            .map_err(|error| ExportError::new(format!("{} cannot be written: {error}", file.display())))?;
        // A text is mostly like the last one, and the compiler looks only at the functions that differ.
        let mut output = self.run(&file, &["-C", &format!("incremental={}", self.folder.path().display())])?;
        if !has_ended_by_itself(&output) {
            output = self.run(&file, &[])?;
        }
        let told = String::from_utf8_lossy(&output.stderr);
        let messages = told.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
        let messages = messages.filter(|message| !message.spans.is_empty());
        let diagnostics: Arc<[Diagnostic]> = messages.map(|message| Diagnostic::of(message, &placed)).collect();
        if !output.status.success() && !has_error(&diagnostics) {
            let said = told.lines().last().unwrap_or_default();
            return Err(ExportError::new(format!("rustc ends with {} and no error: {said}", output.status)));
        }
        if output.status.success() {
            *self.layout.borrow_mut() = placed.layout;
        }
        *self.last.borrow_mut() = (lines.to_vec(), Arc::clone(&diagnostics));
        Ok(diagnostics)
    }

    /// Returns true if a text has no error.
    pub(crate) fn takes(&self, lines: &[Line]) -> Result<bool, ExportError> {
        Ok(!has_error(&self.check(lines)?))
    }

    fn run(&self, file: &Path, more: &[&str]) -> Result<Output, ExportError> {
        let mut command = process::rustc();
        command
            .args(["--edition", self.edition, "--crate-type", "bin", "--crate-name", "bot", "--error-format", "json"])
            .args(["--emit", "metadata", "-o"])
            .arg(self.folder.path().join("bot.rmeta"))
            .args(more)
            .arg(file);
        process::output(&mut command, LIMIT)
    }
}

/// Returns true if one of the diagnostics is an error.
pub(crate) fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.is_error)
}

/// Returns false if the compiler itself has failed, which it does with another code than that of errors in the text.
fn has_ended_by_itself(output: &Output) -> bool {
    const ERRORS: i32 = 1;
    output.status.success() || output.status.code() == Some(ERRORS)
}

impl Diagnostic {
    fn of(message: Message, placed: &Placed) -> Diagnostic {
        const SHORT: usize = 80;
        let place = |span: &DiagnosticSpan| span.byte_start as usize..span.byte_end as usize;
        let places = message.spans.iter().filter_map(|span| placed.text.get(place(span)));
        let places = places.filter(|place| place.len() < SHORT).map(str::to_string);
        let labels = message.spans.iter().filter_map(|span| span.label.clone());
        let notes = message.children.iter().map(|child| child.message.clone());
        let notes = [message.message.clone()].into_iter().chain(notes).chain(labels).chain(places);
        Diagnostic {
            notes: notes.collect::<Vec<_>>().join("\n"),
            code: message.code.map(|code| code.code).unwrap_or_default(),
            message: message.message,
            is_error: matches!(message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice),
            spans: message
                .spans
                .iter()
                .filter(|span| span.is_primary)
                .filter_map(|span| placed.alone(place(span)))
                .collect(),
            rendered: message.rendered.unwrap_or_default(),
        }
    }
}
