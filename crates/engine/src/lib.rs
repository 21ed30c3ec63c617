//! Parallel Monte Carlo Tree Search for any game, in one lock-free tree.
//!
//! Tell the engine the rules of your game, and it finds a move. The rules are a type for the actions and four methods:
//!
//! ```
//! use boughs::{Budget, Game, Search, Settings, Turn};
//! use std::time::Duration;
//!
//! /// Players take one to three stones in turn. The player who takes the last stone wins.
//! #[derive(Clone)]
//! struct Nim { stones: u8, player: usize }
//!
//! impl Game for Nim {
//!     type Action = u8;
//!     fn turn(&self) -> Turn {
//!         if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) }
//!     }
//!     fn actions(&self, out: &mut Vec<u8>) {
//!         out.extend(1..=self.stones.min(3));
//!     }
//!     fn apply(&mut self, take: u8) {
//!         self.stones -= take;
//!         self.player = 1 - self.player;
//!     }
//!     fn reward(&self, player: usize) -> f64 {
//!         if player == self.player { 0.0 } else { 1.0 }
//!     }
//! }
//!
//! # fn main() -> Result<(), boughs::SearchError> {
//! let settings = Settings { threads: 2, ..Settings::default() };
//! let mut search = Search::new(Nim { stones: 21, player: 0 }, settings)?;
//! let report = search.run(Budget::time(Duration::from_millis(20)))?;
//! println!("{report}");
//! # assert!(report.best.is_some());
//! # Ok(())
//! # }
//! ```
//!
//! `docs/ADDING_A_GAME.md` in the repository goes on from here in small steps: checks, faster playouts, chance, hidden
//! information, simultaneous choices, scores.
//!
//! # How the search works
//! Each iteration has four steps (Browne et al. 2012). *Selection* descends from the root by UCB1 ([`Policy`]).
//! *Expansion* gives a leaf all its children at its second visit ([`Settings::expand_at`]). *Simulation* plays the
//! game from there to its end; such a playout, or rollout, is random or follows a [`Playout`]. *Backpropagation* adds
//! the rewards to every node of the path. [`Settings`] has every choice of the search and reads them from one line of
//! text: `mcts:c=1.4,threads=8`.
//!
//! Where a plain tree has many visits, simulations go down together, shared out among the children of a node by UCB1,
//! and are added with one addition a node ([`Settings::bulk`]); below that they go on one by one, several in turns
//! ([`Settings::traversals`]). `mcts:bulk=1,traversals=1` takes one after the other.
//!
//! There are three ways to use many threads (Chaslot, Winands and van den Herik 2008):
//!
//! - [`Parallel::Shared`], tree parallelisation: all threads search one lock-free tree, with virtual loss or WU-UCT.
//! - [`Parallel::Independent`], root parallelisation: each thread has a tree. The trees are added up at the root.
//! - [`Parallel::Batched`], leaf parallelisation in batches: one thread selects many leaves, and all threads play them
//!   out, one playout a leaf. The result depends on the seed and the batch, never on the number of threads.
//!
//! Hidden information and simultaneous choices are searched by information-set MCTS (ISMCTS, Cowling, Powley and
//! Whitehouse 2012), with one tree for the searching player ([`TreeKind::Single`], SO-ISMCTS) or one for each player
//! ([`TreeKind::Multi`], MO-ISMCTS). Outcomes of chance are nodes of the tree, or the search is open-loop and leaves
//! them out ([`TreeKind::Open`]).
//!
//! # A whole game
//! A [`Search`] keeps its threads and its memory. [`Search::advance`] plays an action of any player and keeps the
//! subtree below it. [`Search::ponder`] goes on in the background while the opponent thinks, and [`Search::stop`] ends
//! that and returns the report. `stop` returns within a millisecond even if a playout takes seconds. `advance`,
//! `ponder` and the next search begin at once too, unless a worker is in a playout: they wait for it for 20 ms, or for
//! twice the time of a playout if that is longer, up to 200 ms. If it is not back then, the search leaves its tree to
//! it and goes on with an empty one; so playouts of up to 100 ms keep the tree. A second tree is not left behind while
//! the first is in use: then they wait for the playout. A [`StopFlag`] ends a search from another thread.
//!
//! ```
//! use boughs::{Budget, Game, Report, Search, SearchError, Settings, StopFlag};
//! # use boughs::{StopReason, Turn};
//! # use std::time::Duration;
//!
//! /// A bot that thinks while its opponent does.
//! struct Bot<G: Game> { search: Search<G>, give_up: StopFlag }
//!
//! impl<G: Game> Bot<G> {
//!     /// Plays a move of its own and goes on in the background.
//!     fn play(&mut self, mine: G::Action) -> Result<(), SearchError> {
//!         self.search.advance(mine)?;
//!         self.search.ponder()
//!     }
//!
//!     /// Plays the opponent's move and searches for an answer in the tree that has grown meanwhile.
//!     fn answer(&mut self, theirs: G::Action, budget: Budget) -> Result<Report, SearchError> {
//!         println!("{}", self.search.stop()?);
//!         self.search.advance(theirs)?;
//!         self.search.run(budget.or_stopped_by(self.give_up.clone()))
//!     }
//! }
//!
//! # #[derive(Clone)]
//! # struct Nim { stones: u8, player: usize }
//! # impl Game for Nim {
//! #     type Action = u8;
//! #     fn turn(&self) -> Turn { if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) } }
//! #     fn actions(&self, out: &mut Vec<u8>) { out.extend(1..=self.stones.min(3)); }
//! #     fn apply(&mut self, take: u8) { self.stones -= take; self.player = 1 - self.player; }
//! #     fn reward(&self, player: usize) -> f64 { if player == self.player { 0.0 } else { 1.0 } }
//! # }
//! # fn main() -> Result<(), SearchError> {
//! let search = Search::new(Nim { stones: 100, player: 0 }, Settings::default())?;
//! let mut bot = Bot { search, give_up: StopFlag::default() };
//! bot.play(2)?;
//! # while bot.search.report().iterations == 0 {}
//! # assert!(bot.search.is_searching());
//!
//! // The next answer may be ended from outside, here by another thread.
//! let give_up = bot.give_up.clone();
//! let other = std::thread::spawn(move || {
//! #   std::thread::sleep(Duration::from_millis(20));
//!     give_up.raise();
//! });
//! let report = bot.answer(3, Budget::unlimited())?;
//! # assert_eq!(report.stop, StopReason::Stopped);
//! # assert!(report.inherited > 0 && report.best.is_some(), "{report}");
//! # other.join().expect("a thread that raises a flag");
//! # Ok(())
//! # }
//! ```
//!
//! A [`Budget`] limits a search by time, playouts or memory. The [`Report`] has the best move, the statistics of every
//! action, the principal variation, and the reason why the search ended.
//!
//! # Code that is compiled once for all games
//! Every [`Game`] is a [`Position`], an object-safe trait with the rules and with actions as numbers and texts, and a
//! [`Session`], a position that can also be searched. Every [`Search`] implements the object-safe traits [`Agent`] and
//! [`TreeSearch`]. The crate `boughs-agents` has further agents: flat Monte Carlo, beam search, determinization and
//! more.
//!
//! ```
//! use boughs::{Agent, Budget, SearchError, Session, Settings};
//!
//! fn best(position: &dyn Session) -> Result<Option<String>, SearchError> {
//!     let mut agent = position.tree_search(Settings::default())?;
//!     let report = agent.search(Budget::iterations(10_000), &mut |so_far| println!("{so_far}"))?;
//!     Ok(report.best.map(|best| best.text))
//! }
//! ```
//!
//! # Is my game right?
//! [`conformance::check`] plays random games and describes the first rule of [`Game`] that yours breaks. [`perft()`]
//! counts move sequences, to compare with known numbers.
//!
//! # Same seed, same result
//! With an iteration budget, one thread gives the same result on every run and every machine, and so does
//! [`Parallel::Batched`] at any number of threads. [`Parallel::Shared`] depends on timing, but can be verified
//! afterwards: [`log`] records every playout and checks the tree against them.

mod agent;
mod budget;
pub mod checksum;
mod clock;
pub mod conformance;
mod evaluator;
mod locks;
pub mod log;
pub mod logarithm;
mod mcts;
pub mod memory;
pub mod named_file;
pub mod notation;
mod perft;
mod playout;
mod position;
pub mod puzzle;
mod report;
pub mod reward;
pub mod run;
mod session;
pub mod spec;
mod stop_flag;
#[cfg(test)]
mod testing;

pub use agent::Agent;
pub use boughs_core::{
    Action, DelayMeter, End, Game, GameClock, Heavy, Information, Light, MAX_PLAYERS, Playout, Rewards, Rng, SeeMove,
    Turn, TurnOrder,
};
pub use budget::{Budget, StopFlag, StopReason};
pub use evaluator::{Evaluations, Evaluator, Knowledge, Leaf, SessionEvaluator};
pub use mcts::settings::{FinalMove, FirstPlay, InFlight, Learning, MAX_THREADS, Parallel, Policy, Settings, TreeKind};
pub use mcts::{LocalSearch, Running, Search, SearchError, TreeSearch};
pub use perft::perft;
pub use playout::{AntiDecisive, Decisive, Greedy, PlayoutKind};
pub use position::{GameFacts, Position};
pub use report::{Child, Choice, Move, Plan, Report, Step, Warning};
pub use session::Session;
pub use spec::SpecError;

/// The nodes of a search tree, for tools and tests.
pub mod inspect {
    #[cfg(any(test, feature = "steps"))]
    #[doc(hidden)]
    pub use crate::mcts::Steps;
    pub use crate::mcts::inspection::{ChildView, Iteration, NodeView};
    #[doc(hidden)]
    pub use crate::mcts::tables::Tables;
    pub use crate::mcts::tree::NodeDump;
}

/// The programs of the crate's own page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
