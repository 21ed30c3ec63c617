//! The tree search as a library user holds it: a position, its trees, and the worker threads.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::evaluated::{Evaluation, evaluator_of_game};
use super::idle;
use super::search_core::{SearchCore, Work};
use super::shared::PlayoutRecord;
use super::validate::{check_evaluation, check_no_net};
use super::worker::{self, GameRoot};
use super::{Running, SearchError};
use crate::mcts::settings::{Settings, TreeKind};
use crate::mcts::tables::Tables;
use crate::mcts::tree::NodeDump;
use crate::run::{discard, guarded};
use crate::{
    Action, Budget, Evaluator, Game, GameFacts, Information, Knowledge, Playout, Position, Report, StopReason,
};

/// Monte Carlo Tree Search of a game: the current position, the tree below it, and the worker threads.
///
/// Memory and threads are kept from search to search. [`advance`](Search::advance) also keeps the subtree below the
/// next position.
///
/// A panic of the game is an error of the search, and the search can be used again. Two panics are not: one when this
/// value, which owns a position, is dropped, and one in `Drop` while another panic unwinds, on which Rust aborts the
/// process.
pub struct Search<G: Game> {
    pub(super) position: G,
    pub(super) playout: Arc<dyn Playout<G>>,
    evaluation: Option<Evaluation<G>>,
    pub(super) core: SearchCore,
}

impl<G: Game> Search<G> {
    /// Creates a search of `position`, with the playout that the settings name and without an evaluator. The first
    /// [`run`](Search::run) or [`start`](Search::start) begins to search.
    ///
    /// # Errors
    /// If a setting is out of its range, does not go with the game or changes nothing beside the others, or the memory
    /// or the threads cannot be had.
    pub fn new(position: G, settings: Settings) -> Result<Search<G>, SearchError> {
        Search::without_evaluator(position, settings, Knowledge::None)
    }

    /// A search without an evaluator of a game that comes with one of this knowledge, so that errors say that it is
    /// there.
    fn without_evaluator(position: G, settings: Settings, knowledge: Knowledge) -> Result<Search<G>, SearchError> {
        let (playout, facts) = (settings.playout.build(settings.epsilon), position.facts());
        let made = Search::of(facts, knowledge, position, settings.clone(), playout, None);
        Search::unless_idle(made, (&facts, knowledge), &settings)
    }

    /// Creates a search with the caller's own playout policy (heavy playouts). It takes settings that change nothing.
    ///
    /// # Errors
    /// If a setting is out of its range or does not go with the game, or the memory or the threads cannot be had.
    pub fn with_playout(
        position: G,
        settings: Settings,
        playout: Arc<dyn Playout<G>>,
    ) -> Result<Search<G>, SearchError> {
        Search::of(position.facts(), Knowledge::None, position, settings, playout, None)
    }

    /// Creates a search that values leaves by an evaluator instead of playouts, or beside them with
    /// [`Settings::mix`].
    ///
    /// # Errors
    /// If a setting is out of its range or does not go with the game or the evaluator, or the memory or the threads
    /// cannot be had.
    pub fn with_evaluator(
        position: G,
        settings: Settings,
        evaluator: Arc<dyn Evaluator<G>>,
    ) -> Result<Search<G>, SearchError> {
        let playout = settings.playout.build(settings.epsilon);
        let settings = Settings { evaluator: true, ..settings };
        let (facts, knowledge) = (position.facts(), evaluator.knowledge());
        let made = Search::with_evaluator_and_playout(position, settings.clone(), evaluator, playout);
        Search::unless_idle(made, (&facts, knowledge), &settings)
    }

    /// Creates a search of a game that comes with an evaluator, which values leaves if the settings ask for it
    /// ([`Settings::evaluator`]). The `knowledge` is the same as its [`Evaluator::knowledge`]. If the settings leave it
    /// out, `evaluator` is not called, and errors still say that it is there.
    ///
    /// # Errors
    /// Those of [`with_evaluator`](Search::with_evaluator), and if the evaluator has another knowledge.
    pub fn with_evaluator_of_game(
        position: G,
        settings: Settings,
        knowledge: Knowledge,
        evaluator: fn(&G) -> Option<Arc<dyn Evaluator<G>>>,
    ) -> Result<Search<G>, SearchError> {
        if settings.evaluator
            && settings.net.is_none()
            && let Some(evaluator) = evaluator_of_game(&position, knowledge, evaluator)?
        {
            return Search::with_evaluator(position, settings, evaluator);
        }
        Search::without_evaluator(position, settings, knowledge)
    }

    /// The search that was made with some settings, unless a key of them changes nothing.
    fn unless_idle(
        made: Result<Search<G>, SearchError>,
        (facts, knowledge): (&GameFacts, Knowledge),
        settings: &Settings,
    ) -> Result<Search<G>, SearchError> {
        let kind = made.as_ref().map(|search| search.core.state.kind).map_err(Clone::clone);
        match idle::check(facts, knowledge, settings, kind) {
            Ok(()) => made,
            Err(error) => {
                discard(made);
                Err(error)
            }
        }
    }

    /// Creates a search that values leaves by an evaluator, and by the caller's own playouts beside it with
    /// [`Settings::mix`].
    ///
    /// # Errors
    /// Those of [`with_evaluator`](Search::with_evaluator).
    pub fn with_evaluator_and_playout(
        position: G,
        settings: Settings,
        evaluator: Arc<dyn Evaluator<G>>,
        playout: Arc<dyn Playout<G>>,
    ) -> Result<Search<G>, SearchError> {
        let settings = Settings { evaluator: true, ..settings };
        Search::of(
            position.facts(),
            evaluator.knowledge(),
            position,
            settings,
            playout,
            Some(Evaluation::new(evaluator)),
        )
    }

    /// Creates a search by an evaluator of a determinization: a position whose hidden information the caller has drawn
    /// at random. The tree is a plain one, as if every player saw everything. The evaluator may draw again what is
    /// hidden at each leaf.
    ///
    /// # Errors
    /// Those of [`with_evaluator`](Search::with_evaluator).
    pub fn determinized_with_evaluator(
        position: G,
        settings: Settings,
        evaluator: Arc<dyn Evaluator<G>>,
    ) -> Result<Search<G>, SearchError> {
        let (playout, settings) = (settings.playout.build(settings.epsilon), Settings { evaluator: true, ..settings });
        let facts = GameFacts { information: Information::Perfect, ..position.facts() };
        Search::of(facts, evaluator.knowledge(), position, settings, playout, Some(Evaluation::new(evaluator)))
    }

    fn of(
        facts: GameFacts,
        knowledge: Knowledge,
        position: G,
        settings: Settings,
        playout: Arc<dyn Playout<G>>,
        evaluation: Option<Evaluation<G>>,
    ) -> Result<Search<G>, SearchError> {
        let checked = if evaluation.is_none() { check_no_net(&settings) } else { Ok(()) };
        let core = checked
            .and_then(|()| check_evaluation(&position, knowledge, &settings))
            .and_then(|()| SearchCore::new(facts, knowledge, settings));
        Search::with_core(position, playout, evaluation, core)
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
        let settings = Settings { evaluator: false, ..settings };
        let core = SearchCore::determinized(position.facts(), settings, tables);
        Search::with_core(position, playout, None, core)
    }

    /// Puts a search together. If its core could not be had, a panic of the position's `Drop` does not hide the error.
    fn with_core(
        position: G,
        playout: Arc<dyn Playout<G>>,
        evaluation: Option<Evaluation<G>>,
        core: Result<SearchCore, SearchError>,
    ) -> Result<Search<G>, SearchError> {
        match core {
            Ok(core) => Ok(Search { position, playout, evaluation, core }),
            Err(error) => {
                discard(position);
                Err(error)
            }
        }
    }

    /// The position that is searched.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The settings: `threads` is not 0.
    pub fn settings(&self) -> &Settings {
        &self.core.state.settings
    }

    /// The meaning of a node: what the settings say, or where they leave it to the game, what goes with the game.
    pub fn tree_kind(&self) -> TreeKind {
        self.core.state.kind
    }

    /// Searches until the first limit of the budget is reached, and returns the report.
    ///
    /// # Errors
    /// If there is no memory for the first node, an action has a code above [`Action::MAX_CODE`], or the game panics.
    pub fn run(&mut self, budget: Budget) -> Result<Report, SearchError> {
        self.start(budget)?.finish()
    }

    /// Starts a search in the background and returns at once. For reading reports while it runs.
    ///
    /// If a worker is still in a playout because the last search was read at its deadline or stopped, this waits for
    /// it for 20 ms or a quarter of the time that the budget has, or for twice the time of a playout if that is longer,
    /// up to 200 ms. Then the search begins with an empty tree beside that playout, and its report has
    /// [`Warning::PlayoutGoesOn`](crate::Warning::PlayoutGoesOn). If another tree was left to a playout that goes on,
    /// or the system gives no memory or no threads, this waits until the playout ends. It never waits past the deadline
    /// of the budget or after its stop flag is raised: then the search ends without a playout and keeps its tree.
    ///
    /// # Errors
    /// If there is no memory for the first node, an action has a code above [`Action::MAX_CODE`], or the game panics.
    pub fn start(&mut self, budget: Budget) -> Result<Running<'_>, SearchError> {
        let work = self.work()?;
        self.core.launch(&self.position, budget, None, work)?;
        Ok(Running { core: &mut self.core, position: &self.position })
    }

    /// Starts a search without limits in the background and returns at once (pondering). Unlike
    /// [`start`](Search::start) it borrows nothing, so a bot can keep the search in a struct. It goes on until
    /// [`stop`](Search::stop), [`advance`](Search::advance), [`reset`](Search::reset) or another search.
    ///
    /// If a worker is still in a playout because the last search was read at its deadline or stopped, this waits for
    /// it as [`start`](Search::start) does without a deadline: for 20 ms, or for twice the time of a playout if that is
    /// longer, up to 200 ms, and longer if there is no other tree.
    ///
    /// # Errors
    /// If there is no memory for the first node, an action has a code above [`Action::MAX_CODE`], or the game panics.
    pub fn ponder(&mut self) -> Result<(), SearchError> {
        let work = self.work()?;
        self.core.launch(&self.position, Budget::unlimited(), None, work)
    }

    /// Ends the search in the background, and returns its report within a millisecond, however long a playout takes.
    /// Without one this is the report of the last search.
    ///
    /// # Errors
    /// [`SearchError::GamePanicked`] if the game panicked.
    pub fn stop(&mut self) -> Result<Report, SearchError> {
        self.core.stop(&self.position)
    }

    /// The report so far of the search in the background. Without one this is the report of the last search.
    pub fn report(&self) -> Report {
        self.core.report_or_panic(&self.position)
    }

    /// Returns true while a search goes on in the background.
    pub fn is_searching(&self) -> bool {
        self.core.state.last.as_ref().is_some_and(|last| last.reason() == StopReason::Running)
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
        self.core.check_recordable()?;
        self.start_sending(budget)
    }

    /// Starts a search that sends every playout it makes. A log of it need not be one that can be verified.
    pub(crate) fn start_sending(
        &mut self,
        budget: Budget,
    ) -> Result<(Running<'_>, Receiver<PlayoutRecord>), SearchError> {
        let work = self.work()?;
        let records = self.core.launch_recorded(&self.position, budget, work)?;
        Ok((Running { core: &mut self.core, position: &self.position }, records))
    }

    /// The work of each worker: the only code of a search that is compiled for each game.
    fn work(&self) -> Result<Work, SearchError> {
        let (position, playout) = (guarded(|| self.position.clone())?, self.playout.clone());
        let Some(Evaluation { evaluator, work, .. }) = &self.evaluation else {
            return Ok(Arc::new(move |search, number| {
                playout.in_thread(&mut || {
                    worker::work(search, GameRoot { position: &position, playout: &*playout, evaluator: None }, number);
                });
            }));
        };
        let (evaluator, work) = (evaluator.clone(), *work);
        Ok(Arc::new(move |search, number| {
            let game = || GameRoot { position: &position, playout: &*playout, evaluator: Some(&*evaluator) };
            playout.in_thread(&mut || work(search, game(), number));
        }))
    }

    /// Plays an action and keeps the subtree below it (subtree reuse). The time it takes does not depend on the size
    /// of the tree, because later searches reuse the memory of the rest as they need it. If a worker is still in a
    /// playout because the last search was read at its deadline or stopped, this waits for it for 20 ms or a quarter of
    /// the time that the last search had, or for twice the time of a playout if that is longer, up to 200 ms. Then it
    /// goes on with an empty tree. If another tree was left to a playout that goes on, or the system gives no memory or
    /// no threads, this waits until the playout ends.
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
        if let Some(next) = next {
            self.put(next);
        }
        Ok(())
    }

    fn put(&mut self, position: G) {
        discard(std::mem::replace(&mut self.position, position));
    }

    /// Sets another position of the game and empties the tree. It waits for a worker in a playout as
    /// [`advance`](Search::advance) does.
    pub fn reset(&mut self, position: G) {
        self.core.reset();
        self.put(position);
    }

    /// Starts another game from this position. Equal to a new search with this seed, but keeps memory and threads.
    pub fn begin(&mut self, position: G, seed: u64) {
        self.core.reset();
        self.core.state.reseed(seed);
        self.put(position);
    }

    /// The scale of [`NodeDump::sum`]: the number of its units in a reward of 1, or in the range from the least to the
    /// greatest reward if the game declares bounds.
    pub fn units(&self) -> f64 {
        self.core.state.units()
    }

    /// The mean reward of a node, from its [`NodeDump::sum`] and its visits.
    pub fn mean(&self, sum: i64, visits: u64) -> f64 {
        self.core.state.mean(sum, visits)
    }

    /// Lists the visited nodes of each tree down to `depth`, in a canonical order: equal trees give equal lists.
    pub fn dump(&mut self, depth: usize) -> Vec<Vec<NodeDump>> {
        self.core.dump(depth)
    }
}
