//! Monte Carlo Tree Search on one thread, on std alone, small enough to hand in as it is.
//!
//! This page is the lecture: the game, the bandit, the four steps, and the search that a bot calls. The crate `boughs`
//! is the parallel engine, which plays the same games with many threads.
//!
//! # The game
//! A game is a state that can be copied, a type for its actions, and four methods:
//!
//! ```
//! use boughs_core::{Game, Turn};
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
//! ```
//!
//! # A move is an arm of a bandit
//! To play a game to its end at random is a *playout*; it says little about a position, but many say much. Which move
//! should the next playout try? That of the greatest upper confidence bound (UCB1): its mean reward, and a bonus that
//! grows while others are tried. Written out, without a tree:
//!
//! ```
//! # use boughs_core::{Game, Turn};
//! # #[derive(Clone)]
//! # struct Nim { stones: u8, player: usize }
//! # impl Game for Nim {
//! #     type Action = u8;
//! #     fn turn(&self) -> Turn { if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) } }
//! #     fn actions(&self, out: &mut Vec<u8>) { out.extend(1..=self.stones.min(3)); }
//! #     fn apply(&mut self, take: u8) { self.stones -= take; self.player = 1 - self.player; }
//! #     fn reward(&self, player: usize) -> f64 { if player == self.player { 0.0 } else { 1.0 } }
//! # }
//! use boughs_core::{Light, Playout, Rng};
//!
//! let (start, mut rng) = (Nim { stones: 6, player: 0 }, Rng::new(1, 0));
//! let (mut sums, mut visits) = ([0.0; 3], [0.0; 3]);
//! for n in 0..3_000 {
//!     let ucb1 = |arm: usize| sums[arm] / visits[arm] + (f64::from(n).ln() / visits[arm]).sqrt();
//!     let best = |a: usize, b: usize| if ucb1(b) > ucb1(a) { b } else { a };
//!     // Each arm is pulled once before UCB1 decides.
//!     let arm = if n < 3 { n as usize } else { (0..3).reduce(best).unwrap() };
//!
//!     let mut position = start.clone();
//!     position.apply(arm as u8 + 1);
//!     Light.play(&mut position, &mut rng, &mut Vec::new(), Nim::MAX_PLIES, None);
//!     sums[arm] += position.reward(0);
//!     visits[arm] += 1.0;
//! }
//! assert!(visits[1] > visits[0] && visits[1] > visits[2]); // two stones leave a multiple of four
//! ```
//!
//! # The four steps
//! Monte Carlo Tree Search does this at every position on the way. An *iteration* has four steps, and
//! [`LocalSearch`] is these four in a loop:
//!
//! 1. *Selection* goes down from the root by UCB1, to a leaf of the tree.
//! 2. *Expansion* gives the leaf its children.
//! 3. *Simulation* plays a game from there to its end.
//! 4. *Backpropagation* adds the reward to each node on the way, for the player who chose it.
//!
//! When the time is over, the move with the most playouts is played.
//!
//! # A bot
//! A search keeps its tree from turn to turn: [`advance`](LocalSearch::advance) plays a move of any player and keeps
//! what is below it. A [`Budget`] limits a search in time or in playouts.
//!
//! ```
//! # use boughs_core::{Game, Turn};
//! # #[derive(Clone)]
//! # struct Nim { stones: u8, player: usize }
//! # impl Game for Nim {
//! #     type Action = u8;
//! #     fn turn(&self) -> Turn { if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) } }
//! #     fn actions(&self, out: &mut Vec<u8>) { out.extend(1..=self.stones.min(3)); }
//! #     fn apply(&mut self, take: u8) { self.stones -= take; self.player = 1 - self.player; }
//! #     fn reward(&self, player: usize) -> f64 { if player == self.player { 0.0 } else { 1.0 } }
//! # }
//! use boughs_core::{Budget, LocalSearch, Settings};
//! use std::time::Duration;
//!
//! let mut search = LocalSearch::new(Nim { stones: 21, player: 0 }, Settings { memory: 1 << 20, ..Settings::DEFAULT });
//! while let Turn::Player(player) = search.position().turn() {
//!     let budget = match player {
//!         0 => Budget::time(Duration::from_millis(100)).or_iterations(5_000),
//!         _ => Budget::iterations(30), // an opponent who thinks less
//!     };
//!     let take = search.choose(budget).expect("time for a playout");
//!     search.advance(take);
//! }
//! assert_eq!(search.position().reward(0), 1.0);
//! ```
//!
//! # What else a game may need
//! - Scores in place of wins: [`Game::REWARDS`]. Dice and cards: [`Turn::Chance`] and [`Game::weight`].
//! - Choices at the same time, and hidden information: [`Game::INFORMATION`] and [`DecoupledSearch`].
//! - Faster or better playouts: [`Game::random_action`], or a [`Playout`] of one's own. Values and priors in their
//!   place: a [`LeafEvaluator`], with [`Policy::Puct`].
//! - A clock for a game, [`GameClock`], and a margin for machines that wake late, [`DelayMeter`].
//! - A yardstick without a tree: [`FlatMonteCarlo`].
//!
//! Equal seeds give equal results on every machine, and no search allocates memory after its first turn. The crate
//! compiles with rustc 1.63, which judges of contests still have.

mod budget;
mod children;
mod clock;
mod decoupled;
mod delay;
mod evaluator;
mod flat;
mod game;
mod local;
mod playout;
mod policy;
mod prefetch;
mod rng;
mod roots;
mod settings;
mod solver;
#[cfg(test)]
mod testing;
mod tree;

pub use budget::Budget;
pub use children::Child;
pub use clock::GameClock;
pub use decoupled::DecoupledSearch;
pub use delay::DelayMeter;
pub use evaluator::{Leaf, LeafEvaluator, Values};
pub use flat::FlatMonteCarlo;
pub use game::{Action, Game, Information, Rewards, Turn, TurnOrder, MAX_PLAYERS};
pub use local::LocalSearch;
pub use playout::{End, Heavy, Light, Playout, SeeMove};
pub use prefetch::prefetch;
pub use rng::Rng;
pub use settings::{FinalMove, FirstPlay, Policy, Settings};
