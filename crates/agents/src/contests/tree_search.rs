//! A tree search of the engine for a contest agent, with worker threads or without.

use std::sync::Arc;

use boughs::{Agent, Evaluator, Game, LocalSearch, Playout, Search, SearchError, Settings};

/// A tree search: on the calling thread, or with worker threads.
pub(crate) enum TreeSearch<G: Game> {
    Local(LocalSearch<G>),
    Threaded(Search<G>),
}

impl<G: Game> TreeSearch<G> {
    /// A search with the caller's own playouts.
    ///
    /// # Errors
    /// If a setting does not go with the game, or the memory or the threads cannot be had.
    pub(crate) fn with_playout(
        position: G,
        settings: Settings,
        has_workers: bool,
        playout: Arc<dyn Playout<G>>,
    ) -> Result<TreeSearch<G>, SearchError> {
        Ok(match has_workers {
            true => TreeSearch::Threaded(Search::with_playout(position, settings, playout)?),
            false => TreeSearch::Local(LocalSearch::with_playout(position, settings, playout)?),
        })
    }

    /// A search of a determinization that values leaves by an evaluator.
    ///
    /// # Errors
    /// If a setting does not go with the game or the evaluator, or the memory or the threads cannot be had.
    pub(crate) fn determinized_with_evaluator(
        position: G,
        settings: Settings,
        has_workers: bool,
        evaluator: Arc<dyn Evaluator<G>>,
    ) -> Result<TreeSearch<G>, SearchError> {
        Ok(match has_workers {
            true => TreeSearch::Threaded(Search::determinized_with_evaluator(position, settings, evaluator)?),
            false => TreeSearch::Local(LocalSearch::determinized_with_evaluator(position, settings, evaluator)?),
        })
    }

    pub(crate) fn as_agent(&mut self) -> &mut dyn Agent {
        match self {
            TreeSearch::Local(search) => search,
            TreeSearch::Threaded(search) => search,
        }
    }

    pub(crate) fn position(&self) -> &G {
        match self {
            TreeSearch::Local(search) => search.position(),
            TreeSearch::Threaded(search) => search.position(),
        }
    }

    pub(crate) fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        match self {
            TreeSearch::Local(search) => search.advance(action),
            TreeSearch::Threaded(search) => search.advance(action),
        }
    }

    pub(crate) fn reset(&mut self, position: G) {
        match self {
            TreeSearch::Local(search) => search.reset(position),
            TreeSearch::Threaded(search) => search.reset(position),
        }
    }

    pub(crate) fn begin(&mut self, position: G, seed: u64) {
        match self {
            TreeSearch::Local(search) => search.begin(position, seed),
            TreeSearch::Threaded(search) => search.begin(position, seed),
        }
    }
}
