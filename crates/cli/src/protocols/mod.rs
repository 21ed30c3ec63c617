//! What `boughs bot` speaks: the plain lines of docs/PROTOCOL.md, and for a contest game also those of its contest.
//!
//! A further contest is a file here and its line in the list.

mod ahc015;
mod plain;

use std::io::{self, BufRead, Read, StdinLock, Write};
use std::time::{Duration, Instant};

use boughs_games::Listed;

use crate::args;
use crate::failure::Failure;

/// Longer than the lines of any protocol.
const LONGEST_LINE: u64 = 1 << 20;

/// Who plays, and how.
pub(crate) struct Setup<'a> {
    pub(crate) agent: &'a args::Agent,
    /// Time for all that a contest gives one time for.
    pub(crate) time: Duration,
    /// How long before the end of a time it stops thinking.
    pub(crate) margin: Duration,
    /// When the program began.
    pub(crate) began: Instant,
}

/// The protocol of a contest.
struct Contest {
    game: &'static str,
    /// Plays, when the first line was read.
    play: fn(&str, &mut Lines, &Setup<'_>) -> Result<(), Failure>,
}

const CONTESTS: &[Contest] = &[Contest { game: ahc015::GAME, play: ahc015::play }];

/// Plays a game over standard input and output. A contest's game is played by its lines, unless the plain ones come.
pub(crate) fn play<G: Listed>(start: G, setup: &Setup<'_>) -> Result<(), Failure> {
    let mut lines = Lines::new();
    let Some(contest) = CONTESTS.iter().find(|contest| contest.game == G::NAME) else {
        return plain::play(start, setup, &mut lines);
    };
    match lines.next()? {
        Some(first) if plain::is_first(&first) => {
            lines.back = Some(first);
            plain::play(start, setup, &mut lines)
        }
        first => (contest.play)(&first.unwrap_or_default(), &mut lines, setup),
    }
}

/// The lines of standard input.
struct Lines {
    input: StdinLock<'static>,
    read: u64,
    /// A line that is read again.
    back: Option<String>,
}

impl Lines {
    fn new() -> Lines {
        Lines { input: io::stdin().lock(), read: 0, back: None }
    }

    /// The next line without its end, if there is one.
    fn next(&mut self) -> Result<Option<String>, Failure> {
        if let Some(line) = self.back.take() {
            return Ok(Some(line));
        }
        let mut line = String::new();
        let length = self.input.by_ref().take(LONGEST_LINE).read_line(&mut line);
        match length.map_err(|error| Failure::new(format!("the input cannot be read: {error}")))? {
            0 => Ok(None),
            _ => {
                self.read += 1;
                line.truncate(line.trim_end().len());
                Ok(Some(line))
            }
        }
    }
}

/// Says how much was searched, in the form that matches collect.
fn tell_rollouts(playouts: u64) {
    // Where nobody reads it, nothing is lost.
    let _ = writeln!(io::stderr(), "[PDATA] rollouts = {playouts}");
}
