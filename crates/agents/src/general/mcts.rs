//! Monte Carlo Tree Search as one agent of the list.

use std::path::Path;
use std::sync::Arc;

use boughs::{Agent, SearchError, Session, SessionEvaluator, Settings, SpecError, TreeSearch};
use boughs_games::entry_of;

use crate::entry::Build;

impl Build for Settings {
    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        Ok(tree_search(position, self.clone())?.into_agent())
    }

    fn memory(&self, position: &dyn Session) -> usize {
        self.memory.saturating_add(self.memory_beside(&position.facts()))
    }
}

/// Builds a tree search of a position, by the network that the settings name or the evaluator of the game, if they ask
/// for one.
///
/// # Errors
/// If the settings do not go with the game, the network is none of the game, or the memory or the threads cannot be
/// had.
pub fn tree_search(position: &dyn Session, settings: Settings) -> Result<Box<dyn TreeSearch>, SearchError> {
    if let Some(file) = &settings.net {
        return position.tree_search_with(settings.clone(), read_net(position, file)?);
    }
    match entry_of(position) {
        Some(game) => game.tree_search(position, settings),
        None => position.tree_search(settings),
    }
}

/// Reads the network of the game of a position.
///
/// # Errors
/// One sentence about the file.
#[cfg(feature = "crates")]
pub(super) fn read_net(position: &dyn Session, file: &Path) -> Result<Arc<dyn SessionEvaluator>, SearchError> {
    boughs_nets::read_evaluator(position, file)
        .map_err(|fault| SearchError::Setting(SpecError::new(format!("'{}': {fault}", file.display()))))
}

/// Without its crates the engine reads no networks.
#[cfg(not(feature = "crates"))]
pub(super) fn read_net(_: &dyn Session, file: &Path) -> Result<Arc<dyn SessionEvaluator>, SearchError> {
    let fault = "networks are read by programs that are built with the feature 'crates'";
    Err(SearchError::Setting(SpecError::new(format!("'{}': {fault}", file.display()))))
}
