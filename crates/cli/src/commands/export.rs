//! `boughs export`: the program `boughs-export`, of which this one knows no more than its name.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::process::Command;

use crate::failure::Failure;

/// The name of the program.
const PROGRAM: &str = "boughs-export";

/// The environment variable by which it finds this program, which it asks for agents.
const THIS: &str = "BOUGHS_PROGRAM";

/// Write a bot as one source file, which the judge of a contest compiles as it is
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The arguments of boughs-export
    pub(super) words: Vec<OsString>,
}

impl Args {
    /// Runs the program beside this one, or else that in PATH.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let this = env::current_exe()?;
        let beside = this.with_file_name(format!("{PROGRAM}{EXE_SUFFIX}"));
        let mut command = if beside.is_file() { Command::new(beside) } else { Command::new(PROGRAM) };
        let error = become_it(command.args(self.words).env(THIS, this));
        Err(Failure::new(match error.kind() {
            ErrorKind::NotFound => format!(
                "{PROGRAM} is neither beside this program nor in PATH; in the folder of Boughs this installs it: \
                 cargo install --locked --path crates/export"
            ),
            _ => format!("{PROGRAM} does not run: {error}"),
        }))
    }
}

/// Runs a program in place of this one. Returns if it does not start.
#[cfg(unix)]
fn become_it(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

/// Runs a program and ends with its exit code. Returns if it does not start.
#[cfg(not(unix))]
fn become_it(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
