//! `boughs match`: its results, its store, and its ends.

#[cfg(unix)]
mod bots;
#[cfg(target_os = "linux")]
mod ends;
mod engines;
mod pages;
mod ratings;
#[cfg(unix)]
mod referee;
mod refusals;
mod results;
mod sources;
mod stores;

use std::path::Path;

use boughs_arena::{Store, StoredGame};
use serde_json::Value;

use crate::common::{json, run};

/// A match that is played, as JSON.
fn play(args: &str) -> Value {
    json(&run(&format!("match {args} --json")).expect())
}

/// The part of a result that does not depend on time, on the games of this run, or on the number of games at a time.
fn timeless(mut result: Value) -> Value {
    for name in ["command", "seconds", "overhead", "load", "tables", "kept", "played", "warnings"] {
        result[name].take();
    }
    for side in 0..2 {
        for name in ["seconds", "longest_ms"] {
            result["sides"][side][name].take();
        }
    }
    result
}

/// All games of a store that has one match, in order.
fn games(store: &Path) -> Vec<StoredGame> {
    let store = Store::open(store).unwrap();
    let events = store.events().unwrap();
    assert_eq!(events.len(), 1, "one match: {events:?}");
    store.games(events[0].id).map(Result::unwrap).collect()
}

/// The numbers of games and their moves.
fn moves(games: &[StoredGame]) -> Vec<(u64, Vec<String>)> {
    games
        .iter()
        .map(|StoredGame { record, .. }| (record.number, [&record.opening[..], &record.moves].concat()))
        .collect()
}
