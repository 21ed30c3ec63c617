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

/// Which case of a contest it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseKey {
    /// The game.
    pub game: String,
    /// Its seed, or the name of its file.
    pub name: String,
    /// Of what is in it, so that another case of the same name is another one.
    pub checksum: u64,
}

/// The best that was reached in a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The score; more is better.
    pub score: f64,
    /// Who reached it.
    pub contestant: String,
    /// By which command line.
    pub command: String,
}

/// The best so far, if there is one.
pub(super) fn find(connection: &Connection, key: &CaseKey) -> Result<Option<Best>> {
    let CaseKey { game, name, checksum } = key;
    connection.prepare_cached(FIND)?.query_row(params![game, name, text(*checksum)], read).optional()
}

/// Keeps what is better than the best so far, which is returned.
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

/// SQLite has no numbers of 64 bits without sign.
fn text(checksum: u64) -> String {
    format!("{checksum:016x}")
}
