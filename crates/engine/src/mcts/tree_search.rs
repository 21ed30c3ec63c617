//! Monte Carlo Tree Search of any game as one object: [`Search`] without its type parameter.

use std::io::Write;
use std::sync::Arc;

#[cfg(any(test, feature = "steps"))]
use super::Steps;
use super::{PlayoutRecord, Running, Search, SearchError};
use crate::inspect::{Iteration, NodeDump, NodeView};
use crate::log::{self, Header, RecordError};
use crate::run::guarded;
use crate::{Agent, Budget, Choice, Game, Report, Session, Settings, TreeKind};

/// Monte Carlo Tree Search as an [`Agent`], with its tree open to inspection.
pub trait TreeSearch: Agent {
    /// See [`Search::settings`].
    fn settings(&self) -> &Settings;

    /// See [`Search::tree_kind`].
    fn tree_kind(&self) -> TreeKind;

    /// Searches without reports on the way. See [`Search::run`].
    ///
    /// # Errors
    /// If there is no memory for the first node, or an action has a code above
    /// [`Action::MAX_CODE`](crate::Action::MAX_CODE), or the game panics.
    fn run(&mut self, budget: Budget) -> Result<Report, SearchError>;

    /// Searches until the budget is spent. `see` is called twenty times a second with the running search, whose tree
    /// can be read.
    ///
    /// # Errors
    /// If there is no memory for the first node, or the game panics.
    fn watch(&mut self, budget: Budget, see: &mut dyn FnMut(&Running<'_>)) -> Result<Report, SearchError>;

    /// Starts a search in the background. See [`Search::start`].
    ///
    /// # Errors
    /// If there is no memory for the first node, or the game panics.
    fn start(&mut self, budget: Budget) -> Result<Running<'_>, SearchError>;

    /// Lets searches from now on merge with other searches of the same game with the same settings but for the seed,
    /// which are in the same positions: the statistics of the children of the root and of their children are those of
    /// all. Each search takes part in every round. In a round each makes a [`contribution`](TreeSearch::contribution),
    /// the caller adds up those of all number by number, and each [merges](TreeSearch::merge) the sum.
    fn start_merging(&mut self);

    /// The visits and rewards that are new with this search since the last contribution, as numbers to be added up.
    fn contribution(&self) -> Vec<i64>;

    /// Takes over the sum of the contributions of all searches, of which the last one of this search is a part.
    fn merge(&mut self, sums: &[i64]);

    /// The report of the last search.
    fn report(&self) -> Report;

    /// Returns true while a worker is in the tree, as it may be for the rest of a playout after a stop or a deadline.
    fn is_working(&self) -> bool;

    /// The node after these actions from the root, added up over all trees. `None` if the tree has no such node. In
    /// trees of information sets only the root can be read, because the actions below it depend on what players see.
    fn node(&self, path: &[u32]) -> Option<NodeView>;

    /// Makes one iteration. `None` if there is nothing to search.
    ///
    /// # Errors
    /// If there is no memory for the first node, or the game panics.
    fn iterate(&mut self) -> Result<Option<Iteration>, SearchError>;

    /// See [`Search::units`].
    fn units(&self) -> f64;

    /// See [`Search::mean`].
    fn mean(&self, sum: i64, visits: u64) -> f64;

    /// See [`Search::dump`].
    fn dump(&mut self, depth: usize) -> Vec<Vec<NodeDump>>;

    /// See [`Search::check_recordable`].
    ///
    /// # Errors
    /// If the search cannot be recorded.
    fn check_recordable(&mut self) -> Result<(), SearchError>;

    /// Searches and logs every playout. See [`log::record`](crate::log::record()).
    ///
    /// # Errors
    /// If the search cannot be recorded or fails, or the log cannot be written.
    fn record(
        &mut self,
        header: &Header,
        budget: Budget,
        out: &mut dyn Write,
        see: &mut dyn FnMut(&Report),
    ) -> Result<Report, RecordError>;

    /// The code of every action at the root, its playouts, and the sum of their rewards as the tree keeps it.
    fn root_children(&self) -> Vec<(u32, u64, f64)>;

    /// The agent without its tree.
    fn into_agent(self: Box<Self>) -> Box<dyn Agent>;

    /// See [`Search::time_steps`].
    ///
    /// # Errors
    /// If there is nothing to search, or the game panics.
    #[cfg(any(test, feature = "steps"))]
    #[doc(hidden)]
    fn time_steps(&mut self, playouts: usize) -> Result<Steps, SearchError>;
}

impl<G: Game> Agent for Search<G> {
    fn position(&self) -> &dyn Session {
        &self.position
    }

    fn search(&mut self, budget: Budget, see: &mut dyn FnMut(&Report)) -> Result<Report, SearchError> {
        self.start(budget)?.watch(see)
    }

    fn choose(&mut self, budget: Budget) -> Result<Choice, SearchError> {
        Search::run(self, budget).map(|report| Choice::from(&report))
    }

    fn advance(&mut self, action: u32) -> Result<(), SearchError> {
        self.advance_by_code(action)
    }

    fn reset(&mut self, position: &dyn Session) -> Result<(), SearchError> {
        let position = position.downcast_ref::<G>().ok_or(SearchError::OtherGame)?;
        Search::reset(self, guarded(|| position.clone())?);
        Ok(())
    }

    fn begin(&mut self, position: &dyn Session, seed: u64) -> Result<(), SearchError> {
        let position = position.downcast_ref::<G>().ok_or(SearchError::OtherGame)?;
        Search::begin(self, guarded(|| position.clone())?, seed);
        Ok(())
    }
}

impl<G: Game> TreeSearch for Search<G> {
    fn settings(&self) -> &Settings {
        Search::settings(self)
    }

    fn tree_kind(&self) -> TreeKind {
        Search::tree_kind(self)
    }

    fn run(&mut self, budget: Budget) -> Result<Report, SearchError> {
        Search::run(self, budget)
    }

    fn watch(&mut self, budget: Budget, see: &mut dyn FnMut(&Running<'_>)) -> Result<Report, SearchError> {
        self.start(budget)?.watch_tree(see)
    }

    fn start(&mut self, budget: Budget) -> Result<Running<'_>, SearchError> {
        Search::start(self, budget)
    }

    fn start_merging(&mut self) {
        self.core.state.merging = Some(Arc::default());
    }

    fn contribution(&self) -> Vec<i64> {
        self.core.state.contribution()
    }

    fn merge(&mut self, sums: &[i64]) {
        self.core.merge(&self.position, sums);
    }

    fn report(&self) -> Report {
        Search::report(self)
    }

    fn is_working(&self) -> bool {
        self.core.state.is_working()
    }

    fn node(&self, path: &[u32]) -> Option<NodeView> {
        self.core.state.node(&self.position, path)
    }

    fn iterate(&mut self) -> Result<Option<Iteration>, SearchError> {
        let (running, records) = self.start_sending(Budget::iterations(1).early_stop(false))?;
        running.finish()?;
        let record = records.try_recv().ok();
        Ok(record.map(|PlayoutRecord { tree, path, moves, rewards }| Iteration { tree, path, moves, rewards }))
    }

    fn units(&self) -> f64 {
        Search::units(self)
    }

    fn mean(&self, sum: i64, visits: u64) -> f64 {
        Search::mean(self, sum, visits)
    }

    fn dump(&mut self, depth: usize) -> Vec<Vec<NodeDump>> {
        Search::dump(self, depth)
    }

    fn check_recordable(&mut self) -> Result<(), SearchError> {
        Search::check_recordable(self)
    }

    fn record(
        &mut self,
        header: &Header,
        budget: Budget,
        out: &mut dyn Write,
        see: &mut dyn FnMut(&Report),
    ) -> Result<Report, RecordError> {
        let (running, records) = self.start_recorded(budget.early_stop(false))?;
        log::write(running, &records, header, out, &mut |running| see(&running.report()))
    }

    fn root_children(&self) -> Vec<(u32, u64, f64)> {
        self.core.state.root_children()
    }

    fn into_agent(self: Box<Self>) -> Box<dyn Agent> {
        self
    }

    #[cfg(any(test, feature = "steps"))]
    fn time_steps(&mut self, playouts: usize) -> Result<Steps, SearchError> {
        Search::time_steps(self, playouts)
    }
}
