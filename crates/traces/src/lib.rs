//! Recorded games of official referees, replayed by the rules of [`boughs_games`]: every field of a recording must come out.
//!
//! A further game is a module that checks lines, and its line in [`check_traces`].

mod green_circle;
mod photosynthesis;

use std::fmt;
use std::io::{BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

/// What was replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceSummary {
    /// Games that came out as they are recorded.
    pub games: u32,
    /// Their turns or decisions.
    pub steps: u32,
}

/// Why a file of recorded games does not come out. `Display` has a line for each game at fault.
#[derive(Debug)]
pub enum TraceError {
    /// There are no recorded games of this one.
    Unknown(String),
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
    /// Which game it is and who played; empty where the line belongs to no recorded game.
    pub game: String,
    /// Where the game first differs.
    pub what: String,
}

impl fmt::Display for TraceSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games with {} steps come out as recorded", self.games, self.steps)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game.as_str() {
            "" => write!(f, "line {}: {}", self.line, self.what),
            game => write!(f, "line {}, {game}: {}", self.line, self.what),
        }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::Unknown(game) => write!(
                f,
                "there are no recorded games of '{game}'; there are of {}",
                GAMES.map(|(name, _)| name).join(" and ")
            ),
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

/// Reads the lines of a file one after the other, and at last says what came of them.
trait Check {
    /// Takes a line, with its number counted from 1.
    fn line(&mut self, number: usize, text: &str, found: &mut Found);

    /// The file has ended.
    fn end(&mut self, found: &mut Found) {
        let _ = found;
    }
}

/// What has been found so far.
#[derive(Default)]
struct Found {
    right: TraceSummary,
    games: Vec<Difference>,
}

/// Begins to check a file.
type Begin = fn() -> Box<dyn Check>;

/// How the recorded games of each game are checked.
const GAMES: [(&str, Begin); 2] = [("photosynthesis", photosynthesis::check), ("green-circle", green_circle::check)];

/// Replays the games of a file, objects of JSON one a line, compressed by gzip or plain.
///
/// # Errors
/// The file cannot be read, or games do not come out as they are recorded.
pub fn check_traces(game: &str, source: impl Read) -> Result<TraceSummary, TraceError> {
    let Some((_, check)) = GAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(game)) else {
        return Err(TraceError::Unknown(game.to_string()));
    };
    let (mut check, mut found) = (check(), Found::default());
    for (number, line) in lines(source)?.enumerate() {
        let line = line.map_err(TraceError::Unreadable)?;
        if !line.trim().is_empty() {
            check.line(number + 1, &line, &mut found);
        }
    }
    check.end(&mut found);
    let Found { right, games } = found;
    if games.is_empty() { Ok(right) } else { Err(TraceError::Different { right, games }) }
}

/// The first bytes of what gzip has compressed.
const GZIP: [u8; 2] = [0x1f, 0x8b];

type Lines<'a> = Box<dyn Iterator<Item = std::io::Result<String>> + 'a>;

/// The lines of a source, which may be compressed.
fn lines<'a>(source: impl Read + 'a) -> Result<Lines<'a>, TraceError> {
    let mut source = BufReader::new(source);
    let is_compressed = source.fill_buf().map_err(TraceError::Unreadable)?.starts_with(&GZIP);
    Ok(match is_compressed {
        true => Box::new(BufReader::new(MultiGzDecoder::new(source)).lines()),
        false => Box::new(source.lines()),
    })
}
