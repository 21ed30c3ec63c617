//! The agents of Boughs: those that play any game that suits them, and those of one contest game.
//!
//! One line of text names an agent with its options, and an [`AgentSpec`] builds it in a position of any game:
//!
//! ```
//! use boughs::Budget;
//! use boughs_agents::AgentSpec;
//!
//! let spec: AgentSpec = "flat:policy=ucb1,threads=2".parse().unwrap();
//! assert_eq!(spec.to_string(), "flat:policy=ucb1,threads=2");
//! assert_eq!(spec.check("connect4"), Ok(()));
//!
//! let game = boughs_games::start("connect4").unwrap();
//! let mut agent = spec.build(&*game.position).unwrap();
//! let report = agent.search(Budget::iterations(1_000), &mut |so_far| println!("{so_far}")).unwrap();
//! println!("{report}");
//!
//! let error = "alpha".parse::<AgentSpec>().unwrap_err();
//! assert!(error.to_string().starts_with("unknown agent 'alpha'"));
//! ```
//!
//! A further agent is a file with its options ([`Spec`](boughs::spec::Spec)) and its algorithm, its `mod` line, and its
//! line in `list.rs`. No agent is compiled for each game: general agents play a [`Session`](boughs::Session), and a
//! contest agent plays its one game.

mod contests;
mod entry;
mod general;
pub mod learn;
mod list;
pub mod ranks;
mod runner;
mod search;
mod turn;

pub use contests::{ahc015, green_circle, photosynthesis};
pub use entry::{AgentEntry, Build, KeyEntry};
pub use general::{Beam, Determinization, Exhaustive, Expectimax, Flat, FlatPolicy, Random, tree_search};
pub use list::{AgentError, AgentSpec, agents_of, default_agent};
