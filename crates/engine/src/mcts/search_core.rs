//! The part of a search that does not depend on the game's type: its trees, its threads, and what it keeps between
//! runs.
//!
//! The position comes in as a `&dyn Position` and the workers as one boxed function, so all of this is compiled once.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::SearchError;
use super::allocation::allocate;
use super::root::Root;
use super::shared::{PlayoutRecord, SharedSearch};
use super::solver;
use super::validate;
use super::worker_threads::WorkerThreads;
use crate::game::MAX_PLAYERS;
use crate::mcts::settings::{MAX_THREADS, Parallel, Settings, TreeKind};
use crate::mcts::tables::Tables;
use crate::mcts::tree::{Expansion, LayoutKind, NodeDump, Tree};
use crate::reward::{Bounds, to_reward};
use crate::run::{Pool, cores, discard, guarded};
use crate::{Budget, GameFacts, Position, StopReason, Turn, Warning};

/// Streams of random numbers that are set aside for the workers of one search.
pub(super) const STREAMS_FOR_WORKERS: u64 = MAX_THREADS as u64;

/// Playouts on their way to a log before the workers wait for it.
const RECORDS_WAITING: usize = 4096;

/// The work of worker number `usize`, from its start to its end.
pub(super) type Work = Arc<dyn Fn(&SharedSearch, usize) + Send + Sync>;

/// A search without its position.
pub(crate) struct SearchCore {
    pub(super) settings: Settings,
    pub(super) facts: GameFacts,
    /// The meaning of a node: not [`Auto`](TreeKind::Auto).
    pub(super) kind: TreeKind,
    pub(super) layout: LayoutKind,
    pub(super) tables: Arc<Tables>,
    pub(super) trees: Vec<Arc<Tree>>,
    /// The warning that the trees have less memory than the settings ask for.
    pub(super) less_memory: Option<Warning>,
    pub(super) threads: WorkerThreads,
    /// The threads that play out batches.
    pub(super) pool: Option<Arc<Pool>>,
    /// The first stream of random numbers that no search has used yet.
    pub(super) next_stream: u64,
    pub(super) cores: usize,
    /// The least and the greatest score in the trees, where scores have no bounds.
    pub(super) bounds: (f64, f64),
    /// The player whose decision was searched last.
    pub(super) observer: Option<usize>,
    /// The last search, which reports are read from.
    pub(super) last: Option<Arc<SharedSearch>>,
    /// The search whose workers may be in the trees: the last one, unless that could not begin because of them.
    pub(super) working: Option<Arc<SharedSearch>>,
    /// The trees that were left to workers in a long playout, as long as these hold them.
    pub(super) left: Vec<Weak<Tree>>,
    /// The time that a worker took to come back from a playout, as far as known.
    pub(super) comes_back_in: Duration,
}

/// The number of players that a layout is for before the first search.
const USUAL_PLAYERS: usize = 2;

impl SearchCore {
    pub(super) fn new(facts: GameFacts, mut settings: Settings) -> Result<SearchCore, SearchError> {
        if !settings.is_in_range() {
            crate::spec::validate(&settings).map_err(SearchError::Setting)?;
        }
        if settings.threads == 0 {
            settings.threads = cores().min(MAX_THREADS);
        }
        let kind = validate::tree_kind(&facts, &settings)?;
        let pool = match settings.parallel {
            Parallel::Batched => Some(Arc::new(Pool::new(settings.threads)?)),
            Parallel::Shared | Parallel::Independent => None,
        };
        let threads =
            WorkerThreads::new(settings.workers()).map_err(|error| SearchError::Threads(error.to_string()))?;
        let mut core = SearchCore::with_threads(facts, kind, settings, Arc::new(Tables::new()), threads)?;
        core.pool = pool;
        Ok(core)
    }

    /// A search in a plain tree on the calling thread, as if every player saw everything.
    pub(super) fn determinized(
        facts: GameFacts,
        settings: Settings,
        tables: Arc<Tables>,
    ) -> Result<SearchCore, SearchError> {
        let settings = Settings { tree: TreeKind::Plain, threads: 1, parallel: Parallel::Shared, ..settings };
        SearchCore::with_threads(facts, TreeKind::Plain, settings, tables, WorkerThreads::none())
    }

    fn with_threads(
        facts: GameFacts,
        kind: TreeKind,
        settings: Settings,
        tables: Arc<Tables>,
        threads: WorkerThreads,
    ) -> Result<SearchCore, SearchError> {
        let layout = LayoutKind::of(&facts, USUAL_PLAYERS, kind, &settings);
        let (trees, less_memory) = allocate(layout, &settings)?;
        Ok(SearchCore {
            trees,
            less_memory,
            layout,
            kind,
            facts,
            tables,
            threads,
            pool: None,
            next_stream: 0,
            cores: cores(),
            bounds: Bounds::NONE,
            observer: None,
            last: None,
            working: None,
            left: Vec::new(),
            comes_back_in: Duration::ZERO,
            settings,
        })
    }

    pub(super) fn units(&self) -> f64 {
        self.trees[0].units()
    }

    /// The mean reward of nodes with this sum, in units, and this many visits.
    pub(super) fn mean(&self, sum: i64, visits: u64) -> f64 {
        to_reward(&self.facts.rewards, sum as f64 / self.units() / visits.max(1) as f64)
    }

    pub(super) fn playouts_in_trees(&self) -> u64 {
        self.trees.iter().map(|tree| u64::from(tree.read(tree.root()).visits)).sum()
    }

    pub(super) fn check_recordable(&mut self) -> Result<(), SearchError> {
        self.join_all_workers();
        if self.kind != TreeKind::Plain || self.settings.solver {
            return Err(SearchError::RecordOfOtherTree);
        }
        if self.playouts_in_trees() > 0 {
            return Err(SearchError::RecordOfReusedTree);
        }
        Ok(())
    }

    /// Starts a search that sends every playout it makes to the receiver.
    pub(super) fn launch_recorded(
        &mut self,
        position: &dyn Position,
        budget: Budget,
        work: Work,
    ) -> Result<Receiver<PlayoutRecord>, SearchError> {
        self.check_recordable()?;
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
        self.last = None;
        let Turn::Player(first) = guarded(|| position.turn())? else { return Ok(()) };
        let players = guarded(|| position.players())?.min(MAX_PLAYERS);
        if !are_free {
            return self.launch_nothing(position, first, budget, record);
        }
        if self.observer.replace(first).is_some_and(|before| before != first && self.keeps_trees_of_players()) {
            self.trees.iter().for_each(|tree| tree.clear());
        }
        self.fit_layout(players)?;
        if !self.expand_roots(position)? {
            return Ok(());
        }
        let search = Arc::new(self.share(position, first, self.settings.clone(), budget, record)?);
        if first >= search.players {
            search.status.warn(&Warning::UnknownPlayer);
        }
        if self.settings.solver && self.trees.iter().any(|tree| solver::is_solved(tree, first)) {
            search.status.stop(StopReason::Proven);
        }
        if self.has_left_workers() {
            search.status.warn(&Warning::PlayoutGoesOn);
        }
        for number in 0..self.settings.workers() {
            let (search, work) = (Arc::downgrade(&search), work.clone());
            self.threads.run(number, move || upgrade(search).iter().for_each(|search| work(search, number)));
        }
        (self.last, self.working) = (Some(search.clone()), Some(search));
        Ok(())
    }

    /// Replaces the trees if another layout goes with this number of players.
    pub(super) fn fit_layout(&mut self, players: usize) -> Result<(), SearchError> {
        let layout = LayoutKind::of(&self.facts, players, self.kind, &self.settings);
        if layout != self.layout {
            (self.trees, self.less_memory) = allocate(layout, &self.settings)?;
            self.layout = layout;
        }
        Ok(())
    }

    /// The shared state of a search of a position in which the player `first` acts.
    pub(super) fn share(
        &self,
        position: &dyn Position,
        first: usize,
        settings: Settings,
        budget: Budget,
        record: Option<SyncSender<PlayoutRecord>>,
    ) -> Result<SharedSearch, SearchError> {
        let players = guarded(|| position.players())?.min(MAX_PLAYERS);
        Ok(SharedSearch::new(self, settings, (players, first), budget, record))
    }

    /// Gives every root its children before any worker starts, so that none spends playouts on an unexpanded root.
    /// Returns false if there is nothing to search.
    pub(super) fn expand_roots(&self, position: &dyn Position) -> Result<bool, SearchError> {
        let (actions, key) = guarded(|| {
            let mut actions = Vec::new();
            if position.turn() != Turn::Over {
                position.actions(&mut actions);
            }
            let key = if actions.is_empty() { 0 } else { self.key_of_root(position) };
            (actions, key)
        })?;
        if actions.is_empty() {
            return Ok(false);
        }
        let (most, code) = (self.facts.max_code, actions.iter().copied().max().unwrap_or_default());
        if code > most {
            return Err(SearchError::CodeAboveMax { code, most });
        }
        for tree in &self.trees {
            if self.keeps_trees_of_players() {
                tree.keep_only(key);
            }
            if tree.expansion(tree.root()) == Expansion::Unexpanded && !expand_root(tree, key, &actions) {
                // A tree is of no use without a root, so all else in it makes room.
                tree.clear();
                if !expand_root(tree, key, &actions) {
                    return Err(match self.less_memory {
                        None => SearchError::Memory { bytes: self.settings.memory },
                        Some(_) => SearchError::NoMemory,
                    });
                }
            }
        }
        Ok(true)
    }

    /// Forgets the trees.
    pub(super) fn reset(&mut self) {
        self.join_workers(None);
        self.trees.iter().for_each(|tree| tree.clear());
        self.bounds = Bounds::NONE;
        self.observer = None;
        self.last = None;
    }

    /// Forgets the trees and starts the random streams anew.
    pub(super) fn begin(&mut self, seed: u64) {
        self.reset();
        self.settings.seed = seed;
        self.next_stream = 0;
    }

    /// The code of every action, its playouts so far, and the sum of their rewards as the tree keeps it.
    pub(super) fn root_children(&self) -> Vec<(u32, u64, f64)> {
        Root::read(&self.trees, self.settings.solver)
            .0
            .into_iter()
            .map(|child| (child.action, child.visits, child.reward))
            .collect()
    }

    pub(super) fn dump(&mut self, depth: usize) -> Vec<Vec<NodeDump>> {
        self.join_all_workers();
        let dump = |tree: &Arc<Tree>| {
            let mut nodes = Vec::new();
            tree.walk(depth, |node| nodes.push(node));
            nodes
        };
        self.trees.iter().map(dump).collect()
    }
}

/// The search of a task, unless it was given up because its thread was busy so long.
// Not inlined, so that the list of ThreadSanitizer's false reports can name it.
#[inline(never)]
fn upgrade(search: Weak<SharedSearch>) -> Option<Arc<SharedSearch>> {
    search.upgrade()
}

fn expand_root(tree: &Tree, key: u64, actions: &[u32]) -> bool {
    let mut stock = tree.new_stock();
    let expanded = match tree.layout() {
        LayoutKind::InformationSets => tree.find_or_attach(tree.root(), key, actions, &mut stock).is_some(),
        _ => tree.expand(tree.root(), actions, &mut stock).is_some(),
    };
    tree.give_back(stock);
    expanded
}

impl Drop for SearchCore {
    /// Stops a search that is still running, but does not wait: threads end when they are done, and the memory goes
    /// with the last of them.
    fn drop(&mut self) {
        if let Some(last) = &self.last {
            last.status.stop(StopReason::Stopped);
        }
    }
}
