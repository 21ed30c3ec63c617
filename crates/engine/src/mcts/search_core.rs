//! The part of a search with worker threads that does not depend on the game's type.
//!
//! The position comes in as a `&dyn Position` and the workers as one boxed function, so all of this is compiled once.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::SearchError;
use super::allocation::check_beside;
use super::search_state::{SearchState, kind_of};
use super::shared::{PlayoutRecord, Results, SharedSearch};
use super::worker_threads::WorkerThreads;
use crate::mcts::settings::{MAX_THREADS, Parallel, Settings, TreeKind};
use crate::mcts::tables::Tables;
use crate::mcts::tree::{NodeDump, Tree};
use crate::run::{Pool, check_legal, cores, discard, guarded};
use crate::{Budget, GameFacts, Knowledge, Position, StopReason, Turn, Warning};

/// Playouts on their way to a log before the workers wait for it.
const RECORDS_WAITING: usize = 4096;

/// The work of worker number `usize`, from its start to its end.
pub(super) type Work = Arc<dyn Fn(&SharedSearch, usize) + Send + Sync>;

/// A search without its position.
pub(crate) struct SearchCore {
    pub(super) state: SearchState,
    pub(super) threads: WorkerThreads,
    /// The search whose workers may be in the trees: the last one, unless that could not begin because of them.
    pub(super) working: Option<Arc<SharedSearch>>,
    /// The trees that were left to workers in a long playout, as long as these hold them.
    pub(super) left: Vec<Weak<Tree>>,
    /// The time that a worker took to come back from a playout, as far as known.
    pub(super) comes_back_in: Duration,
}

impl SearchCore {
    /// A search whose evaluator has this knowledge.
    pub(super) fn new(
        facts: GameFacts,
        knowledge: Knowledge,
        mut settings: Settings,
    ) -> Result<SearchCore, SearchError> {
        if settings.threads == 0 {
            settings.threads = cores().min(MAX_THREADS);
        }
        let kind = kind_of(&facts, knowledge, &settings)?;
        check_beside(&facts, &settings)?;
        let pool = match settings.parallel {
            Parallel::Batched => Some(Arc::new(Pool::new(settings.threads)?)),
            Parallel::Shared | Parallel::Independent => None,
        };
        let threads =
            WorkerThreads::new(settings.workers()).map_err(|error| SearchError::Threads(error.to_string()))?;
        let mut state = SearchState::new(facts, kind, settings, Arc::new(Tables::new()))?;
        state.pool = pool;
        Ok(SearchCore::with_threads(state, threads))
    }

    /// A search in a plain tree on the calling thread, as if every player saw everything.
    pub(super) fn determinized(
        facts: GameFacts,
        settings: Settings,
        tables: Arc<Tables>,
    ) -> Result<SearchCore, SearchError> {
        let settings = Settings { tree: TreeKind::Plain, threads: 1, parallel: Parallel::Shared, ..settings };
        let state = SearchState::new(facts, TreeKind::Plain, settings, tables)?;
        Ok(SearchCore::with_threads(state, WorkerThreads::none()))
    }

    fn with_threads(state: SearchState, threads: WorkerThreads) -> SearchCore {
        SearchCore { state, threads, working: None, left: Vec::new(), comes_back_in: Duration::ZERO }
    }

    pub(super) fn check_recordable(&mut self) -> Result<(), SearchError> {
        self.join_all_workers();
        let settings = &self.state.settings;
        let is_other = settings.solver || settings.evaluator || settings.takes_other_rewards();
        if self.state.kind != TreeKind::Plain || is_other {
            return Err(SearchError::RecordOfOtherTree);
        }
        if self.state.playouts_in_trees() > 0 {
            return Err(SearchError::RecordOfReusedTree);
        }
        Ok(())
    }

    /// Starts a search that sends every playout it makes to the receiver. A log asks first if it can be verified.
    pub(super) fn launch_recorded(
        &mut self,
        position: &dyn Position,
        budget: Budget,
        work: Work,
    ) -> Result<Receiver<PlayoutRecord>, SearchError> {
        let (sender, receiver) = sync_channel(RECORDS_WAITING);
        self.launch(position, budget, Some(sender), work)?;
        Ok(receiver)
    }

    /// Starts the workers of a search and returns at once. If there is nothing to search, there is no last search then.
    pub(super) fn launch(
        &mut self,
        position: &dyn Position,
        budget: Budget,
        record: Option<SyncSender<PlayoutRecord>>,
        work: Work,
    ) -> Result<(), SearchError> {
        let launched = self.launch_workers(position, budget, record, &work);
        // Without workers that are still at it, the last copy of the game is dropped here.
        discard(work);
        launched
    }

    fn launch_workers(
        &mut self,
        position: &dyn Position,
        budget: Budget,
        record: Option<SyncSender<PlayoutRecord>>,
        work: &Work,
    ) -> Result<(), SearchError> {
        let are_free = self.join_workers(Some(&budget));
        self.state.last = None;
        let Turn::Player(first) = guarded(|| position.turn())? else { return Ok(()) };
        let results = Results { is_reported: true, record };
        if !are_free {
            return self.launch_nothing(position, first, budget, results);
        }
        let Some(search) = self.state.begin(position, first, budget, results)? else { return Ok(()) };
        let search = Arc::new(search);
        if self.has_left_workers() {
            search.warn(&Warning::PlayoutGoesOn);
        }
        for number in 0..self.state.settings.workers() {
            let (search, work) = (Arc::downgrade(&search), work.clone());
            self.threads.run(number, move || upgrade(search).iter().for_each(|search| work(search, number)));
        }
        (self.state.last, self.working) = (Some(search.clone()), Some(search));
        Ok(())
    }

    /// Takes over the sum of the contributions of all searches.
    pub(super) fn merge(&self, position: &dyn Position, sums: &[i64]) {
        let Some(merging) = &self.state.merging else { return };
        merging.merge(position, sums);
        // While a worker is in the tree, a worker does it.
        if !self.working.as_ref().is_some_and(|working| working.status.is_working()) {
            merging.take_over_if_due(&self.state.trees[0]);
        }
    }

    /// Forgets the trees.
    pub(super) fn reset(&mut self) {
        self.join_workers(None);
        self.state.reset();
    }

    /// Keeps the part of the trees below an action. `play` makes the position after it, and may panic.
    pub(super) fn advance(
        &mut self,
        position: &dyn Position,
        action: u32,
        play: &mut dyn FnMut(),
    ) -> Result<(), SearchError> {
        check_legal(position, action)?;
        guarded(play)?;
        self.join_workers(None);
        self.state.advance(position, action)
    }

    pub(super) fn dump(&mut self, depth: usize) -> Vec<Vec<NodeDump>> {
        self.join_all_workers();
        self.state.dump(depth)
    }
}

/// The search of a task, unless it was given up because its thread was busy so long.
// Not inlined, so that the list of ThreadSanitizer's false reports can name it.
#[inline(never)]
fn upgrade(search: Weak<SharedSearch>) -> Option<Arc<SharedSearch>> {
    search.upgrade()
}

impl Drop for SearchCore {
    /// Stops a search that is still running, but does not wait: threads end when they are done, and the memory goes
    /// with the last of them.
    fn drop(&mut self) {
        if let Some(last) = &self.state.last {
            last.status.stop(StopReason::Stopped);
        }
    }
}
