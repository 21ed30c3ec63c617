//! Monte Carlo Tree Search as one agent of the list.

use std::time::Duration;

use super::{Agent, Build};
use crate::search::{Search, SearchError, guarded};
use crate::settings::Settings;
use crate::{Budget, Game, Report};

/// How often somebody looks at a search.
pub(super) const TICK: Duration = Duration::from_millis(100);

impl Build for Settings {
    fn build<G: Game>(self, position: G) -> Result<Box<dyn Agent<G>>, SearchError> {
        Ok(Box::new(Search::new(position, self)?))
    }
}

impl<G: Game> Agent<G> for Search<G> {
    fn position(&self) -> &G {
        Search::position(self)
    }

    fn search(
        &mut self,
        budget: Budget,
        see: &mut dyn FnMut(&Report<G::Action>),
    ) -> Result<Report<G::Action>, SearchError> {
        let running = self.start(budget)?;
        while !running.wait(TICK) {
            see(&guarded(|| running.report())?);
        }
        running.finish()
    }

    fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        Search::advance(self, action)
    }

    fn reset(&mut self, position: G) {
        Search::reset(self, position);
    }

    fn begin(&mut self, position: G, seed: u64) {
        Search::begin(self, position, seed);
    }
}
