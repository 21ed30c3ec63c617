//! A bot that is asked for one move after the other and looks at the clock.

use std::thread;
use std::time::{Duration, Instant};

use boughs::{Budget, Game, Rng, Search, SearchError, StopFlag, Turn};

use super::Plan;
use crate::measure::drawn;

/// A random stream that no search of the same seed comes near.
const PAUSES: u64 = u64::MAX;

/// How long a pause may go on before it looks whether it was told to stop.
const NAP: Duration = Duration::from_millis(100);

/// What there is to say about a move.
pub(super) struct Answer {
    /// Seconds from the limit to the answer; negative where it was early.
    pub(super) overrun: f64,
    pub(super) playouts: u64,
}

/// Plays both sides, with one tree that is kept through a game.
pub(super) struct Bot<'p, G: Game> {
    start: &'p G,
    plan: &'p Plan,
    stop: &'p StopFlag,
    search: Search<G>,
    /// The last move of the game; `None` where a new one begins.
    last: Option<G::Action>,
    games: u64,
    rng: Rng,
}

impl<'p, G: Game> Bot<'p, G> {
    pub(super) fn new(start: &'p G, plan: &'p Plan, stop: &'p StopFlag) -> Result<Bot<'p, G>, SearchError> {
        let search = Search::new(start.clone(), plan.settings.clone())?;
        Ok(Bot { start, plan, stop, search, last: None, games: 0, rng: Rng::new(plan.settings.seed, PAUSES) })
    }

    pub(super) fn threads(&self) -> usize {
        self.search.settings().threads
    }

    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Waits for the next request and answers it. There is no answer if the flag is raised meanwhile.
    pub(super) fn answer(&mut self) -> Result<Option<Answer>, SearchError> {
        self.pause();
        let arrived = Instant::now();
        match self.last {
            Some(action) => self.search.advance(action)?,
            None => self.search.reset(self.start.clone()),
        }
        while let Some(outcome) = drawn(self.search.position(), &mut self.rng) {
            self.search.advance(outcome)?;
        }
        let report = self.search.run(budget(self.plan, arrived, self.stop))?;
        let overrun = arrived.elapsed().as_secs_f64() - self.plan.time.as_secs_f64();
        // A bot without a single playout has to move too.
        let action = report.best_action().or(report.children.first().map(|child| child.action));
        let Some(action) = action.filter(|_| !self.stop.is_raised()) else { return Ok(None) };
        self.games += u64::from(self.last.is_none());
        let mut after = self.search.position().clone();
        after.apply(action);
        self.last = (after.turn() != Turn::Over).then_some(action);
        Ok(Some(Answer { overrun, playouts: report.iterations }))
    }

    /// Does nothing for a while.
    fn pause(&mut self) {
        let mut left = self.plan.jitter.mul_f64(self.rng.unit());
        while !left.is_zero() && !self.stop.is_raised() {
            let nap = left.min(NAP);
            thread::sleep(nap);
            left -= nap;
        }
    }
}

/// A move's budget: all of the time that is left since the request arrived, but the margin.
pub(super) fn budget(plan: &Plan, arrived: Instant, stop: &StopFlag) -> Budget {
    let budget = Budget::unlimited().early_stop(false).or_stopped_by(stop.clone());
    match arrived.checked_add(plan.time.saturating_sub(plan.margin)) {
        Some(deadline) => budget.or_until(deadline),
        None => budget,
    }
}
