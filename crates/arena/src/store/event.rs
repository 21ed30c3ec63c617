//! What games are counted together.

use rusqlite::{Connection, Result, Row};

const ADD: &str =
    "INSERT INTO events (kind, conditions, command) VALUES (?1, ?2, ?3) ON CONFLICT (kind, conditions) DO NOTHING";

const FIND: &str = "SELECT id FROM events WHERE kind = ?1 AND conditions = ?2";

const ALL: &str = "SELECT *, (SELECT count(*) FROM games WHERE event = events.id) AS games FROM events ORDER BY id";

/// What games have in common that are counted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventKey {
    /// What it is, such as `match`.
    pub kind: String,
    /// Everything a result depends on, as JSON that is written in one way only: the same text is the same event.
    pub conditions: String,
    /// The command line that began it. Another one with the same conditions belongs to the same event.
    pub command: String,
}

/// An event of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventId(pub(super) i64);

/// An event and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Asks for its games.
    pub id: EventId,
    /// What its games have in common.
    pub key: EventKey,
    /// When it was added, in seconds since 1970.
    pub began: f64,
    /// How many games it has.
    pub games: u64,
}

pub(super) fn find_or_add(connection: &Connection, key: &EventKey) -> Result<EventId> {
    let EventKey { kind, conditions, command } = key;
    connection.execute(ADD, [kind, conditions, command])?;
    connection.query_row(FIND, [kind, conditions], |row| row.get(0)).map(EventId)
}

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
