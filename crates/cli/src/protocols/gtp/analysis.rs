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

impl Analysis {
    /// Reads `[COLOUR] [HUNDREDTHS] [KEY VALUE]...`. Returns the colour too. Unknown keys do not matter, but for those
    /// that name moves to search, because all are searched.
    fn read(dialect: Dialect, arguments: &[String]) -> Result<(Option<String>, Analysis), String> {
        let mut words = arguments.iter().peekable();
        let is_colour = |word: &&String| ["b", "w", "black", "white"].contains(&word.to_ascii_lowercase().as_str());
        let colour = words.next_if(is_colour).cloned();
        let mut hundredths = USUAL_INTERVAL;
        let (mut most_moves, mut has_root, mut has_visits) = (usize::MAX, false, false);
        if let Some(number) = words.peek().and_then(|word| word.parse().ok()) {
            hundredths = number;
            words.next();
        }
        while let (Some(key), Some(value)) = (words.next(), words.next()) {
            match key.as_str() {
                "interval" => hundredths = value.parse().unwrap_or(hundredths),
                "maxmoves" => most_moves = value.parse().unwrap_or(most_moves),
                "rootInfo" => has_root = value == "true",
                "pvVisits" => has_visits = value == "true",
                "avoid" | "allow" => return Err(format!("this engine searches all moves and does not know '{key}'")),
                _ => {}
            }
        }
        let interval = seconds(hundredths / 100.0);
        Ok((colour, Analysis { dialect, interval, most_moves, has_root, has_visits, after: Vec::new() }))
    }
}

impl Engine {
    /// Searches until a line comes, and prints the moves.
    pub(super) fn analyse(&mut self, analysis: &Analysis) -> Result<(), Failure> {
        let (mut told, mut fault) = (None::<Instant>, None);
        let shown = Shown::of(self);
        let mut see = |report: &Report| {
            if told.is_none_or(|told| told.elapsed() >= analysis.interval) {
                told = Some(Instant::now());
                fault = fault.take().or(print(&shown.line(analysis, report)).err());
            }
        };
        let budget = Budget::whole().or_stopped_by(StopFlag::default());
        let report = self.events.search(&mut *self.game.agent, budget, |_| Effect::Stops, &mut see)?;
        if let Some(fault) = fault {
            return Err(fault);
        }
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
