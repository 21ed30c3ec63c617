//! The one runner of all agents that are not the tree search: it holds the position and the seeds, asks an
//! [`Algorithm`], and turns its [`Findings`] into a [`Report`].

use std::collections::HashMap;
use std::time::Instant;

use boughs::run::{check_legal, discard, guarded, reward_of_ending};
use boughs::{Agent, Budget, Child, Move, Plan, Report, Rng, SearchError, Session, StopReason, Turn, Warning};

/// The algorithm of an agent: it searches one decision after the other.
pub(crate) trait Algorithm: Send {
    /// Searches until the budget is spent. `see` takes intermediate findings.
    ///
    /// # Errors
    /// If there is no memory for the search, or the game panics.
    fn search(&mut self, query: &Query<'_>, see: &mut See<'_>) -> Result<Findings, SearchError>;

    /// Forgets everything about the game so far. Threads and memory stay.
    fn forget(&mut self);

    /// A warning that stands in every report.
    fn warning(&self) -> Option<Warning> {
        None
    }
}

/// The receiver of intermediate findings.
pub(crate) type See<'s> = dyn FnMut(Findings) -> Result<(), SearchError> + 's;

/// The question to an algorithm: a decision of a player, and how long the search may take.
pub(crate) struct Query<'q> {
    /// The true position.
    pub(crate) position: &'q dyn Session,
    /// The player to move.
    pub(crate) player: usize,
    /// Every legal action.
    pub(crate) actions: &'q [u32],
    pub(crate) budget: &'q Budget,
    /// The random numbers of this decision.
    pub(crate) rng: Rng,
    pub(crate) began: Instant,
}

/// The findings of a search so far.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    /// The action to play and the line that follows; empty if there is none.
    pub(crate) line: Vec<u32>,
    /// The actions that were examined, each with its playouts and their mean reward.
    pub(crate) children: Vec<(u32, u64, f64)>,
    /// The best playout: its reward and its actions.
    pub(crate) best_playout: Option<(f64, Vec<u32>)>,
    /// The number of iterations, in the unit that the budget counts.
    pub(crate) iterations: u64,
    /// The depth in actions.
    pub(crate) depth: u32,
    pub(crate) bytes: usize,
    pub(crate) seconds: f64,
    pub(crate) stop: StopReason,
    pub(crate) warnings: Vec<Warning>,
}

impl Findings {
    /// The findings of a search that has not begun.
    pub(crate) fn none(stop: StopReason) -> Findings {
        Findings {
            line: Vec::new(),
            children: Vec::new(),
            best_playout: None,
            iterations: 0,
            depth: 0,
            bytes: 0,
            seconds: 0.0,
            stop,
            warnings: Vec::new(),
        }
    }
}

/// An agent that decides by an algorithm.
pub(crate) struct AgentRunner {
    position: Box<dyn Session>,
    algorithm: Box<dyn Algorithm>,
    seed: u64,
    /// The number of searches since the game began.
    searches: u64,
}

impl AgentRunner {
    /// Puts an algorithm into a position.
    ///
    /// # Errors
    /// If the game panics.
    pub(crate) fn start(
        position: &dyn Session,
        algorithm: impl Algorithm + 'static,
        seed: u64,
    ) -> Result<Box<dyn Agent>, SearchError> {
        let position = guarded(|| position.clone_session())?;
        Ok(Box::new(AgentRunner { position, algorithm: Box::new(algorithm), seed, searches: 0 }))
    }

    /// Takes over a position of the same game.
    fn put(&mut self, position: &dyn Session) -> Result<(), SearchError> {
        if guarded(|| self.position.copy_from(position.as_position()))? { Ok(()) } else { Err(SearchError::OtherGame) }
    }
}

impl Agent for AgentRunner {
    fn position(&self) -> &dyn Session {
        &*self.position
    }

    fn search(&mut self, budget: Budget, see: &mut dyn FnMut(&Report)) -> Result<Report, SearchError> {
        let AgentRunner { position, algorithm, seed, searches } = self;
        let position = &**position;
        let began = Instant::now();
        let turn = guarded(|| position.turn())?;
        let actions = match turn {
            Turn::Player(_) => guarded(|| legal_actions(position))?,
            Turn::Chance | Turn::Over => Vec::new(),
        };
        let shape = ReportShape { position, actions: &actions, warning: algorithm.warning() };
        let player = match turn {
            Turn::Player(player) if !actions.is_empty() => player,
            Turn::Chance => return guarded(|| shape.report(Findings::none(StopReason::Chance))),
            Turn::Player(_) | Turn::Over => return guarded(|| shape.report(Findings::none(StopReason::GameOver))),
        };
        *searches += 1;
        let rng = Rng::new(*seed, *searches);
        let query = Query { position, player, actions: &actions, budget: &budget, rng, began };
        let mut see = |findings: Findings| {
            see(&guarded(|| shape.report(findings))?);
            Ok(())
        };
        let findings = algorithm.search(&query, &mut see)?;
        guarded(|| shape.report(findings))
    }

    fn advance(&mut self, action: u32) -> Result<(), SearchError> {
        check_legal(self.position.as_position(), action)?;
        let next = guarded(|| {
            let mut next = self.position.clone();
            next.apply(action);
            next
        })?;
        discard(std::mem::replace(&mut self.position, next));
        Ok(())
    }

    fn reset(&mut self, position: &dyn Session) -> Result<(), SearchError> {
        self.put(position)
    }

    fn begin(&mut self, position: &dyn Session, seed: u64) -> Result<(), SearchError> {
        self.put(position)?;
        self.algorithm.forget();
        (self.seed, self.searches) = (seed, 0);
        Ok(())
    }
}

fn legal_actions(position: &dyn Session) -> Vec<u32> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    actions
}

/// The part of a report that does not depend on the findings.
struct ReportShape<'r> {
    position: &'r dyn Session,
    actions: &'r [u32],
    warning: Option<Warning>,
}

impl ReportShape<'_> {
    fn report(&self, findings: Findings) -> Report {
        let Findings { line, children, best_playout, iterations, depth, bytes, seconds, stop, warnings } = findings;
        let pv = self.named_line(&line);
        Report {
            best: pv.first().cloned(),
            children: self.children(&children),
            pv,
            scores: self.position.facts().rewards.bounds != Some((0.0, 1.0)),
            best_playout: best_playout.map(|(score, moves)| Plan { score, moves: self.named_line(&moves) }),
            iterations,
            inherited: 0,
            playouts_per_second: if iterations == 0 { 0.0 } else { iterations as f64 / seconds.max(1e-9) },
            depth,
            bytes,
            seconds,
            stop,
            warnings: self.warning.clone().into_iter().chain(warnings).collect(),
        }
    }

    /// Every legal action, those with most playouts first.
    fn children(&self, examined: &[(u32, u64, f64)]) -> Vec<Child> {
        let examined: HashMap<u32, (u64, f64)> =
            examined.iter().map(|&(action, playouts, mean)| (action, (playouts, mean))).collect();
        let child = |&action: &u32| {
            let (playouts, mean) = examined.get(&action).copied().unwrap_or((0, 0.0));
            let (text, proven) =
                (self.position.action_text(action), reward_of_ending(self.position.as_position(), action));
            Child { action, text, playouts, mean, proven, strategy: None }
        };
        let mut children: Vec<Child> = self.actions.iter().map(child).collect();
        children.sort_by_key(|child| std::cmp::Reverse(child.playouts));
        children
    }

    fn named_line(&self, codes: &[u32]) -> Vec<Move> {
        let mut position = self.position.clone_session();
        let step = |&action: &u32| {
            let text = position.action_text(action);
            position.apply(action);
            Move { action, text }
        };
        codes.iter().map(step).collect()
    }
}
