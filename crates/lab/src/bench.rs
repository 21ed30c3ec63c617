//! The benchmark: how fast every game is searched, and one checksum of what is found.
//!
//! The checksum is over every node of every tree, so a change that is meant to change nothing can prove it. Speed is
//! measured against a *roof*: uniformly random playouts from the same position without any tree, on as many threads.
//! Roof and search take turns, so that a machine that slows down for a while slows both, and medians are reported.

mod fingerprint;
mod speed;

use std::fmt;

use boughs::{Budget, Checksum, Parallel, SearchError, Settings};
use boughs_games::{GameError, entries, visit};
use fingerprint::Fingerprint;
use serde::Serialize;
use speed::Stopwatch;

/// The checksum of the default plan over all games.
pub const CHECKSUM: u64 = 0x7015_15b6_f3b9_c6f0;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The agent that searches.
    pub settings: Settings,
    /// Playouts of each search.
    pub iterations: u64,
    /// How often roof and search are measured.
    pub rounds: u32,
}

impl Default for Plan {
    /// One thread, seed 0, and memory that does not depend on the machine.
    fn default() -> Plan {
        let settings = Settings { memory: 256 << 20, ..Settings::default() };
        Plan { settings, iterations: 50_000, rounds: 3 }
    }
}

impl Plan {
    /// Whether searches find the same on every run, so that they have a checksum.
    pub fn is_repeatable(&self) -> bool {
        self.settings.threads == 1 || self.settings.parallel == Parallel::Batched
    }

    /// Threads that search.
    fn threads(&self) -> usize {
        match self.settings.threads {
            0 => boughs::cores(),
            threads => threads,
        }
    }

    fn budget(&self) -> Budget {
        Budget::iterations(self.iterations).early_stop(false)
    }
}

/// What a run measured.
#[derive(Clone, Debug, Serialize)]
pub struct Bench {
    /// The agent that searched.
    pub agent: String,
    /// Playouts of each search.
    pub iterations: u64,
    /// Threads that searched.
    pub threads: usize,
    /// How often roof and search were measured.
    pub rounds: u32,
    /// The checksum over all games that were run, in hexadecimal; `None` where it differs from run to run.
    pub checksum: Option<String>,
    /// A line for each game.
    pub games: Vec<Line>,
}

/// What was measured of one game: its checksum over all positions of its bench, its speed at the start.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The game.
    pub game: String,
    /// The checksum over its positions, in hexadecimal.
    pub checksum: Option<String>,
    /// Playouts of the search in a second, the median of all rounds.
    pub playouts_per_second: f64,
    /// Playouts without a tree in a second, the median of all rounds.
    pub roof: f64,
    /// The first as a share of the second.
    pub share: f64,
    /// Bytes of the tree for each playout.
    pub bytes_per_playout: f64,
    /// How many cores the search kept busy, where the system tells.
    pub cores_busy: Option<f64>,
    /// Milliseconds to make the search ready for another position.
    pub release_ms: f64,
    /// Milliseconds to give its memory back.
    pub return_ms: f64,
}

/// Why there is no result. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BenchError {
    /// The game cannot be had.
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

/// The names of all games, which is what a run without a choice measures.
pub fn all_games() -> Vec<String> {
    entries().iter().map(|entry| entry.name.to_string()).collect()
}

/// Runs the plan for these games. `see` hears which game is next.
///
/// # Errors
/// If a game cannot be had or searched.
pub fn run(games: &[String], plan: &Plan, see: &mut dyn FnMut(&str)) -> Result<Bench, BenchError> {
    let mut lines = Vec::new();
    let mut total = Checksum::default();
    for game in games {
        see(game);
        let checksum = if plan.is_repeatable() { Some(visit(game, Fingerprint(plan))??) } else { None };
        total.add(&checksum.unwrap_or_default().to_le_bytes());
        lines.push(visit(game, Stopwatch { plan, game, checksum: checksum.map(hexadecimal) })??);
    }
    Ok(Bench {
        agent: plan.settings.to_string(),
        iterations: plan.iterations,
        threads: plan.threads(),
        rounds: plan.rounds,
        checksum: plan.is_repeatable().then(|| hexadecimal(total.value())),
        games: lines,
    })
}

/// Only the checksum of a run.
///
/// # Errors
/// If a game cannot be had or searched.
pub fn checksum(games: &[String], plan: &Plan) -> Result<u64, BenchError> {
    let mut total = Checksum::default();
    for game in games {
        total.add(&visit(game, Fingerprint(plan))??.to_le_bytes());
    }
    Ok(total.value())
}

/// A checksum as it stands in reports.
pub fn hexadecimal(checksum: u64) -> String {
    format!("{checksum:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Plan {
        Plan { settings: text.parse().unwrap(), iterations: 300, rounds: 1 }
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
    fn only_what_repeats_has_a_checksum() {
        let games = ["tictactoe".to_string()];
        let bench = run(&games, &plan("mcts:threads=2"), &mut |_| {}).unwrap();
        assert_eq!((bench.checksum, bench.games[0].checksum.clone()), (None, None));
        let bench = run(&games, &plan("mcts"), &mut |_| {}).unwrap();
        assert_eq!(bench.checksum, Some(hexadecimal(checksum(&games, &plan("mcts")).unwrap())));
    }

    #[test]
    fn speed_is_measured_against_the_roof() {
        let bench = run(&["connect4".to_string()], &plan("mcts"), &mut |_| {}).unwrap();
        let line = &bench.games[0];
        assert!(line.playouts_per_second > 0.0 && line.roof > 0.0 && line.share > 0.0 && line.bytes_per_playout > 1.0);
    }
}
