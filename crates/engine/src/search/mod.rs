//! Searching: a position, its tree, and the threads that grow it.

mod back_up;
mod batched;
mod crew;
mod descent;
mod doctor;
mod fitting;
mod informed;
mod job;
mod regret;
mod root;
mod running;
mod solving;
mod steps;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam::channel::{Receiver, bounded};
use rayon::ThreadPool;

use crew::Crew;
use fitting::with_counters_of;
pub(crate) use job::PlayoutRecord;
use job::{Job, Start};
use root::Root;
pub use running::Running;
pub(crate) use running::reward_of_ending;
pub use steps::Steps;

use crate::game::MAX_PLAYERS;
use crate::numbers::Tables;
use crate::scale::{Bounds, to_reward};
use crate::settings::{MAX_THREADS, Parallel, Policy, Settings, TreeKind};
use crate::tree::counters::Writers;
use crate::tree::{Below, Layout, NodeDump, Tree};
use crate::{Action, Budget, Game, Information, Playout, Report, Turn};

/// How many streams of random numbers are set aside for the workers of one search.
const STREAMS_FOR_WORKERS: u64 = MAX_THREADS as u64;

/// Playouts on their way to a log before the workers wait for it.
const RECORDS_WAITING: usize = 4096;

/// A position, the tree that grows from it, and the threads that grow it.
///
/// The memory and the threads are kept from search to search; [`advance`](Search::advance) keeps what is known of the
/// next position too.
pub struct Search<G: Game> {
    position: G,
    settings: Settings,
    playout: Arc<dyn Playout<G>>,
    tables: Arc<Tables>,
    trees: Vec<Arc<Tree>>,
    crew: Crew,
    /// The threads that play out batches.
    pool: Option<Arc<ThreadPool>>,
    /// The first stream of random numbers that no search has used yet.
    next_stream: u64,
    cores: usize,
    /// The least and the greatest score that is in the tree, where scores have no bounds.
    bounds: (f64, f64),
    /// Who was to act in the last search.
    observer: Option<usize>,
    /// The last search.
    job: Option<Arc<Job<G>>>,
}

/// Where an action is looked up in the trees of players.
#[derive(Clone, Copy)]
enum Place {
    /// In the tree with this number, where its player knows this.
    Of(u32, u64),
    /// Nowhere: chance has acted.
    OfNobody,
    /// Nowhere that could be kept.
    Unknown,
}

/// Why a search could not be made. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchError {
    /// The memory bound has no room for the position and its actions, or the system does not give that much.
    Memory {
        /// The bound.
        bytes: usize,
    },
    /// The system gives no more threads.
    Threads(String),
    /// The game panicked with this message. The search can be used again.
    GamePanicked(String),
    /// The action is not legal here.
    IllegalAction(String),
    /// The settings ask for something that does not go with the game.
    Misfit {
        /// Why not.
        reason: String,
        /// The nearest agent that goes with it.
        instead: String,
    },
    /// A search with such settings cannot be recorded: a log has plain trees and playouts to the end.
    RecordOfOtherTree,
    /// A search is recorded from its first playout, so it cannot go on from a tree that has some.
    RecordOfReusedTree,
}

impl std::fmt::Display for SearchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SearchError::Memory { bytes } => {
                let size = crate::memory::write_size(*bytes);
                let unit = if size.ends_with(|last: char| last.is_ascii_digit()) { " bytes" } else { "" };
                write!(
                    f,
                    "{size}{unit} of memory cannot hold a tree here: it has to fit the position and all its actions, and \
                     the system has to have it; try 64M"
                )
            }
            SearchError::Threads(error) => write!(f, "the system gives no more threads ({error}); ask for fewer"),
            SearchError::GamePanicked(text) => write!(f, "the rules of the game panicked: {text}"),
            SearchError::IllegalAction(text) => write!(f, "'{text}' is not a legal move here"),
            SearchError::Misfit { reason, instead } => write!(f, "{reason}; try {instead}"),
            SearchError::RecordOfOtherTree => {
                f.write_str(
                    "only searches with tree=plain and solver=off can be recorded, of games in which everything is open and \
                     chance can be listed",
                )
            }
            SearchError::RecordOfReusedTree => {
                f.write_str("only a fresh search can be recorded, and this one goes on from playouts made before")
            }
        }
    }
}

impl std::error::Error for SearchError {}

/// Runs what the game is asked to do on the caller's thread.
pub(crate) fn guarded<T>(ask: impl FnOnce() -> T) -> Result<T, SearchError> {
    catch_unwind(AssertUnwindSafe(ask))
        .map_err(|panic| SearchError::GamePanicked(crate::panic_text(&*panic).to_string()))
}

/// The position after an action, if that is legal.
///
/// # Errors
/// If it is not, or the game panics.
pub(crate) fn after<G: Game>(position: &G, action: G::Action) -> Result<G, SearchError> {
    guarded(|| {
        let mut legal = Vec::new();
        if position.turn() != Turn::Over {
            position.actions(&mut legal);
        }
        // Chance that has too many outcomes to list does what it likes.
        let is_unlisted = legal.is_empty() && position.turn() == Turn::Chance;
        if !legal.contains(&action) && !is_unlisted {
            return Err(SearchError::IllegalAction(position.action_text(action)));
        }
        let mut next = position.clone();
        next.apply(action);
        Ok(next)
    })?
}

/// The cores this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

impl<G: Game> Search<G> {
    /// A search of `position`, with the playout that the settings name.
    ///
    /// # Errors
    /// If the memory or the threads cannot be had.
    pub fn new(position: G, settings: Settings) -> Result<Search<G>, SearchError> {
        let playout = settings.playout.build();
        Search::with_playout(position, settings, playout)
    }

    /// A search with a playout of your own.
    ///
    /// # Errors
    /// If the memory or the threads cannot be had.
    pub fn with_playout(
        position: G,
        mut settings: Settings,
        playout: Arc<dyn Playout<G>>,
    ) -> Result<Search<G>, SearchError> {
        if settings.threads == 0 {
            settings.threads = cores();
        }
        settings.keep_in_range();
        fitting::fit::<G>(&mut settings)?;
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
        let crew = Crew::new(workers).map_err(|error| no_threads(&error))?;
        let mut search = Search::with_crew(position, settings, playout, Arc::new(Tables::new()), crew, trees)?;
        search.pool = pool;
        Ok(search)
    }

    /// A search in a plain tree by whoever asks for it, with no threads of its own, as if everybody knew everything.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub(crate) fn of_world(
        position: G,
        settings: Settings,
        playout: Arc<dyn Playout<G>>,
        tables: Arc<Tables>,
    ) -> Result<Search<G>, SearchError> {
        let settings = Settings { tree: TreeKind::Plain, threads: 1, parallel: Parallel::Shared, ..settings };
        Search::with_crew(position, settings, playout, tables, Crew::none(), 1)
    }

    fn with_crew(
        position: G,
        settings: Settings,
        playout: Arc<dyn Playout<G>>,
        tables: Arc<Tables>,
        crew: Crew,
        trees: usize,
    ) -> Result<Search<G>, SearchError> {
        let layout = Layout::of::<G>(&settings);
        let bytes = settings.memory;
        let writers = if crew.len() > trees { Writers::Many } else { Writers::One };
        let plant =
            |_| Tree::new(bytes / trees, layout, writers).map(Arc::new).map_err(|_| SearchError::Memory { bytes });
        Ok(Search {
            position,
            playout,
            tables,
            trees: (0..trees).map(plant).collect::<Result<_, _>>()?,
            crew,
            pool: None,
            next_stream: 0,
            cores: cores(),
            bounds: Bounds::NONE,
            observer: None,
            job: None,
            settings,
        })
    }

    /// The position that is searched.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The settings, with the number of threads that 0 stood for.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Searches until the budget says stop.
    ///
    /// # Errors
    /// If there is no memory for the first node, or the game panics.
    pub fn run(&mut self, budget: Budget) -> Result<Report<G::Action>, SearchError> {
        self.start(budget)?.finish()
    }

    /// Starts a search and returns at once: to read its report on the way, or to think while the opponent does.
    ///
    /// # Errors
    /// If there is no memory for the first node, or the game panics.
    pub fn start(&mut self, budget: Budget) -> Result<Running<'_, G>, SearchError> {
        self.launch(budget, None)
    }

    /// Whether its next search can be recorded ([`log::record`](crate::log::record)).
    ///
    /// # Errors
    /// Why not.
    pub fn check_recordable(&mut self) -> Result<(), SearchError> {
        self.settle();
        if self.settings.tree != TreeKind::Plain || self.settings.solver {
            return Err(SearchError::RecordOfOtherTree);
        }
        if self.trees.iter().any(|tree| tree.read(tree.root()).visits > 0) {
            return Err(SearchError::RecordOfReusedTree);
        }
        Ok(())
    }

    /// Starts a search that sends every playout it makes to the receiver, which has to be read or dropped.
    pub(crate) fn start_recorded(
        &mut self,
        budget: Budget,
    ) -> Result<(Running<'_, G>, Receiver<PlayoutRecord>), SearchError> {
        self.check_recordable()?;
        let (sender, receiver) = bounded(RECORDS_WAITING);
        Ok((self.launch(budget, Some(sender))?, receiver))
    }

    fn launch(
        &mut self,
        budget: Budget,
        record: Option<crossbeam::channel::Sender<PlayoutRecord>>,
    ) -> Result<Running<'_, G>, SearchError> {
        self.settle();
        self.job = None;
        let Turn::Player(first) = guarded(|| self.position.turn())? else { return Ok(Running::new(self)) };
        if self.observer.replace(first).is_some_and(|before| before != first && self.keeps_trees_of_players()) {
            self.trees.iter().for_each(|tree| tree.clear());
        }
        if !self.expand_roots()? {
            return Ok(Running::new(self));
        }
        let job = Arc::new(self.job_for(budget, record, first, self.settings.clone()));
        if first >= job.players {
            job.course.warn(&crate::Warning::UnknownPlayer);
        }
        if self.settings.solver && self.trees.iter().any(|tree| solving::is_solved(tree, first)) {
            job.course.stop(crate::StopReason::Proven);
        }
        self.job = Some(job.clone());
        for number in 0..self.crew.len() {
            let (job, pool) = (job.clone(), self.pool.clone());
            self.crew.run(number, move || {
                with_counters_of!(G, job.trees[0].layout(), C => {
                    worker::run::<G, C>(&job, number, |worker, descents| match &pool {
                        Some(pool) => worker.search_in_batches(pool, descents),
                        None => worker.search(descents),
                    });
                }, else {});
            });
        }
        Ok(Running::new(self))
    }

    /// What the workers of a search share; `first` acts in the position.
    fn job_for(
        &self,
        budget: Budget,
        record: Option<crossbeam::channel::Sender<PlayoutRecord>>,
        first: usize,
        settings: Settings,
    ) -> Job<G> {
        Job::new(Start {
            position: self.position.clone(),
            trees: self.trees.clone(),
            settings,
            playout: self.playout.clone(),
            tables: self.tables.clone(),
            stream: self.next_stream,
            record,
            budget,
            workers: self.crew.len(),
            players: self.position.players().min(MAX_PLAYERS),
            first,
            bounds: self.bounds,
        })
    }

    /// Gives every root its children before any worker starts, so that none spends playouts on a bare root. Says whether
    /// there is anything to search.
    fn expand_roots(&mut self) -> Result<bool, SearchError> {
        let actions = guarded(|| {
            let mut actions = Vec::new();
            if self.position.turn() != Turn::Over {
                self.position.actions(&mut actions);
            }
            actions.into_iter().map(G::Action::code).collect::<Vec<u32>>()
        })?;
        if actions.is_empty() {
            return Ok(false);
        }
        let key = guarded(|| self.key_of_root())?;
        for tree in &self.trees {
            if self.keeps_trees_of_players() {
                tree.keep_only(key);
            }
            if tree.below(tree.root()) == Below::Bare && !self.expand_root(tree, key, &actions) {
                // Whatever is in the way is of no use without a root.
                tree.clear();
                if !self.expand_root(tree, key, &actions) {
                    return Err(SearchError::Memory { bytes: self.settings.memory });
                }
            }
        }
        Ok(true)
    }

    /// What the searched decision is looked up by.
    fn key_of_root(&self) -> u64 {
        match self.position.turn() {
            Turn::Player(player) => informed::key(self.settings.tree, &self.position, player, player),
            Turn::Chance | Turn::Over => 0,
        }
    }

    fn expand_root(&self, tree: &Tree, key: u64, actions: &[u32]) -> bool {
        let mut scraps = tree.take_scraps();
        let expanded = match tree.layout() {
            Layout::Informed => tree.find_or_hang(tree.root(), key, actions.iter().copied(), &mut scraps).is_some(),
            _ => tree.expand(tree.root(), actions.iter().copied(), &mut scraps).is_some(),
        };
        tree.give_back(scraps);
        expanded
    }

    /// Plays an action and keeps what is known of the position after it. Takes no time to speak of: what falls out of
    /// use is taken apart by later searches, as they need its memory. After a search that was read at its deadline this
    /// waits for the playouts that were under way then.
    ///
    /// # Errors
    /// If the action is not legal, or the game panics.
    pub fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        let next = after(&self.position, action)?;
        self.settle();
        let place = guarded(|| self.place_of_choice())?;
        self.position = next;
        for tree in &self.trees {
            match (tree.layout(), place) {
                (Layout::Informed, Place::Of(which, key)) => tree.advance_one(which, key, action.code()),
                (Layout::Informed, Place::OfNobody) => (),
                // What the players of such a tree know now is another decision.
                (Layout::Informed, Place::Unknown) => tree.clear(),
                _ => _ = tree.advance(action.code()),
            }
        }
        self.job = None;
        Ok(())
    }

    /// Where the action to come is looked up. Players who choose at the same time, each in a tree of their own, are told at once
    /// what the others have chosen, so that these trees can be kept.
    fn place_of_choice(&self) -> Place {
        let Some(observer) = self.observer.filter(|_| self.keeps_trees_of_players()) else { return Place::Unknown };
        let Turn::Player(player) = self.position.turn() else { return Place::OfNobody };
        let which = if player == observer { 0 } else { (player + 1).min(MAX_PLAYERS) as u32 };
        Place::Of(which, informed::key(self.settings.tree, &self.position, observer, player))
    }

    fn keeps_trees_of_players(&self) -> bool {
        let of_players = self.settings.tree == TreeKind::Multi && self.settings.policy == Policy::Ucb1;
        of_players && G::INFORMATION == Information::Simultaneous
    }

    /// Turns to another position and forgets the tree.
    pub fn reset(&mut self, position: G) {
        self.settle();
        self.position = position;
        self.trees.iter().for_each(|tree| tree.clear());
        self.bounds = Bounds::NONE;
        self.observer = None;
        self.job = None;
    }

    /// Turns to another game, as if the search were made anew for this position with this seed; it keeps its memory and
    /// its threads.
    pub fn begin(&mut self, position: G, seed: u64) {
        self.reset(position);
        self.settings.seed = seed;
        self.next_stream = 0;
    }

    /// Waits until no worker is in a tree: those of a search that was read at its deadline may still be on their way.
    fn settle(&mut self) {
        if let Some(job) = &self.job {
            job.course.stop(crate::StopReason::Stopped);
            job.course.wait(None);
            self.next_stream = job.stream + job.done() + STREAMS_FOR_WORKERS;
            let ((least, most), (low, high)) = (self.bounds, job.bounds.get());
            self.bounds = (least.min(low), most.max(high));
        }
    }

    /// The code of every action, its playouts so far, and the sum of their rewards as the tree keeps it.
    pub(crate) fn tallies(&self) -> impl Iterator<Item = (u32, u64, f64)> {
        Root::read(&self.trees).0.into_iter().map(|child| (child.action, child.visits, child.reward))
    }

    /// How many units of a node's sum make a reward of 1, or the greatest reward where bounds are declared.
    pub fn units(&self) -> f64 {
        self.trees.first().map_or(1.0, |tree| tree.layout().units())
    }

    /// The mean reward of nodes with such a sum, in units, and so many visits.
    pub fn mean(&self, sum: i64, visits: u64) -> f64 {
        to_reward(&G::REWARDS, sum as f64 / self.units() / visits.max(1) as f64)
    }

    /// Every node that was visited down to `depth`, tree by tree, in an order that depends on nothing but the tree.
    pub fn dump(&mut self, depth: usize) -> Vec<Vec<NodeDump>> {
        self.settle();
        let dump = |tree: &Arc<Tree>| {
            let mut nodes = Vec::new();
            tree.walk(depth, |node| nodes.push(node));
            nodes
        };
        self.trees.iter().map(dump).collect()
    }
}

impl<G: Game> Drop for Search<G> {
    /// Ends what is still running, but waits for nobody: threads end when they are done, and the memory goes with the
    /// last of them.
    fn drop(&mut self) {
        if let Some(job) = &self.job {
            job.course.stop(crate::StopReason::Stopped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StopReason;
    use crate::testing::Nim;
    use crate::tree::counters::Tally;

    #[test]
    fn a_counter_that_could_overflow_ends_the_search() {
        let mut search = Search::new(Nim::new(20), Settings { threads: 2, ..Settings::default() }).unwrap();
        let tree = search.trees[0].clone();
        let visits = (job::MOST_VISITS - 100) as u32;
        tree.write(tree.root(), Tally { visits, unobserved: 0, sum: 0 });
        let report = search.run(Budget::iterations(5_000).early_stop(false)).unwrap();
        assert_eq!((report.stop, report.iterations), (StopReason::CounterFull, 100));
        assert_eq!(report.inherited, u64::from(visits));
        assert_eq!(search.run(Budget::unlimited()).unwrap().stop, StopReason::CounterFull);
    }

    #[test]
    fn a_large_tree_is_emptied_and_advanced_in_no_time() {
        let mut search = Search::new(Nim::new(200), Settings { memory: 32 << 20, ..Settings::default() }).unwrap();
        let report = search.run(Budget::iterations(400_000)).unwrap();
        assert!(report.bytes > 1 << 20, "{} bytes", report.bytes);
        let started = crate::clock::now();
        search.advance(report.best_action().unwrap()).unwrap();
        search.reset(Nim::new(200));
        assert!(started.elapsed() < std::time::Duration::from_millis(5));
    }
}
