//! Whole games of official referees with their whole state, and damaged ones.

mod green_circle;
mod photosynthesis;

use std::io::Read;

use boughs_traces::{TraceError, check_traces};
use flate2::read::GzDecoder;

/// Decompresses a fixture.
fn text(compressed: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(compressed).read_to_string(&mut text).expect("a fixture");
    text
}

/// Checks recorded games. Returns the first difference of each game that has one.
fn differences(game: &str, traces: &str) -> Vec<String> {
    match check_traces(game, traces.as_bytes()) {
        Ok(_) => Vec::new(),
        Err(TraceError::Different { games, .. }) => games.iter().map(ToString::to_string).collect(),
        Err(error) => panic!("{error}"),
    }
}
