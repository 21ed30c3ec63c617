//! What is common to agents that compare lines of play: the position they are in, their threads, how they are waited for,
//! and their report.
//!
//! The search runs on threads of its own. The calling thread waits for its end or the deadline and then reads what has been
//! found; whoever is still in a playout then is waited for by the next search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rayon::ThreadPool;

use super::found::{Found, Line, Progress};
use super::mcts::TICK;
use super::task::{Task, units};
use super::{Agent, Build};
use crate::budget::StopReason;
use crate::clock::now;
use crate::course::{Course, Leaving};
use crate::report::{Child, Move, Plan, Report, Warning};
use crate::scale::to_reward;
use crate::search::{SearchError, after, cores, guarded, reward_of_ending};
use crate::settings::MAX_THREADS;
use crate::spec::Spec;
use crate::{Action, Budget, Game, PlayoutKind, Rng, Turn};

/// How an agent decides.
pub(super) trait Method: Spec + Clone + Send + Sync {
    /// How games are played out.
    fn playout(&self) -> PlayoutKind;

    /// Whether it goes with a game.
    fn fit<G: Game>(&self) -> Result<(), SearchError> {
        Ok(())
    }

    /// Searches until the task is over, and leaves in it what was found.
    fn think<G: Game>(&self, task: &Task<G>);

    /// What its user should know, of what was found.
    fn warning(&self, found: &Found, stop: StopReason) -> Option<Warning> {
        let _ = (found, stop);
        None
    }
}

impl<M: Method> Build for M {
    fn build<G: Game>(self, position: G) -> Result<Box<dyn Agent<G>>, SearchError> {
        Ok(Box::new(Thinker::new(position, self)?))
    }
}

/// An agent that decides by a method.
struct Thinker<G: Game, M: Method> {
    position: G,
    method: Arc<M>,
    threads: usize,
    seed: u64,
    pool: ThreadPool,
    searches: u64,
    /// The last search.
    task: Option<Arc<Task<G>>>,
}

impl<G: Game, M: Method> Thinker<G, M> {
    fn new(position: G, mut method: M) -> Result<Thinker<G, M>, SearchError> {
        method.fit::<G>()?;
        let threads = match method.threads() {
            0 => cores(),
            threads => threads.min(MAX_THREADS),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Thinker {
            position,
            threads,
            seed: *method.seed(),
            method: Arc::new(method),
            pool: pool.map_err(|error| SearchError::Threads(error.to_string()))?,
            searches: 0,
            task: None,
        })
    }

    /// Waits until no thread is in a playout of the last search any more.
    fn settle(&mut self) {
        if let Some(task) = self.task.take() {
            task.progress.course.stop(StopReason::Stopped);
            task.progress.course.wait(None);
        }
    }

    /// The search to make, if there is anything to decide.
    fn task(&mut self, budget: Budget) -> Result<Option<Arc<Task<G>>>, SearchError> {
        let Turn::Player(player) = guarded(|| self.position.turn())? else { return Ok(None) };
        let actions = guarded(|| {
            let mut actions = Vec::new();
            self.position.actions(&mut actions);
            actions
        })?;
        if actions.is_empty() {
            return Ok(None);
        }
        let progress = Progress::new(Course::new(budget, 1), actions.len());
        if player >= self.position.players() {
            progress.course.warn(&Warning::UnknownPlayer);
        }
        self.searches += 1;
        Ok(Some(Arc::new(Task {
            position: self.position.clone(),
            player,
            actions,
            playout: self.method.playout().build(),
            threads: self.threads,
            seed: Rng::new(self.seed, self.searches).bits(),
            progress,
        })))
    }

    fn start(&self, task: Arc<Task<G>>) {
        let method = self.method.clone();
        self.pool.spawn(move || {
            let _leaving = Leaving(&task.progress.course);
            match catch_unwind(AssertUnwindSafe(|| method.think(&task))) {
                Ok(()) => task.progress.conclude(),
                Err(panic) => task.progress.course.panicked(crate::panic_text(&*panic)),
            }
        });
    }

    fn report(&self, task: &Task<G>) -> Report<G::Action> {
        // Read first: whoever sees that a search has ended sees all it has found.
        let stop = task.progress.course.reason();
        let seconds = task.progress.course.seconds();
        let found = task.progress.found(|found| found.clone());
        let best = found.best();
        let plan = |(score, moves): &(f64, Vec<u32>)| Plan { score: *score, moves: self.named_line(moves) };
        let mut report = Report {
            best: best.map(|line| self.named(&self.position, task.actions[line.action])),
            children: self.children(task, &found),
            pv: best.map(|line| self.line(task, line)).unwrap_or_default(),
            best_playout: found.best_playout.as_ref().map(plan),
            iterations: found.iterations,
            playouts_per_second: found.iterations as f64 / seconds.max(1e-9),
            depth: found.depth,
            bytes: found.bytes,
            seconds,
            ..self.empty_report(stop)
        };
        report.warnings.extend(task.progress.course.warnings());
        report.warnings.extend(self.method.warning(&found, stop));
        report
    }

    fn empty_report(&self, stop: StopReason) -> Report<G::Action> {
        let (threads, cores) = (self.threads, cores());
        let crowd = (threads > cores).then_some(Warning::MoreThreadsThanCores { threads, cores });
        Report {
            best: None,
            children: Vec::new(),
            pv: Vec::new(),
            scores: G::REWARDS.bounds != Some((0.0, 1.0)),
            best_playout: None,
            iterations: 0,
            inherited: 0,
            playouts_per_second: 0.0,
            depth: 0,
            bytes: 0,
            seconds: 0.0,
            stop,
            warnings: crowd.into_iter().collect(),
        }
    }

    /// Every action, with all playouts of its lines and the mean of the best of them.
    fn children(&self, task: &Task<G>, found: &Found) -> Vec<Child<G::Action>> {
        let mut playouts = vec![0; task.actions.len()];
        let mut means = vec![f64::NEG_INFINITY; task.actions.len()];
        for line in &found.lines {
            playouts[line.action] += line.playouts;
            means[line.action] = line.mean().max(means[line.action]);
        }
        let child = |((&action, playouts), mean): ((&G::Action, u64), f64)| Child {
            action,
            text: self.position.action_text(action),
            playouts,
            mean: if playouts == 0 { 0.0 } else { to_reward(&G::REWARDS, mean / units::<G>()) },
            proven: reward_of_ending(&self.position, action),
            strategy: None,
        };
        let mut children: Vec<_> = task.actions.iter().zip(playouts).zip(means).map(child).collect();
        children.sort_by_key(|child| std::cmp::Reverse(child.playouts));
        children
    }

    /// The line to play; only its first action where what comes next depends on others or on chance.
    fn line(&self, task: &Task<G>, line: &Line) -> Vec<Move<G::Action>> {
        let mut codes = vec![task.actions[line.action].code()];
        if task.wants_plan() {
            codes.extend(&line.moves);
        }
        self.named_line(&codes)
    }

    fn named_line(&self, codes: &[u32]) -> Vec<Move<G::Action>> {
        let mut position = self.position.clone();
        let step = |&code: &u32| {
            let step = self.named(&position, G::Action::from_code(code));
            position.apply(step.action);
            step
        };
        codes.iter().map(step).collect()
    }

    fn named(&self, position: &G, action: G::Action) -> Move<G::Action> {
        Move { action, text: position.action_text(action) }
    }
}

impl<G: Game, M: Method> Agent<G> for Thinker<G, M> {
    fn position(&self) -> &G {
        &self.position
    }

    fn search(
        &mut self,
        budget: Budget,
        see: &mut dyn FnMut(&Report<G::Action>),
    ) -> Result<Report<G::Action>, SearchError> {
        self.settle();
        let Some(task) = self.task(budget)? else {
            let is_chance = guarded(|| self.position.turn())? == Turn::Chance;
            return Ok(self.empty_report(if is_chance { StopReason::Chance } else { StopReason::GameOver }));
        };
        self.task = Some(task.clone());
        self.start(task.clone());
        while !task.progress.course.wait_for_end(now().checked_add(TICK)) {
            see(&guarded(|| self.report(&task))?);
        }
        match task.progress.failure() {
            Some(error) => Err(error),
            None => guarded(|| self.report(&task)),
        }
    }

    fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        self.position = after(&self.position, action)?;
        Ok(())
    }

    fn reset(&mut self, position: G) {
        self.position = position;
    }

    fn begin(&mut self, position: G, seed: u64) {
        self.settle();
        self.position = position;
        self.seed = seed;
        self.searches = 0;
    }
}

impl<G: Game, M: Method> Drop for Thinker<G, M> {
    /// Ends what is still running, but waits for nobody.
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.progress.course.stop(StopReason::Stopped);
        }
    }
}
