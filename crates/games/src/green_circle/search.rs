//! The tree search of determinizations by an evaluator of the caller.
//!
//! A search by the type of a game is compiled in the crate that names it. This crate has the search of every game
//! already, behind [`Session`](boughs::Session), so this one costs little here and its workers are compiled once.

use std::sync::Arc;

use boughs::{Agent, Evaluator, LocalSearch, Search, SearchError, Settings};

use super::GreenCircle;

impl GreenCircle {
    /// A search of this determinization by worker threads, whose leaves the evaluator values.
    ///
    /// # Errors
    /// If a setting does not go with the game or the evaluator, or the memory or the threads cannot be had.
    #[inline(never)]
    pub fn search_by(
        self,
        settings: Settings,
        evaluator: Arc<dyn Evaluator<GreenCircle>>,
    ) -> Result<Box<dyn Agent>, SearchError> {
        Ok(Box::new(Search::determinized_with_evaluator(self, settings, evaluator)?))
    }

    /// The same search on the thread of its caller.
    ///
    /// # Errors
    /// If a setting does not go with the game or the evaluator, or the memory cannot be had.
    #[inline(never)]
    pub fn local_search_by(
        self,
        settings: Settings,
        evaluator: Arc<dyn Evaluator<GreenCircle>>,
    ) -> Result<Box<dyn Agent>, SearchError> {
        Ok(Box::new(LocalSearch::determinized_with_evaluator(self, settings, evaluator)?))
    }
}
