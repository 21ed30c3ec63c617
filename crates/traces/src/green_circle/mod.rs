//! Recorded games of Green Circle, the official referee's every field of them: all cards in their order, what a player was told and
//! offered, what an answer was taken for, what chance did, and how it ended.

mod replay;
mod trace;

use std::io::{BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use self::replay::Replay;
use self::trace::Record;

/// What was replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceSummary {
    /// Games that came out as they are recorded.
    pub games: u32,
    /// Their decisions.
    pub decisions: u32,
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
    /// The number of the game and who played; empty where the line belongs to no game.
    pub game: String,
    /// Where the game first differs.
    pub what: String,
}

impl std::fmt::Display for TraceSummary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} games with {} decisions come out as recorded", self.games, self.decisions)
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
    let mut check = Check::default();
    for (number, line) in lines(source)?.enumerate() {
        let line = line.map_err(TraceError::Unreadable)?;
        if !line.trim().is_empty() {
            check.line(number + 1, &line);
        }
    }
    check.close("the game has no end");
    let Check { right, games, .. } = check;
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

/// A file that is being checked.
#[derive(Default)]
struct Check {
    right: TraceSummary,
    games: Vec<Difference>,
    /// The game under way.
    open: Option<Open>,
}

struct Open {
    number: u64,
    name: String,
    line: usize,
    /// The game so far; `None` once it differs, because nothing that follows can be compared.
    replay: Option<Replay>,
}

impl Check {
    fn line(&mut self, line: usize, text: &str) {
        match serde_json::from_str(text) {
            Ok(Record::Game(game)) => {
                self.close("the game has no end");
                let [one, other] = &game.policies;
                let name = format!("game {}, {one} against {other}", game.g);
                let replay = self.judge(line, &name, Replay::new(&game));
                self.open = Some(Open { number: game.g, name, line, replay });
            }
            Ok(Record::Step(step)) => {
                let (number, n) = (step.g, step.n);
                self.go_on(line, number, |replay| replay.step(&step).map_err(|what| format!("decision {n}: {what}")));
            }
            Ok(Record::End(end)) => {
                self.go_on(line, end.g, |replay| replay.end(&end).map_err(|what| format!("end: {what}")));
                if let Some(replay) = self.open.take().and_then(|open| open.replay) {
                    self.right.games += 1;
                    self.right.decisions += replay.steps();
                }
            }
            Err(error) => {
                self.close("the game is broken off");
                let what = format!("this is no part of a recorded game: {error}");
                self.games.push(Difference { line, game: String::new(), what });
            }
        }
    }

    /// Goes on with the game under way, which must have this number.
    fn go_on(&mut self, line: usize, number: u64, step: impl FnOnce(&mut Replay) -> Result<(), String>) {
        let Some(mut open) = self.open.take().filter(|open| open.number == number) else {
            let what = format!("game {number} has not begun");
            return self.games.push(Difference { line, game: String::new(), what });
        };
        if let Some(mut replay) = open.replay.take() {
            let result = step(&mut replay).map(|()| replay);
            open.replay = self.judge(line, &open.name, result);
        }
        self.open = Some(open);
    }

    fn judge(&mut self, line: usize, game: &str, result: Result<Replay, String>) -> Option<Replay> {
        result.map_err(|what| self.games.push(Difference { line, game: game.to_string(), what })).ok()
    }

    /// A game under way that is at its last line without an end.
    fn close(&mut self, what: &str) {
        if let Some(open) = self.open.take().filter(|open| open.replay.is_some()) {
            self.games.push(Difference { line: open.line, game: open.name, what: what.to_string() });
        }
    }
}
