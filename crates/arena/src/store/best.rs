//! The best score of each case of a contest.

use rusqlite::{Connection, OptionalExtension, Result, Row, named_params, params};

const FIND: &str = "SELECT * FROM cases WHERE game = ?1 AND name = ?2 AND checksum = ?3";

const OFFER: &str = "
    INSERT INTO cases (game, name, checksum, best, contestant, command, version)
    VALUES (:game, :name, :checksum, :best, :contestant, :command, :version)
    ON CONFLICT (game, name, checksum) DO UPDATE
    SET best = excluded.best, contestant = excluded.contestant, command = excluded.command,
        reached = excluded.reached, version = excluded.version
    WHERE excluded.best > cases.best";

/// The key of a case of a contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseKey {
    /// Name of the game.
    pub game: String,
    /// Seed of the case, or the name of its file.
    pub name: String,
    /// Checksum of its content, which tells apart different cases of the same name.
    pub checksum: u64,
}

/// The best score of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Score. A greater one is better.
    pub score: f64,
    /// Contestant that reached it.
    pub contestant: String,
    /// Command line that reached it.
    pub command: String,
}

const ALL: &str = "SELECT * FROM cases ORDER BY game, length(name), name LIMIT 10000";

/// Lists the first ten thousand cases with their best scores, in the order of their games and names.
pub(super) fn all(connection: &Connection) -> Result<Vec<(CaseKey, Best)>> {
    let mut statement = connection.prepare_cached(ALL)?;
    let rows = statement.query_map([], |row| {
        let checksum: String = row.get("checksum")?;
        let checksum = u64::from_str_radix(&checksum, 16).unwrap_or_default();
        Ok((CaseKey { game: row.get("game")?, name: row.get("name")?, checksum }, read(row)?))
    })?;
    rows.collect()
}

/// Finds the best score so far, if there is one.
pub(super) fn find(connection: &Connection, key: &CaseKey) -> Result<Option<Best>> {
    let CaseKey { game, name, checksum } = key;
    connection.prepare_cached(FIND)?.query_row(params![game, name, text(*checksum)], read).optional()
}

/// Keeps a score that is better than the best so far. Returns the best so far.
pub(super) fn offer(connection: &Connection, key: &CaseKey, best: &Best) -> Result<Option<Best>> {
    let before = find(connection, key)?;
    connection.prepare_cached(OFFER)?.execute(named_params! {
        ":game": key.game,
        ":name": key.name,
        ":checksum": text(key.checksum),
        ":best": best.score,
        ":contestant": best.contestant,
        ":command": best.command,
        ":version": env!("CARGO_PKG_VERSION"),
    })?;
    Ok(before)
}

fn read(row: &Row<'_>) -> Result<Best> {
    Ok(Best { score: row.get("best")?, contestant: row.get("contestant")?, command: row.get("command")? })
}

/// Writes a checksum as text, because SQLite has no numbers of 64 bits without sign.
fn text(checksum: u64) -> String {
    format!("{checksum:016x}")
}
