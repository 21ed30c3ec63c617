//! `boughs replay`: the tree of a puzzle's playouts, and the check of a search's log.

use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use boughs::log::{Log, Verified};
use boughs::named_file::open;
use boughs::notation::counted;
use boughs::puzzle::Puzzle;
use boughs_arena::harmless;
use boughs_games::start;
use indicatif::HumanCount;

use crate::failure::Failure;
use crate::output::print;
use crate::progress::Spinner;

/// The longest puzzle in bytes. A puzzle has at most 499 playouts of 49 letters and a number.
const LONGEST_PUZZLE: u64 = 1 << 20;

/// Print the path of UCB1 in the tree of a puzzle, or check the log of a search
///
/// A puzzle is a line with the number of playouts and the constant C, then a line for each playout: its moves, one
/// letter each, and its score.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  printf '3 0.1\\nbaa 30\\nab 20\\nbbb 4\\n' | boughs replay")]
pub(crate) struct Args {
    /// The puzzle; standard input if left out or -
    file: Option<PathBuf>,
    /// Explain every choice on standard error
    #[arg(long)]
    explain: bool,
    /// Check a log of 'boughs analyze --record': every playout by the rules, every node by its playouts
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "explain"])]
    log: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match (self.log, self.file) {
            (Some(log), _) => check_log(&log),
            (None, Some(file)) if file != Path::new("-") => {
                let name = format!("'{}'", file.display());
                let input = open(&file).map_err(|error| unreadable(&name, error))?;
                solve(&name, input, self.explain)
            }
            (None, _) => solve("standard input", std::io::stdin(), self.explain),
        }
    }
}

fn unreadable(name: &str, error: impl std::fmt::Display) -> Failure {
    Failure::new(format!("{name} cannot be read: {error}; name a file that you may read"))
}

fn solve(name: &str, input: impl Read, explain: bool) -> Result<(), Failure> {
    let text = read(name, input)?;
    let puzzle = Puzzle::parse(&text).map_err(|error| Failure::new(format!("{name}, {error}")))?;
    if explain {
        let mut error = std::io::stderr().lock();
        // The answer does not depend on a reader of the explanation.
        let _ = write!(error, "{}", harmless(&puzzle.explain().to_string()));
    }
    print(&(puzzle.answer() + "\n"))
}

/// The text of a puzzle.
fn read(name: &str, input: impl Read) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = input.take(LONGEST_PUZZLE + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, error))?;
    if read as u64 > LONGEST_PUZZLE {
        return Err(Failure::new(format!("{name} is longer than any puzzle: {LONGEST_PUZZLE} bytes are enough")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let (good, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let good = String::from_utf8_lossy(good);
        let line = good.matches('\n').count() + 1;
        let column = good.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Failure::new(format!("{name}, line {line}, column {column}: expected UTF-8 text, found another byte"))
    })
}

fn check_log(file: &Path) -> Result<(), Failure> {
    let name = format!("'{}'", file.display());
    let input = open(file).map_err(|error| unreadable(&name, error))?;
    let log = Log::open(BufReader::new(input)).map_err(|fault| Failure::new(format!("{name}, {fault}")))?;
    let game = log.header().game.clone();
    let spinner = Spinner::new();
    spinner.say(format!("checking {name}"));
    let start = start(&game).map_err(|error| Failure::new(format!("{name}, {error}")))?;
    let outcome = log.verify(&*start.position);
    drop(spinner);
    let Verified { playouts, nodes } = outcome.map_err(|fault| Failure::of_check(format!("{name}, {fault}")))?;
    print(&format!(
        "{name} is right: {} of {game} followed the rules and made the counters of {}\n",
        counted(HumanCount(playouts), "playouts"),
        counted(HumanCount(nodes), "nodes")
    ))
}
