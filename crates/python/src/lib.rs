//! The extension module `boughs._boughs`: searches, games written in Python, evaluators, and experiments.
//!
//! The package in `python/boughs` is the interface for users. This crate has the part of it that needs the engine, and
//! returns plain dictionaries, arrays and texts of JSON, which the package turns into its classes.

mod asking;
mod check;
mod error;
mod evaluator;
mod experiments;
mod game;
mod locks;
mod playout;
mod position;
mod process;
mod report;
mod search;
mod shards;
mod store;
mod waiting;

use pyo3::prelude::*;

/// The search engine behind the package `boughs`.
#[pymodule]
mod _boughs {
    #[pymodule_export]
    use crate::check::{agent_text, check_game, default_agent_text, game_list};
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::experiments::{judge, learn, play_contest, replay_log, replay_puzzle, scale};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::process::{after_fork, stop_all};
    #[pymodule_export]
    use crate::search::Search;
    #[pymodule_export]
    use crate::shards::{Shards, merge_shards, read_plan, run_shard, shard_list};
    #[pymodule_export]
    use crate::store::{store_games, store_measurement, store_overview};

    /// Ctrl-C ends a wait for a pipe as it ends other work.
    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        boughs::named_file::end_waits_if(crate::waiting::is_stopped);
        Ok(())
    }
}
