//! The program `boughs`, which knows the agents of the bots.

use std::env::{self, consts::EXE_SUFFIX};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::failure::Failure;

/// The environment variable with the file of the program, which `boughs export` sets to its own.
const VARIABLE: &str = "BOUGHS_PROGRAM";

/// The agent of a bot with the settings that the user names.
#[derive(Deserialize)]
pub(crate) struct Agent {
    /// The agent as `--agent` takes it.
    pub(crate) spec: String,
    /// The agent as `Debug` writes it.
    pub(crate) rust: String,
}

/// The file of the program: that of the variable, or the one beside this program, or else its name alone, which is
/// looked for in PATH.
pub(crate) fn file() -> PathBuf {
    let beside = || {
        let beside = env::current_exe().ok()?.with_file_name(format!("boughs{EXE_SUFFIX}"));
        beside.is_file().then_some(beside)
    };
    env::var_os(VARIABLE).map(PathBuf::from).or_else(beside).unwrap_or_else(|| "boughs".into())
}

/// Asks the program for the agent of a bot with the settings in a text.
pub(crate) fn agent(bot: &str, text: &str) -> Result<Agent, Failure> {
    let file = file();
    let asked = Command::new(&file).args(["bot-agent", bot, text]).stdin(Stdio::null()).output();
    let answer = asked.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::new(
            "--agent asks the program boughs, which is neither beside this one nor in PATH; in the folder of Boughs \
             this installs it: cargo install --locked --path crates/cli",
        ),
        _ => Failure::new(format!("'{}' does not run: {error}", file.display())),
    })?;
    if !answer.status.success() {
        let told = String::from_utf8_lossy(&answer.stderr);
        // The sentence stands behind the name of the program.
        let sentence = told.trim().split_once(": ").map_or(told.trim(), |(_, sentence)| sentence);
        return Err(Failure::new(sentence));
    }
    serde_json::from_slice(&answer.stdout)
        .map_err(|error| Failure::new(format!("'{}' names no agent: {error}; install it again", file.display())))
}
