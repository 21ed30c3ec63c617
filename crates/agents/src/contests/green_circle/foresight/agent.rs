//! The agent: a position, and the tree search of its decision.

use std::sync::Arc;
use std::time::{Duration, Instant};

use boughs::run::{check_legal, guarded};
use boughs::{Action as _, Agent, Budget, Choice, Game, Move, Report, Rng, SearchError, Session, StopReason, Turn};
use boughs_games::green_circle::{GreenCircle, Step};

use super::evaluator::TurnEvaluator;
use super::route::route;

/// The time that is left for the report.
const REPORT: Duration = Duration::from_micros(100);

/// The streams of random numbers beside those of the search count down from here.
const STREAMS: u64 = u64::MAX / 3;

/// The agent. Its tree is kept from decision to decision of a turn.
pub(super) struct ForesightAgent {
    game: GreenCircle,
    search: Box<dyn Agent>,
    evaluator: Arc<TurnEvaluator>,
    seed: u64,
    /// The number of searches since the game began.
    searches: u64,
}

/// A decision before its search.
struct Decision {
    budget: Budget,
    /// The best action by the evaluation; `None` where no player acts.
    best: Option<Step>,
    /// True if there is nothing to search.
    is_decided: bool,
}

impl ForesightAgent {
    pub(super) fn new(
        game: GreenCircle,
        search: Box<dyn Agent>,
        evaluator: Arc<TurnEvaluator>,
        seed: u64,
    ) -> ForesightAgent {
        ForesightAgent { game, search, evaluator, seed, searches: 0 }
    }

    /// Makes tree and evaluator ready for the decision.
    fn ask(&mut self, budget: Budget) -> Result<Decision, SearchError> {
        let began = Instant::now();
        let mut budget = budget.early_stop(false);
        if let Some(deadline) = budget.deadline() {
            budget = budget.or_until(deadline - REPORT.min(deadline.saturating_duration_since(began) / 10));
        }
        let Turn::Player(player) = self.game.turn() else {
            self.search.reset(self.game.as_session())?;
            return Ok(Decision { budget, best: None, is_decided: false });
        };
        self.searches += 1;
        let mut rng = Rng::new(self.seed, STREAMS - self.searches);
        let mut root = self.game;
        root.determinize(player, &mut rng);
        let goes_on = self.follow(root)?;
        let (best, width) = self.evaluator.prepare(&root, goes_on, &budget, &mut rng);
        let is_decided = width < 2;
        Ok(Decision { budget: if is_decided { budget.or_iterations(0) } else { budget }, best, is_decided })
    }

    /// Makes a position the root of the tree, and keeps the subtree below it. Returns true if it was in the tree.
    fn follow(&mut self, root: GreenCircle) -> Result<bool, SearchError> {
        let at = self.search.position().downcast_ref::<GreenCircle>().ok_or(SearchError::OtherGame)?;
        let route = if *at == root { None } else { route(at, &root) };
        let goes_on = route.is_some_and(|route| route.into_iter().all(|step| self.search.advance(step.code()).is_ok()));
        if !goes_on {
            self.search.reset(root.as_session())?;
        }
        Ok(goes_on)
    }

    fn put(&mut self, position: &dyn Session) -> Result<(), SearchError> {
        self.game = *position.downcast_ref().ok_or(SearchError::OtherGame)?;
        Ok(())
    }
}

impl Agent for ForesightAgent {
    fn position(&self) -> &dyn Session {
        self.game.as_session()
    }

    fn search(&mut self, budget: Budget, see: &mut dyn FnMut(&Report)) -> Result<Report, SearchError> {
        let decision = guarded(|| self.ask(budget))??;
        let mut report = self.search.search(decision.budget, see)?;
        if let (None, Some(best)) = (&report.best, decision.best) {
            report.best = Some(Move { action: best.code(), text: self.game.action_text(best) });
        }
        if decision.is_decided {
            report.stop = StopReason::Complete;
        }
        Ok(report)
    }

    fn choose(&mut self, budget: Budget) -> Result<Choice, SearchError> {
        let decision = guarded(|| self.ask(budget))??;
        let mut choice = self.search.choose(decision.budget)?;
        if choice.ranked.is_empty() {
            choice.ranked.extend(decision.best.map(Step::code));
        }
        Ok(choice)
    }

    fn advance(&mut self, code: u32) -> Result<(), SearchError> {
        check_legal(&self.game, code)?;
        guarded(|| Game::apply(&mut self.game, Step::from_code(code)))
    }

    fn reset(&mut self, position: &dyn Session) -> Result<(), SearchError> {
        self.put(position)
    }

    fn begin(&mut self, position: &dyn Session, seed: u64) -> Result<(), SearchError> {
        self.put(position)?;
        (self.seed, self.searches) = (seed, 0);
        self.search.begin(self.game.as_session(), seed)
    }
}
