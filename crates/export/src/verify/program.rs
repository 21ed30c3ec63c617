//! The program itself, as cargo builds it.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;

use crate::fault::ExportError;
use crate::process;

/// The most time for a build of all crates.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// Runs cargo on the programs of a crate, or on one of them. It tells what it did in JSON.
fn cargo(work: &[&str], folder: &Path, bin: Option<&str>) -> Result<Output, ExportError> {
    let mut command = process::cargo();
    command.args(work).args(["--message-format", "json", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    match bin {
        Some(bin) => command.args(["--bin", bin]),
        None => command.arg("--bins"),
    };
    process::output(&mut command, LIMIT)
}

/// Has cargo check a crate. That cargo itself fails for other reasons is no fault of the crate.
///
/// # Errors
/// The first error of the crate.
pub(crate) fn check(folder: &Path, bin: Option<&str>) -> Result<(), ExportError> {
    let Ok(output) = cargo(&["check"], folder, bin) else { return Ok(()) };
    let mut messages = Message::parse_stream(output.stdout.as_slice()).map_while(Result::ok);
    let error = messages.find_map(|message| match message {
        Message::CompilerMessage(message) if message.message.level == DiagnosticLevel::Error => {
            message.message.rendered
        }
        _ => None,
    });
    error.map_or(Ok(()), |error| Err(ExportError::of_crate(&error)))
}

/// Builds the program of a crate by `cargo build --release`, in cargo's own target folder, and returns its path.
///
/// # Errors
/// The first error of the build.
pub fn build(folder: &Path, bin: Option<&str>) -> Result<PathBuf, ExportError> {
    let output = cargo(&["build", "--release"], folder, bin)?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        let error = told.lines().find(|line| line.starts_with("error")).unwrap_or("it says nothing");
        return Err(ExportError::new(format!(
            "cargo does not build {}: {error}; make 'cargo build --release' work there, or export with --no-verify",
            folder.display()
        )));
    }
    let mut messages = Message::parse_stream(output.stdout.as_slice()).map_while(Result::ok);
    let program = messages.find_map(|message| match message {
        Message::CompilerArtifact(artifact) if artifact.target.is_bin() => artifact.executable,
        _ => None,
    });
    program.map(|path| path.into_std_path_buf()).ok_or_else(|| {
        ExportError::new(format!("cargo builds no program of {}; export with --no-verify", folder.display()))
    })
}
