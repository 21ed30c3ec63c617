//! Events: the games that are counted together.

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use crate::conditions_text::{are_same, has_files};

const ADD: &str = "INSERT INTO events (kind, conditions, command) VALUES (?1, ?2, ?3) RETURNING id";

const FIND: &str = "SELECT id FROM events WHERE kind = ?1 AND conditions = ?2";

const RENAME: &str = "UPDATE events SET conditions = ?2 WHERE id = ?1";

const OF_KIND: &str = "SELECT id, conditions FROM events WHERE kind = ?1 ORDER BY id";

const ALL: &str = "SELECT *, (SELECT count(*) FROM games WHERE event = events.id) AS games FROM events ORDER BY id";

/// The key of an event: what its games have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventKey {
    /// Kind of the event, such as `match`.
    pub kind: String,
    /// Everything a result depends on, as [`Conditions::text`](crate::Conditions::text) writes it. Events whose texts
    /// differ only in older names of agents are the same event. A contest adds the checksums of files.
    pub conditions: String,
    /// Command line that began the event. Another command line with the same conditions belongs to the same event.
    pub command: String,
}

/// The number of an event in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventId(pub(super) i64);

/// An event and its number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Number of the event, by which its games are found.
    pub id: EventId,
    /// Key of the event.
    pub key: EventKey,
    /// Time at which the event was added, in seconds since 1970.
    pub began: f64,
    /// Number of its games.
    pub games: u64,
}

/// Finds the event of a key, or adds it.
pub(super) fn find_or_add(connection: &Connection, key: &EventKey) -> Result<EventId> {
    let EventKey { kind, conditions, command } = key;
    let found = connection.query_row(FIND, [kind, conditions], |row| row.get(0)).optional()?;
    let found = found.map_or_else(|| find_older(connection, key), |id| Ok(Some(id)))?;
    let id = found.map_or_else(|| connection.query_row(ADD, [kind, conditions, command], |row| row.get(0)), Ok)?;
    Ok(EventId(id))
}

/// Finds an event whose conditions an older version wrote: with older names of the same contestants, or without the
/// checksums of files. From then on the event has the checksums.
fn find_older(connection: &Connection, key: &EventKey) -> Result<Option<i64>> {
    let mut statement = connection.prepare_cached(OF_KIND)?;
    let mut rows = statement.query([&key.kind])?;
    while let Some(row) = rows.next()? {
        if are_same(row.get_ref("conditions")?.as_str()?, &key.conditions) {
            let id: i64 = row.get("id")?;
            if has_files(&key.conditions) {
                connection.execute(RENAME, params![id, key.conditions])?;
            }
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Lists all events, the oldest first.
pub(super) fn all(connection: &Connection) -> Result<Vec<Event>> {
    connection.prepare_cached(ALL)?.query_map((), read)?.collect()
}

fn read(row: &Row<'_>) -> Result<Event> {
    Ok(Event {
        id: EventId(row.get("id")?),
        key: EventKey { kind: row.get("kind")?, conditions: row.get("conditions")?, command: row.get("command")? },
        began: row.get("began")?,
        games: row.get("games")?,
    })
}
