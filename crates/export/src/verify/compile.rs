//! The compilation of a file alone, as a judge may do it.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::Judge;
use crate::fault::ExportError;
use crate::process;

/// The most time for a compilation.
const LIMIT: Duration = Duration::from_secs(120);

/// The lints that name places where edition 2021 may differ from edition 2024.
const EDITION_LINTS: [&str; 3] = ["if-let-rescope", "tail-expr-drop-order", "boxed-slice-into-iter"];

/// The optimisation of a compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// `-O`.
    Optimised,
    /// `-C opt-level=0 -C overflow-checks=on`.
    Checked,
}

impl Level {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Level::Optimised => &["-O"],
            Level::Checked => &["-C", "opt-level=0", "-C", "overflow-checks=on"],
        }
    }

    /// A name for the compiled file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Level::Optimised => "optimised",
            Level::Checked => "checked",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.flags().join(" "))
    }
}

/// Compiles a file. A warning is an error.
///
/// # Errors
/// What the compiler says.
pub fn compile(file: &Path, judge: Judge, level: Level, binary: &Path) -> Result<(), ExportError> {
    let mut command = rustc(file, judge);
    command.args(level.flags()).args(["-D", "warnings", "-o"]).arg(binary);
    let output = process::output(&mut command, LIMIT)?;
    match output.status.success() {
        true => Ok(()),
        false => Err(ExportError::new(format!(
            "{} does not compile with {level}:\n{}",
            file.display(),
            String::from_utf8_lossy(&output.stderr)
        ))),
    }
}

/// The compiler's notes on places where the edition of the judge may differ from edition 2024. It cannot tell
/// where the difference does not matter, so these are no errors.
pub(super) fn edition_notes(file: &Path, judge: Judge, folder: &Path) -> Result<String, ExportError> {
    if judge.edition() == "2024" {
        return Ok(String::new());
    }
    let mut command = rustc(file, judge);
    command.args(["--emit=metadata", "-o"]).arg(folder.join("notes.rmeta"));
    EDITION_LINTS.iter().for_each(|lint| _ = command.args(["-W", lint]));
    Ok(String::from_utf8_lossy(&process::output(&mut command, LIMIT)?.stderr).into_owned())
}

fn rustc(file: &Path, judge: Judge) -> Command {
    let mut command = process::rustc();
    // The name of a file need not be that of a crate.
    command.args(["--crate-name", "bot", "--edition", judge.edition()]).arg(file);
    command
}
