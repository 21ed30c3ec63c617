//! Replays of puzzles and of logs.

use std::fmt::Display;
use std::io::{BufReader, Read};
use std::path::PathBuf;

use boughs::StopFlag;
use boughs::log::Log;
use boughs::named_file::{NamedFile, open};
use boughs::puzzle::Puzzle;
use pyo3::prelude::*;

use crate::error::error;
use crate::waiting::interruptible;

/// The path of UCB1 in the tree of a puzzle, and the explanation of every choice.
#[pyfunction]
pub(crate) fn replay_puzzle(text: &str) -> PyResult<(String, String)> {
    let puzzle = Puzzle::parse(text).map_err(error)?;
    Ok((puzzle.answer(), puzzle.explain().to_string()))
}

/// A file that cannot be read on once a flag is raised.
struct Stoppable {
    file: NamedFile,
    stop: StopFlag,
}

impl Read for Stoppable {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self.stop.is_raised() {
            true => Err(std::io::Error::other("interrupted")),
            false => self.file.read(into),
        }
    }
}

/// Checks the log of a search. Returns the game, the playouts and the nodes.
#[pyfunction]
pub(crate) fn replay_log(py: Python<'_>, path: PathBuf) -> PyResult<(String, u64, u64)> {
    let stop = StopFlag::default();
    let verify = || {
        let wrong = |fault: &dyn Display| error(format!("'{}', {fault}", path.display()));
        let file = Stoppable { file: open(&path)?, stop: stop.clone() };
        let log = Log::open(BufReader::new(file)).map_err(|fault| wrong(&fault))?;
        let game = log.header().game.clone();
        let start = boughs_games::start(&game).map_err(|fault| wrong(&fault))?;
        let verified = log.verify(start.position.as_position()).map_err(|fault| wrong(&fault))?;
        Ok((game, verified.playouts, verified.nodes))
    };
    interruptible(py, &stop, verify)?
}
