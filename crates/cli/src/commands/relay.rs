//! `boughs relay`: a program between a referee and a player, which `boughs match --referee` starts.

use std::path::PathBuf;

use crate::failure::Failure;

/// Pass lines between a referee and a player, and measure the answers; 'boughs match --referee' starts it
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder in which answers, their times and the start of the player are told
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The seat of the player, counted from 0
    #[arg(value_name = "SEAT")]
    seat: usize,
    /// The player and its arguments
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<String>,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let status = boughs_arena::relay(&self.folder, self.seat, &self.command)
            .map_err(|error| Failure::new(format!("'{}' cannot be played with: {error}", self.command[0])))?;
        // Standard error is the player's, so its end is told by the exit code alone.
        if status.success() { Ok(()) } else { std::process::exit(status.code().unwrap_or(1)) }
    }
}
