//! The tree search as a library user holds it: a position, its trees, and the worker threads.

use std::sync::Arc;

use crossbeam::channel::Receiver;

use super::search_core::{SearchCore, Work};
use super::shared::PlayoutRecord;
use super::worker::{self, GameRoot};
use super::{Running, SearchError};
use crate::mcts::settings::Settings;
use crate::mcts::tables::Tables;
use crate::mcts::tree::NodeDump;
use crate::{Action, Budget, Game, Playout, Position, Report};

/// Monte Carlo Tree Search of a game: the current position, the tree below it, and the worker threads.
///
/// Memory and threads are kept from search to search. [`advance`](Search::advance) also keeps the subtree below the
/// next position.
pub struct Search<G: Game> {
    pub(super) position: G,
    pub(super) playout: Arc<dyn Playout<G>>,
    pub(super) core: SearchCore,
}

impl<G: Game> Search<G> {
    /// Creates a search of `position`, with the playout that the settings name. The first [`run`](Search::run) or
    /// [`start`](Search::start) begins to search.
    ///
    /// # Errors
    /// If a setting is out of its range or does not go with the game, or the memory or the threads cannot be had.
    pub fn new(position: G, settings: Settings) -> Result<Search<G>, SearchError> {
        let playout = settings.playout.build();
        Search::with_playout(position, settings, playout)
    }

    /// Creates a search with the caller's own playout policy (heavy playouts).
    ///
    /// # Errors
    /// If a setting is out of its range or does not go with the game, or the memory or the threads cannot be had.
    pub fn with_playout(
        position: G,
        settings: Settings,
        playout: Arc<dyn Playout<G>>,
    ) -> Result<Search<G>, SearchError> {
        let core = SearchCore::new(position.facts(), settings)?;
        Ok(Search { position, playout, core })
    }

    /// A search in a plain tree on the calling thread, as if every player saw everything.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub(crate) fn determinized(
        position: G,
        settings: Settings,
        playout: Arc<dyn Playout<G>>,
        tables: Arc<Tables>,
    ) -> Result<Search<G>, SearchError> {
        let core = SearchCore::determinized(position.facts(), settings, tables)?;
        Ok(Search { position, playout, core })
    }

    /// The position that is searched.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The settings in use: `threads` is not 0, and `tree` is not [`Auto`](crate::TreeKind::Auto).
    pub fn settings(&self) -> &Settings {
        &self.core.settings
    }

    /// Searches until the first limit of the budget is reached, and returns the report.
    ///
    /// # Errors
    /// If there is no memory for the first node, or the game panics.
    pub fn run(&mut self, budget: Budget) -> Result<Report, SearchError> {
        self.start(budget)?.finish()
    }

    /// Starts a search in the background and returns at once. For reading reports while it runs, and for pondering.
    ///
    /// # Errors
    /// If there is no memory for the first node, or the game panics.
    pub fn start(&mut self, budget: Budget) -> Result<Running<'_>, SearchError> {
        let work = self.work();
        self.core.launch(&self.position, budget, None, work)
    }

    /// Checks that the next search can be recorded ([`log::record`](crate::log::record)).
    ///
    /// # Errors
    /// The reason why it cannot.
    pub fn check_recordable(&mut self) -> Result<(), SearchError> {
        self.core.check_recordable()
    }

    /// Starts a search that sends every playout it makes to the receiver, which has to be read or dropped.
    pub(crate) fn start_recorded(
        &mut self,
        budget: Budget,
    ) -> Result<(Running<'_>, Receiver<PlayoutRecord>), SearchError> {
        let work = self.work();
        self.core.launch_recorded(&self.position, budget, work)
    }

    /// The work of each worker: the only code of a search that is compiled for each game.
    fn work(&self) -> Work {
        let (position, playout) = (self.position.clone(), self.playout.clone());
        Arc::new(move |search, number| {
            worker::work(search, GameRoot { position: &position, playout: &*playout }, number);
        })
    }

    /// Plays an action and keeps the subtree below it (subtree reuse). The time it takes does not depend on the size
    /// of the tree, because later searches reuse the memory of the rest as they need it. If a worker was still in a
    /// playout when the last search reached its deadline, this waits for that playout.
    ///
    /// # Errors
    /// If the action is not legal, or the game panics.
    pub fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        self.advance_by_code(action.code())
    }

    /// The same for the code of an action. A code is converted only after it was found among those of the legal
    /// actions, because a conversion may turn any other number into one of them.
    pub(super) fn advance_by_code(&mut self, code: u32) -> Result<(), SearchError> {
        let mut next = None;
        self.core.advance(&self.position, code, &mut || {
            let mut after = self.position.clone();
            Game::apply(&mut after, G::Action::from_code(code));
            next = Some(after);
        })?;
        self.position = next.unwrap_or_else(|| self.position.clone());
        Ok(())
    }

    /// Sets another position of the game and empties the tree.
    pub fn reset(&mut self, position: G) {
        self.core.reset();
        self.position = position;
    }

    /// Starts another game from this position. Equal to a new search with this seed, but keeps memory and threads.
    pub fn begin(&mut self, position: G, seed: u64) {
        self.core.begin(seed);
        self.position = position;
    }

    /// The scale of [`NodeDump::sum`]: the number of its units in a reward of 1, or in the range from the least to the
    /// greatest reward if the game declares bounds.
    pub fn units(&self) -> f64 {
        self.core.units()
    }

    /// The mean reward of a node, from its [`NodeDump::sum`] and its visits.
    pub fn mean(&self, sum: i64, visits: u64) -> f64 {
        self.core.mean(sum, visits)
    }

    /// Lists the visited nodes of each tree down to `depth`, in a canonical order: equal trees give equal lists.
    pub fn dump(&mut self, depth: usize) -> Vec<Vec<NodeDump>> {
        self.core.dump(depth)
    }
}
