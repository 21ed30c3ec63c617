//! `boughs check`: a test of the promises of a game that searches rely on.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use boughs::Session;
use boughs::conformance::{Checked, Effort, Fault, check};
use boughs::named_file::{NamedFile, open};
use boughs::notation::counted;
use boughs_traces::{TraceError, TraceSummary, check_maps, check_traces};
use indicatif::HumanCount;
use serde::Serialize;

use crate::args;
use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::progress::Spinner;

/// The most moves of the sequences that `--perft` counts. With two moves in each position, longer ones would be more
/// than a counter holds.
const DEEPEST: u64 = 64;

/// Check the rules of a game by playing it at random
///
/// Looks at every position of random games: legal moves can be played, written and read back, players act in order,
/// rewards are what was declared, and random moves are uniform. Where there is chance, outcomes come as often as their
/// weights say. Where something is hidden, players know what they may do and forget nothing, and a determinization
/// gives away nothing that the player does not know.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs check tictactoe --games 50 --perft 4")]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::GameArg,
    /// Random games to play
    #[arg(long, value_name = "N", default_value_t = Effort::default().games, value_parser = args::whole(1u32))]
    games: u32,
    /// Count all sequences of 1 to D moves too
    #[arg(long, value_name = "D", value_parser = args::whole_within(1, DEEPEST))]
    perft: Option<u64>,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = Effort::default().seed, value_parser = args::whole(0u64))]
    seed: u64,
    /// Replay the games of this file, recorded by an official referee, and say where each first differs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "perft", "seed", "json"])]
    traces: Option<PathBuf>,
    /// Make the maps of the seeds in this file, and say which differ from those recorded there
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "perft", "seed", "json", "traces"])]
    boards: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let game = &self.game.game;
        match (&self.traces, &self.boards) {
            (Some(file), _) => replay(file, &|source| check_traces(game, source), "games"),
            (_, Some(file)) => replay(file, &|source| check_maps(game, source), "maps"),
            (None, None) => self.play(&*self.game.start()?.position),
        }
    }

    /// Plays random games and counts sequences of moves.
    fn play(&self, start: &dyn Session) -> Result<(), Failure> {
        let spinner = Spinner::new();
        spinner.say(format!("playing {}", counted(self.games, "games")));
        let outcome = check(start, Effort { games: self.games, seed: self.seed, ..Effort::default() });
        if let (false, Ok(checked)) = (self.json, &outcome) {
            spinner.aside(|| print(&praise(&self.game.game, checked)))?;
        }
        let mut counts = Vec::new();
        for depth in 1..=self.perft.unwrap_or(0) as u32 {
            if outcome.is_err() {
                break;
            }
            spinner.say(format!("counting sequences of {}", counted(depth, "moves")));
            let count = Count::of(start, depth);
            counts.push(count);
            if !self.json {
                spinner.aside(|| print(&count.line()))?;
            }
            // No game is longer, so every deeper count is 0 too.
            if count.sequences == 0 {
                break;
            }
        }
        drop(spinner);
        if self.json {
            print_json(&json(&self.game.game, &outcome, counts))?;
        }
        outcome.map(|_| ()).map_err(|fault| Failure::of_check(format!("{} is wrong {fault}", self.game.game)))
    }
}

/// Replays the games or maps of a file.
fn replay(
    file: &Path,
    check: &dyn Fn(NamedFile) -> Result<TraceSummary, TraceError>,
    what: &str,
) -> Result<(), Failure> {
    let name = file.display();
    let source = open(file).map_err(|error| Failure::new(format!("'{name}' cannot be read: {error}")))?;
    let spinner = Spinner::new();
    spinner.say(format!("replaying {name}"));
    let checked = check(source);
    drop(spinner);
    match checked {
        Ok(summary) if what == "games" => print(&format!("{name}: {summary}\n")),
        Ok(summary) => {
            print(&format!("{name}: {} came out as recorded\n", counted(HumanCount(summary.games.into()), what)))
        }
        Err(TraceError::Different { right, games }) => {
            games.iter().try_for_each(|game| print(&format!("{game}\n")))?;
            let right =
                if what == "games" { right.to_string() } else { format!("{} came out as recorded", right.games) };
            let different = counted(games.len(), what);
            Err(Failure::of_check(format!("{different} of '{name}' differed; {right}")))
        }
        Err(error @ TraceError::Unknown { .. }) => Err(Failure::new(error.to_string())),
        Err(TraceError::Unreadable(error)) => Err(Failure::new(format!("'{name}' cannot be read: {error}"))),
        Err(error @ (TraceError::Foreign { .. } | TraceError::Empty)) => {
            Err(Failure::new(format!("'{name}': {error}")))
        }
    }
}

/// The output of `--json`.
#[derive(Serialize)]
struct JsonCheck<'a> {
    game: &'a str,
    games: u32,
    positions: u64,
    uniformity: u32,
    longest: u32,
    chance: u64,
    weights: u32,
    unlisted: u64,
    hidden: u64,
    fault: Option<JsonFault<'a>>,
    perft: Vec<Count>,
}

#[derive(Serialize)]
struct JsonFault<'a> {
    moves: &'a str,
    what: &'a str,
}

/// The number of sequences of moves of a length.
#[derive(Clone, Copy, Serialize)]
struct Count {
    depth: u32,
    sequences: u64,
    seconds: f64,
    per_second: f64,
}

fn praise(game: &str, checked: &Checked) -> String {
    format!("{game} is as it should be: {checked}\n")
}

fn json<'a>(game: &'a str, outcome: &'a Result<Checked, Box<Fault>>, perft: Vec<Count>) -> JsonCheck<'a> {
    let checked = outcome.as_ref().copied().unwrap_or_default();
    let Checked { games, positions, uniformity, longest, chance, weights, unlisted, hidden } = checked;
    let fault = outcome.as_ref().err().map(|fault| JsonFault { moves: &fault.moves, what: &fault.what });
    JsonCheck { game, games, positions, uniformity, longest, chance, weights, unlisted, hidden, fault, perft }
}

impl Count {
    fn of(start: &dyn Session, depth: u32) -> Count {
        let started = Instant::now();
        let sequences = start.perft(depth);
        let seconds = started.elapsed().as_secs_f64();
        Count { depth, sequences, seconds, per_second: sequences as f64 / seconds.max(1e-9) }
    }

    fn line(&self) -> String {
        let Count { depth, sequences, seconds, per_second } = *self;
        let mut line = format!("perft {depth:<3} {:>16}", HumanCount(sequences).to_string());
        let _ = writeln!(line, "  {seconds:.3} s  {} a second", HumanCount(per_second as u64));
        line
    }
}
