//! Every game of every match, the best score of every case of a contest, and measurements, kept in a file.
//!
//! The file is an SQLite database, which other programs may read at any time. `1.sql` to `4.sql`, one after the other,
//! make its tables. A game is one transaction, and so is a score.
//!
//! # Durability
//! **The process is killed.** When [`Store::add`] returns, the game is in the write-ahead log, which belongs to the
//! system by then, so only games in flight are lost.
//!
//! **The power is cut.** With `synchronous = NORMAL` SQLite syncs the log before a checkpoint, the database after it,
//! and the head of the log when it begins anew. So the disk always has a whole store. SQLite does not sync the log at a
//! commit, though: without more, a power cut would take all games since the last checkpoint, which may be hours. So a
//! thread syncs the log half a second after a game was added, and games in between share that sync. That leaves half a
//! second for the sync itself until a game is a second old. Frames of the log carry checksums that include those before
//! them. So of the games after the last sync the first ones are read, whole, and the others are lost. `synchronous =
//! FULL` would lose no game at all, but every game would wait for the disk.
//!
//! **The disk is full.** A transaction that cannot be written is taken back, and `add` returns an error.
//!
//! **Two processes write.** A writer waits for the other one. Transactions are IMMEDIATE, because a transaction that
//! has read before it writes cannot wait: the rows it has read may have changed.

mod best;
mod error;
mod event;
mod flusher;
mod game;
mod measurement;
mod numbers;
mod opening;
mod schema;

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

pub use best::{Best, CaseKey};
pub use error::StoreError;
pub use event::{Event, EventId, EventKey};
use flusher::Flusher;
pub use measurement::{Measurement, MeasurementEntry, MeasurementId};
pub use numbers::Numbers;

use crate::record::Record;

/// Longest time a writer waits for another program.
const PATIENCE: Duration = Duration::from_secs(10);

const LAST_END: &str = "SELECT max(began + took_ns / 1e9) FROM games WHERE event = ?1";

const NUMBERS: &str = "SELECT number FROM games WHERE event = ?1 ORDER BY number";

/// A file that keeps games.
///
/// ```
/// use boughs_arena::{Added, Clock, Ending, EventKey, Record, Store};
/// use std::{collections::BTreeMap, time::Duration};
///
/// let mut store = Store::in_memory()?; // or Store::open("games.db")?
/// let event = store.event(&EventKey {
///     kind: "match".into(),
///     conditions: r#"{"game":"tictactoe","a":"mcts","b":"flat","seed":1}"#.into(),
///     command: "boughs match tictactoe mcts flat".into(),
/// })?;
/// let record = Record {
///     number: 0,
///     round: 0,
///     seats: vec![0, 1],
///     seed: 7,
///     opening: vec!["5".into()],
///     moves: vec!["1".into(), "2".into()],
///     rewards: vec![0.5, 0.5],
///     ending: Ending::Cut,
///     clocks: vec![Clock::default(); 2],
///     notes: vec![String::new(); 2],
///     columns: vec![BTreeMap::new(); 2],
///     began: 1.8e9,
///     took: Duration::from_millis(3),
/// };
/// assert_eq!(store.add(event, &record, "boughs match ...")?, Added::New);
/// assert_eq!(store.add(event, &record, "boughs match ...")?, Added::AlreadyThere);
/// assert!(store.numbers(event)?.contains(0));
/// assert_eq!(store.games(event).next().unwrap()?.record, record);
/// # Ok::<(), boughs_arena::StoreError>(())
/// ```
pub struct Store {
    /// Stands before the connection, so that the last games are on the disk when the connection closes.
    flusher: Option<Flusher>,
    connection: Connection,
    name: String,
}

/// A game in a store.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// The game.
    pub record: Record,
    /// Command line that plays the game again.
    pub replay: String,
    /// Version of Boughs that played the game.
    pub version: String,
}

/// The result of adding a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// The game was added.
    New,
    /// The event has a game of this number, which stays as it is.
    AlreadyThere,
}

impl Store {
    /// Returns true if a store can keep this record.
    pub fn takes(record: &Record) -> bool {
        game::fault(record).is_none()
    }

    /// Opens a store, or makes one if there is no file.
    ///
    /// # Errors
    /// If the file cannot be written, is something other than a store, or was written by a newer version. The error
    /// says which.
    pub fn open(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        opening::open(path.as_ref(), PATIENCE)
    }

    /// Makes a store in memory, which ends with the process.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn in_memory() -> Result<Store, StoreError> {
        opening::in_memory()
    }

    /// Finds the event of a key, or adds it.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn event(&mut self, key: &EventKey) -> Result<EventId, StoreError> {
        self.write(|connection| event::find_or_add(connection, key))
    }

    /// Adds a game, unless the event has one of this number. When this returns, the game outlives the process.
    ///
    /// # Errors
    /// If the disk is full or fails, now or at the sync of the last games, or another program does not let go of the
    /// file. The game is not added then, and the store is as it was.
    pub fn add(&mut self, event: EventId, record: &Record, replay: &str) -> Result<Added, StoreError> {
        if let Some(fault) = game::fault(record) {
            return Err(StoreError::new(format!("game {} {fault}", record.number)));
        }
        let is_new = self.write(|connection| game::insert(connection, event, record, replay))?;
        Ok(if is_new { Added::New } else { Added::AlreadyThere })
    }

    /// Finds the game of an event with this number.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn game(&self, event: EventId, number: u64) -> Result<Option<StoredGame>, StoreError> {
        let found = game::first(&self.connection, event, number).map_err(|error| self.unreadable(error))?;
        Ok(found.filter(|kept| kept.record.number == number))
    }

    /// Finds the time at which the last game of an event ended, in seconds since 1970. `None` without games.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn last_end(&self, event: EventId) -> Result<Option<f64>, StoreError> {
        let last =
            self.connection.prepare_cached(LAST_END).and_then(|mut query| query.query_row([event.0], |row| row.get(0)));
        last.map_err(|error| self.unreadable(error))
    }

    /// Reads the games of an event one by one, in the order of their numbers.
    pub fn games(&self, event: EventId) -> StoredGames<'_> {
        StoredGames { store: self, event, from: Some(0) }
    }

    /// The error of a game that does not fit the plan of its event.
    pub(crate) fn misfit(&self, number: u64, what: &str) -> StoreError {
        StoreError::misfit(&self.name, &format!("game {number} {what}"))
    }

    /// Returns the numbers of the games of an event.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn numbers(&self, event: EventId) -> Result<Numbers, StoreError> {
        numbers(&self.connection, event).map_err(|error| self.unreadable(error))
    }

    /// Lists all events, the oldest first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn events(&self) -> Result<Vec<Event>, StoreError> {
        event::all(&self.connection).map_err(|error| self.unreadable(error))
    }

    /// Finds the best score of a case.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn best(&self, key: &CaseKey) -> Result<Option<Best>, StoreError> {
        best::find(&self.connection, key).map_err(|error| self.unreadable(error))
    }

    /// Lists the first ten thousand cases with their best scores.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn cases(&self) -> Result<Vec<(CaseKey, Best)>, StoreError> {
        best::all(&self.connection).map_err(|error| self.unreadable(error))
    }

    /// Keeps a score of a case, unless the store has one that is as good. Returns the best score before it.
    ///
    /// # Errors
    /// Fails as [`add`](Store::add) does.
    pub fn offer_best(&mut self, key: &CaseKey, best: &Best) -> Result<Option<Best>, StoreError> {
        self.write(|connection| best::offer(connection, key, best))
    }

    /// Adds a measurement. When this returns, it outlives the process.
    ///
    /// # Errors
    /// Fails as [`add`](Store::add) does.
    pub fn add_measurement(&mut self, measurement: &Measurement) -> Result<MeasurementId, StoreError> {
        self.write(|connection| measurement::add(connection, measurement))
    }

    /// Replaces the report and the page of a measurement.
    ///
    /// # Errors
    /// Fails as [`add`](Store::add) does.
    pub fn replace_measurement(&mut self, id: MeasurementId, measurement: &Measurement) -> Result<(), StoreError> {
        self.write(|connection| measurement::replace(connection, id, measurement))
    }

    /// Finds a measurement, with the time of its last change in seconds since 1970.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn measurement(&self, id: MeasurementId) -> Result<Option<(Measurement, f64)>, StoreError> {
        measurement::find(&self.connection, id).map_err(|error| self.unreadable(error))
    }

    /// Returns true if there is a measurement by the same command with the same results.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn has_measurement(&self, measurement: &Measurement) -> Result<bool, StoreError> {
        for entry in self.measurements()?.iter().filter(|entry| entry.command == measurement.command) {
            if self.measurement(entry.id)?.is_some_and(|(kept, _)| kept.report == measurement.report) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lists all measurements, the oldest first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn measurements(&self) -> Result<Vec<MeasurementEntry>, StoreError> {
        measurement::all(&self.connection).map_err(|error| self.unreadable(error))
    }

    /// Syncs the last games to the disk and closes the file. Dropping the store does so too, but reports no failure.
    ///
    /// # Errors
    /// If the disk is full or fails.
    pub fn close(mut self) -> Result<(), StoreError> {
        let result = self.flusher.take().map_or(Ok(()), Flusher::close);
        result.map_err(|failure| StoreError::not_written(&self.name, &failure))
    }

    /// The error of a file that cannot be read.
    fn unreadable(&self, error: rusqlite::Error) -> StoreError {
        StoreError::of(&self.name, error)
    }

    /// Runs a transaction, which is taken back if it fails.
    fn write<T>(&mut self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        if let Some(failure) = self.flusher.as_ref().and_then(Flusher::failure) {
            return Err(StoreError::not_written(&self.name, &failure));
        }
        let run = || {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        let result = run().map_err(|error| StoreError::of(&self.name, error))?;
        if let Some(flusher) = &self.flusher {
            flusher.added();
        }
        Ok(result)
    }
}

/// The numbers of the games of an event.
fn numbers(connection: &Connection, event: EventId) -> rusqlite::Result<Numbers> {
    let mut statement = connection.prepare_cached(NUMBERS)?;
    let mut rows = statement.query([event.0])?;
    let mut numbers = Numbers::default();
    while let Some(row) = rows.next()? {
        numbers.push(row.get(0)?);
    }
    Ok(numbers)
}

/// The games of an event, read one by one: only one is in memory at a time.
pub struct StoredGames<'store> {
    store: &'store Store,
    event: EventId,
    /// The next game has this number or a greater one; `None` at the end.
    from: Option<u64>,
}

impl Iterator for StoredGames<'_> {
    type Item = Result<StoredGame, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let from = self.from.take()?;
        // One query for all games would keep a transaction open, during which the log would only grow.
        let found = game::first(&self.store.connection, self.event, from).map_err(|error| self.store.unreadable(error));
        let found = found.transpose()?;
        if let Ok(kept) = &found {
            self.from = Some(kept.record.number + 1);
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn key(text: &str) -> EventKey {
        EventKey { kind: "match".into(), conditions: text.into(), command: String::new() }
    }

    #[test]
    fn a_transaction_that_a_full_store_cannot_take_is_taken_back_and_fits_when_there_is_room() {
        let mut store = Store::in_memory().unwrap();
        let small = store.event(&key("small")).unwrap();
        store.connection.execute_batch("PRAGMA max_page_count = 20").unwrap();
        let large = key(&"large".repeat(50_000));
        let error = store.event(&large).unwrap_err().to_string();
        assert!(error.contains("disk is full") && error.contains("make room"), "{error}");
        assert_eq!(store.events().unwrap().len(), 1);
        store.connection.execute_batch("PRAGMA max_page_count = 2000").unwrap();
        assert_eq!(store.event(&key("small")), Ok(small));
        assert!(store.event(&large).is_ok());
    }

    #[test]
    fn a_measurement_has_the_results_that_came_last() {
        let mut store = Store::in_memory().unwrap();
        let measurement = |report: &str, is_over| Measurement {
            kind: "scale".into(),
            game: "connect4".into(),
            command: "boughs scale connect4".into(),
            report: report.into(),
            page: format!("<p>{report}</p>"),
            is_over,
        };
        let [first, second] = ["1", "2"].map(|report| store.add_measurement(&measurement(report, false)).unwrap());
        store.replace_measurement(first, &measurement("3", true)).unwrap();
        assert_eq!(store.measurement(first).unwrap().unwrap().0, measurement("3", true));
        assert_eq!(store.measurement(second).unwrap().unwrap().0, measurement("2", false));
        assert_eq!(store.measurement(MeasurementId(7)), Ok(None));
        let listed = store.measurements().unwrap();
        assert_eq!(
            listed.iter().map(|entry| (entry.id, entry.is_over)).collect::<Vec<_>>(),
            [(first, true), (second, false)]
        );
    }

    #[test]
    fn a_disk_that_fails_between_two_games_stops_the_run() {
        let broken = || {
            let mut store = Store::in_memory().unwrap();
            store.flusher = Some(Flusher::new(|| Err(io::Error::other("the disk is gone"))).unwrap());
            store.event(&key("a")).unwrap();
            store
        };
        let mut store = broken();
        let told_later = (0..2_000).find_map(|_| {
            std::thread::sleep(Duration::from_millis(5));
            store.event(&key("a")).err()
        });
        for error in [told_later, broken().close().err()] {
            let error = error.expect("a word about the disk").to_string();
            assert!(error.contains("the disk is gone") && error.contains("full or failing"), "{error}");
        }
    }
}
