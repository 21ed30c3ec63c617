//! `boughs check`: whether a game keeps the promises that searches rely on.

use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use boughs::conformance::{Checked, Effort, Fault, check};
use boughs::perft;
use boughs_games::{Listed, Visitor};
use boughs_traces::{TraceError, TraceSummary, check_maps, check_traces};
use indicatif::HumanCount;
use serde::Serialize;

use crate::args;
use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::progress::Spinner;

/// Check the rules of a game by playing it at random
///
/// Looks at every position of random games: whether legal moves can be played, written and read back, players act in
/// order, rewards are what was declared, and random moves are uniform. Where there is chance, whether outcomes come as
/// often as their weights say. Where something is hidden, whether players know what they may do and forget nothing, and
/// whether what is drawn for them in place of what they do not know gives away nothing.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs check tictactoe --games 50 --perft 4")]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    /// Random games to play
    #[arg(long, value_name = "N", default_value_t = Effort::default().games, value_parser = args::whole(1u32))]
    games: u32,
    /// Count all sequences of 1 to D moves too
    #[arg(long, value_name = "D", value_parser = args::whole(1u32))]
    perft: Option<u32>,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = Effort::default().seed, value_parser = args::whole(0u64))]
    seed: u64,
    /// Replay the games that an official referee has recorded instead, and say where each first differs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "perft", "seed", "json"])]
    traces: Option<PathBuf>,
    /// Make the maps of recorded seeds instead, and say which differ
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
            (Some(file), _) => replay(file, |source| check_traces(game, source), "games"),
            (_, Some(file)) => replay(file, |source| check_maps(game, source), "maps"),
            (None, None) => self.game.visit(Check(&self)),
        }
    }
}

/// Replays recorded games, or whatever else is in a file.
fn replay(
    file: &Path,
    check: impl FnOnce(File) -> Result<TraceSummary, TraceError>,
    what: &str,
) -> Result<(), Failure> {
    let name = file.display();
    let source = File::open(file).map_err(|error| Failure::new(format!("'{name}' cannot be read: {error}")))?;
    let spinner = Spinner::new();
    spinner.say(format!("replaying {name}"));
    let checked = check(source);
    drop(spinner);
    match checked {
        Ok(summary) if what == "games" => print(&format!("{name}: {summary}\n")),
        Ok(summary) => print(&format!("{name}: {} {what} come out as recorded\n", HumanCount(summary.games.into()))),
        Err(TraceError::Different { right, games }) => {
            games.iter().try_for_each(|game| print(&format!("{game}\n")))?;
            let right =
                if what == "games" { right.to_string() } else { format!("{} come out as recorded", right.games) };
            Err(Failure::of_check(format!("{} {what} of '{name}' differ; {right}", games.len())))
        }
        Err(error @ TraceError::Unknown { .. }) => Err(Failure::new(error.to_string())),
        Err(TraceError::Unreadable(error)) => Err(Failure::new(format!("'{name}' cannot be read: {error}"))),
        Err(error @ (TraceError::Foreign { .. } | TraceError::Empty)) => {
            Err(Failure::new(format!("'{name}': {error}")))
        }
    }
}

struct Check<'a>(&'a Args);

/// What `--json` prints.
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

/// How many sequences of moves there are.
#[derive(Clone, Copy, Serialize)]
struct Count {
    depth: u32,
    sequences: u64,
    seconds: f64,
    per_second: f64,
}

impl Visitor for Check<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let Check(args) = self;
        let spinner = Spinner::new();
        spinner.say(format!("playing {} games", args.games));
        let outcome = check(&start, Effort { games: args.games, seed: args.seed, ..Effort::default() });
        if let (false, Ok(checked)) = (args.json, &outcome) {
            spinner.aside(|| print(&praise(&args.game.game, checked)))?;
        }
        let mut counts = Vec::new();
        for depth in 1..=args.perft.unwrap_or(0) {
            if outcome.is_err() {
                break;
            }
            spinner.say(format!("counting sequences of {depth} moves"));
            let count = Count::of(&start, depth);
            counts.push(count);
            if !args.json {
                spinner.aside(|| print(&count.line()))?;
            }
            // No game is longer, so there is nothing to count any more.
            if count.sequences == 0 {
                break;
            }
        }
        drop(spinner);
        if args.json {
            print_json(&json(&args.game.game, &outcome, counts))?;
        }
        outcome.map(|_| ()).map_err(|fault| Failure::of_check(format!("{} is wrong {fault}", args.game.game)))
    }
}

fn praise(game: &str, checked: &Checked) -> String {
    let Checked { games, positions, uniformity, longest, chance, weights, unlisted, hidden } = *checked;
    let mut text = format!(
        "{game} is as it should be: {games} random games of at most {longest} moves, {} positions.\n\
         In all of them legal moves can be played, written and read back, players act in order, and rewards are\n\
         what was declared; random moves are uniform in the {uniformity} positions where that was tested.\n",
        HumanCount(positions)
    );
    if chance > unlisted {
        let times = HumanCount(chance - unlisted);
        let _ = writeln!(
            text,
            "Chance drew {times} times among outcomes that are listed, and as often as their weights say in the {weights}\n\
             positions where that was tested."
        );
    }
    if unlisted > 0 {
        let _ = writeln!(
            text,
            "Chance drew {} times without listing its outcomes: these could be played, but nothing says whether each is\n\
             as likely as it should be.",
            HumanCount(unlisted)
        );
    }
    if hidden > 0 {
        let _ = writeln!(
            text,
            "Players always know what they may do, and forget nothing; {} times a position was compared with another\n\
             that a player cannot tell from it, and what is drawn for them never gave away which is which.",
            HumanCount(hidden)
        );
    }
    text
}

fn json<'a>(game: &'a str, outcome: &'a Result<Checked, Box<Fault>>, perft: Vec<Count>) -> JsonCheck<'a> {
    let checked = outcome.as_ref().copied().unwrap_or_default();
    let Checked { games, positions, uniformity, longest, chance, weights, unlisted, hidden } = checked;
    let fault = outcome.as_ref().err().map(|fault| JsonFault { moves: &fault.moves, what: &fault.what });
    JsonCheck { game, games, positions, uniformity, longest, chance, weights, unlisted, hidden, fault, perft }
}

impl Count {
    fn of<G: Listed>(start: &G, depth: u32) -> Count {
        let started = Instant::now();
        let sequences = perft(start, depth);
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

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::{Game, Turn};
    use boughs_games::Options;

    /// A game that pays twice what a win is worth.
    #[derive(Clone)]
    struct Generous(bool);

    impl Game for Generous {
        type Action = u8;
        fn turn(&self) -> Turn {
            if self.0 { Turn::Over } else { Turn::Player(0) }
        }
        fn actions(&self, out: &mut Vec<u8>) {
            out.push(7);
        }
        fn apply(&mut self, _: u8) {
            self.0 = true;
        }
        fn reward(&self, _: usize) -> f64 {
            2.0
        }
    }

    impl Listed for Generous {
        const NAME: &'static str = "generous";
        const SUMMARY: &'static str = "";
        const NOTATION: &'static str = "";
        const OPTIONS: &'static str = "";
        const BENCH: [&'static str; 3] = ["", "", ""];

        fn start(_: &mut Options) -> Result<Generous, String> {
            Ok(Generous(false))
        }
    }

    #[test]
    fn a_broken_promise_is_a_failed_check_that_names_the_moves() {
        let game = args::Game { game: "generous".to_string() };
        let args = Args { game, games: 3, perft: Some(2), seed: 1, traces: None, boards: None, json: false };
        let failure = Check(&args).visit(Generous(false)).unwrap_err();
        let sentence = "generous is wrong after 7: player 0's reward is 2, outside 0..=1";
        assert_eq!(failure, Failure::of_check(sentence));
    }

    #[test]
    fn praise_names_chance_and_hidden_things_only_where_there_are_any() {
        let plain = Checked { games: 3, positions: 10, uniformity: 2, longest: 4, ..Checked::default() };
        let text = praise("nim", &plain);
        assert!(!text.contains("Chance") && !text.contains("know"), "{text}");
        let listed = praise("pig", &Checked { chance: 1_500, weights: 8, ..plain });
        assert!(listed.contains("Chance drew 1,500 times") && listed.contains("in the 8\npositions"), "{listed}");
        let unlisted = praise("deal", &Checked { chance: 3, unlisted: 3, hidden: 20, ..plain });
        assert!(unlisted.contains("3 times without listing") && !unlisted.contains("listed, and"), "{unlisted}");
        assert!(unlisted.contains("20 times a position was compared"), "{unlisted}");
    }

    #[test]
    fn json_has_the_fault() {
        let outcome = check(&Generous(false), Effort::default());
        let text = serde_json::to_string(&json("generous", &outcome, Vec::new())).unwrap();
        assert!(text.contains(r#""fault":{"moves":"7","what":"player 0's reward is 2"#), "{text}");
    }
}
