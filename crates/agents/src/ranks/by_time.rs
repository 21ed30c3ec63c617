//! Searches under a limit of time, or without one: ranks merge by the clock of the rank 0.

use std::time::{Duration, Instant};

use boughs::{Budget, Report, Running, SearchError, StopFlag, StopReason, TreeSearch};

use super::round::{Tally, Word, nothing_but_stop};
use super::{
    AFTER_STOP, Communicator, Ended, Rest, SILENCE, Terms, degraded, lead, plays_the_most_visited, report_of_all,
};

/// The sums of a search, where they are no further apart than the longest period and no nearer than the shortest.
const MERGES: u32 = 16;
const SHORTEST: Duration = Duration::from_millis(10);
const LONGEST: Duration = Duration::from_millis(250);
/// The time between two sums of a search without a limit, which may be stopped at any moment.
const ENDLESS: Duration = Duration::from_millis(50);

/// The last sum begins this part of a period before the deadline, and no later than this time before it.
const LEAD: u32 = 2;
const LONGEST_LEAD: Duration = Duration::from_millis(10);

/// A rank of a search without a limit is lost that gives no sign for this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time between two reports on the way.
const TICK: Duration = Duration::from_millis(50);

/// An early stop assumes that playouts become at most this many times faster.
const RATE_MARGIN: f64 = 2.0;

/// The time between two sums of a search with this limit.
pub(super) fn period(time: Option<Duration>) -> Duration {
    time.map_or(ENDLESS, |time| (time / MERGES).clamp(SHORTEST, LONGEST))
}

/// One rank's part of a search.
pub(super) fn search(
    search: &mut dyn TreeSearch,
    link: &mut dyn Communicator,
    terms: &Terms,
    budget: Budget,
    see: &mut dyn FnMut(&Report),
) -> Result<Ended, SearchError> {
    let plan = Plan::new(link.rank() == 0, terms, &budget);
    // The other ranks stop when the rank 0 says so, or when it is late.
    let own = if plan.is_first { budget } else { plan.budget_of_another(terms) };
    let decides = plan.is_first && terms.early_stop && plays_the_most_visited(search.settings());
    let error = match search.start(own.early_stop(false)) {
        Ok(running) => {
            let seen = plan.began;
            let rank = Rank { plan, running, tally: Tally::default(), decides, seen };
            return rank.search(link, see);
        }
        Err(error) => error,
    };
    // The others end at the first sum.
    let part = Tally::default().tell(Word { stop: true, ..Word::default() }, search.contribution());
    link.start_sum(part);
    let _ = link.wait_for_sum(plan.patience());
    Err(error)
}

/// The times of a search on one rank.
#[derive(Clone)]
struct Plan {
    is_first: bool,
    began: Instant,
    period: Duration,
    deadline: Option<Instant>,
    /// The flag that stops the search of the rank 0.
    stop: StopFlag,
}

impl Plan {
    fn new(is_first: bool, terms: &Terms, budget: &Budget) -> Plan {
        let began = Instant::now();
        let deadline = if is_first { budget.deadline() } else { terms.time.and_then(|time| began.checked_add(time)) };
        Plan { is_first, began, period: period(terms.time), deadline, stop: budget.stop_flag() }
    }

    /// The budget of a rank other than the first.
    fn budget_of_another(&self, terms: &Terms) -> Budget {
        let budget = terms.playouts.map_or(Budget::whole(), |playouts| Budget::whole().or_iterations(playouts));
        self.deadline.map_or(budget.clone(), |deadline| budget.or_until(later(deadline, self.period)))
    }

    /// The time at which the last sum begins.
    fn last_sum(&self) -> Option<Instant> {
        let lead = (self.period / LEAD).min(LONGEST_LEAD);
        self.deadline.map(|deadline| deadline.checked_sub(lead).unwrap_or(deadline))
    }

    /// The time until the next sum, if one that takes `latency` begins now. The one before the last is followed by the
    /// last at its time.
    fn pause(&self, latency: Duration) -> Duration {
        let left = self.last_sum().map(|last| last.saturating_duration_since(Instant::now() + latency));
        left.filter(|&left| left < 2 * self.period).unwrap_or(self.period)
    }

    /// The time after which a rank is too late for the sum that begins now.
    fn patience(&self) -> Instant {
        let now = Instant::now();
        self.deadline.map_or(now + PATIENCE, |deadline| later(deadline.max(now), self.period))
    }

    /// True if the rank 0 has to end the search.
    fn is_due(&self) -> bool {
        self.is_first && (self.stop.is_raised() || self.last_sum().is_some_and(|last| last <= Instant::now()))
    }
}

/// A time after another one, unless the clock does not reach so far.
fn later(time: Instant, by: Duration) -> Instant {
    time.checked_add(by).unwrap_or(time)
}

/// One rank in the middle of a search.
struct Rank<'s> {
    plan: Plan,
    running: Running<'s>,
    tally: Tally,
    /// True if this rank ends the search as soon as no other move can overtake the best one.
    decides: bool,
    /// The time of the last report on the way.
    seen: Instant,
}

impl Rank<'_> {
    /// Searches until the ranks end together, or one of them is too late.
    fn search(mut self, link: &mut dyn Communicator, see: &mut dyn FnMut(&Report)) -> Result<Ended, SearchError> {
        let ended = self.merge_until_the_end(link, see);
        let Rank { running, tally, plan, .. } = self;
        let report = running.stop()?;
        let known = tally.with(report.iterations).known();
        let stop = ended.unwrap_or(report.stop);
        let report = report_of_all(report, known, plan.began, stop);
        Ok(match ended {
            Some(_) => Ended { report, is_degraded: false },
            None => Ended { report: degraded(report), is_degraded: true },
        })
    }

    /// Merges until the ranks end their search together, and returns the reason. `None` if some rank is too late.
    fn merge_until_the_end(&mut self, link: &mut dyn Communicator, see: &mut dyn FnMut(&Report)) -> Option<StopReason> {
        let mut next = self.plan.began + self.plan.period;
        let mut latency = Duration::ZERO;
        loop {
            let ended = self.search_until(next, see);
            let (stop, word) = self.word(ended, latency);
            let begun = Instant::now();
            let statistics = self.running.contribution();
            self.tally.own = self.running.playouts();
            let part = self.tally.tell(word, statistics);
            let length = part.len();
            link.start_sum(part);
            let Some(sums) = self.wait(link, see) else {
                if self.plan.is_first {
                    link.abandon(Rest { numbers: nothing_but_stop(length), most: usize::MAX, after_stop: 0 });
                }
                return None;
            };
            latency = begun.elapsed();
            let (tally, running) = (&mut self.tally, &self.running);
            let verdict = tally.hear(&sums, |statistics| running.merge(statistics));
            if verdict.stop || verdict.finished == link.ranks() {
                let of_others = match (verdict.stop, verdict.has_proven) {
                    (false, _) => StopReason::Iterations,
                    (true, true) => StopReason::Proven,
                    (true, false) => StopReason::Stopped,
                };
                return Some(stop.unwrap_or(of_others));
            }
            next = Instant::now() + verdict.pause;
        }
    }

    /// Searches on until this time. Returns the reason if the search of this rank has ended.
    fn search_until(&mut self, next: Instant, see: &mut dyn FnMut(&Report)) -> Option<StopReason> {
        loop {
            let now = Instant::now();
            let left = next.saturating_duration_since(now);
            let has_ended = self.running.wait(left.min(TICK));
            let report = if has_ended { Some(self.running.report()) } else { None };
            match report.map(|report| report.stop) {
                // Others may still be at it, and need no hurry.
                Some(stop @ (StopReason::Iterations | StopReason::CounterFull)) => {
                    if left.is_zero() || self.plan.is_due() {
                        return Some(stop);
                    }
                    std::thread::sleep(left.min(TICK));
                }
                Some(stop) => return Some(stop),
                None if left.is_zero() => return None,
                None => self.show(see),
            }
        }
    }

    /// The word of this rank, and its reason if it wants to end the search.
    fn word(&self, ended: Option<StopReason>, latency: Duration) -> (Option<StopReason>, Word) {
        let is_finished = matches!(ended, Some(StopReason::Iterations | StopReason::CounterFull));
        let stop = match ended {
            Some(stop) if !is_finished => Some(stop),
            _ if self.plan.is_due() && self.plan.stop.is_raised() => Some(StopReason::Stopped),
            _ if self.plan.is_due() => Some(StopReason::Time),
            None if self.decides && self.is_decided() => Some(StopReason::Decided),
            _ => None,
        };
        let pause = if self.plan.is_first { self.plan.pause(latency) } else { Duration::ZERO };
        (stop, Word { stop: stop.is_some(), has_proven: stop == Some(StopReason::Proven), is_finished, pause })
    }

    /// Returns true if no other move can overtake the best one at the speed so far.
    fn is_decided(&self) -> bool {
        let Some(deadline) = self.plan.deadline else { return false };
        let (spent, left) = (self.plan.began.elapsed(), deadline.saturating_duration_since(Instant::now()));
        // The first rates say little.
        if spent < left / 8 {
            return false;
        }
        let rate = self.tally.known() as f64 / spent.as_secs_f64();
        let to_come = (rate * RATE_MARGIN * left.as_secs_f64()) as u64;
        lead(&self.running.report()).is_some_and(|lead| lead > to_come)
    }

    /// The sum that is under way. `None` if some rank is too late for it. A rank other than the first then shows a
    /// degraded report, in case that the rank 0 is gone, and waits on for a while.
    fn wait(&mut self, link: &mut dyn Communicator, see: &mut dyn FnMut(&Report)) -> Option<Vec<i64>> {
        let mut patience = self.plan.patience();
        let mut is_stopped = false;
        let mut is_last = self.plan.is_first;
        loop {
            let now = Instant::now();
            if self.plan.is_first && self.plan.stop.is_raised() && !std::mem::replace(&mut is_stopped, true) {
                patience = patience.min(now + AFTER_STOP);
            }
            let sums = link.wait_for_sum(patience.min(now + TICK));
            if sums.is_some() || now >= patience && is_last {
                return sums;
            }
            if now >= patience {
                (patience, is_last) = (now + SILENCE, true);
                let report = self.running.report();
                let known = self.tally.with(report.iterations).known();
                see(&degraded(report_of_all(report, known, self.plan.began, StopReason::Time)));
            }
            self.show(see);
        }
    }

    /// Shows the report so far, some twenty times a second.
    fn show(&mut self, see: &mut dyn FnMut(&Report)) {
        if self.plan.is_first && self.seen.elapsed() >= TICK {
            self.seen = Instant::now();
            let report = self.running.report();
            let known = self.tally.with(report.iterations).known();
            see(&report_of_all(report, known, self.plan.began, StopReason::Running));
        }
    }
}
