//! `boughs analyze`: the best move of a position, and why.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use boughs::log::Header;
use boughs::{Budget, Report, Rng, Session, TreeKind, TreeSearch, Turn};
use boughs_agents::AgentSpec;

use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::named_file::{self, NamedFile};
use crate::output::{print, print_json};
use crate::position_file;
use crate::progress::{self, LiveLine};
use crate::ranks::{Ranks, RanksArgs, Role, Route, follow};
use crate::show::{JsonAnalysis, JsonQuestion, JsonRanks, JsonReport, TreeView, children, summary};

/// The depth of `--dot` without `--tree`.
const DOT_DEPTH: usize = 2;

/// Search a position and say which move is best
///
/// Win rates at the root are those of the player to move, and in the tree of the player who moves there.
///
/// Ctrl-C ends the search and prints the result so far.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs analyze connect4 --position 4453 --threads 2 --time 500ms")]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::GameArg,
    /// Moves that lead to the position, as the game writes them
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    position: String,
    /// A file of SGF whose last position is searched, in go, hex and othello; the size of the board and the komi are
    /// those of the file
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    position_file: Option<PathBuf>,
    #[command(flatten)]
    agent: args::AgentArgs,
    #[command(flatten)]
    limits: args::Limits,
    /// Use up the limits; without this a search ends when no other move can overtake the best one, such as after 2,016
    /// of 3,000 playouts, and after 64 if only one move is legal
    #[arg(long)]
    no_early_stop: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "tree")]
    json: bool,
    /// Print the tree too, down to this depth
    #[arg(long, value_name = "DEPTH", value_parser = args::whole(0usize))]
    tree: Option<usize>,
    /// Print nothing but the tree, as a graph for Graphviz; two plies of it, unless --tree gives the depth
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    #[command(flatten)]
    ranks: RanksArgs,
    /// Write every playout to this file, for 'boughs replay --log'; such a search does not stop early
    #[arg(long, value_name = "FILE", conflicts_with = "mpi")]
    record: Option<PathBuf>,
}

/// A position with the moves that lead to it.
struct Place {
    game: &'static str,
    start: Box<dyn Session>,
    moves: Vec<u32>,
    position: Box<dyn Session>,
}

/// The result of a search, the top of its tree, and the fault of its log.
struct Searched {
    report: Report,
    tree: Option<TreeView>,
    recorded: Result<(), Failure>,
}

/// A file that takes no more after its first fault, which is kept, so that the search goes on.
struct UntilFault<'o> {
    out: &'o mut dyn Write,
    fault: Option<io::Error>,
}

impl Write for UntilFault<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.fault.is_none() {
            self.fault = self.out.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.fault.is_none() {
            self.fault = self.out.flush().err();
        }
        Ok(())
    }
}

impl Args {
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        let ranks = match self.ranks.join()? {
            Role::Alone => None,
            Role::First(ranks) => Some(ranks),
            Role::Other(link) => return follow(link),
        };
        let mut game = self.game.start()?;
        let stop = interrupt::stops_search();
        if let Some(file) = &self.position_file {
            let read = position_file::read(file, game.entry.name, None)?;
            self.position = read.start.position.write_moves(&read.actions);
            (self.game.game, game) = (read.spec, read.start);
        }
        let mut position = game.position.clone();
        let moves = args::play_to(&mut *position, &self.position)?;
        check_chance(&*position, moves.is_empty())?;
        let place = Place { game: game.entry.name, start: game.position, moves, position };
        // The clock starts when the agent is there, which may have read a large network.
        let begin = || self.limits.budget().early_stop(!self.no_early_stop).or_stopped_by(stop.clone());
        let Searched { report, tree, recorded } = match (&ranks, self.needs_tree()) {
            (Some(ranks), _) => self.search_with(ranks, &place, &begin)?,
            (None, None) => {
                let mut agent = self.agent.spec(place.game)?.build(&*place.position)?;
                Searched { report: progress::search(&mut *agent, begin())?, tree: None, recorded: Ok(()) }
            }
            (None, Some(purpose)) => self.search_tree(&place, &begin, purpose)?,
        };
        self.print(&place, &report, tree, ranks.as_ref().map(Ranks::number))?;
        // The connection ends after the result is printed, because that may end the process too.
        drop(ranks);
        // A log that cannot be written does not take the result with it.
        recorded
    }

    /// Prints the result of a search.
    fn print(
        &self,
        place: &Place,
        report: &Report,
        tree: Option<TreeView>,
        ranks: Option<usize>,
    ) -> Result<(), Failure> {
        match (self.json, tree) {
            (true, _) => {
                let ranks = ranks.map(|ranks| JsonRanks::of(ranks, report));
                print_json(&JsonAnalysis { question: self.question(place)?, ranks, report: JsonReport::of(report) })
            }
            (false, Some(tree)) if self.dot => print(&tree.dot()),
            (false, tree) => {
                let tree = tree.map(|tree| format!("\n{}", tree.text())).unwrap_or_default();
                let summary = summary(report, ranks);
                print(&format!("{}{}\n{summary}{tree}", board(&*place.position), children(report)))
            }
        }
    }

    /// All that the search depends on.
    fn question(&self, place: &Place) -> Result<JsonQuestion, Failure> {
        let agent = self.agent.spec(place.game)?;
        let position = place.start.write_moves(&place.moves);
        let early_stop = !self.no_early_stop && self.record.is_none();
        Ok(JsonQuestion::new(&self.game.game, position, &agent, &self.limits, early_stop))
    }

    /// The argument that needs a tree search, if there is one.
    fn needs_tree(&self) -> Option<&'static str> {
        let flags = [("--dot", self.dot), ("--tree", self.tree.is_some()), ("--record", self.record.is_some())];
        flags.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Searches with all ranks, and cuts out the top of this one's tree.
    fn search_with(&self, ranks: &Ranks, place: &Place, begin: &dyn Fn() -> Budget) -> Result<Searched, Failure> {
        let agent = AgentSpec::Mcts(self.agent.settings(place.game, "--mpi")?);
        let mut search = Ranks::build(&*place.position, &agent)?;
        if let Some(purpose) = self.needs_tree() {
            check_plain(&*search, purpose)?;
        }
        let mut route = Route::from(&self.game.game);
        route.build(&agent);
        route.is_at(&self.game.game, &place.moves);
        let line = LiveLine::new();
        let report = ranks.search(&mut *search, &mut route, begin(), &mut |report| line.show(report))?;
        drop(line);
        Ok(Searched { report, tree: self.top_of(&mut *search), recorded: Ok(()) })
    }

    /// The top of the tree, if it is asked for.
    fn top_of(&self, search: &mut dyn TreeSearch) -> Option<TreeView> {
        let depth = self.tree.or(self.dot.then_some(DOT_DEPTH));
        depth.map(|depth| TreeView::of(search, depth))
    }

    /// Searches in a tree, records the search or cuts out the top of the tree.
    fn search_tree(&self, place: &Place, begin: &dyn Fn() -> Budget, purpose: &str) -> Result<Searched, Failure> {
        let mut search = boughs_agents::tree_search(&*place.position, self.agent.settings(place.game, purpose)?)?;
        if purpose != "--record" {
            check_plain(&*search, purpose)?;
        }
        let (report, recorded) = match &self.record {
            None => (progress::search(&mut *search, begin())?, Ok(())),
            Some(file) => self.record(file, &mut *search, place, begin())?,
        };
        Ok(Searched { report, tree: self.top_of(&mut *search), recorded })
    }

    /// Searches and writes a log. A search that cannot be recorded leaves the file as it is. Returns the result with
    /// the fault of the file, if it has one.
    fn record(
        &self,
        file: &Path,
        search: &mut dyn TreeSearch,
        place: &Place,
        budget: Budget,
    ) -> Result<(Report, Result<(), Failure>), Failure> {
        let header = Header {
            // A spec may contain white space, which a line of the log cannot hold.
            game: self.game.game.split_whitespace().collect(),
            position: place.start.write_moves(&place.moves),
            agent: search.settings().to_string(),
            seed: search.settings().seed,
        };
        search.check_recordable()?;
        let out = NamedFile::at(file)?;
        let line = LiveLine::new();
        let mut searched = None;
        let written = out.write(|out| {
            let mut out = UntilFault { out, fault: None };
            let report = search.record(&header, budget, &mut out, &mut |report| line.show(report));
            let report = report.map_err(|error| Failure::new(format!("'{}': {error}", file.display())))?;
            searched = Some(report.clone());
            out.fault.map_or(Ok(report), |error| Err(named_file::unwritable(file, &error)))
        });
        match (written, searched) {
            (Ok(report), _) => Ok((report, Ok(()))),
            (Err(fault), Some(report)) => Ok((report, Err(fault))),
            (Err(fault), None) => Err(fault),
        }
    }
}

/// Refuses to draw a tree whose nodes are no positions.
fn check_plain(search: &dyn TreeSearch, purpose: &str) -> Result<(), Failure> {
    if search.tree_kind() == TreeKind::Plain {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{purpose} draws trees whose nodes are positions, and with {} they are not; leave it out",
        search.settings()
    )))
}

/// Refuses a position in which chance acts and its outcomes cannot be listed: no move can be searched there.
fn check_chance(position: &dyn Session, is_start: bool) -> Result<(), Failure> {
    let drawn = match position.turn() {
        Turn::Chance if position.legal_moves().is_empty() => position.chance(&mut Rng::new(0, 0)),
        _ => None,
    };
    let Some(drawn) = drawn else { return Ok(()) };
    let or = if is_start { ", or name it in the options of the game, as in seed=7" } else { "" };
    Err(Failure::new(format!(
        "chance acts here, in more ways than can be listed; name what it does in --position, such as {}{or}",
        position.action_text(drawn)
    )))
}

/// The board as the player to move sees it. Where chance acts, its outcomes follow.
fn board(position: &dyn Session) -> String {
    let board = match position.turn() {
        Turn::Player(player) => position.board_for(player),
        Turn::Chance | Turn::Over => position.board(),
    };
    let board = if board.is_empty() { board } else { format!("{}\n\n", board.trim_end()) };
    if position.turn() != Turn::Chance {
        return board;
    }
    let outcomes: Vec<String> = position.legal_moves().into_iter().map(|(_, text)| text).collect();
    match outcomes.is_empty() {
        true => board,
        false => format!("{board} what chance may do: {}\n\n", outcomes.join(" ")),
    }
}
