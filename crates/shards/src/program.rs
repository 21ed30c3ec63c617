//! The program that writes a plan, and may run its shards.

use std::fmt;
use std::sync::LazyLock;

use boughs::Rng;
use boughs::checksum::Checksum;
use boughs_arena::file_checksum;
use serde::{Deserialize, Serialize};

/// A program by the sources it was built from. The same sources play the same games on every machine, in the program
/// and in the Python package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramId {
    /// Version of Boughs.
    pub version: String,
    /// Checksum of the sources that results depend on, and of the random numbers that they draw; of the file of the
    /// program, if it has games of its own.
    pub checksum: String,
}

impl ProgramId {
    /// This program.
    pub fn here() -> &'static ProgramId {
        static HERE: LazyLock<ProgramId> = LazyLock::new(|| ProgramId {
            version: env!("CARGO_PKG_VERSION").to_string(),
            checksum: if boughs_games::has_added_games() { of_own_file() } else { of_sources() },
        });
        &HERE
    }
}

/// The checksum of the sources. The random generator is that of another crate, whose version the sources do not say.
fn of_sources() -> String {
    let mut checksum = Checksum::default();
    checksum.add(env!("BOUGHS_SOURCES").as_bytes());
    let mut rng = Rng::new(2026, 7);
    for bound in 1..=64 {
        checksum.add(&rng.bits().to_le_bytes());
        checksum.add(&rng.below(3 * bound).to_le_bytes());
        checksum.add(&rng.unit().to_le_bytes());
    }
    format!("{:016x}", checksum.value())
}

/// The checksum of the file of a program with games of its own, whose sources are not known here.
fn of_own_file() -> String {
    let checksum = std::env::current_exe().and_then(|file| file_checksum(&file));
    // No two programs that cannot read their files are taken for the same.
    checksum.unwrap_or_else(|_| format!("unknown in process {}", std::process::id()))
}

impl fmt::Display for ProgramId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Boughs {} with the checksum {}", self.version, self.checksum)
    }
}
