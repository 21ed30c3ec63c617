//! The benchmark: the speed of every game's search, and one checksum of all the trees.
//!
//! The checksum covers every node of every tree, so a change that is meant to change nothing can prove it. Speed is
//! measured against the *roof*, the [no-tree baseline](crate::no_tree): uniformly random playouts from the same
//! position without any tree, on as many threads. Baseline and search take turns, so that a machine that slows down for
//! a while slows both, and medians are reported.

mod fingerprint;
mod speed;

use std::fmt;

use boughs::checksum::Checksum;
use boughs::{Budget, Parallel, SearchError, Settings};
use boughs_games::{GameError, entries, start};
use fingerprint::fingerprint;
use rayon::prelude::*;
use serde::Serialize;

/// The checksum of the default plan over all games.
pub const CHECKSUM: u64 = 0x007c_15e9_ba56_93fb;

/// The searches of a benchmark.
#[derive(Clone, Debug)]
pub struct BenchPlan {
    /// The agent that searches.
    pub settings: Settings,
    /// Playouts of each search.
    pub iterations: u64,
    /// The number of times that baseline and search are measured.
    pub rounds: u32,
}

impl Default for BenchPlan {
    /// One thread, seed 0, and memory that does not depend on the machine.
    fn default() -> BenchPlan {
        let settings = Settings { memory: 256 << 20, ..Settings::default() };
        BenchPlan { settings, iterations: 50_000, rounds: 3 }
    }
}

impl BenchPlan {
    /// Returns true if searches grow the same tree on every run, so that they have a checksum.
    pub fn is_repeatable(&self) -> bool {
        self.settings.threads == 1 || self.settings.parallel == Parallel::Batched
    }

    /// The number of threads that search.
    fn threads(&self) -> usize {
        boughs::run::threads(self.settings.threads)
    }

    fn budget(&self) -> Budget {
        Budget::iterations(self.iterations).early_stop(false)
    }
}

/// The results of a benchmark.
#[derive(Clone, Debug, Serialize)]
pub struct Bench {
    /// The agent that searched.
    pub agent: String,
    /// Playouts of each search.
    pub iterations: u64,
    /// The number of threads that searched.
    pub threads: usize,
    /// The number of times that baseline and search were measured.
    pub rounds: u32,
    /// The checksum over all games of the run, in hexadecimal; `None` where it differs from run to run.
    pub checksum: Option<String>,
    /// The results of each game.
    pub games: Vec<BenchRow>,
}

/// The results of one game: its checksum over all positions of its bench, its speed at the start.
#[derive(Clone, Debug, Serialize)]
pub struct BenchRow {
    /// The game.
    pub game: String,
    /// The checksum over its positions, in hexadecimal.
    pub checksum: Option<String>,
    /// Playouts of the search in a second, the median of all rounds.
    pub playouts_per_second: f64,
    /// Playouts without a tree in a second, the median of all rounds; the roof in tables and files.
    #[serde(rename = "roof")]
    pub no_tree_baseline: f64,
    /// The speed of the search as a share of the baseline.
    pub share: f64,
    /// Bytes of the tree for each playout.
    pub bytes_per_playout: f64,
    /// The number of cores that the search kept busy, where the system tells.
    pub cores_busy: Option<f64>,
    /// Milliseconds to make the search ready for another position.
    pub release_ms: f64,
    /// Milliseconds to give its memory back.
    pub return_ms: f64,
}

/// The reason a benchmark has no result. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BenchError {
    /// The game is not in the list, or its options are wrong.
    Game(GameError),
    /// The search failed.
    Search(SearchError),
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchError::Game(error) => error.fmt(f),
            BenchError::Search(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BenchError {}

impl From<GameError> for BenchError {
    fn from(error: GameError) -> BenchError {
        BenchError::Game(error)
    }
}

impl From<SearchError> for BenchError {
    fn from(error: SearchError) -> BenchError {
        BenchError::Search(error)
    }
}

/// The names of all games: those of a run that names none.
pub fn all_games() -> Vec<String> {
    entries().iter().map(|entry| entry.name.to_string()).collect()
}

/// Runs the plan for these games. `see` is called with each game before it is measured.
///
/// # Errors
/// If a game is not in the list or cannot be searched.
pub fn run(games: &[String], plan: &BenchPlan, see: &mut dyn FnMut(&str)) -> Result<Bench, BenchError> {
    let mut rows = Vec::new();
    let mut total = Checksum::default();
    for game in games {
        see(game);
        let started = start(game)?;
        let checksum = if plan.is_repeatable() { Some(fingerprint(&started, plan)?) } else { None };
        total.add(&checksum.unwrap_or_default().to_le_bytes());
        rows.push(speed::measure(game, started.position, plan, checksum.map(hexadecimal))?);
    }
    Ok(Bench {
        agent: plan.settings.to_string(),
        iterations: plan.iterations,
        threads: plan.threads(),
        rounds: plan.rounds,
        checksum: plan.is_repeatable().then(|| hexadecimal(total.value())),
        games: rows,
    })
}

/// Computes the checksum of a run without its speed.
///
/// # Errors
/// If a game is not in the list or cannot be searched.
pub fn checksum(games: &[String], plan: &BenchPlan) -> Result<u64, BenchError> {
    let fingerprints = games.par_iter().map(|game| fingerprint(&start(game)?, plan));
    let mut total = Checksum::default();
    for fingerprint in fingerprints.collect::<Result<Vec<u64>, BenchError>>()? {
        total.add(&fingerprint.to_le_bytes());
    }
    Ok(total.value())
}

/// Writes a checksum as reports have it.
pub fn hexadecimal(checksum: u64) -> String {
    format!("{checksum:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> BenchPlan {
        BenchPlan { settings: text.parse().unwrap(), iterations: 300, rounds: 1 }
    }

    #[test]
    fn the_checksum_tells_searches_apart_but_not_runs() {
        let games = ["tictactoe".to_string()];
        let of = |text| checksum(&games, &plan(text)).unwrap();
        assert_eq!(of("mcts"), of("mcts"));
        assert_ne!(of("mcts"), of("mcts:c=0.9"));
        assert_eq!(of("mcts:parallel=batched"), of("mcts:parallel=batched,threads=2"));
    }

    #[test]
    fn only_repeatable_searches_have_a_checksum() {
        let games = ["tictactoe".to_string()];
        let bench = run(&games, &plan("mcts:threads=2"), &mut |_| {}).unwrap();
        assert_eq!((bench.checksum, bench.games[0].checksum.clone()), (None, None));
        let bench = run(&games, &plan("mcts"), &mut |_| {}).unwrap();
        assert_eq!(bench.checksum, Some(hexadecimal(checksum(&games, &plan("mcts")).unwrap())));
    }

    #[test]
    fn speed_is_measured_against_the_no_tree_baseline() {
        let bench = run(&["connect4".to_string()], &plan("mcts"), &mut |_| {}).unwrap();
        let row = &bench.games[0];
        assert!(row.playouts_per_second > 0.0 && row.no_tree_baseline > 0.0);
        assert!(row.share > 0.0 && row.bytes_per_playout > 1.0);
    }
}
