//! The program that writes a plan, and may run its shards.

use std::fmt;
use std::sync::LazyLock;

use boughs_arena::file_checksum;
use serde::{Deserialize, Serialize};

/// A program by the sources it was built from. The same sources play the same games on every machine, in the program and
/// in the Python package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramId {
    /// Version of Boughs.
    pub version: String,
    /// Checksum of the sources that results depend on; of the file of the program, if it has games of its own.
    pub checksum: String,
}

impl ProgramId {
    /// This program.
    pub fn here() -> &'static ProgramId {
        static HERE: LazyLock<ProgramId> = LazyLock::new(|| ProgramId {
            version: env!("CARGO_PKG_VERSION").to_string(),
            checksum: own_file().unwrap_or_else(|| env!("BOUGHS_SOURCES").to_string()),
        });
        &HERE
    }
}

/// The checksum of the file of a program with games of its own, whose sources are not known here.
fn own_file() -> Option<String> {
    let file = std::env::current_exe().ok().filter(|_| boughs_games::has_added_games())?;
    file_checksum(&file).ok()
}

impl fmt::Display for ProgramId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Boughs {} with the checksum {}", self.version, self.checksum)
    }
}
