//! The file that keeps all measurements.

use std::fs;
use std::path::Path;

use serde::Serialize;

/// Writes a value as JSON beside the file and then renames it, so that a reader finds a complete file at any time.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write(path: &Path, value: &impl Serialize) -> Result<(), String> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
    let written = fs::write(&beside, text + "\n").and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| format!("--json, {} cannot be written: {error}", path.display()))
}
