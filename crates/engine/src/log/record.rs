//! Writing a log while the search goes on.

use std::fmt;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::clock::now;

use super::text::{Header, Writer, list};
use crate::inspect::NodeDump;
use crate::mcts::{PlayoutRecord, Running, Search, SearchError};
use crate::{Budget, Game, Report};

/// The reason why a search was not recorded.
#[derive(Debug)]
pub enum RecordError {
    /// The log could not be written.
    Write(io::Error),
    /// The search could not be made.
    Search(SearchError),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Write(error) => write!(f, "the log cannot be written: {error}"),
            RecordError::Search(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<io::Error> for RecordError {
    fn from(error: io::Error) -> RecordError {
        RecordError::Write(error)
    }
}

impl From<SearchError> for RecordError {
    fn from(error: SearchError) -> RecordError {
        RecordError::Search(error)
    }
}

/// The interval between calls of `see`, and the longest wait for the next playout before the writer looks again if the
/// search has ended.
const TICK: Duration = Duration::from_millis(50);

/// The most playouts that are written between two looks.
const PLAYOUTS_A_LOOK: usize = 1024;

/// Searches as [`Search::run`] does, with early stop off, and writes every playout and the final tree to `out`. `see`
/// is called many times a second with the running search.
///
/// # Errors
/// If the log cannot be written, which ends the search, or the search cannot be made.
pub fn record<G: Game>(
    search: &mut Search<G>,
    header: &Header,
    budget: Budget,
    out: &mut dyn Write,
    see: &mut dyn FnMut(&Running<'_>),
) -> Result<Report, RecordError> {
    let (running, records) = search.start_recorded(budget.early_stop(false))?;
    write(running, &records, header, out, see)
}

/// Writes the log of a search that is under way.
pub(crate) fn write(
    running: Running<'_>,
    records: &Receiver<PlayoutRecord>,
    header: &Header,
    out: &mut dyn Write,
    see: &mut dyn FnMut(&Running<'_>),
) -> Result<Report, RecordError> {
    let mut writer = Writer::new(out);
    writer.header(header, running.units())?;
    let playouts = write_playouts(&mut writer, records, &mut || {
        see(&running);
        running.wait(Duration::ZERO) && !running.is_working()
    })?;
    let (report, trees) = running.finish_with_dump()?;
    write_trees(&mut writer, trees, playouts)?;
    Ok(report)
}

/// Writes playouts as they come and returns their number. `has_ended` returns true once no worker will send a
/// further one, and is called now and then.
fn write_playouts(
    writer: &mut Writer<'_>,
    records: &Receiver<PlayoutRecord>,
    has_ended: &mut dyn FnMut() -> bool,
) -> io::Result<u64> {
    let mut playouts = 0;
    loop {
        let look = now() + TICK;
        for _ in 0..PLAYOUTS_A_LOOK {
            if now() >= look {
                break;
            }
            match records.recv_timeout(TICK) {
                Ok(record) => {
                    playouts += 1;
                    writer.checked_line(&playout_line(playouts, &record))?;
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        if has_ended() {
            for record in records.try_iter() {
                playouts += 1;
                writer.checked_line(&playout_line(playouts, &record))?;
            }
            return Ok(playouts);
        }
    }
}

/// Writes the nodes of all trees and the last line.
fn write_trees(writer: &mut Writer<'_>, trees: Vec<Vec<NodeDump>>, playouts: u64) -> io::Result<()> {
    let mut nodes = 0;
    for (tree, dump) in trees.into_iter().enumerate() {
        // The root of a tree that no worker came to has no visits.
        for node in dump.into_iter().filter(|node| node.visits > 0) {
            nodes += 1;
            writer.line(&format!("node {tree} {} {} {}", list(&node.path), node.visits, node.sum))?;
        }
    }
    writer.line(&format!("end {playouts} {nodes}"))?;
    writer.flush()
}

fn playout_line(number: u64, record: &PlayoutRecord) -> String {
    let PlayoutRecord { tree, path, moves, rewards } = record;
    format!("playout {number} {tree} {} {} {}", list(path), list(moves), list(rewards))
}
