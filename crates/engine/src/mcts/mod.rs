//! Monte Carlo Tree Search.
//!
//! [`Search`] is the handle that a library user holds. Behind it stands a [`SearchCore`](search_core::SearchCore),
//! which is compiled once for all games, and workers, which are compiled for each game: a worker repeats selection,
//! expansion, simulation and backpropagation ([`worker`]), in a plain tree ([`plain`]) or in trees of information sets
//! ([`information_sets`]). Down the top of a plain tree it leads many simulations together ([`bulk`]).

mod advance;
mod allocation;
mod amaf;
mod batched;
mod bulk;
mod cache_padded;
mod diagnostics;
mod error;
mod evaluated;
mod finished;
mod idle;
mod implicit_minimax;
mod information_sets;
pub(crate) mod inspection;
mod join;
#[cfg(test)]
mod late_tests;
mod learned_playouts;
mod local;
#[cfg(test)]
mod local_tests;
mod merging;
mod pace;
mod plain;
pub(crate) mod policies;
mod reporting;
mod rewards;
mod root;
mod root_noise;
mod running;
mod search;
mod search_core;
mod search_state;
pub(crate) mod settings;
mod shared;
mod solver;
#[cfg(any(test, feature = "steps"))]
mod steps;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
mod traversal;
pub(crate) mod tree;
mod tree_search;
mod validate;
mod worker;
mod worker_base;
mod worker_threads;

pub use error::SearchError;
pub use local::LocalSearch;
pub use running::Running;
pub use search::Search;
pub(crate) use shared::PlayoutRecord;
#[cfg(any(test, feature = "steps"))]
pub use steps::Steps;
pub use tree_search::TreeSearch;
