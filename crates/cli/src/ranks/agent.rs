//! An agent whose searches are those of all ranks.

use std::sync::Arc;

use boughs::{Agent, Budget, Choice, Report, SearchError, Session, TreeSearch, Warning};
use parking_lot::Mutex;

use super::Ranks;
use super::route::Route;

/// The agent of the rank 0.
pub(super) struct RankedAgent {
    pub(super) search: Box<dyn TreeSearch>,
    pub(super) ranks: Ranks,
    /// The way to the position.
    pub(super) route: Arc<Mutex<Route>>,
}

impl Agent for RankedAgent {
    fn position(&self) -> &dyn Session {
        self.search.position()
    }

    fn search(&mut self, budget: Budget, see: &mut dyn FnMut(&Report)) -> Result<Report, SearchError> {
        let report = self.ranks.search(&mut *self.search, &mut self.route.lock(), budget, see)?;
        // Protocols have no place for it.
        if report.warnings.contains(&Warning::RankLost) {
            super::tell(&Warning::RankLost.to_string());
        }
        Ok(report)
    }

    fn choose(&mut self, budget: Budget) -> Result<Choice, SearchError> {
        self.search(budget, &mut |_| ()).map(|report| Choice::from(&report))
    }

    fn advance(&mut self, action: u32) -> Result<(), SearchError> {
        self.search.advance(action)?;
        self.route.lock().advance(action);
        Ok(())
    }

    fn reset(&mut self, position: &dyn Session) -> Result<(), SearchError> {
        self.search.reset(position)?;
        self.route.lock().reset();
        Ok(())
    }

    fn begin(&mut self, position: &dyn Session, seed: u64) -> Result<(), SearchError> {
        self.search.begin(position, seed)?;
        self.route.lock().begin(seed);
        Ok(())
    }
}
