//! Monte Carlo Tree Search as one agent of the list.

use boughs::{Agent, SearchError, Session, Settings};

use crate::entry::Build;

impl Build for Settings {
    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        Ok(position.tree_search(self.clone())?.into_agent())
    }
}
