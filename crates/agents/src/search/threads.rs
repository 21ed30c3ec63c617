//! The threads of a search that compares lines of play.
//!
//! The calling thread waits for the end of the search or the deadline, and then reads the result. A thread may still be
//! in a playout then. If it stays there, the next search has other threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use boughs::reward::to_reward;
use boughs::run::{Pool, RunStatus, WorkerGuard, cores, discard, guarded, panic_text, threads};
use boughs::spec::{self, Spec};
use boughs::{Agent, Budget, GameFacts, Information, PlayoutKind, SearchError, Session, StopReason, Turn, Warning};

use super::{Line, LineStats, SharedResult, SharedSearch, units};
use crate::runner::{AgentRunner, Algorithm, Findings, Query, See};

/// The time between two intermediate findings.
const TICK: Duration = Duration::from_millis(50);

/// A way to compare lines of play by threads that share a result.
pub(crate) trait LineSearch: Send + Sync + 'static {
    /// The kind of playouts.
    fn playout(&self) -> PlayoutKind;

    /// Returns true if the mean of an action is over its playouts, each of which is one sample.
    fn has_samples(&self) -> bool {
        false
    }

    /// Checks that the search goes with a game.
    fn validate(&self, facts: &GameFacts) -> Result<(), SearchError> {
        let _ = facts;
        Ok(())
    }

    /// Searches until the search is over, and leaves its result in it.
    fn search(&self, search: &SharedSearch);

    /// Warnings about the result.
    fn warnings(&self, search: &SharedSearch, stats: &LineStats, stop: StopReason) -> Vec<Warning> {
        let _ = (search, stop);
        Vec::from_iter(stats.are_equal().then_some(Warning::AllEqual))
    }
}

/// Builds the agent of a line search in a position.
///
/// # Errors
/// If it does not go with the game, or the threads cannot be had.
pub(crate) fn start(
    settings: &(impl LineSearch + Spec),
    position: &dyn Session,
) -> Result<Box<dyn Agent>, SearchError> {
    settings.validate(&position.facts())?;
    check_playout(settings, position)?;
    let mut settings = settings.clone();
    let (threads, seed) = (settings.threads(), *settings.seed());
    start_with(settings, threads, seed, position)
}

/// Builds the agent of a line search that goes with the game of a position.
///
/// # Errors
/// If the threads cannot be had.
pub(crate) fn start_with(
    search: impl LineSearch,
    count: usize,
    seed: u64,
    position: &dyn Session,
) -> Result<Box<dyn Agent>, SearchError> {
    let pool = Arc::new(Pool::new(threads(count))?);
    AgentRunner::start(position, Threaded { settings: Arc::new(search), pool, last: None, left: None }, seed)
}

/// Checks that the playouts go with the game.
fn check_playout<S: LineSearch + Spec>(settings: &S, position: &dyn Session) -> Result<(), SearchError> {
    let reason = match (settings.playout().fault(&position.facts()), settings.playout()) {
        (Some(reason), _) => reason,
        (_, PlayoutKind::Greedy) if position.facts().information == Information::Simultaneous => {
            "a choice that others do not know yet changes no position, so greedy playouts have nothing to compare"
        }
        // Only unfinished games have an evaluation.
        (_, PlayoutKind::Greedy) if guarded(|| position.turn() != Turn::Over && position.evaluation(0).is_none())? => {
            "greedy playouts compare positions by an evaluation, which this game does not have"
        }
        _ => return Ok(()),
    };
    let mut instead = settings.clone();
    spec::set(&mut instead, "playout", "light").map_err(SearchError::Setting)?;
    Err(SearchError::Unsupported { reason: reason.into(), instead: spec::text(&instead) })
}

/// A line search with its threads.
struct Threaded<S> {
    settings: Arc<S>,
    pool: Arc<Pool>,
    /// The last search.
    last: Option<Arc<SharedSearch>>,
    /// A search to which the threads of that time were left.
    left: Option<Arc<SharedSearch>>,
}

impl<S: LineSearch> Threaded<S> {
    /// Ends the last search. Threads that do not come back soon are left to it, one search at a time; the next tasks of
    /// the others wait for them. Returns true if a playout of an earlier search goes on.
    fn join(&mut self, next: Option<&Budget>) -> bool {
        let Some(last) = self.last.take() else { return self.has_left_threads() };
        let has_ended = last.result.status.join(next);
        let may_leave = !self.has_left_threads();
        if !has_ended
            && may_leave
            && let Ok(pool) = Pool::new(self.pool.threads())
        {
            self.pool = Arc::new(pool);
            discard(self.left.replace(last));
        } else {
            discard(last);
        }
        !has_ended || self.has_left_threads()
    }

    /// Returns true if a thread that was left behind is still in a playout.
    fn has_left_threads(&self) -> bool {
        self.left.as_ref().is_some_and(|left| left.result.status.is_working())
    }

    /// The search that a query asks for.
    fn prepare(&self, query: &Query<'_>) -> SharedSearch {
        let result = SharedResult::new(RunStatus::new(query.budget.clone(), 1), query.actions.len());
        if query.player >= query.position.players() {
            result.status.warn(&Warning::UnknownPlayer);
        }
        SharedSearch {
            position: query.position.clone_session(),
            facts: query.position.facts(),
            player: query.player,
            actions: query.actions.to_vec(),
            playout: self.settings.playout(),
            pool: self.pool.clone(),
            seed: query.rng.clone().bits(),
            result,
        }
    }

    fn spawn(&self, search: Arc<SharedSearch>) -> Result<(), SearchError> {
        let settings = self.settings.clone();
        let work = move || {
            let _guard = WorkerGuard(&search.result.status);
            match catch_unwind(AssertUnwindSafe(|| settings.search(&search))) {
                Ok(()) => search.result.conclude(),
                Err(panic) => search.result.status.panicked(panic_text(&*panic)),
            }
        };
        // This may drop the last copy of the game, whose panic would end the process here.
        self.pool.spawn(move || _ = catch_unwind(AssertUnwindSafe(work)))
    }

    fn findings(&self, search: &SharedSearch) -> Findings {
        // The reason is read first: if it says that the search has ended, all results are there.
        let stop = search.result.status.reason();
        let seconds = search.result.status.seconds();
        let stats = search.result.stats(|stats| stats.clone());
        let warnings = search.result.status.warnings().chain(self.settings.warnings(search, &stats, stop)).collect();
        Findings {
            line: stats.best().map(|line| search.codes_of(line)).unwrap_or_default(),
            children: search.children(&stats),
            has_values: stats.has_values,
            has_samples: self.settings.has_samples(),
            iterations: stats.iterations,
            depth: stats.depth,
            bytes: stats.bytes,
            best_playout: stats.best_playout,
            seconds,
            stop,
            warnings,
        }
    }
}

impl<S: LineSearch> Algorithm for Threaded<S> {
    fn search(&mut self, query: &Query<'_>, see: &mut See<'_>) -> Result<Findings, SearchError> {
        let goes_on = self.join(Some(query.budget));
        let search = Arc::new(guarded(|| self.prepare(query))?);
        if goes_on {
            search.result.status.warn(&Warning::PlayoutGoesOn);
        }
        self.spawn(search.clone())?;
        self.last = Some(search.clone());
        while !search.result.status.wait_for_end(Instant::now().checked_add(TICK)) {
            see(guarded(|| self.findings(&search))?)?;
        }
        match search.result.failure() {
            Some(error) => Err(error),
            None => guarded(|| self.findings(&search)),
        }
    }

    fn forget(&mut self) {
        self.join(None);
    }

    fn warning(&self) -> Option<Warning> {
        let (threads, cores) = (self.pool.threads(), cores());
        (threads > cores).then_some(Warning::MoreThreadsThanCores { threads, cores })
    }
}

impl<S> Drop for Threaded<S> {
    /// Ends what still runs, and does not wait for it.
    fn drop(&mut self) {
        if let Some(search) = &self.last {
            search.result.status.stop(StopReason::Stopped);
        }
        // Each for itself: a panic in the second, while that of the first unwinds, would abort the process.
        discard(self.last.take());
        discard(self.left.take());
    }
}

impl SharedSearch {
    /// Every action with all playouts of its lines and the mean of the best of them, or its value, which is
    /// [`f64::NEG_INFINITY`] if only a bound of it is known.
    fn children(&self, stats: &LineStats) -> Vec<(u32, u64, f64)> {
        let mut playouts = vec![0; self.actions.len()];
        let mut means = vec![f64::NEG_INFINITY; self.actions.len()];
        for line in &stats.lines {
            playouts[line.action] += line.playouts;
            let mean = match stats.has_values {
                _ if line.is_bound => f64::NEG_INFINITY,
                true => line.value,
                false => line.mean(),
            };
            means[line.action] = mean.max(means[line.action]);
        }
        let mean = |playouts: u64, mean: f64| match playouts {
            0 => 0.0,
            _ if stats.has_values || mean == f64::NEG_INFINITY => mean,
            _ => to_reward(&self.facts.rewards, mean / units(&self.facts)),
        };
        let rows = self.actions.iter().zip(playouts).zip(means);
        rows.map(|((&action, playouts), best)| (action, playouts, mean(playouts, best))).collect()
    }

    /// The actions of a line; only the first one where the rest depends on others or on chance.
    fn codes_of(&self, line: &Line) -> Vec<u32> {
        let mut codes = vec![self.actions[line.action]];
        if self.keeps_best_playout() {
            codes.extend(&line.moves);
        }
        codes
    }
}
