//! Positions with known answers, and exact solvers of small games, for the tests in `tests/`.
//!
//! The package `boughs-generate` writes the files of positions; their first lines describe their content and its
//! source. Positions that measurements need too are in the lab.

use boughs_agents as _;
use boughs_cli as _;

pub mod exact;

use boughs::{Budget, Report, SearchError, Session, Settings, TreeSearch};

pub use boughs_lab::solved::{Value, Valued, connect4_values};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The programs of the guide, compiled and run. They stand here because the last of them needs the command line's
/// crate.
#[cfg(doctest)]
#[doc = include_str!("../docs/ADDING_A_GAME.md")]
struct Guide;

/// The programs of the page on contests, compiled. `.ci/pages/run` exports the bot.
#[cfg(doctest)]
#[doc = include_str!("../docs/CONTEST.md")]
struct Contest;

/// The program of the page on evaluators, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/EVALUATORS.md")]
struct Evaluators;

/// A position with a best move.
#[derive(Clone, Debug)]
pub struct Tactic {
    /// The game, as the list of games knows it.
    pub spec: &'static str,
    /// The moves that lead there.
    pub moves: &'static str,
    /// The moves that keep the best value, at most half of the legal ones.
    pub best: Vec<&'static str>,
    /// The plies an exhaustive search must look ahead to prefer a best move.
    pub plies: u32,
}

/// The tactical positions of all games.
///
/// # Panics
/// If a file differs from what its first lines say.
pub fn tactics() -> Vec<Tactic> {
    let files = [
        include_str!("fixtures/tactics-tictactoe.txt"),
        include_str!("fixtures/tactics-connect4.txt"),
        include_str!("fixtures/tactics-othello.txt"),
        include_str!("fixtures/tactics-hex.txt"),
        include_str!("fixtures/tactics-breakthrough.txt"),
    ];
    files.into_iter().flat_map(tactics_of).collect()
}

fn tactics_of(file: &'static str) -> impl Iterator<Item = Tactic> {
    let spec = file.lines().find_map(|line| line.strip_prefix("# game: ")).expect("the game is named");
    lines(file).map(move |line| {
        let [moves, best, plies] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        Tactic { spec, moves, best: best.split(' ').collect(), plies: plies.parse().expect(line) }
    })
}

fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.starts_with('#'))
}

/// The position of a game after some moves.
///
/// # Panics
/// If there is no such game, or a move is not legal: the test is wrong then.
pub fn position(game: &str, moves: &str) -> Box<dyn Session> {
    let mut position = match boughs_games::start(game) {
        Ok(started) => started.position,
        Err(error) => panic!("{game}: {error}"),
    };
    if let Err(error) = position.play_moves(moves) {
        panic!("{moves}: {error}");
    }
    position
}

/// A tree search of a position, by the text of its agent.
///
/// # Errors
/// If the settings are not supported in this game.
///
/// # Panics
/// If the text names no tree search.
pub fn tree_search(position: &dyn Session, agent: &str, seed: u64) -> Result<Box<dyn TreeSearch>, SearchError> {
    let settings = Settings { seed, memory: 64 << 20, ..agent.parse().expect(agent) };
    boughs_agents::tree_search(position, settings)
}

/// Searches a position in a fresh tree, to the end of a budget of playouts.
///
/// # Errors
/// If the settings are not supported in this game, or the game panics.
pub fn search(position: &dyn Session, agent: &str, seed: u64, playouts: u64) -> Result<Report, SearchError> {
    tree_search(position, agent, seed)?.search(Budget::iterations(playouts).early_stop(false), &mut |_| ())
}

/// Runs a search to the end of a budget of playouts.
///
/// # Panics
/// If the search fails.
pub fn run(search: &mut dyn TreeSearch, playouts: u64) -> Report {
    let report = search.search(Budget::iterations(playouts).early_stop(false), &mut |_| ());
    report.expect("a search that goes on")
}

/// The text of the move that a tree search finds in a budget of playouts.
///
/// # Panics
/// If the text names no tree search, or the search finds no move: the test is wrong then.
pub fn best_move(position: &dyn Session, agent: &str, seed: u64, playouts: u64) -> String {
    let budget = Budget::iterations(playouts);
    let found = tree_search(position, agent, seed).and_then(|mut search| search.search(budget, &mut |_| ()));
    match found.map(|report| report.best) {
        Ok(Some(best)) => best.text,
        other => panic!("{agent}: {other:?}\n{}", position.board()),
    }
}
