//! Writing a log while the search goes on.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use crossbeam::channel::RecvTimeoutError;

use crate::clock::now;

use super::text::{FORMAT, Header, Writer, list};
use crate::search::{PlayoutRecord, Running, Search, SearchError};
use crate::{Budget, Game, Report};

/// Why a search was not recorded.
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

/// How often `see` is called, and how long to wait for the next playout before looking whether the search has ended.
const TICK: Duration = Duration::from_millis(50);

/// How many playouts are written between two looks.
const PLAYOUTS_A_LOOK: usize = 1024;

/// Searches as [`Search::run`] does, with early stop off, and writes every playout and the tree at the end to `out`.
/// `see` is called many times a second with the search under way.
///
/// # Errors
/// If the log cannot be written, which ends the search, or the search cannot be made.
pub fn record<G: Game>(
    search: &mut Search<G>,
    header: &Header,
    budget: Budget,
    out: &mut dyn Write,
    see: &mut dyn FnMut(&Running<'_, G>),
) -> Result<Report<G::Action>, RecordError> {
    let mut writer = Writer::new(out);
    let units = search.units();
    let (running, records) = search.start_recorded(budget.early_stop(false))?;
    writer.line(FORMAT)?;
    writer.line(&format!("game {}", header.game))?;
    writer.line(&format!("position {}", header.position))?;
    writer.line(&format!("agent {}", header.agent))?;
    writer.line(&format!("seed {}", header.seed))?;
    writer.line(&format!("units {units}"))?;
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
        see(&running);
        // A worker that is late for the deadline may still be waiting to send.
        if running.wait(Duration::ZERO) && !running.is_working() && records.is_empty() {
            break;
        }
    }
    let report = running.finish()?;
    let mut nodes = 0;
    for (tree, dump) in search.dump(usize::MAX).into_iter().enumerate() {
        // The root of a tree that no worker came to has no visits.
        for node in dump.into_iter().filter(|node| node.visits > 0) {
            nodes += 1;
            writer.line(&format!("node {tree} {} {} {}", list(&node.path), node.visits, node.sum))?;
        }
    }
    writer.line(&format!("end {playouts} {nodes}"))?;
    writer.flush()?;
    Ok(report)
}

fn playout_line(number: u64, record: &PlayoutRecord) -> String {
    let PlayoutRecord { tree, path, moves, rewards } = record;
    format!("playout {number} {tree} {} {} {}", list(path), list(moves), list(rewards))
}
