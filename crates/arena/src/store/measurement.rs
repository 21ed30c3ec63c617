//! Measurements, with their reports and pages.

use rusqlite::{Connection, OptionalExtension, Result, Row, named_params};

const ADD: &str = "
    INSERT INTO measurements (kind, game, command, report, page, is_over, version)
    VALUES (:kind, :game, :command, :report, :page, :is_over, :version)
    RETURNING id";

const REPLACE: &str = "
    UPDATE measurements
    SET report = :report, page = :page, is_over = :is_over, changed = unixepoch('subsec'), version = :version
    WHERE id = :id";

const ALL: &str = "SELECT id, kind, game, command, is_over, changed FROM measurements ORDER BY id";

const FIND: &str = "SELECT * FROM measurements WHERE id = ?1";

/// The number of a measurement in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MeasurementId(pub i64);

/// The results of a measurement so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measurement {
    /// Kind of the measurement, such as `scale`.
    pub kind: String,
    /// Name of the game, with its parameters.
    pub game: String,
    /// Command line that measures.
    pub command: String,
    /// Results as JSON.
    pub report: String,
    /// Results as a page of HTML.
    pub page: String,
    /// True when nothing more is measured.
    pub is_over: bool,
}

/// A measurement in a list: without its results.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurementEntry {
    /// Number by which the measurement is found.
    pub id: MeasurementId,
    /// Kind of the measurement.
    pub kind: String,
    /// Name of the game.
    pub game: String,
    /// Command line that measures.
    pub command: String,
    /// True when nothing more is measured.
    pub is_over: bool,
    /// Time of the last change, in seconds since 1970.
    pub changed: f64,
}

/// Adds a measurement, and returns its number.
pub(super) fn add(connection: &Connection, measurement: &Measurement) -> Result<MeasurementId> {
    let Measurement { kind, game, command, report, page, is_over } = measurement;
    let values = named_params! {
        ":kind": kind, ":game": game, ":command": command, ":report": report, ":page": page, ":is_over": is_over,
        ":version": env!("CARGO_PKG_VERSION"),
    };
    connection.prepare_cached(ADD)?.query_row(values, |row| row.get(0)).map(MeasurementId)
}

/// Replaces the results of a measurement.
pub(super) fn replace(connection: &Connection, id: MeasurementId, measurement: &Measurement) -> Result<()> {
    let Measurement { report, page, is_over, .. } = measurement;
    let values = named_params! {
        ":id": id.0, ":report": report, ":page": page, ":is_over": is_over, ":version": env!("CARGO_PKG_VERSION"),
    };
    connection.prepare_cached(REPLACE)?.execute(values).map(drop)
}

/// Finds a measurement, with the time of its last change in seconds since 1970.
pub(super) fn find(connection: &Connection, id: MeasurementId) -> Result<Option<(Measurement, f64)>> {
    let read = |row: &Row<'_>| {
        let measurement = Measurement {
            kind: row.get("kind")?,
            game: row.get("game")?,
            command: row.get("command")?,
            report: row.get("report")?,
            page: row.get("page")?,
            is_over: row.get("is_over")?,
        };
        Ok((measurement, row.get("changed")?))
    };
    connection.prepare_cached(FIND)?.query_row([id.0], read).optional()
}

/// Lists all measurements, the oldest first.
pub(super) fn all(connection: &Connection) -> Result<Vec<MeasurementEntry>> {
    let read = |row: &Row<'_>| {
        Ok(MeasurementEntry {
            id: MeasurementId(row.get("id")?),
            kind: row.get("kind")?,
            game: row.get("game")?,
            command: row.get("command")?,
            is_over: row.get("is_over")?,
            changed: row.get("changed")?,
        })
    };
    connection.prepare_cached(ALL)?.query_map((), read)?.collect()
}
