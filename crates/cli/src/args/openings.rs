//! The openings of games: `--openings`.

use boughs_arena::Openings;

/// Reads the value of `--openings`.
pub(crate) fn openings(text: &str) -> Result<Openings, String> {
    text.parse()
}
