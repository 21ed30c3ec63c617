//! The threads of a search that compares lines of play.
//!
//! The calling thread waits for the end of the search or the deadline, and then reads the result. A thread that is
//! still in a playout then is waited for by the next search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use boughs::reward::to_reward;
use boughs::run::{RunStatus, WorkerGuard, cores, panic_text, threads};
use boughs::spec::Spec;
use boughs::{Agent, GameFacts, PlayoutKind, SearchError, Session, StopReason, Warning};
use rayon::ThreadPool;

use super::{Line, LineStats, SharedResult, SharedSearch, units};
use crate::runner::{AgentRunner, Algorithm, Findings, Query, See};

/// The time between two intermediate findings.
const TICK: Duration = Duration::from_millis(100);

/// A way to compare lines of play by threads that share a result.
pub(crate) trait LineSearch: Spec + Send + Sync {
    /// The kind of playouts.
    fn playout(&self) -> PlayoutKind;

    /// Checks that the search goes with a game.
    fn validate(&self, facts: &GameFacts) -> Result<(), SearchError> {
        let _ = facts;
        Ok(())
    }

    /// Searches until the search is over, and leaves its result in it.
    fn search(&self, search: &SharedSearch);

    /// A warning about the result.
    fn warning(&self, stats: &LineStats, stop: StopReason) -> Option<Warning> {
        let _ = (stats, stop);
        None
    }
}

/// Builds the agent of a line search in a position.
///
/// # Errors
/// If it does not go with the game, or the threads cannot be had.
pub(crate) fn start(settings: &impl LineSearch, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
    settings.validate(&position.facts())?;
    let mut settings = settings.clone();
    let seed = *settings.seed();
    let threads = threads(settings.threads());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| SearchError::Threads(error.to_string()))?;
    Ok(AgentRunner::start(position, Threaded { settings: Arc::new(settings), threads, pool, last: None }, seed))
}

/// A line search with its threads.
struct Threaded<S> {
    settings: Arc<S>,
    threads: usize,
    pool: ThreadPool,
    /// The last search.
    last: Option<Arc<SharedSearch>>,
}

impl<S: LineSearch> Threaded<S> {
    /// Waits until no thread is in a playout of the last search any more.
    fn join(&mut self) {
        if let Some(search) = self.last.take() {
            search.result.status.stop(StopReason::Stopped);
            search.result.status.wait(None);
        }
    }

    fn spawn(&self, search: Arc<SharedSearch>) {
        let settings = self.settings.clone();
        self.pool.spawn(move || {
            let _guard = WorkerGuard(&search.result.status);
            match catch_unwind(AssertUnwindSafe(|| settings.search(&search))) {
                Ok(()) => search.result.conclude(),
                Err(panic) => search.result.status.panicked(panic_text(&*panic)),
            }
        });
    }

    fn findings(&self, search: &SharedSearch) -> Findings {
        // The reason is read first: if it says that the search has ended, all results are there.
        let stop = search.result.status.reason();
        let seconds = search.result.status.seconds();
        let stats = search.result.stats(|stats| stats.clone());
        let warnings = search.result.status.warnings().chain(self.settings.warning(&stats, stop)).collect();
        Findings {
            line: stats.best().map(|line| search.codes_of(line)).unwrap_or_default(),
            children: search.children(&stats),
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
        self.join();
        let result = SharedResult::new(RunStatus::new(query.budget.clone(), 1), query.actions.len());
        if query.player >= query.position.players() {
            result.status.warn(&Warning::UnknownPlayer);
        }
        let search = Arc::new(SharedSearch {
            position: query.position.clone_session(),
            facts: query.position.facts(),
            player: query.player,
            actions: query.actions.to_vec(),
            playout: self.settings.playout(),
            threads: self.threads,
            seed: query.rng.clone().bits(),
            result,
        });
        self.last = Some(search.clone());
        self.spawn(search.clone());
        while !search.result.status.wait_for_end(Instant::now().checked_add(TICK)) {
            see(self.findings(&search))?;
        }
        match search.result.failure() {
            Some(error) => Err(error),
            None => Ok(self.findings(&search)),
        }
    }

    fn forget(&mut self) {
        self.join();
    }

    fn warning(&self) -> Option<Warning> {
        let (threads, cores) = (self.threads, cores());
        (threads > cores).then_some(Warning::MoreThreadsThanCores { threads, cores })
    }
}

impl<S> Drop for Threaded<S> {
    /// Ends what still runs, and does not wait for it.
    fn drop(&mut self) {
        if let Some(search) = &self.last {
            search.result.status.stop(StopReason::Stopped);
        }
    }
}

impl SharedSearch {
    /// Every action with all playouts of its lines and the mean of the best of them.
    fn children(&self, stats: &LineStats) -> Vec<(u32, u64, f64)> {
        let mut playouts = vec![0; self.actions.len()];
        let mut means = vec![f64::NEG_INFINITY; self.actions.len()];
        for line in &stats.lines {
            playouts[line.action] += line.playouts;
            means[line.action] = line.mean().max(means[line.action]);
        }
        let mean = |playouts: u64, mean: f64| match playouts {
            0 => 0.0,
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
