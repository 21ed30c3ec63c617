//! The part of a search that does not depend on the game's type: its trees, its threads, and what it keeps between
//! runs.
//!
//! The position comes in as a `&dyn Position` and the workers as one boxed function, so all of this is compiled once.

use std::sync::Arc;

use crossbeam::channel::{Receiver, Sender, bounded};
use rayon::ThreadPool;

use super::root::Root;
use super::shared::{PlayoutRecord, SharedSearch};
use super::solver;
use super::validate;
use super::worker_threads::WorkerThreads;
use super::{Running, SearchError};
use crate::game::MAX_PLAYERS;
use crate::mcts::settings::{MAX_THREADS, Parallel, Settings, TreeKind};
use crate::mcts::tables::Tables;
use crate::mcts::tree::words::Writers;
use crate::mcts::tree::{Expansion, LayoutKind, NodeDump, Tree};
use crate::reward::{Bounds, to_reward};
use crate::run::{cores, guarded};
use crate::{Budget, GameFacts, Position, StopReason, Turn, Warning};

/// Streams of random numbers that are set aside for the workers of one search.
const STREAMS_FOR_WORKERS: u64 = MAX_THREADS as u64;

/// Playouts on their way to a log before the workers wait for it.
const RECORDS_WAITING: usize = 4096;

/// The work of worker number `usize`, from its start to its end.
pub(super) type Work = Arc<dyn Fn(&SharedSearch, usize) + Send + Sync>;

/// A search without its position.
pub(crate) struct SearchCore {
    pub(super) settings: Settings,
    pub(super) facts: GameFacts,
    pub(super) tables: Arc<Tables>,
    pub(super) trees: Vec<Arc<Tree>>,
    pub(super) threads: WorkerThreads,
    /// The threads that play out batches.
    pub(super) pool: Option<Arc<ThreadPool>>,
    /// The first stream of random numbers that no search has used yet.
    pub(super) next_stream: u64,
    pub(super) cores: usize,
    /// The least and the greatest score in the trees, where scores have no bounds.
    pub(super) bounds: (f64, f64),
    /// The player whose decision was searched last.
    pub(super) observer: Option<usize>,
    /// The last search.
    pub(super) last: Option<Arc<SharedSearch>>,
}

impl SearchCore {
    pub(super) fn new(facts: GameFacts, mut settings: Settings) -> Result<SearchCore, SearchError> {
        crate::spec::validate(&settings).map_err(SearchError::Setting)?;
        if settings.threads == 0 {
            settings.threads = cores().min(MAX_THREADS);
        }
        validate::resolve(&facts, &mut settings)?;
        let (trees, workers) = match settings.parallel {
            Parallel::Shared => (1, settings.threads),
            Parallel::Independent => (settings.threads, settings.threads),
            Parallel::Batched => (1, 1),
        };
        let no_threads = |error: &dyn std::fmt::Display| SearchError::Threads(error.to_string());
        let pool = match settings.parallel {
            Parallel::Batched => {
                let builder = rayon::ThreadPoolBuilder::new().num_threads(settings.threads);
                Some(Arc::new(builder.build().map_err(|error| no_threads(&error))?))
            }
            Parallel::Shared | Parallel::Independent => None,
        };
        let threads = WorkerThreads::new(workers).map_err(|error| no_threads(&error))?;
        let mut core = SearchCore::with_threads(facts, settings, Arc::new(Tables::new()), threads, trees)?;
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
        SearchCore::with_threads(facts, settings, tables, WorkerThreads::none(), 1)
    }

    fn with_threads(
        facts: GameFacts,
        settings: Settings,
        tables: Arc<Tables>,
        threads: WorkerThreads,
        trees: usize,
    ) -> Result<SearchCore, SearchError> {
        let layout = LayoutKind::of(&facts, &settings);
        let bytes = settings.memory;
        let writers = if threads.len() > trees { Writers::Many } else { Writers::One };
        let tree =
            |_| Tree::new(bytes / trees, layout, writers).map(Arc::new).map_err(|_| SearchError::Memory { bytes });
        Ok(SearchCore {
            facts,
            tables,
            trees: (0..trees).map(tree).collect::<Result<_, _>>()?,
            threads,
            pool: None,
            next_stream: 0,
            cores: cores(),
            bounds: Bounds::NONE,
            observer: None,
            last: None,
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
        self.join_workers();
        if self.settings.tree != TreeKind::Plain || self.settings.solver {
            return Err(SearchError::RecordOfOtherTree);
        }
        if self.playouts_in_trees() > 0 {
            return Err(SearchError::RecordOfReusedTree);
        }
        Ok(())
    }

    /// Starts a search that sends every playout it makes to the receiver.
    pub(super) fn launch_recorded<'s>(
        &'s mut self,
        position: &'s dyn Position,
        budget: Budget,
        work: Work,
    ) -> Result<(Running<'s>, Receiver<PlayoutRecord>), SearchError> {
        self.check_recordable()?;
        let (sender, receiver) = bounded(RECORDS_WAITING);
        Ok((self.launch(position, budget, Some(sender), work)?, receiver))
    }

    /// Starts the workers of a search and returns at once.
    pub(super) fn launch<'s>(
        &'s mut self,
        position: &'s dyn Position,
        budget: Budget,
        record: Option<Sender<PlayoutRecord>>,
        work: Work,
    ) -> Result<Running<'s>, SearchError> {
        self.join_workers();
        self.last = None;
        let Turn::Player(first) = guarded(|| position.turn())? else { return Ok(Running { core: self, position }) };
        if self.observer.replace(first).is_some_and(|before| before != first && self.keeps_trees_of_players()) {
            self.trees.iter().for_each(|tree| tree.clear());
        }
        if !self.expand_roots(position)? {
            return Ok(Running { core: self, position });
        }
        let search = Arc::new(self.share(position, first, self.settings.clone(), budget, record));
        if first >= search.players {
            search.status.warn(&Warning::UnknownPlayer);
        }
        if self.settings.solver && self.trees.iter().any(|tree| solver::is_solved(tree, first)) {
            search.status.stop(StopReason::Proven);
        }
        self.last = Some(search.clone());
        for number in 0..self.threads.len() {
            let (search, work) = (search.clone(), work.clone());
            self.threads.run(number, move || work(&search, number));
        }
        Ok(Running { core: self, position })
    }

    /// The shared state of a search of a position in which the player `first` acts.
    pub(super) fn share(
        &self,
        position: &dyn Position,
        first: usize,
        settings: Settings,
        budget: Budget,
        record: Option<Sender<PlayoutRecord>>,
    ) -> SharedSearch {
        let players = position.players().min(MAX_PLAYERS);
        SharedSearch::new(self, settings, (players, first), budget, record)
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
        for tree in &self.trees {
            if self.keeps_trees_of_players() {
                tree.keep_only(key);
            }
            if tree.expansion(tree.root()) == Expansion::Unexpanded && !expand_root(tree, key, &actions) {
                // A tree is of no use without a root, so all else in it makes room.
                tree.clear();
                if !expand_root(tree, key, &actions) {
                    return Err(SearchError::Memory { bytes: self.settings.memory });
                }
            }
        }
        Ok(true)
    }

    /// Forgets the trees.
    pub(super) fn reset(&mut self) {
        self.join_workers();
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

    /// Waits until no worker is in a tree. Workers may still be on their way when a search was read at its deadline.
    pub(super) fn join_workers(&mut self) {
        if let Some(last) = &self.last {
            last.status.stop(StopReason::Stopped);
            last.status.wait(None);
            self.next_stream = last.stream + last.done() + STREAMS_FOR_WORKERS;
            let ((least, most), (low, high)) = (self.bounds, last.bounds.get());
            self.bounds = (least.min(low), most.max(high));
        }
    }

    /// The code of every action, its playouts so far, and the sum of their rewards as the tree keeps it.
    pub(super) fn root_children(&self) -> Vec<(u32, u64, f64)> {
        Root::read(&self.trees).0.into_iter().map(|child| (child.action, child.visits, child.reward)).collect()
    }

    pub(super) fn dump(&mut self, depth: usize) -> Vec<Vec<NodeDump>> {
        self.join_workers();
        let dump = |tree: &Arc<Tree>| {
            let mut nodes = Vec::new();
            tree.walk(depth, |node| nodes.push(node));
            nodes
        };
        self.trees.iter().map(dump).collect()
    }
}

fn expand_root(tree: &Tree, key: u64, actions: &[u32]) -> bool {
    let mut free_list = tree.take_free_list();
    let expanded = match tree.layout() {
        LayoutKind::InformationSets => tree.find_or_attach(tree.root(), key, actions, &mut free_list).is_some(),
        _ => tree.expand(tree.root(), actions, &mut free_list).is_some(),
    };
    tree.give_back(free_list);
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
