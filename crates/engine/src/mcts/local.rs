//! The tree search on the thread of its caller.

use std::sync::Arc;

use super::SearchError;
use super::evaluated::Evaluation;
use super::search_state::{SearchState, kind_of};
use super::shared::Results;
use super::validate::{check_evaluation, check_no_net};
use super::worker::{self, GameRoot};
use crate::mcts::settings::{Parallel, Settings};
use crate::mcts::tables::Tables;
use crate::mcts::tree::NodeDump;
use crate::run::{check_legal, guarded};
use crate::{
    Action, Agent, Budget, Choice, Evaluator, Game, GameFacts, Information, Knowledge, Playout, Position, Report,
    Session, Turn,
};

/// Monte Carlo Tree Search on the thread that calls [`run`](LocalSearch::run): no second thread is started, waited for
/// or woken. For a program that has one core, such as a bot in the judge of a contest.
///
/// With equal settings, one thread and the same seed it builds the same tree as [`Search`](crate::Search) and gives the
/// same reports. The clock is read between playouts, so a playout that takes longer than the rest of the time makes the
/// search late by as much; [`Search`](crate::Search) leaves such a playout to its thread.
///
/// A panic of the game is an error of the search, which empties the tree. The search can be used again.
///
/// ```
/// use boughs::{Budget, Game, LocalSearch, Settings, Turn};
///
/// #[derive(Clone)]
/// struct Coin(bool);
///
/// impl Game for Coin {
///     type Action = u8;
///     fn turn(&self) -> Turn { if self.0 { Turn::Over } else { Turn::Player(0) } }
///     fn actions(&self, out: &mut Vec<u8>) { out.extend([0, 1]); }
///     fn apply(&mut self, side: u8) { self.0 = side == 1; }
///     fn reward(&self, _: usize) -> f64 { 1.0 }
/// }
///
/// let mut search = LocalSearch::new(Coin(false), Settings::default())?;
/// let report = search.run(Budget::iterations(100).early_stop(false))?;
/// assert_eq!(report.iterations, 100);
/// search.advance(1)?;
/// assert!(search.position().0);
/// # Ok::<(), boughs::SearchError>(())
/// ```
pub struct LocalSearch<G: Game> {
    position: G,
    playout: Arc<dyn Playout<G>>,
    evaluation: Option<Evaluation<G>>,
    state: SearchState,
}

impl<G: Game> LocalSearch<G> {
    /// Creates a search of `position`, with the playout that the settings name. `threads` and `parallel` of the
    /// settings have no effect.
    ///
    /// # Errors
    /// If another setting is out of its range or does not go with the game, or the memory cannot be had.
    pub fn new(position: G, settings: Settings) -> Result<LocalSearch<G>, SearchError> {
        let playout = settings.playout.build(settings.epsilon);
        LocalSearch::with_playout(position, settings, playout)
    }

    /// Creates a search with the caller's own playout policy (heavy playouts).
    ///
    /// # Errors
    /// If a setting is out of its range or does not go with the game, or the memory cannot be had.
    pub fn with_playout(
        position: G,
        settings: Settings,
        playout: Arc<dyn Playout<G>>,
    ) -> Result<LocalSearch<G>, SearchError> {
        check_no_net(&settings)?;
        LocalSearch::of(position.facts(), Knowledge::None, position, settings, playout)
    }

    /// Creates a search that values leaves by an evaluator, as
    /// [`Search::with_evaluator`](crate::Search::with_evaluator) does.
    ///
    /// # Errors
    /// If a setting is out of its range or does not go with the game or the evaluator, or the memory cannot be had.
    pub fn with_evaluator(
        position: G,
        settings: Settings,
        evaluator: Arc<dyn Evaluator<G>>,
    ) -> Result<LocalSearch<G>, SearchError> {
        LocalSearch::evaluated(position.facts(), position, settings, evaluator)
    }

    /// Creates a search of a determinization by an evaluator, as
    /// [`Search::determinized_with_evaluator`](crate::Search::determinized_with_evaluator) does.
    ///
    /// # Errors
    /// Those of [`with_evaluator`](LocalSearch::with_evaluator).
    pub fn determinized_with_evaluator(
        position: G,
        settings: Settings,
        evaluator: Arc<dyn Evaluator<G>>,
    ) -> Result<LocalSearch<G>, SearchError> {
        let facts = GameFacts { information: Information::Perfect, ..position.facts() };
        LocalSearch::evaluated(facts, position, settings, evaluator)
    }

    fn evaluated(
        facts: GameFacts,
        position: G,
        settings: Settings,
        evaluator: Arc<dyn Evaluator<G>>,
    ) -> Result<LocalSearch<G>, SearchError> {
        let (playout, settings) = (settings.playout.build(settings.epsilon), Settings { evaluator: true, ..settings });
        let search = LocalSearch::of(facts, evaluator.knowledge(), position, settings, playout)?;
        Ok(LocalSearch { evaluation: Some(Evaluation::new(evaluator)), ..search })
    }

    /// A search whose evaluator, which the caller adds, has this knowledge.
    fn of(
        facts: GameFacts,
        knowledge: Knowledge,
        position: G,
        settings: Settings,
        playout: Arc<dyn Playout<G>>,
    ) -> Result<LocalSearch<G>, SearchError> {
        let settings = Settings { threads: 1, parallel: Parallel::Shared, ..settings };
        check_evaluation(&position, knowledge, &settings)?;
        let kind = kind_of(&facts, knowledge, &settings)?;
        let state = SearchState::new(facts, kind, settings, Arc::new(Tables::new()))?;
        Ok(LocalSearch { position, playout, evaluation: None, state })
    }

    /// The position that is searched.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Searches until the first limit of the budget is reached, and returns the report.
    ///
    /// # Errors
    /// If there is no memory for the first node, an action has a code above [`Action::MAX_CODE`], or the game panics.
    pub fn run(&mut self, budget: Budget) -> Result<Report, SearchError> {
        self.make_playouts(budget, true)?;
        guarded(|| self.state.report(&self.position))
    }

    /// Searches as [`run`](LocalSearch::run) does and returns the best action alone, without the work for a report.
    /// `None` if no player acts, or there was no time for one playout and no earlier search knows more. A forced action
    /// needs no playout.
    ///
    /// # Errors
    /// Those of [`run`](LocalSearch::run).
    pub fn choose(&mut self, budget: Budget) -> Result<Option<G::Action>, SearchError> {
        self.make_playouts(budget, false)?;
        let best = guarded(|| match Position::turn(&self.position) {
            Turn::Player(_) => self.state.best_action(&self.position),
            Turn::Chance | Turn::Over => None,
        })?;
        Ok(best.map(Action::from_code))
    }

    fn make_playouts(&mut self, budget: Budget, is_reported: bool) -> Result<(), SearchError> {
        let position = &self.position;
        let results = Results { is_reported, record: None };
        self.state.last = None;
        if let Turn::Player(first) = guarded(|| Position::turn(position))?
            && let Some(search) = self.state.begin(position, first, budget, results)?
        {
            let game = GameRoot { position, playout: &*self.playout, evaluator: None };
            let ended = match &self.evaluation {
                None => guarded(|| worker::work_here(&search, game)),
                Some(Evaluation { evaluator, work_here, .. }) => {
                    let game = GameRoot { evaluator: Some(&**evaluator), ..game };
                    guarded(|| work_here(&search, game)).and_then(|()| search.status.failure().map_or(Ok(()), Err))
                }
            };
            self.state.learn_from(&search);
            if ended.is_err() {
                // The traversals under way were lost with the worker.
                self.state.clear_trees();
            }
            ended?;
            self.state.last = Some(Arc::new(search));
        }
        Ok(())
    }

    /// Plays an action and keeps the subtree below it (subtree reuse).
    ///
    /// # Errors
    /// If the action is not legal, or the game panics.
    pub fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        self.advance_by_code(action.code())
    }

    /// The same for the code of an action, which is converted after it was found among those of the legal actions.
    fn advance_by_code(&mut self, code: u32) -> Result<(), SearchError> {
        check_legal(&self.position, code)?;
        let next = guarded(|| {
            let mut next = self.position.clone();
            Game::apply(&mut next, G::Action::from_code(code));
            next
        })?;
        self.state.advance(&self.position, code)?;
        self.position = next;
        Ok(())
    }

    /// Sets another position of the game and empties the tree.
    pub fn reset(&mut self, position: G) {
        self.state.reset();
        self.position = position;
    }

    /// Starts another game from this position. Equal to a new search with this seed, but keeps the memory.
    pub fn begin(&mut self, position: G, seed: u64) {
        self.reset(position);
        self.state.reseed(seed);
    }

    /// Lists the visited nodes of each tree down to `depth`, in a canonical order: equal trees give equal lists.
    pub fn dump(&self, depth: usize) -> Vec<Vec<NodeDump>> {
        self.state.dump(depth)
    }
}

impl<G: Game> Agent for LocalSearch<G> {
    fn position(&self) -> &dyn Session {
        &self.position
    }

    fn search(&mut self, budget: Budget, _: &mut dyn FnMut(&Report)) -> Result<Report, SearchError> {
        self.run(budget)
    }

    fn choose(&mut self, budget: Budget) -> Result<Choice, SearchError> {
        self.make_playouts(budget, false)?;
        guarded(|| Choice {
            ranked: self.state.ranked_actions(&self.position).unwrap_or_default(),
            iterations: self.state.last.as_ref().map_or(0, |last| last.done()),
        })
    }

    fn advance(&mut self, action: u32) -> Result<(), SearchError> {
        self.advance_by_code(action)
    }

    fn reset(&mut self, position: &dyn Session) -> Result<(), SearchError> {
        let position = position.downcast_ref::<G>().ok_or(SearchError::OtherGame)?;
        LocalSearch::reset(self, guarded(|| position.clone())?);
        Ok(())
    }

    fn begin(&mut self, position: &dyn Session, seed: u64) -> Result<(), SearchError> {
        let position = position.downcast_ref::<G>().ok_or(SearchError::OtherGame)?;
        LocalSearch::begin(self, guarded(|| position.clone())?, seed);
        Ok(())
    }
}
