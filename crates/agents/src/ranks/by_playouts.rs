//! Searches in rounds of as many playouts on every rank, which are the same on every run.

use std::time::{Duration, Instant};

use boughs::{Budget, Plan, Report, SearchError, StopFlag, StopReason, TreeSearch, Warning};

use super::round::{Tally, Verdict, Word, nothing_but_stop};
use super::{
    AFTER_STOP, Communicator, Ended, Rest, SILENCE, Terms, degraded, lead, plays_the_most_visited, report_of_all,
};

/// The sums of a search.
pub(super) const MERGES: u64 = 16;

/// The most sums of a search.
pub(super) const MOST_MERGES: u64 = 65_535;

/// The least playouts of a rank between two sums.
const LEAST: u64 = 32;

/// The rank 0 gives up a rank that is this much later than itself, and as many times later as it needed for its own
/// part.
const PATIENCE: Duration = Duration::from_secs(10);
const TIMES: u32 = 4;

/// The time between two looks at a sum that other ranks are late for.
const LOOK: Duration = Duration::from_millis(100);

/// The playouts of each round, with at most this number of rounds.
pub(super) fn rounds(playouts: u64, most: u64) -> impl ExactSizeIterator<Item = u64> {
    let rounds = (playouts / LEAST).clamp(1, most.clamp(1, MOST_MERGES));
    (0..rounds as usize).map(move |round| {
        let until = |round: u64| (u128::from(playouts) * u128::from(round) / u128::from(rounds)) as u64;
        until(round as u64 + 1) - until(round as u64)
    })
}

/// The most playouts of all ranks that may still change what the rank 0 knows, when each has `left` to make, and the
/// others have told nothing of the last `size`.
pub(super) fn to_come(ranks: u64, left: u64, size: u64) -> u64 {
    ranks.saturating_mul(left).saturating_add((ranks - 1).saturating_mul(size))
}

/// One rank in the middle of its rounds.
pub(super) struct InRounds {
    pub(super) tally: Tally,
    began: Instant,
    /// The reason why the search ends early.
    ended: Option<StopReason>,
    failure: Option<SearchError>,
    /// The greatest depth, the best playout and the warnings of all rounds.
    depth: u32,
    best_playout: Option<Plan>,
    warnings: Vec<Warning>,
}

impl InRounds {
    pub(super) fn new() -> InRounds {
        InRounds {
            tally: Tally::default(),
            began: Instant::now(),
            ended: None,
            failure: None,
            depth: 0,
            best_playout: None,
            warnings: Vec::new(),
        }
    }

    /// Makes the playouts of a round. Returns false if there is nothing to search, which is so on every rank.
    pub(super) fn make(&mut self, search: &mut dyn TreeSearch, budget: Budget, see: &mut dyn FnMut(&Report)) -> bool {
        if self.failure.is_some() {
            return true;
        }
        let (tally, began) = (self.tally, self.began);
        let made = search.search(budget.early_stop(false), &mut |report| {
            let so_far = tally.known() + report.iterations;
            see(&report_of_all(report.clone(), so_far, began, StopReason::Running));
        });
        match made {
            Ok(report) if matches!(report.stop, StopReason::GameOver | StopReason::Chance) => return false,
            Ok(report) => self.learn(report),
            Err(error) => self.failure = Some(error),
        }
        true
    }

    /// Keeps what a report says of its round alone.
    fn learn(&mut self, report: Report) {
        self.tally.own += report.iterations;
        self.depth = self.depth.max(report.depth);
        let score = |plan: &Option<Plan>| plan.as_ref().map_or(f64::NEG_INFINITY, |plan| plan.score);
        if score(&report.best_playout) > score(&self.best_playout) {
            self.best_playout = report.best_playout;
        }
        for warning in report.warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        // A tree that can count no more has made what it could.
        if !matches!(report.stop, StopReason::Iterations | StopReason::CounterFull) {
            self.ended = Some(report.stop);
        }
    }

    /// This rank's part of the next sum. `rest` are the playouts of all ranks that are not in the last sum, if the
    /// search may stop early.
    pub(super) fn tell(&mut self, search: &dyn TreeSearch, rest: Option<u64>) -> Vec<i64> {
        if let Some(rest) = rest
            && self.ended.is_none()
            && plays_the_most_visited(search.settings())
            && lead(&search.report()).is_some_and(|lead| lead > rest)
        {
            self.ended = Some(StopReason::Decided);
        }
        let has_proven = self.ended == Some(StopReason::Proven);
        let stop = self.ended.is_some() || self.failure.is_some();
        self.tally.tell(Word { stop, has_proven, ..Word::default() }, search.contribution())
    }

    pub(super) fn hear(&mut self, search: &mut dyn TreeSearch, sums: &[i64]) -> Verdict {
        let verdict = self.tally.hear(sums, |statistics| search.merge(statistics));
        if verdict.stop && self.ended.is_none() {
            self.ended = Some(if verdict.has_proven { StopReason::Proven } else { StopReason::Stopped });
        }
        verdict
    }

    /// The report at the end, after this number of playouts a rank that the limit allowed and that were not made.
    pub(super) fn finish(self, search: &dyn TreeSearch, left: u64) -> Result<Report, SearchError> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        let stop = match self.ended {
            Some(StopReason::Decided) if left == 0 => StopReason::Iterations,
            ended => ended.unwrap_or(StopReason::Iterations),
        };
        let report = report_of_all(search.report(), self.tally.known(), self.began, stop);
        let best_playout = self.best_playout.or(report.best_playout);
        Ok(Report { depth: self.depth, best_playout, warnings: self.warnings, ..report })
    }
}

/// One rank's part of a search of this number of playouts a rank, which the flag of the rank 0 stops.
pub(super) fn search(
    search: &mut dyn TreeSearch,
    link: &mut dyn Communicator,
    terms: &Terms,
    (playouts, stop): (u64, &StopFlag),
    see: &mut dyn FnMut(&Report),
) -> Result<Ended, SearchError> {
    let mut rank = InRounds::new();
    let (mut left, ranks, is_first) = (playouts, link.ranks() as u64, link.rank() == 0);
    let rounds = rounds(playouts, MERGES);
    let mut sums_left = rounds.len();
    let mut length = 0;
    for size in rounds {
        let budget = Budget::iterations(size).or_stopped_by(stop.clone());
        if !rank.make(search, budget, see) {
            return Ok(Ended { report: search.report(), is_degraded: false });
        }
        left -= size;
        let mut is_over = false;
        if length > 0 {
            let Some(sums) = wait(link, rank.began, stop) else {
                return leave(search, link, rank, (length, sums_left), (left, stop));
            };
            is_over = rank.hear(search, &sums).stop;
        }
        // The last round is in the next sum.
        let may_stop = terms.early_stop && is_first && !is_over && left > 0;
        let part = rank.tell(search, may_stop.then(|| to_come(ranks, left, size)));
        length = part.len();
        link.start_sum(part);
        sums_left -= 1;
        if is_over {
            break;
        }
    }
    let Some(sums) = wait(link, rank.began, stop) else {
        return leave(search, link, rank, (length, sums_left), (left, stop));
    };
    rank.hear(search, &sums);
    Ok(Ended { report: rank.finish(search, left)?, is_degraded: false })
}

/// Ends a search whose sum is late. The rank makes the rest of its playouts alone.
fn leave(
    search: &mut dyn TreeSearch,
    link: &mut dyn Communicator,
    mut rank: InRounds,
    (length, sums): (usize, usize),
    (playouts, stop): (u64, &StopFlag),
) -> Result<Ended, SearchError> {
    if link.rank() == 0 {
        link.abandon(Rest { numbers: nothing_but_stop(length), most: sums, after_stop: 1 });
        if rank.ended.is_none() && playouts > 0 {
            rank.make(search, Budget::iterations(playouts).or_stopped_by(stop.clone()), &mut |_| ());
        }
    }
    Ok(Ended { report: degraded(rank.finish(search, playouts)?), is_degraded: true })
}

/// The sum that is under way; `None` if some rank is too late for it.
fn wait(link: &mut dyn Communicator, began: Instant, stop: &StopFlag) -> Option<Vec<i64>> {
    let silence = if link.rank() == 0 { Duration::ZERO } else { SILENCE };
    let mut patience = Instant::now() + PATIENCE + TIMES * began.elapsed() + silence;
    let mut is_stopped = false;
    loop {
        let now = Instant::now();
        if stop.is_raised() && !std::mem::replace(&mut is_stopped, true) {
            patience = patience.min(now + AFTER_STOP);
        }
        let sums = link.wait_for_sum(patience.min(now + LOOK));
        if sums.is_some() || now >= patience {
            return sums;
        }
    }
}
