//! What agents of one game have in common: the position they are in, their seed, and their report.
//!
//! Such an agent says how it decides ([`Decide`]); all else of an [`Agent`] is here. It looks at the budget itself, with
//! [`Budget::is_spent`], often enough to answer at the deadline.

use std::time::{Duration, Instant};

use boughs::notation::legal_moves;
use boughs::{Agent, Budget, Child, Game, Information, Move, Report, Rng, SearchError, StopReason, Turn};

use crate::OwnAgent;

/// How an agent of one game decides.
pub(crate) trait Decide: OwnAgent + Send {
    /// What it keeps from one decision to the next of a game: threads, memory, what it has found out.
    type Mind: Send;

    /// A mind at the beginning of a game.
    ///
    /// # Errors
    /// If the memory or the threads cannot be had.
    fn mind(&self) -> Result<Self::Mind, SearchError>;

    /// Another game begins: forgets what was found out, and keeps threads and memory.
    fn forget(&self, mind: &mut Self::Mind);

    /// Decides in a position where a player acts.
    fn decide(&self, mind: &mut Self::Mind, question: &Question<'_, Self::Game>) -> Answer<Self::Game>;
}

/// What is asked of an agent.
pub(crate) struct Question<'q, G> {
    /// The position; where something is hidden, with what the player does not know drawn by chance.
    pub(crate) position: &'q G,
    /// How long it may think.
    pub(crate) budget: &'q Budget,
    /// The seed of all randomness of this decision.
    pub(crate) seed: u64,
}

/// What it has found.
pub(crate) struct Answer<G: Game> {
    /// What to play.
    pub(crate) best: Option<G::Action>,
    /// Actions it has looked at, each with its playouts and their mean.
    pub(crate) children: Vec<(G::Action, u64, f64)>,
    /// What the budget counts.
    pub(crate) iterations: u64,
    /// How many actions of its own it looked ahead.
    pub(crate) depth: u32,
    /// Why it ended.
    pub(crate) stop: StopReason,
}

impl<G: Game> Answer<G> {
    /// An action that a rule gives, without playouts.
    pub(crate) fn by_rule(action: G::Action) -> Answer<G> {
        Answer { best: Some(action), children: Vec::new(), iterations: 0, depth: 0, stop: StopReason::Complete }
    }
}

/// The agent that decides so, in a position.
///
/// # Errors
/// If the memory or the threads cannot be had.
pub(crate) fn build<D: Decide>(spec: D, position: D::Game) -> Result<Box<dyn Agent<D::Game>>, SearchError>
where
    D::Game: Game,
{
    let mut spec = spec;
    let (mind, seed) = (spec.mind()?, *spec.seed());
    Ok(Box::new(Decider { spec, mind, position, seed, decisions: 0 }))
}

/// What is left of the time for the report.
const REPORT: Duration = Duration::from_micros(100);

struct Decider<D: Decide> {
    spec: D,
    mind: D::Mind,
    position: D::Game,
    seed: u64,
    decisions: u64,
}

impl<D: Decide> Decider<D> {
    fn named(&self, action: <D::Game as Game>::Action) -> Move<<D::Game as Game>::Action> {
        Move { action, text: self.position.action_text(action) }
    }

    fn report(&self, answer: &Answer<D::Game>, began: Instant) -> Report<<D::Game as Game>::Action> {
        let child = |(action, text): (<D::Game as Game>::Action, String)| {
            let found = answer.children.iter().find(|(known, ..)| *known == action);
            let (playouts, mean) = found.map_or((0, 0.0), |&(_, playouts, mean)| (playouts, mean));
            Child { action, text, playouts, mean, proven: None, strategy: None }
        };
        let mut children: Vec<_> = legal_moves(&self.position).into_iter().map(child).collect();
        children.sort_by_key(|child| std::cmp::Reverse(child.playouts));
        let seconds = began.elapsed().as_secs_f64();
        Report {
            best: answer.best.map(|best| self.named(best)),
            children,
            pv: answer.best.map(|best| self.named(best)).into_iter().collect(),
            scores: <D::Game as Game>::REWARDS.bounds != Some((0.0, 1.0)),
            best_playout: None,
            iterations: answer.iterations,
            inherited: 0,
            playouts_per_second: answer.iterations as f64 / seconds.max(1e-9),
            depth: answer.depth,
            bytes: 0,
            seconds,
            stop: answer.stop,
            warnings: Vec::new(),
        }
    }
}

impl<D: Decide> Agent<D::Game> for Decider<D> {
    fn position(&self) -> &D::Game {
        &self.position
    }

    fn search(
        &mut self,
        budget: Budget,
        _: &mut dyn FnMut(&Report<<D::Game as Game>::Action>),
    ) -> Result<Report<<D::Game as Game>::Action>, SearchError> {
        let began = Instant::now();
        let budget = match budget.deadline() {
            Some(deadline) => budget.or_until(deadline - REPORT.min(deadline.saturating_duration_since(began) / 10)),
            None => budget,
        };
        let nothing = |stop| Answer { best: None, children: Vec::new(), iterations: 0, depth: 0, stop };
        let answer = match self.position.turn() {
            Turn::Over => nothing(StopReason::GameOver),
            Turn::Chance => nothing(StopReason::Chance),
            Turn::Player(player) => {
                self.decisions += 1;
                let mut rng = Rng::new(self.seed, self.decisions);
                let (seed, mut position) = (rng.bits(), self.position.clone());
                if D::Game::INFORMATION == Information::Hidden {
                    position.determinise(player, &mut rng);
                }
                let question = Question { position: &position, budget: &budget, seed };
                self.spec.decide(&mut self.mind, &question)
            }
        };
        Ok(self.report(&answer, began))
    }

    fn advance(&mut self, action: <D::Game as Game>::Action) -> Result<(), SearchError> {
        let mut legal = Vec::new();
        if self.position.turn() != Turn::Over {
            self.position.actions(&mut legal);
        }
        if !legal.contains(&action) {
            return Err(SearchError::IllegalAction(self.position.action_text(action)));
        }
        self.position.apply(action);
        Ok(())
    }

    fn reset(&mut self, position: D::Game) {
        self.position = position;
    }

    fn begin(&mut self, position: D::Game, seed: u64) {
        self.spec.forget(&mut self.mind);
        (self.position, self.seed, self.decisions) = (position, seed, 0);
    }
}
