//! Calls of the standard library that are newer than the judge's compiler.
//!
//! Clippy knows since when each function is stable, and on which type a method is called, so it is asked.

use std::path::Path;
use std::time::Duration;

use cargo_metadata::diagnostic::Diagnostic;

use crate::Judge;
use crate::fault::ExportError;
use crate::process;

/// The version of Rust that CodinGame's files are written for.
const VERSION: &str = "1.63";

/// The lint that finds them.
const LINT: &str = "clippy::incompatible_msrv";

/// The most time for the search.
const LIMIT: Duration = Duration::from_secs(120);

/// The most calls that an error names.
const TOLD: usize = 3;

/// Looks for such calls. Returns false if clippy does not run.
///
/// # Errors
/// One sentence about the first calls.
pub(super) fn look(file: &Path, judge: Judge, folder: &Path) -> Result<bool, ExportError> {
    let unreadable = |error| ExportError::new(format!("{} cannot be read: {error}", file.display()));
    let text = std::fs::read_to_string(file).map_err(unreadable)?;
    std::fs::write(folder.join("clippy.toml"), format!("msrv = \"{VERSION}\"\n"))
        .map_err(|error| ExportError::new(format!("{} cannot be written: {error}", folder.display())))?;
    let mut command = process::clippy();
    command.env("CLIPPY_CONF_DIR", folder).args(["--crate-name", "bot", "--edition", judge.edition()]);
    // What clippy says else is not about the judge.
    command.args(["-A", "clippy::all", "-W", LINT, "--emit=metadata", "--error-format=json", "-o"]);
    command.arg(folder.join("newer.rmeta"));
    let output = process::output(command.arg(file), LIMIT).ok().filter(|output| output.status.success());
    let Some(output) = output else { return Ok(false) };
    let told = String::from_utf8_lossy(&output.stderr);
    let messages = told.lines().filter_map(|line| serde_json::from_str::<Diagnostic>(line).ok());
    let messages = messages.filter(|message| message.code.as_ref().is_some_and(|code| code.code == LINT));
    let calls: Vec<String> = messages.filter_map(|message| newer(&message, &text)).take(TOLD).collect();
    match calls.is_empty() {
        true => Ok(true),
        false => Err(ExportError::new(format!(
            "the judge's Rust {VERSION} has no {}; write it with what Rust {VERSION} has",
            calls.join(", no ")
        ))),
    }
}

/// A call, its place, and since when it is stable.
fn newer(message: &Diagnostic, text: &str) -> Option<String> {
    let span = message.spans.first()?;
    let call = text.get(span.byte_start as usize..span.byte_end as usize)?;
    let name = call.split(['(', '\n']).next().unwrap_or(call);
    // Without the types that a call names at its end.
    let name = name.strip_suffix('>').and_then(|name| name.rsplit_once("::<")).map_or(name, |(name, _)| name);
    // The message ends with the version.
    let since = message.message.split('`').rev().nth(1).unwrap_or_default();
    Some(format!("'{name}' (line {} of the file, stable since {since})", span.line_start))
}
