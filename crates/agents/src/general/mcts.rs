//! Monte Carlo Tree Search as one agent of the list.

use std::path::Path;
#[cfg(feature = "crates")]
use std::sync::Arc;

#[cfg(feature = "crates")]
use boughs::SpecError;
use boughs::{Agent, SearchError, Session, Settings, TreeSearch};
#[cfg(feature = "crates")]
use boughs_nets::NetEvaluator;

use crate::entry::Build;

impl Build for Settings {
    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        Ok(tree_search(position, self.clone())?.into_agent())
    }
}

/// Builds a tree search of a position, by the network that the settings name, if they name one.
///
/// # Errors
/// If the settings do not go with the game, the network is none of the game, or the memory or the threads cannot be
/// had.
pub fn tree_search(position: &dyn Session, settings: Settings) -> Result<Box<dyn TreeSearch>, SearchError> {
    match &settings.net {
        None => position.tree_search(settings),
        Some(file) => by_net(position, &settings, file),
    }
}

#[cfg(feature = "crates")]
fn by_net(position: &dyn Session, settings: &Settings, file: &Path) -> Result<Box<dyn TreeSearch>, SearchError> {
    match NetEvaluator::read(position, file) {
        Ok(evaluator) => position.tree_search_with(settings.clone(), Arc::new(evaluator)),
        Err(fault) => Err(SearchError::Setting(SpecError::new(format!("'{}': {fault}", file.display())))),
    }
}

#[cfg(not(feature = "crates"))]
fn by_net(position: &dyn Session, settings: &Settings, _: &Path) -> Result<Box<dyn TreeSearch>, SearchError> {
    position.tree_search(settings.clone())
}
