//! The store: games come back as they went in, and survive faults of the process, the disk and the file.

mod best;
mod damage;
mod processes;
mod records;
mod refusals;
mod writer;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use boughs_arena::{Clock, Ending, EventId, EventKey, Record, Store};
use rusqlite::Connection;

/// The key of the match with this seed.
fn key(seed: u64) -> EventKey {
    EventKey { kind: "match".into(), conditions: format!(r#"{{"seed":{seed}}}"#), command: "boughs match".into() }
}

/// A game of 40 moves.
fn game(number: u64) -> Record {
    let clock = Clock {
        moves: 20,
        total: Duration::from_nanos(123_456_789_123),
        longest: Duration::from_millis(7),
        playouts: 1_000_000,
    };
    Record {
        number,
        round: number / 2,
        seats: vec![1, 0],
        seed: u64::MAX - number,
        opening: vec!["d3".into(), "c5".into()],
        moves: (0..40).map(|place| format!("m{}", number + place)).collect(),
        rewards: vec![1.0, 0.0],
        ending: Ending::Over,
        clocks: vec![clock, Clock::default()],
        notes: vec![String::new(); 2],
        columns: vec![BTreeMap::new(); 2],
        began: 1_795_305_600.5,
        took: Duration::from_millis(21),
    }
}

/// Opens the store at `path`. Returns it and its event of seed 1.
fn open(path: &Path) -> (Store, EventId) {
    let mut store = Store::open(path).unwrap_or_else(|error| panic!("{error}"));
    let event = store.event(&key(1)).unwrap();
    (store, event)
}

/// Checks that SQLite finds no fault in the file, and that the tables hold whole games only.
fn assert_sound(path: &Path) {
    let connection = Connection::open(path).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    let text = |sql| connection.query_row(sql, (), |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("PRAGMA integrity_check"), "ok");
    let halves = "SELECT count(*) FROM games WHERE (SELECT count(*) FROM seats WHERE game = games.id) <> 2";
    assert_eq!(connection.query_row(halves, (), |row| row.get::<_, u64>(0)).unwrap(), 0, "games without their seats");
}
