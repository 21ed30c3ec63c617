//! The tree search of the [`PrunedGame`], with worker threads or without.

use std::sync::Arc;

use boughs::{Agent, LocalSearch, Search, SearchError, Settings};
use boughs_games::photosynthesis::Action;

use super::TruncatedPlayout;
use super::pruned_game::PrunedGame;

/// The tree search of the [`PrunedGame`]: on the calling thread, or with worker threads.
pub(super) enum TreeSearch {
    Local(LocalSearch<PrunedGame>),
    Threaded(Search<PrunedGame>),
}

impl TreeSearch {
    pub(super) fn new(position: PrunedGame, settings: Settings, has_workers: bool) -> Result<TreeSearch, SearchError> {
        let playout = Arc::new(TruncatedPlayout);
        Ok(match has_workers {
            true => TreeSearch::Threaded(Search::with_playout(position, settings, playout)?),
            false => TreeSearch::Local(LocalSearch::with_playout(position, settings, playout)?),
        })
    }

    pub(super) fn as_agent(&mut self) -> &mut dyn Agent {
        match self {
            TreeSearch::Local(search) => search,
            TreeSearch::Threaded(search) => search,
        }
    }

    pub(super) fn position(&self) -> &PrunedGame {
        match self {
            TreeSearch::Local(search) => search.position(),
            TreeSearch::Threaded(search) => search.position(),
        }
    }

    pub(super) fn advance(&mut self, action: Action) -> Result<(), SearchError> {
        match self {
            TreeSearch::Local(search) => search.advance(action),
            TreeSearch::Threaded(search) => search.advance(action),
        }
    }

    pub(super) fn reset(&mut self, position: PrunedGame) {
        match self {
            TreeSearch::Local(search) => search.reset(position),
            TreeSearch::Threaded(search) => search.reset(position),
        }
    }

    pub(super) fn begin(&mut self, position: PrunedGame, seed: u64) {
        match self {
            TreeSearch::Local(search) => search.begin(position, seed),
            TreeSearch::Threaded(search) => search.begin(position, seed),
        }
    }
}
