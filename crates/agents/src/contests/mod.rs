//! Agents that play the game of one programming contest.
//!
//! Such an agent is a [`ContestAlgorithm`]: it decides in positions of its own type of game, on the calling thread,
//! and looks at the budget itself, with [`Budget::is_spent`], often enough to answer at the deadline.

pub mod ahc015;
pub mod green_circle;
pub mod photosynthesis;

use std::time::Duration;

use boughs::run::guarded;
use boughs::spec::Spec;
use boughs::{Action, Agent, Budget, Game, Information, SearchError, Session, StopReason};
use boughs_games::NamedGame;

use crate::runner::{AgentRunner, Algorithm, Findings, Query, See};

/// A way to decide in one game.
pub(crate) trait ContestAlgorithm: Spec + Send {
    /// The game it plays.
    type Game: NamedGame;

    /// The memory that is kept from one decision to the next of a game: threads, buffers, results.
    type Memory: Send;

    /// The memory at the beginning of a game.
    ///
    /// # Errors
    /// If the memory or the threads cannot be had.
    fn memory(&self) -> Result<Self::Memory, SearchError>;

    /// Forgets the results of the last game, and keeps threads and buffers.
    fn forget(&self, memory: &mut Self::Memory) {
        let _ = memory;
    }

    /// Decides in a position where a player acts.
    fn decide(&self, memory: &mut Self::Memory, question: &Question<'_, Self::Game>) -> DecisionIn<Self::Game>;
}

/// A decision in a game.
pub(crate) type DecisionIn<G> = Decision<<G as Game>::Action>;

/// The question to a contest algorithm.
pub(crate) struct Question<'q, G> {
    /// The position; where something is hidden, with what the player does not know drawn at random.
    pub(crate) position: &'q G,
    /// The limits of the search.
    pub(crate) budget: &'q Budget,
    /// The seed of all randomness of this decision.
    pub(crate) seed: u64,
}

/// The decision of a contest algorithm.
pub(crate) struct Decision<A> {
    /// The action to play.
    pub(crate) best: Option<A>,
    /// The actions that were examined, each with its playouts and their mean.
    pub(crate) children: Vec<(A, u64, f64)>,
    /// The number of iterations, in the unit that the budget counts.
    pub(crate) iterations: u64,
    /// The number of own actions it looked ahead.
    pub(crate) depth: u32,
    /// The reason why it ended.
    pub(crate) stop: StopReason,
}

impl<A> Decision<A> {
    /// An action by a rule, without playouts.
    pub(crate) fn by_rule(action: A) -> Decision<A> {
        Decision { best: Some(action), children: Vec::new(), iterations: 0, depth: 0, stop: StopReason::Complete }
    }
}

/// Builds the agent of a contest algorithm in a position.
///
/// # Errors
/// If the position is one of another game, or the memory or the threads cannot be had.
pub(crate) fn start<A: ContestAlgorithm>(settings: &A, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
    check_game::<A, A::Game>(position)?;
    let mut settings = settings.clone();
    let (memory, seed) = (settings.memory()?, *settings.seed());
    AgentRunner::start(position, Contest { settings, memory }, seed)
}

/// The position as the one game that an agent plays.
///
/// # Errors
/// If the position is one of another game.
pub(crate) fn check_game<A: Spec, G: NamedGame>(position: &dyn Session) -> Result<&G, SearchError> {
    position.downcast_ref().ok_or_else(|| {
        let reason = format!("the agent {} plays {} and no other game", A::NAME, G::NAME);
        SearchError::Unsupported { reason, instead: "mcts".to_string() }
    })
}

/// The time that is left for the report.
const REPORT: Duration = Duration::from_micros(100);

/// A contest algorithm with its memory.
struct Contest<A: ContestAlgorithm> {
    settings: A,
    memory: A::Memory,
}

impl<A: ContestAlgorithm> Algorithm for Contest<A> {
    fn search(&mut self, query: &Query<'_>, _: &mut See<'_>) -> Result<Findings, SearchError> {
        let position = query.position.downcast_ref::<A::Game>().ok_or(SearchError::OtherGame)?;
        let mut rng = query.rng.clone();
        let seed = rng.bits();
        let position = guarded(|| {
            let mut position = position.clone();
            if A::Game::INFORMATION == Information::Hidden {
                Game::determinize(&mut position, query.player, &mut rng);
            }
            position
        })?;
        let mut budget = query.budget.clone();
        if let Some(deadline) = budget.deadline() {
            budget = budget.or_until(deadline - REPORT.min(deadline.saturating_duration_since(query.began) / 10));
        }
        let question = Question { position: &position, budget: &budget, seed };
        let decision = guarded(|| self.settings.decide(&mut self.memory, &question))?;
        let children = decision.children.iter().map(|&(action, playouts, mean)| (action.code(), playouts, mean));
        Ok(Findings {
            line: decision.best.map(Action::code).into_iter().collect(),
            children: children.collect(),
            has_values: false,
            has_samples: false,
            best_playout: None,
            iterations: decision.iterations,
            depth: decision.depth,
            bytes: 0,
            seconds: query.began.elapsed().as_secs_f64(),
            stop: decision.stop,
            warnings: Vec::new(),
        })
    }

    fn forget(&mut self) {
        self.settings.forget(&mut self.memory);
    }
}
