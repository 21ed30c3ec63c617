//! `boughs analyze`: the best move of a position, and why.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use boughs::log::{self, Header};
use boughs::notation::{legal_moves, write_moves};
use boughs::{Budget, Report, Rng, Search, TreeKind, Turn};
use boughs_games::{Listed, Visitor};

use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::progress::{self, LiveLine};
use crate::show::{JsonReport, TreeView, children, summary};

/// Search a position and say which move is best
///
/// Win rates are those of the player to move in the position, and in the tree of the player who moves there.
///
/// Ctrl-C ends the search and prints what it has found so far.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs analyze connect4 --position 4453 --threads 2 --time 500ms")]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    /// Moves that lead to the position, as the game writes them
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    position: String,
    #[command(flatten)]
    agent: args::Agent,
    #[command(flatten)]
    limits: args::Limits,
    /// Go on when the best move can no longer be overtaken
    #[arg(long)]
    no_early_stop: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "tree")]
    json: bool,
    /// Print the tree too, down to this depth
    #[arg(long, value_name = "DEPTH", value_parser = args::whole(0usize))]
    tree: Option<usize>,
    /// Print the tree as a graph for Graphviz, and nothing else; two plies of it, unless --tree says how many
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    /// Write every playout to this file, for 'boughs replay --log'; such a search does not stop early
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.game.visit(Analysis(&self))
    }

    /// The argument that asks for a tree, if there is one.
    fn needs_tree(&self) -> Option<&'static str> {
        let asks = [("--dot", self.dot), ("--tree", self.tree.is_some()), ("--record", self.record.is_some())];
        asks.into_iter().find(|(_, asked)| *asked).map(|(name, _)| name)
    }
}

struct Analysis<'a>(&'a Args);

impl Visitor for Analysis<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let Analysis(args) = self;
        // Before anything else, so that all that happens counts.
        let budget = args.limits.budget().early_stop(!args.no_early_stop).or_stopped_by(interrupt::stops_search());
        let (position, moves) = args::position(&start, &args.position)?;
        check_chance(&position, moves.is_empty())?;
        let board = board(&position);
        let (report, tree) = match args.needs_tree() {
            None => (progress::search(&mut *args.agent.spec::<G>()?.build(position)?, budget)?, None),
            Some(asked) => {
                let mut search = Search::new(position, args.agent.settings::<G>(asked)?)?;
                if asked != "--record" && search.settings().tree != TreeKind::Plain {
                    return Err(Failure::new(format!(
                        "{asked} draws trees whose nodes are positions, and with {} they are not; leave it out",
                        search.settings()
                    )));
                }
                let report = match &args.record {
                    None => progress::search(&mut search, budget)?,
                    Some(file) => {
                        // Specs and moves can be written with white space, which a line of the log cannot hold.
                        let game = args.game.game.split_whitespace().collect();
                        let agent = search.settings().to_string();
                        let seed = search.settings().seed;
                        let header = Header { game, position: write_moves(&start, &moves), agent, seed };
                        record(file, &mut search, &header, budget)?
                    }
                };
                let depth = args.tree.or(args.dot.then_some(2));
                (report, depth.map(|depth| TreeView::of(&mut search, depth)))
            }
        };
        match (args.json, tree) {
            (true, _) => print_json(&JsonReport::of(&report)),
            (false, Some(tree)) if args.dot => print(&tree.dot()),
            (false, Some(tree)) => {
                print(&format!("{board}{}\n{}\n{}", children(&report), summary(&report), tree.text()))
            }
            (false, None) => print(&format!("{board}{}\n{}", children(&report), summary(&report))),
        }
    }
}

/// Refuses a position where chance acts in ways that nobody can list: there is nothing to say of them.
fn check_chance<G: Listed>(position: &G, is_start: bool) -> Result<(), Failure> {
    let drawn = match position.turn() {
        Turn::Chance if legal_moves(position).is_empty() => position.chance(&mut Rng::new(0, 0), &mut Vec::new()),
        _ => None,
    };
    let Some(drawn) = drawn else { return Ok(()) };
    let or = if is_start { ", or name it in the options of the game, as in seed=7" } else { "" };
    Err(Failure::new(format!(
        "chance acts here, in more ways than can be listed; name what it does in --position, such as {}{or}",
        position.action_text(drawn)
    )))
}

/// The position as those see it who are asked, above what is said of it; where chance acts, with what may come of it.
fn board<G: Listed>(position: &G) -> String {
    let board = match position.turn() {
        Turn::Player(player) => position.board_for(player),
        Turn::Chance | Turn::Over => position.board(),
    };
    let board = if board.is_empty() { board } else { format!("{}\n\n", board.trim_end()) };
    if position.turn() != Turn::Chance {
        return board;
    }
    let outcomes: Vec<String> = legal_moves(position).into_iter().map(|(_, text)| text).collect();
    match outcomes.is_empty() {
        true => board,
        false => format!("{board} what chance may do: {}\n\n", outcomes.join(" ")),
    }
}

/// Searches and writes a log. What cannot be recorded is noticed before the file is touched.
fn record<G: Listed>(
    file: &Path,
    search: &mut Search<G>,
    header: &Header,
    budget: Budget,
) -> Result<Report<G::Action>, Failure> {
    let name = file.display();
    search.check_recordable()?;
    let out = File::create(file).map_err(|error| Failure::new(format!("'{name}' cannot be written: {error}")))?;
    let line = LiveLine::new();
    let report =
        log::record(search, header, budget, &mut BufWriter::new(out), &mut |running| line.show(&running.report()));
    report.map_err(|error| Failure::new(format!("'{name}': {error}")))
}
