//! A game as rows of tables.

use std::collections::BTreeMap;
use std::time::Duration;

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Result, Row, named_params, params};

use super::{EventId, StoredGame};
use crate::record::{Clock, Ending, Fault, Record};

const INSERT_GAME: &str = "
    INSERT INTO games (event, number, round, seed, opening, moves, ending, began, took_ns, version, replay)
    VALUES (:event, :number, :round, :seed, :opening, :moves, :ending, :began, :took_ns, :version, :replay)
    ON CONFLICT (event, number) DO NOTHING";

const INSERT_SEAT: &str = "
    INSERT INTO seats (game, seat, contestant, reward, moves, total_ns, longest_ns, playouts, notes, fault, detail,
        after_ns, allowed_ns)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";

const INSERT_COLUMN: &str = "INSERT INTO columns (game, seat, name, value) VALUES (?1, ?2, ?3, ?4)";

const FIRST_GAME: &str = "SELECT * FROM games WHERE event = ?1 AND number >= ?2 ORDER BY number LIMIT 1";

const SEATS: &str = "SELECT * FROM seats WHERE game = ?1 ORDER BY seat";

const COLUMNS: &str = "SELECT seat, name, value FROM columns WHERE game = ?1";

/// Returns the reason why a record could not be read back as it is, as the rest of a sentence.
pub(super) fn fault(record: &Record) -> Option<String> {
    let seats = record.seats.len();
    let lists = [record.rewards.len(), record.clocks.len(), record.notes.len(), record.columns.len()];
    if lists.iter().any(|&list| list != seats) {
        let [rewards, clocks, notes, columns] = lists;
        return Some(format!(
            "has {seats} seats, but {rewards} rewards, {clocks} clocks, {notes} notes and {columns} maps of columns; \
             give one of each for each seat"
        ));
    }
    if let Some((seat, _)) = record.ending.faults().iter().find(|(seat, _)| *seat >= seats) {
        return Some(format!("has a fault of seat {seat}, which it does not have; seats count from 0"));
    }
    let counts = record.clocks.iter().flat_map(|clock| [clock.moves, clock.playouts]);
    if counts.chain([record.number, record.round]).any(|count| i64::try_from(count).is_err()) {
        return Some("has a number of 2^63 or more; count games and moves from 0".to_string());
    }
    let splits = |text: &&String| text.is_empty() || text.contains(char::is_whitespace);
    let text = record.opening.iter().chain(&record.moves).find(splits)?;
    Some(format!("has the move '{text}'; write moves without white space"))
}

/// Adds a game in the open transaction. Returns false if the event has a game of this number already.
pub(super) fn insert(connection: &Connection, event: EventId, record: &Record, replay: &str) -> Result<bool> {
    let added = connection.prepare_cached(INSERT_GAME)?.execute(named_params! {
        ":event": event.0,
        ":number": record.number,
        ":round": record.round,
        ":seed": record.seed.to_string(),
        ":opening": record.opening.join(" "),
        ":moves": record.moves.join(" "),
        ":ending": name(&record.ending),
        ":began": record.began,
        ":took_ns": nanos(record.took),
        ":version": env!("CARGO_PKG_VERSION"),
        ":replay": replay,
    })?;
    if added == 0 {
        return Ok(false);
    }
    let game = connection.last_insert_rowid();
    let mut insert_seat = connection.prepare_cached(INSERT_SEAT)?;
    let mut insert_column = connection.prepare_cached(INSERT_COLUMN)?;
    for (seat, contestant) in record.seats.iter().enumerate() {
        let Clock { moves, total, longest, playouts } = record.clocks[seat];
        let fault = record.ending.faults().iter().find(|(loser, _)| *loser == seat).map(|(_, fault)| fault);
        let (after, allowed) = match fault {
            Some(Fault::Late { after, allowed }) => (Some(nanos(*after)), Some(nanos(*allowed))),
            _ => (None, None),
        };
        insert_seat.execute(params![
            game,
            seat,
            contestant,
            record.rewards[seat],
            moves,
            nanos(total),
            nanos(longest),
            playouts,
            record.notes[seat],
            fault.map(Fault::name),
            fault.and_then(detail),
            after,
            allowed,
        ])?;
        for (name, value) in &record.columns[seat] {
            insert_column.execute(params![game, seat, name, value])?;
        }
    }
    Ok(true)
}

/// Finds the first game of an event whose number is not less than this one.
pub(super) fn first(connection: &Connection, event: EventId, number: u64) -> Result<Option<StoredGame>> {
    let row = |row: &Row<'_>| Ok((row.get::<_, i64>("id")?, read(row)?));
    let found = connection.prepare_cached(FIRST_GAME)?.query_row(params![event.0, number], row).optional()?;
    let Some((game, mut kept)) = found else { return Ok(None) };
    let record = &mut kept.record;
    let mut seats = connection.prepare_cached(SEATS)?;
    let mut rows = seats.query([game])?;
    while let Some(row) = rows.next()? {
        if row.get::<_, usize>("seat")? != record.seats.len() {
            return Err(unknown("the number of a seat"));
        }
        record.seats.push(row.get("contestant")?);
        record.rewards.push(number_of(row, "reward")?);
        record.clocks.push(Clock {
            moves: row.get("moves")?,
            total: duration(row, "total_ns")?,
            longest: duration(row, "longest_ns")?,
            playouts: row.get("playouts")?,
        });
        record.notes.push(row.get("notes")?);
        if let (Ending::Forfeit(faults), Some(fault)) = (&mut record.ending, fault_of(row)?) {
            faults.push((row.get("seat")?, fault));
        }
        record.columns.push(BTreeMap::new());
    }
    let mut columns = connection.prepare_cached(COLUMNS)?;
    let mut rows = columns.query([game])?;
    while let Some(row) = rows.next()? {
        if let Some(columns) = record.columns.get_mut(row.get::<_, usize>("seat")?) {
            columns.insert(row.get("name")?, number_of(row, "value")?);
        }
    }
    Ok(Some(kept))
}

/// Reads a game without its seats.
fn read(row: &Row<'_>) -> Result<StoredGame> {
    let record = Record {
        number: row.get("number")?,
        round: row.get("round")?,
        seats: Vec::new(),
        seed: row.get_ref("seed")?.as_str()?.parse().map_err(|_| unknown("a seed"))?,
        opening: moves(row, "opening")?,
        moves: moves(row, "moves")?,
        rewards: Vec::new(),
        ending: ending(row)?,
        clocks: Vec::new(),
        notes: Vec::new(),
        columns: Vec::new(),
        began: row.get("began")?,
        took: duration(row, "took_ns")?,
    };
    Ok(StoredGame { record, replay: row.get("replay")?, version: row.get("version")? })
}

fn moves(row: &Row<'_>, column: &str) -> Result<Vec<String>> {
    Ok(row.get_ref(column)?.as_str()?.split_whitespace().map(str::to_string).collect())
}

fn name(ending: &Ending) -> &'static str {
    match ending {
        Ending::Over => "over",
        Ending::Cut => "cut",
        Ending::Forfeit(_) => "forfeit",
    }
}

fn detail(fault: &Fault) -> Option<&str> {
    match fault {
        Fault::NotStarted(detail) | Fault::Exited(detail) | Fault::Illegal(detail) | Fault::Failed(detail) => {
            Some(detail)
        }
        Fault::Late { .. } | Fault::Flooded | Fault::Deaf | Fault::Resigned => None,
    }
}

/// Reads the ending of a game. Faults stand with the seats.
fn ending(row: &Row<'_>) -> Result<Ending> {
    match row.get_ref("ending")?.as_str()? {
        "over" => Ok(Ending::Over),
        "cut" => Ok(Ending::Cut),
        "forfeit" => Ok(Ending::Forfeit(Vec::new())),
        _ => Err(unknown("an ending")),
    }
}

/// Reads the fault by which a seat lost.
fn fault_of(row: &Row<'_>) -> Result<Option<Fault>> {
    let detail = || row.get::<_, String>("detail");
    let Some(name) = row.get_ref("fault")?.as_str_or_null()? else { return Ok(None) };
    Ok(Some(match name {
        "not started" => Fault::NotStarted(detail()?),
        "late" => Fault::Late { after: duration(row, "after_ns")?, allowed: duration(row, "allowed_ns")? },
        "exited" => Fault::Exited(detail()?),
        "illegal" => Fault::Illegal(detail()?),
        "flooded" => Fault::Flooded,
        "deaf" => Fault::Deaf,
        "failed" => Fault::Failed(detail()?),
        "resigned" => Fault::Resigned,
        _ => return Err(unknown("a fault")),
    }))
}

/// The error of a text that is not of the schema.
fn unknown(what: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, format!("{what} that no version writes").into())
}

/// Reads a number. SQLite has null for NaN.
fn number_of(row: &Row<'_>, column: &str) -> Result<f64> {
    Ok(row.get::<_, Option<f64>>(column)?.unwrap_or(f64::NAN))
}

/// Converts to nanoseconds. Times of more than 292 years are kept as 292 years.
fn nanos(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

fn duration(row: &Row<'_>, column: &str) -> Result<Duration> {
    Ok(Duration::from_nanos(row.get(column)?))
}
