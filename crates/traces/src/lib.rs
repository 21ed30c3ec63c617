//! Recorded games of official referees, replayed by the rules of [`boughs_games`]. Every field of a recording must come
//! out the same.
//!
//! Another game is a module that checks lines, and its line in [`check_traces`].

mod green_circle;
mod photosynthesis;

use std::fmt::{self, Debug};
use std::io::{BufRead, BufReader, Read};

use boughs::notation::counted;

use flate2::bufread::MultiGzDecoder;

/// Counts of the replayed games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceSummary {
    /// Games that came out as recorded.
    pub games: u32,
    /// Their turns or decisions.
    pub steps: u32,
}

/// Fault of a file of recorded games. `Display` has a line for each game at fault.
#[derive(Debug)]
pub enum TraceError {
    /// There are no recordings of this kind of this game.
    Unknown {
        /// The kind of recordings.
        what: &'static str,
        /// The game.
        game: String,
        /// The games with recordings of this kind.
        known: String,
    },
    /// The file cannot be read.
    Unreadable(std::io::Error),
    /// A line does not belong to such a file, so the file is another one.
    Foreign {
        /// The line of the file, counted from 1.
        line: usize,
        /// The fault of the line.
        what: String,
    },
    /// The file has no recorded game.
    Empty,
    /// Some games differ.
    Different {
        /// The games without a difference.
        right: TraceSummary,
        /// The first differences of the other games.
        games: Vec<Difference>,
    },
}

/// The first difference of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// The game and its players; empty if they are not known.
    pub game: String,
    /// The first difference.
    pub what: String,
}

impl fmt::Display for TraceSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, steps) = (counted(self.games, "games"), counted(self.steps, "steps"));
        write!(f, "{games} with {steps} came out as recorded")
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
            TraceError::Unknown { what, game, known } => {
                write!(f, "there are no recorded {what} of '{game}'; there are of {known}")
            }
            TraceError::Unreadable(error) => write!(f, "the file cannot be read: {error}"),
            TraceError::Foreign { line, what } => {
                write!(
                    f,
                    "line {line} is not of such a recording ({what}); name a file with recorded games of the official \
                     referee"
                )
            }
            TraceError::Empty => write!(f, "there is nothing in the file; name one that has recordings"),
            TraceError::Different { right, games } => {
                for game in games {
                    writeln!(f, "{game}")?;
                }
                write!(f, "{} differed; {right}", counted(games.len(), "games"))
            }
        }
    }
}

impl std::error::Error for TraceError {}

/// A reader of the lines of a file, which reports at the end.
trait Check {
    /// Takes a line, with its number counted from 1. An error tells why the line does not belong to such a file.
    fn line(&mut self, number: usize, text: &str, found: &mut Found) -> Result<(), String>;

    /// Reports at the end of the file.
    fn end(&mut self, found: &mut Found) {
        let _ = found;
    }
}

/// Results so far.
#[derive(Default)]
struct Found {
    right: TraceSummary,
    games: Vec<Difference>,
}

/// Starts the check of a file.
type Begin = fn() -> Box<dyn Check>;

/// The checks of recorded games, by game.
const GAMES: [(&str, Begin); 2] = [("photosynthesis", photosynthesis::check), ("green-circle", green_circle::check)];

/// The game whose maps can be checked.
const MAPS: &str = "photosynthesis";

/// Replays the games of a file, objects of JSON one a line, compressed by gzip or plain.
///
/// # Errors
/// The file cannot be read, is empty or another file, or games do not come out as recorded.
pub fn check_traces(game: &str, source: impl Read) -> Result<TraceSummary, TraceError> {
    let Some((_, check)) = GAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(game)) else {
        let known = GAMES.map(|(name, _)| name).join(" and ");
        return Err(TraceError::Unknown { what: "games", game: game.to_string(), known });
    };
    check_lines(&mut *check(), source)
}

/// Makes the map of each seed of a file and compares it with the recorded one: a line with a seed, the richness of the
/// cells, and the trees of each player, separated by commas, after one line of titles. Each map counts as a game of one
/// step.
///
/// # Errors
/// Fails as [`check_traces`] does.
pub fn check_maps(game: &str, source: impl Read) -> Result<TraceSummary, TraceError> {
    match MAPS.eq_ignore_ascii_case(game) {
        true => check_lines(&mut *photosynthesis::check_maps(), source),
        false => Err(TraceError::Unknown { what: "maps", game: game.to_string(), known: MAPS.to_string() }),
    }
}

fn check_lines(check: &mut dyn Check, source: impl Read) -> Result<TraceSummary, TraceError> {
    let mut found = Found::default();
    for (number, line) in (1..).zip(lines(source)?) {
        let line = line.map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => TraceError::Foreign { line: number, what: "it is no text".into() },
            _ => TraceError::Unreadable(error),
        })?;
        if !line.trim().is_empty() {
            match check.line(number, &line, &mut found) {
                Ok(()) => {}
                Err(what) if found.right == TraceSummary::default() && found.games.is_empty() => {
                    return Err(TraceError::Foreign { line: number, what });
                }
                // The lines before belong to a recording, so this one is damaged.
                Err(what) => {
                    let what = format!("it is damaged here ({what})");
                    found.games.push(Difference { line: number, game: String::new(), what });
                    break;
                }
            }
        }
    }
    check.end(&mut found);
    let Found { right, games } = found;
    match games.is_empty() {
        true if right == TraceSummary::default() => Err(TraceError::Empty),
        true => Ok(right),
        false => Err(TraceError::Different { right, games }),
    }
}

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

type Lines<'a> = Box<dyn Iterator<Item = std::io::Result<String>> + 'a>;

/// The lines of a source, compressed or not.
fn lines<'a>(source: impl Read + 'a) -> Result<Lines<'a>, TraceError> {
    let mut source = BufReader::new(source);
    let is_compressed = source.fill_buf().map_err(TraceError::Unreadable)?.starts_with(&GZIP);
    Ok(match is_compressed {
        true => Box::new(BufReader::new(MultiGzDecoder::new(source)).lines()),
        false => Box::new(source.lines()),
    })
}

/// Compares `ours` with the `recorded` value. The error tells both.
pub(crate) fn same<T: PartialEq + Debug>(field: &str, recorded: &T, ours: &T) -> Result<(), String> {
    match recorded == ours {
        true => Ok(()),
        false => Err(format!("{field} is recorded as {recorded:?}, but comes out as {ours:?}")),
    }
}
