//! The engines that are compared: one file and one line in the list each.
//!
//! All of them search the same game code, play out with the same random moves, and grow the same shape of tree: a leaf
//! is played out at its first visit and gets its children at its second. Beyond that each has what suits it best, which
//! its `SETTINGS` name.

mod batched;
mod board_game;
mod manager;
mod mcts;
mod minimax;
mod roof;
mod shared;
mod treant;

use std::path::Path;

use boughs::{Action, Game};
use boughs_lab::measure::Timed;
use serde::{Deserialize, Serialize};

/// The role of an engine in the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// Random playouts and no tree: as fast as any engine could be.
    Roof,
    /// Boughs.
    Boughs,
    /// Boughs as another build of this program has it.
    Other,
    /// A crate that one could use instead.
    Rival,
}

/// An engine under the conditions that hold for all.
trait Engine {
    /// The name of the engine.
    const NAME: &'static str;
    const ROLE: Role;
    /// The settings of the engine, with reasons.
    const SETTINGS: &'static str;
    /// True if it can search with several threads.
    const PARALLEL: bool = true;

    /// Searches, and gives the memory back.
    ///
    /// # Errors
    /// One sentence on why the result would not bear comparison.
    fn run<G: Game>(start: &G, task: &Task) -> Result<Outcome, String>;
}

/// The task of an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    /// The playouts to make: fewer than 2^32, the limit of some engines' counters.
    pub(crate) playouts: u32,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
}

/// The result of an engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// Playouts it was asked for; for the roof, made.
    pub(crate) playouts: u64,
    /// The search.
    pub(crate) search: Timed,
    /// Giving the memory back; `None` where that is part of the search.
    pub(crate) free: Option<Timed>,
    /// Making the tree ready for another search instead, where there is such a thing.
    pub(crate) reset: Option<Timed>,
    /// The size of the tree in bytes, as the engine itself reports it.
    pub(crate) tree_bytes: Option<u64>,
    /// The action it chose.
    pub(crate) best: Option<u32>,
    /// Visits of all children of the root, where the engine tells.
    pub(crate) root_visits: Option<u64>,
}

impl Outcome {
    /// The part of the result that every engine has; some engines add the rest.
    fn of(task: &Task, search: Timed, best: Option<impl Action>) -> Outcome {
        Outcome {
            playouts: u64::from(task.playouts),
            search,
            free: None,
            reset: None,
            tree_bytes: None,
            best: best.map(Action::code),
            root_visits: None,
        }
    }

    /// Playouts in a second.
    pub(crate) fn speed(&self) -> f64 {
        self.playouts as f64 / self.search.wall
    }
}

/// An entry of the list of engines.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) parallel: bool,
    pub(crate) settings: &'static str,
    /// The program that makes the runs; `None` for this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) program: Option<&'static Path>,
}

impl Entry {
    const fn of<E: Engine>() -> Entry {
        Entry { name: E::NAME, role: E::ROLE, parallel: E::PARALLEL, settings: E::SETTINGS, program: None }
    }
}

macro_rules! engines {
    ($($module:ident::$engine:ident,)*) => {
        /// All engines, in the order of the list.
        pub(crate) fn entries() -> &'static [Entry] {
            const { &[$(Entry::of::<$module::$engine>()),*] }
        }

        /// Runs the engine of this name.
        ///
        /// # Errors
        /// One sentence on what went wrong.
        pub(crate) fn run<G: Game>(name: &str, start: &G, task: &Task) -> Result<Outcome, String> {
            $(if name == <$module::$engine as Engine>::NAME {
                return <$module::$engine as Engine>::run(start, task);
            })*
            Err(unknown(name))
        }
    };
}

engines! {
    roof::Roof,
    shared::Shared,
    batched::Batched,
    minimax::Minimax,
    board_game::BoardGame,
    treant::Treant,
    mcts::Mcts,
}

/// The name of the engine with the defaults of Boughs, in this build and in any other.
pub(crate) const BOUGHS: &str = shared::Shared::NAME;

/// The error for a name that is not in the list.
pub(crate) fn unknown(name: &str) -> String {
    let names: Vec<&str> = entries().iter().map(|entry| entry.name).collect();
    format!("there is no engine '{name}'; the engines are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counted::Counted;
    use boughs_games::{connect4::Connect4, othello::Othello};

    /// Every engine with every number of threads it can be had with.
    fn everyone() -> impl Iterator<Item = (&'static Entry, usize)> {
        let threads = |entry: &'static Entry| (1..=if entry.parallel { 2 } else { 1 }).map(move |n| (entry, n));
        entries().iter().flat_map(threads)
    }

    fn task(playouts: u32, threads: usize) -> Task {
        Task { playouts, threads, seed: 1 }
    }

    #[test]
    fn every_engine_plays_as_many_games_as_it_is_asked_for() {
        for (entry, threads) in everyone().filter(|(entry, _)| entry.role != Role::Roof) {
            let games = {
                let start = Counted::of(Othello::default());
                run(entry.name, &start, &task(600, threads)).expect(entry.name);
                start.playouts()
            };
            // Two threads of treant and mcts that make the same node at once both play it out, and one tries again.
            let clashes = if threads > 1 && matches!(entry.name, "treant" | "mcts") { 30 } else { 0 };
            assert!((600..=600 + clashes).contains(&games), "{} with {threads}: {games} games", entry.name);
        }
    }

    #[test]
    fn every_playout_is_a_visit_below_the_root() {
        for (entry, threads) in everyone() {
            let outcome = run(entry.name, &Othello::default(), &task(600, threads)).expect(entry.name);
            assert_eq!(outcome.playouts, 600, "{}", entry.name);
            if let Some(visits) = outcome.root_visits {
                // Where two threads copy a node's counters to its edge at once, the last one may write the older count.
                let lost = if threads > 1 { 10 } else { 0 };
                assert!((600 - lost..=600).contains(&visits), "{} with {threads}: {visits} visits", entry.name);
            }
        }
    }

    #[test]
    fn every_engine_prefers_the_middle_column() {
        for (entry, threads) in everyone().filter(|(entry, _)| entry.role != Role::Roof) {
            let outcome = run(entry.name, &Connect4::default(), &task(20_000, threads)).expect(entry.name);
            assert_eq!(outcome.best, Some(3), "{} with {threads}", entry.name);
        }
    }

    #[test]
    fn an_unknown_name_gets_the_list() {
        let error = run("stockfish", &Connect4::default(), &task(1, 1)).expect_err("no such engine");
        assert!(error.contains("'stockfish'") && error.contains("minimax"), "{error}");
    }
}
