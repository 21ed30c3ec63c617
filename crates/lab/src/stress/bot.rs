//! A bot that answers one request after the other and measures its time.

use std::thread;
use std::time::{Duration, Instant};

use boughs::{Budget, DelayMeter, Rng, SearchError, Session, StopFlag, TreeSearch, Turn};

use super::StressPlan;
use super::sleeper::Sleeper;
use crate::measure::draw_outcome;

/// A random stream that no search of the same seed comes near.
const PAUSES: u64 = u64::MAX;

/// The longest part of a pause between two looks at the stop flag.
const NAP: Duration = Duration::from_millis(100);

/// The measurements of one move.
pub(super) struct Answer {
    /// Seconds from the limit to the answer; negative for an early answer.
    pub(super) overrun: f64,
    /// The margin of its search in seconds.
    pub(super) margin: f64,
    /// The delay of the machine in the last seconds before it, in seconds.
    pub(super) delay: f64,
    pub(super) playouts: u64,
}

/// Plays both sides, with one tree that is kept through a game.
pub(super) struct Bot<'p> {
    start: &'p dyn Session,
    plan: &'p StressPlan,
    stop: &'p StopFlag,
    search: Box<dyn TreeSearch>,
    meter: DelayMeter,
    sleeper: Sleeper,
    /// The last move of the game; `None` where a new game begins.
    last: Option<u32>,
    games: u64,
    rng: Rng,
}

impl<'p> Bot<'p> {
    pub(super) fn new(
        start: &'p dyn Session,
        plan: &'p StressPlan,
        stop: &'p StopFlag,
    ) -> Result<Bot<'p>, SearchError> {
        let search = boughs_agents::tree_search(start, plan.settings.clone())?;
        let (meter, rng) = (DelayMeter::start(), Rng::new(plan.settings.seed, PAUSES));
        Ok(Bot { start, plan, stop, search, meter, sleeper: Sleeper::start()?, last: None, games: 0, rng })
    }

    /// The overruns in seconds of a bare thread that slept until the same deadlines.
    pub(super) fn sleeps(self, count: usize) -> Vec<f64> {
        self.sleeper.overruns(count)
    }

    pub(super) fn threads(&self) -> usize {
        self.search.settings().threads
    }

    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Waits for the next request and answers it; `None` if the flag is raised meanwhile.
    pub(super) fn answer(&mut self) -> Result<Option<Answer>, SearchError> {
        self.pause();
        let arrived = Instant::now();
        self.meter.asked(arrived);
        match self.last {
            Some(action) => self.search.advance(action)?,
            None => self.search.reset(self.start)?,
        }
        while let Some(outcome) = draw_outcome(self.search.position(), &mut self.rng) {
            self.search.advance(outcome)?;
        }
        let (margin, delay) = (self.meter.margin(self.plan.margin, self.plan.time), self.meter.delay());
        let budget = budget(self.plan, margin, arrived, self.stop);
        let deadline = budget.deadline();
        if let (Some(deadline), Some(limit)) = (deadline, arrived.checked_add(self.plan.time)) {
            self.sleeper.sleep(deadline, limit);
        }
        let report = self.search.run(budget)?;
        self.meter.answered(deadline);
        let overrun = arrived.elapsed().as_secs_f64() - self.plan.time.as_secs_f64();
        // A bot without a single playout has to move too.
        let best = report.best.map(|best| best.action);
        let action = best.or(report.children.first().map(|child| child.action));
        let Some(action) = action.filter(|_| !self.stop.is_raised()) else { return Ok(None) };
        self.games += u64::from(self.last.is_none());
        let mut after = self.search.position().clone_session();
        after.apply(action);
        self.last = (after.turn() != Turn::Over).then_some(action);
        let [margin, delay] = [margin, delay].map(|time| time.as_secs_f64());
        Ok(Some(Answer { overrun, margin, delay, playouts: report.iterations }))
    }

    /// Does nothing for a random time, as while an opponent thinks.
    fn pause(&mut self) {
        let mut left = self.plan.jitter.mul_f64(self.rng.unit());
        while !left.is_zero() && !self.stop.is_raised() {
            let nap = left.min(NAP);
            thread::sleep(nap);
            left -= nap;
        }
    }
}

/// The budget of a move: the time left since the request arrived, less the margin.
pub(super) fn budget(plan: &StressPlan, margin: Duration, arrived: Instant, stop: &StopFlag) -> Budget {
    let budget = Budget::unlimited().early_stop(false).or_stopped_by(stop.clone());
    match arrived.checked_add(plan.time.saturating_sub(margin)) {
        Some(deadline) => budget.or_until(deadline),
        None => budget,
    }
}
