//! Files of positions that a user names.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use boughs_arena::sgf::{self, SgfPosition};

use crate::failure::Failure;

/// The most bytes of a file that are read. A longer one is no game.
const MOST_BYTES: u64 = (1 << 20) + 1;

/// Reads the position of a file of SGF, up to `before` that move if it is given.
pub(crate) fn read(path: &Path, game: &str, before: Option<usize>) -> Result<SgfPosition, Failure> {
    let fault = |why: &dyn std::fmt::Display| Failure::new(format!("'{}': {why}", path.display()));
    let mut bytes = Vec::new();
    // A pipe would be waited for, and a device may have no end.
    let is_file = std::fs::metadata(path).map_err(|error| fault(&error))?.is_file();
    if !is_file {
        return Err(fault(&"this is no regular file"));
    }
    let file = File::open(path).map_err(|error| fault(&error))?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|error| fault(&error))?;
    sgf::read(&String::from_utf8_lossy(&bytes), game, before).map_err(|error| fault(&error))
}
