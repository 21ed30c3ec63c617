//! Parallel Monte Carlo Tree Search for any game, in one lock-free tree.
//!
//! Tell the engine the rules of your game, and it finds a move:
//!
//! ```
//! use boughs::{Budget, Game, Search, Settings, Turn};
//! use std::time::Duration;
//!
//! /// Players take one to three stones in turn; who takes the last one wins.
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
//! `docs/ADDING_A_GAME.md` in the repository goes on from here in small steps: checks, faster playouts, dice, hidden
//! cards, choices at the same time, scores.
//!
//! # A whole game
//! A [`Search`] keeps its threads and its memory. [`Search::advance`] plays a move, ours or the opponent's, and keeps
//! what is known of the position after it. [`Search::start`] thinks in the background while the opponent does.
//!
//! ```
//! # use boughs::{Budget, Search, Settings};
//! # fn play<G: boughs::Game>(game: G, answer: impl Fn(G::Action) -> G::Action) -> Result<(), boughs::SearchError> {
//! let mut search = Search::new(game, Settings::default())?;
//! while let Some(mine) = search.run(Budget::iterations(10_000))?.best_action() {
//!     search.advance(mine)?;
//!     let pondering = search.start(Budget::unlimited())?;
//!     let theirs = answer(mine);
//!     pondering.stop()?;
//!     search.advance(theirs)?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What can be set
//! [`Settings`] has every choice of the search and reads them from one line of text: `mcts:c=1.4,threads=8`. Three ways
//! to be parallel are [`Parallel::Shared`] (one tree), [`Parallel::Independent`] (a tree a thread) and
//! [`Parallel::Batched`] (one tree whose result does not depend on the number of threads). A [`Budget`] says how long to
//! search; the [`Report`] says what was found and why the search ended. A [`Playout`] of your own makes heavy playouts.
//!
//! # Other agents
//! An [`AgentSpec`] names any agent of the list, [`flat`](Flat) Monte Carlo, [`beam`](Beam) search or
//! [`worlds`](Worlds) beside `mcts`, and builds it as an [`Agent`], with the same budget and the same report:
//!
//! ```
//! # use boughs::{AgentSpec, Budget, Game};
//! # fn best<G: Game>(position: G) -> Result<Option<G::Action>, Box<dyn std::error::Error>> {
//! let spec: AgentSpec = "flat:policy=halving,threads=2".parse()?;
//! let report = spec.build(position)?.search(Budget::iterations(10_000), &mut |_| ())?;
//! # Ok(report.best_action())
//! # }
//! ```
//!
//! # Is my game right?
//! [`conformance::check`] plays it and says in plain words where it breaks a promise; [`perft()`] counts its move
//! sequences.
//!
//! # Same seed, same result
//! With an iteration budget, one thread gives the same result on every run and every machine, and so does
//! [`Parallel::Batched`] at any number of threads. What a shared search did can be proven afterwards: [`log`] writes down
//! every playout and checks the tree against them.

mod agents;
mod budget;
mod chains;
mod checksum;
mod clock;
pub mod conformance;
mod course;
mod game;
pub mod learn;
pub mod log;
mod logarithm;
mod memory;
pub mod notation;
mod numbers;
mod pages;
mod perft;
mod playout;
pub mod puzzle;
mod random;
mod report;
mod scale;
mod search;
mod settings;
pub mod spec;
mod sync;
#[cfg(test)]
mod testing;
mod tree;

pub use agents::{Agent, AgentEntry, AgentSpec, Beam, Exhaustive, Flat, FlatPolicy, KeyEntry, Random, Worlds};
pub use budget::{Budget, StopFlag, StopReason};
pub use checksum::Checksum;
pub use clock::GameClock;
pub use game::{Action, Game, Information, MAX_PLAYERS, Rewards, Turn, TurnOrder, turn_goes_on};
pub use memory::{default_memory, parse_size, write_size};
pub use perft::perft;
pub use playout::{Decisive, End, Light, Playout, PlayoutKind};
pub use random::Rng;
pub use report::{Child, Move, Plan, Report, Warning};
#[doc(hidden)]
pub use search::Steps;
pub use search::{Running, Search, SearchError, cores};
pub use settings::{FinalMove, InFlight, KEYS, MAX_THREADS, Parallel, Policy, Settings, TreeKind};
pub use spec::{Key, Spec, SpecError};
pub use tree::NodeDump;

/// The programs of the guide, so that they are compiled and run like every other example.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/ADDING_A_GAME.md")]
mod adding_a_game {}

/// What a panic said.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
