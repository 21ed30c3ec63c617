//! A search under way: to be read, waited for and stopped.

use std::time::{Duration, Instant};

use super::SearchError;
use super::search_core::SearchCore;
use crate::Position;
use crate::budget::StopReason;
use crate::clock::now;
use crate::mcts::tree::NodeDump;
use crate::report::Report;
use crate::run::guarded;

/// The time between two looks at a search on the way.
const TICK: Duration = Duration::from_millis(50);

/// A search under way. Dropping it stops the search.
///
/// ```
/// # use boughs::{Budget, Search, Settings, Game, Turn};
/// # #[derive(Clone)]
/// # struct Coin(bool);
/// # impl Game for Coin {
/// #     type Action = u8;
/// #     fn turn(&self) -> Turn { if self.0 { Turn::Over } else { Turn::Player(0) } }
/// #     fn actions(&self, out: &mut Vec<u8>) { out.extend([0, 1]); }
/// #     fn apply(&mut self, _: u8) { self.0 = true; }
/// #     fn reward(&self, _: usize) -> f64 { 1.0 }
/// # }
/// let mut search = Search::new(Coin(false), Settings::default()).unwrap();
/// let pondering = search.start(Budget::unlimited()).unwrap();
/// let so_far = pondering.report();      // read while the search goes on
/// let report = pondering.stop().unwrap(); // told to stop
/// assert!(report.iterations >= so_far.iterations);
/// ```
pub struct Running<'s> {
    pub(super) core: &'s mut SearchCore,
    pub(super) position: &'s dyn Position,
}

impl Running<'_> {
    /// The report so far. Cheap enough to ask for many times a second; the workers do not notice.
    pub fn report(&self) -> Report {
        self.core.report_or_panic(self.position)
    }

    /// The number of finished playouts.
    pub fn playouts(&self) -> u64 {
        self.core.state.last.as_ref().map_or(0, |last| last.done())
    }

    /// Waits until the search ends by itself, at most this long. Returns true if it has ended.
    pub fn wait(&self, time: Duration) -> bool {
        self.wait_until(now().checked_add(time))
    }

    /// Returns true if some worker is still in a tree; after a deadline it may be for as long as a playout takes.
    pub(crate) fn is_working(&self) -> bool {
        self.core.state.is_working()
    }

    /// Waits until the search ends by itself. Calls `see` twenty times a second with the report so far.
    pub(crate) fn watch(self, see: &mut dyn FnMut(&Report)) -> Result<Report, SearchError> {
        while !self.wait(TICK) {
            see(&guarded(|| self.core.state.report(self.position))?);
        }
        self.finish()
    }

    /// Waits until the search ends by itself. Calls `see` twenty times a second.
    pub(crate) fn watch_tree(self, see: &mut dyn FnMut(&Running<'_>)) -> Result<Report, SearchError> {
        while !self.wait(TICK) {
            see(&self);
        }
        self.finish()
    }

    /// The number of units of a node's sum that make a reward of 1.
    pub(crate) fn units(&self) -> f64 {
        self.core.state.units()
    }

    /// Waits until the search ends by itself, and returns its trees too.
    pub(crate) fn finish_with_dump(self) -> Result<(Report, Vec<Vec<NodeDump>>), SearchError> {
        self.wait_until(None);
        let report = self.core.result(self.position)?;
        Ok((report, self.core.dump(usize::MAX)))
    }

    /// The visits and rewards that are new with this search. See [`TreeSearch::contribution`](crate::TreeSearch).
    pub fn contribution(&self) -> Vec<i64> {
        self.core.state.contribution()
    }

    /// Takes over the sum of all contributions. See [`TreeSearch::merge`](crate::TreeSearch).
    pub fn merge(&self, sums: &[i64]) {
        self.core.merge(self.position, sums);
    }

    /// Waits until the search ends by itself.
    ///
    /// # Errors
    /// [`SearchError::GamePanicked`] if the game panicked.
    pub fn finish(self) -> Result<Report, SearchError> {
        self.wait_until(None);
        self.core.result(self.position)
    }

    /// Ends the search now.
    ///
    /// # Errors
    /// [`SearchError::GamePanicked`] if the game panicked.
    pub fn stop(self) -> Result<Report, SearchError> {
        self.core.stop(self.position)
    }

    /// Waits until the search has ended, at most until `patience`. Returns true if it has.
    fn wait_until(&self, patience: Option<Instant>) -> bool {
        self.core.state.last.as_ref().is_none_or(|search| search.status.wait_for_end(patience))
    }
}

impl SearchCore {
    /// Ends the last search.
    pub(super) fn stop(&self, position: &dyn Position) -> Result<Report, SearchError> {
        if let Some(search) = &self.state.last {
            search.status.end(StopReason::Stopped);
        }
        self.result(position)
    }

    fn result(&self, position: &dyn Position) -> Result<Report, SearchError> {
        match self.state.last.as_ref().and_then(|search| search.status.failure()) {
            Some(error) => Err(error),
            None => guarded(|| self.state.report(position)),
        }
    }

    /// The report so far. If the game panics, the report has nothing that would be asked of the game.
    pub(super) fn report_or_panic(&self, position: &dyn Position) -> Report {
        guarded(|| self.state.report(position)).unwrap_or_else(|error| {
            if let (Some(search), SearchError::GamePanicked(text)) = (&self.state.last, error) {
                search.status.panicked(&text);
            }
            self.state.bare_report(StopReason::Panicked)
        })
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some(search) = &self.core.state.last {
            search.status.stop(StopReason::Stopped);
        }
    }
}
