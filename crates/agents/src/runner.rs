//! The one runner of all agents that are not the tree search: it holds the position and the seeds, asks an
//! [`Algorithm`], and turns its [`Findings`] into a [`Report`].

use std::cmp::Ordering::Equal;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Instant;

use boughs::run::{check_legal, discard, guarded, reward_of_ending};
use boughs::{
    Agent, Budget, Child, Choice, Information, Move, Plan, Report, Rng, SearchError, Session, StopReason, Turn, Warning,
};

use crate::search::{CERTAIN, LARGEST};

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
    /// The actions that were examined, each with its playouts and their mean reward, or with its value, which is
    /// [`f64::NEG_INFINITY`] if only a bound of it is known.
    pub(crate) children: Vec<(u32, u64, f64)>,
    /// True if these are values of positions and no means of rewards.
    pub(crate) has_values: bool,
    /// True if the mean of an action is over its playouts, each of which is one sample.
    pub(crate) has_samples: bool,
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
            has_values: false,
            has_samples: false,
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
    asker: Asker,
}

/// An algorithm with the random numbers of its decisions.
struct Asker {
    algorithm: Box<dyn Algorithm>,
    seed: u64,
    /// The number of searches since the game began.
    searches: u64,
}

impl Asker {
    /// Asks for a decision among the legal actions. `see` takes intermediate findings.
    fn ask(
        &mut self,
        position: &dyn Session,
        actions: &[u32],
        budget: &Budget,
        see: &mut See<'_>,
    ) -> Result<Findings, SearchError> {
        let began = Instant::now();
        let player = match guarded(|| position.turn())? {
            Turn::Player(player) if !actions.is_empty() => player,
            Turn::Chance => return Ok(Findings::none(StopReason::Chance)),
            Turn::Player(_) | Turn::Over => return Ok(Findings::none(StopReason::GameOver)),
        };
        self.searches += 1;
        let rng = Rng::new(self.seed, self.searches);
        self.algorithm.search(&Query { position, player, actions, budget, rng, began }, see)
    }
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
        Ok(Box::new(AgentRunner { position, asker: Asker { algorithm: Box::new(algorithm), seed, searches: 0 } }))
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
        let position = &*self.position;
        let actions = guarded(|| legal_actions(position))?;
        let shape = ReportShape { position, actions: &actions, warning: self.asker.algorithm.warning() };
        let mut see = |findings: Findings| {
            see(&guarded(|| shape.report(findings))?);
            Ok(())
        };
        let findings = self.asker.ask(position, &actions, &budget, &mut see)?;
        guarded(|| shape.report(findings))
    }

    fn choose(&mut self, budget: Budget) -> Result<Choice, SearchError> {
        let position = &*self.position;
        let actions = guarded(|| legal_actions(position))?;
        let Findings { line, children, iterations, .. } =
            self.asker.ask(position, &actions, &budget, &mut |_| Ok(()))?;
        let others = || ranked(&actions, &children).into_iter().map(|(action, ..)| action);
        let ranked = line.first().map(|&best| Choice::ranked(best, others()));
        Ok(Choice { ranked: ranked.unwrap_or_default(), iterations })
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
        self.asker.algorithm.forget();
        (self.asker.seed, self.asker.searches) = (seed, 0);
        Ok(())
    }
}

/// The legal actions of the player to move. Empty if no player is.
fn legal_actions(position: &dyn Session) -> Vec<u32> {
    let mut actions = Vec::new();
    if let Turn::Player(_) = position.turn() {
        position.actions(&mut actions);
    }
    actions
}

/// Every legal action with its playouts and their mean, those with most playouts first.
fn ranked(actions: &[u32], examined: &[(u32, u64, f64)]) -> Vec<(u32, u64, f64)> {
    let examined: HashMap<u32, (u64, f64)> =
        examined.iter().map(|&(action, playouts, mean)| (action, (playouts, mean))).collect();
    let of_action = |&action: &u32| {
        let (playouts, mean) = examined.get(&action).copied().unwrap_or((0, 0.0));
        (action, playouts, mean)
    };
    let mut ranked: Vec<_> = actions.iter().map(of_action).collect();
    ranked.sort_by_key(|&(_, playouts, _)| Reverse(playouts));
    ranked
}

/// The part of a report that does not depend on the findings.
struct ReportShape<'r> {
    position: &'r dyn Session,
    actions: &'r [u32],
    warning: Option<Warning>,
}

impl ReportShape<'_> {
    fn report(&self, findings: Findings) -> Report {
        let Findings { line, children, has_values, has_samples, best_playout, .. } = findings;
        let Findings { iterations, depth, bytes, seconds, stop, warnings, .. } = findings;
        let pv = self.named_line(&line);
        Report {
            best: pv.first().cloned(),
            children: self.children(&children, has_values, line.first()),
            pv,
            scores: self.position.facts().rewards.bounds != Some((0.0, 1.0)),
            has_samples,
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

    /// Every legal action, the best first, and then those of most value or most playouts.
    fn children(&self, examined: &[(u32, u64, f64)], has_values: bool, best: Option<&u32>) -> Vec<Child> {
        let facts = self.position.facts();
        let (least, most) = facts.rewards.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let child = |(action, playouts, mean): (u32, u64, f64)| {
            // An action whose value is not known counts as not examined.
            let (playouts, mean) = if mean == f64::NEG_INFINITY { (0, 0.0) } else { (playouts, mean) };
            let text = self.position.action_text(action);
            let ending = reward_of_ending(self.position.as_position(), action);
            let value = Some(mean).filter(|_| has_values && playouts > 0);
            let is_proof =
                value.is_some_and(|value| value.abs() >= CERTAIN) && facts.information == Information::Perfect;
            let mean = value.map_or(mean, |value| value.clamp(least, most));
            let proven = ending.or_else(|| is_proof.then_some(mean));
            let value = value.filter(|value| value.abs() <= LARGEST);
            Child { action, text, playouts, mean, value, proven, strategy: None, line: Vec::new() }
        };
        let mut ranked = ranked(self.actions, examined);
        if has_values {
            ranked.sort_by(|one, other| (other.1 > 0, other.2).partial_cmp(&(one.1 > 0, one.2)).unwrap_or(Equal));
        }
        ranked.sort_by_key(|(action, ..)| Some(action) != best);
        ranked.into_iter().map(child).collect()
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
