//! Recorded games of Photosynthesis, the official referee's every field of them: the map, shadows, income, lists of legal
//! actions in their order, what came of every command, and the scores.

mod replay;
mod trace;

use std::io::{BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

/// What was replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceSummary {
    /// Games that came out as they are recorded.
    pub games: u32,
    /// Their turns.
    pub turns: u32,
}

/// Why a file of recorded games does not come out. `Display` has a line for each game at fault.
#[derive(Debug)]
pub enum TraceError {
    /// The file cannot be read.
    Unreadable(std::io::Error),
    /// Some games differ.
    Different {
        /// What came out.
        right: TraceSummary,
        /// The games that did not.
        games: Vec<Difference>,
    },
}

/// The first difference of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// Which policies played, and the seed; empty where the line is no recorded game.
    pub game: String,
    /// Where the game first differs.
    pub what: String,
}

impl std::fmt::Display for TraceSummary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} games with {} turns come out as recorded", self.games, self.turns)
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.game.as_str() {
            "" => write!(f, "line {}: {}", self.line, self.what),
            game => write!(f, "line {}, {game}: {}", self.line, self.what),
        }
    }
}

impl std::fmt::Display for TraceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TraceError::Unreadable(error) => write!(f, "the recorded games cannot be read: {error}"),
            TraceError::Different { right, games } => {
                for game in games {
                    writeln!(f, "{game}")?;
                }
                write!(f, "{} games differ; {right}", games.len())
            }
        }
    }
}

impl std::error::Error for TraceError {}

/// The first bytes of what gzip has compressed.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Replays the games of a file, one object of JSON a line, compressed by gzip or plain.
///
/// # Errors
/// The file cannot be read, or games do not come out as they are recorded.
pub fn check_traces(source: impl Read) -> Result<TraceSummary, TraceError> {
    let (mut right, mut games) = (TraceSummary::default(), Vec::new());
    for (number, line) in lines(source)?.enumerate() {
        let line = line.map_err(TraceError::Unreadable)?;
        if line.trim().is_empty() {
            continue;
        }
        match check_game(&line) {
            Ok(turns) => {
                right.games += 1;
                right.turns += turns;
            }
            Err((game, what)) => games.push(Difference { line: number + 1, game, what }),
        }
    }
    if games.is_empty() { Ok(right) } else { Err(TraceError::Different { right, games }) }
}

/// The lines of a source, which may be compressed.
fn lines<'a>(source: impl Read + 'a) -> Result<Box<dyn Iterator<Item = std::io::Result<String>> + 'a>, TraceError> {
    let mut source = BufReader::new(source);
    let is_compressed = source.fill_buf().map_err(TraceError::Unreadable)?.starts_with(&GZIP);
    Ok(match is_compressed {
        true => Box::new(BufReader::new(MultiGzDecoder::new(source)).lines()),
        false => Box::new(source.lines()),
    })
}

/// Replays one game. An error is the name of the game and where it differs.
fn check_game(line: &str) -> Result<u32, (String, String)> {
    let trace: trace::Trace =
        serde_json::from_str(line).map_err(|error| (String::new(), format!("this is not a recorded game: {error}")))?;
    replay::replay(&trace).map_err(|what| (format!("{} with seed {}", trace.mix, trace.seed), what))
}
