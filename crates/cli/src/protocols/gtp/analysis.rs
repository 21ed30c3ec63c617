//! Analysis while a client watches: the moves of the running search, several times a second, in the words of Leela
//! Zero, KataGo and Sabaki.

use std::fmt::Write;
use std::time::{Duration, Instant};

use boughs::{Budget, Child, Report, StopFlag};

use super::clock::seconds;
use super::{Answer, Engine};
use crate::failure::Failure;
use crate::output::print;
use crate::protocols::board_game::Words;
use crate::protocols::events::Effect;
use crate::protocols::expected_line;

/// The words of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Whole numbers of ten thousandths.
    LeelaZero,
    /// Numbers from 0 to 1, and more of them.
    KataGo,
    /// Sabaki's: win rates as KataGo's, and nothing that few engines have.
    Sabaki,
}

/// A running analysis.
#[derive(Clone, Debug)]
pub(super) struct Analysis {
    dialect: Dialect,
    interval: Duration,
    most_moves: usize,
    has_root: bool,
    has_visits: bool,
    /// The moves to go back to at the end.
    after: Vec<u32>,
}

/// The interval where the client names none, in hundredths of a second.
const USUAL_INTERVAL: f64 = 50.0;

/// Keys of KataGo with a number or with true or false, which change nothing here: all moves are told, and there is no
/// ownership.
const UNUSED_COUNTS: &[&str] = &["minmoves"];
const UNUSED_SWITCHES: &[&str] =
    &["ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "pvEdgeVisits", "noResultValue"];

impl Analysis {
    /// Reads `[COLOUR] [HUNDREDTHS] [KEY VALUE]...`. Returns the colour too. Keys that name moves to search are
    /// refused, because all are searched.
    fn read(dialect: Dialect, arguments: &[String]) -> Result<(Option<String>, Analysis), String> {
        let mut words = arguments.iter().map(String::as_str).peekable();
        let colours = ["b", "w", "black", "white"];
        let colour = words.next_if(|word| colours.iter().any(|colour| colour.eq_ignore_ascii_case(word)));
        let interval = seconds(USUAL_INTERVAL / 100.0);
        let mut analysis = Analysis {
            dialect,
            interval,
            most_moves: usize::MAX,
            has_root: false,
            has_visits: false,
            after: Vec::new(),
        };
        if let Some(number) = words.next_if(|word| word.parse::<f64>().is_ok()) {
            analysis.interval = interval_of(number)?;
        }
        while let Some(key) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("'{key}' has no value"));
            match key {
                "interval" => analysis.interval = interval_of(value()?)?,
                "maxmoves" => analysis.most_moves = count_of(key, value()?)?,
                "rootInfo" => analysis.has_root = switch_of(key, value()?)?,
                "pvVisits" => analysis.has_visits = switch_of(key, value()?)?,
                "avoid" | "allow" => return Err(format!("this engine searches all moves and does not know '{key}'")),
                _ if UNUSED_COUNTS.contains(&key) => drop(count_of(key, value()?)?),
                _ if UNUSED_SWITCHES.contains(&key) => drop(switch_of(key, value()?)?),
                _ => {
                    return Err(format!("an analysis has no word '{key}'; give a colour, an interval, or maxmoves 5"));
                }
            }
        }
        Ok((colour.map(str::to_string), analysis))
    }
}

/// Reads an interval.
fn interval_of(hundredths: &str) -> Result<Duration, String> {
    let number = hundredths.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number
        .map(|number| seconds(number / 100.0))
        .ok_or_else(|| format!("an interval is a number of hundredths of a second, 0 or more, not '{hundredths}'"))
}

/// Reads the value of a key that counts.
fn count_of(key: &str, value: &str) -> Result<usize, String> {
    value.parse().map_err(|_| format!("'{key}' needs a whole number, not '{value}'"))
}

/// Reads the value of a key that is on or off.
fn switch_of(key: &str, value: &str) -> Result<bool, String> {
    value.to_ascii_lowercase().parse().map_err(|_| format!("'{key}' needs true or false, not '{value}'"))
}

impl Engine {
    /// Searches until a line comes, and prints the moves.
    pub(super) fn analyse(&mut self, analysis: &Analysis) -> Result<(), Failure> {
        let (mut told, mut said) = (None::<Instant>, Ok(()));
        let (shown, stop) = (Shown::of(self), StopFlag::default());
        let mut see = |report: &Report| {
            if said.is_ok() && told.is_none_or(|told| told.elapsed() >= analysis.interval) {
                told = Some(Instant::now());
                said = print(&shown.line(analysis, report));
                if said.is_err() {
                    stop.raise();
                }
            }
        };
        let budget = Budget::whole().or_stopped_by(stop.clone());
        let report = self.events.search(self.game.searcher(), budget, |_| Effect::Stops, &mut see)?;
        said?;
        print(&format!("{}\n", shown.line(analysis, &report)))?;
        self.game.go_to(analysis.after.clone()).map_err(Failure::new)
    }

    /// The answer to a command that starts an analysis.
    fn start_analysis(&mut self, dialect: Dialect, arguments: &[String]) -> Answer {
        let (colour, mut analysis) = Analysis::read(dialect, arguments)?;
        analysis.after = self.game.moves().to_vec();
        if self.game.player().is_none() {
            return Err("the game is over".to_string());
        }
        if let Some(colour) = colour {
            let player = self.game.seat(&colour)?;
            self.game.give_turn(player)?;
        }
        self.analysis = Some(analysis);
        Ok(String::new())
    }

    /// The answer to a command that finds a move and shows the search meanwhile.
    fn generate_and_show(&mut self, dialect: Dialect, arguments: &[String]) -> Answer {
        let (colour, analysis) = Analysis::read(dialect, arguments)?;
        let player = self.game.player().unwrap_or_default();
        let colour = colour.unwrap_or_else(|| self.game.colours()[player].to_string());
        let task = self.begin_move(&colour)?;
        let shown = Shown::of(self);
        self.write(&format!("={}\n", self.id))?;
        self.is_answered = true;
        let mut told = None::<Instant>;
        let mut see = |report: &Report| {
            if told.is_none_or(|told| told.elapsed() >= analysis.interval) {
                told = Some(Instant::now());
                // A closed output is noticed when the move is written.
                let _ = print(&shown.line(&analysis, report));
            }
        };
        let answer = match self.generate(task, true, &mut see) {
            Ok((vertex, report)) => {
                let last = report.map(|report| shown.line(&analysis, &report)).unwrap_or_default();
                format!("{last}play {vertex}\n\n")
            }
            Err(fault) => format!("{fault}\n\n"),
        };
        self.write(&answer)?;
        Ok(String::new())
    }

    fn write(&self, text: &str) -> Result<(), String> {
        print(text).map_err(|failure| failure.sentence())
    }
}

/// The position that was searched, and the names of its moves.
struct Shown {
    position: Box<dyn boughs::Session>,
    words: Words,
}

impl Shown {
    fn of(engine: &Engine) -> Shown {
        Shown { position: engine.game.position().clone_session(), words: engine.game.words() }
    }

    /// One line about all moves that have been searched.
    fn line(&self, analysis: &Analysis, report: &Report) -> String {
        let mut line = String::new();
        let searched = report.children.iter().filter(|child| child.playouts > 0);
        for (order, child) in searched.take(analysis.most_moves).enumerate() {
            if order > 0 {
                line.push(' ');
            }
            self.move_info(&mut line, analysis, order, child);
        }
        if analysis.has_root {
            let total: u64 = report.children.iter().map(|child| child.playouts).sum();
            let rate = report.children.first().map_or(0.5, |child| child.mean);
            // Writing to a string cannot fail.
            let _ = write!(line, " rootInfo visits {total} winrate {rate:.6}");
        }
        // An empty line would end the answer.
        if line.is_empty() { line } else { line + "\n" }
    }

    fn move_info(&self, line: &mut String, analysis: &Analysis, order: usize, child: &Child) {
        let bound = expected_line::lower_bound(child);
        let name = expected_line::vertices(self.words, &*self.position, child);
        let (first, visits) = (&name[0], child.playouts);
        let numbers = match analysis.dialect {
            Dialect::LeelaZero => {
                let whole = |rate: f64| (rate * 10_000.0).round();
                format!("winrate {} prior 0 lcb {} order {order}", whole(child.mean), whole(bound))
            }
            Dialect::KataGo => format!(
                "edgeVisits {visits} utility {:.6} winrate {:.6} prior 0 lcb {bound:.6} weight {visits} order {order}",
                2.0 * child.mean - 1.0,
                child.mean
            ),
            Dialect::Sabaki => format!("winrate {:.6}", child.mean),
        };
        // Writing to a string cannot fail.
        let _ = write!(line, "info move {first} visits {visits} {numbers} pv {}", name.join(" "));
        if analysis.has_visits {
            let visits = expected_line::visits(child).into_iter().map(|visits| visits.to_string());
            let _ = write!(line, " pvVisits {}", visits.collect::<Vec<_>>().join(" "));
        }
    }
}

pub(super) fn analyze(engine: &mut Engine, arguments: &[String]) -> Answer {
    engine.start_analysis(Dialect::Sabaki, arguments)
}

pub(super) fn lz_analyze(engine: &mut Engine, arguments: &[String]) -> Answer {
    engine.start_analysis(Dialect::LeelaZero, arguments)
}

pub(super) fn kata_analyze(engine: &mut Engine, arguments: &[String]) -> Answer {
    engine.start_analysis(Dialect::KataGo, arguments)
}

pub(super) fn genmove_analyze(engine: &mut Engine, arguments: &[String]) -> Answer {
    engine.generate_and_show(Dialect::Sabaki, arguments)
}

pub(super) fn lz_genmove_analyze(engine: &mut Engine, arguments: &[String]) -> Answer {
    engine.generate_and_show(Dialect::LeelaZero, arguments)
}

pub(super) fn kata_genmove_analyze(engine: &mut Engine, arguments: &[String]) -> Answer {
    engine.generate_and_show(Dialect::KataGo, arguments)
}
