//! Searches in rounds of as many playouts on every rank, which are the same on every run.

use std::time::{Duration, Instant};

use boughs::{Budget, Report, SearchError, StopFlag, StopReason, TreeSearch};

use super::round::{Tally, Verdict, Word};
use super::{Communicator, Ended, Terms, degraded, lead, plays_the_most_visited, report_of_all};

/// The sums of a search.
pub(super) const MERGES: u64 = 16;

/// The least playouts of a rank between two sums.
const LEAST: u64 = 32;

/// A rank is lost that comes this much later than another, and as many times later as that needed for its own part.
const PATIENCE: Duration = Duration::from_secs(10);
const TIMES: u32 = 4;

/// The time between two looks at a sum that other ranks are late for.
const LOOK: Duration = Duration::from_millis(100);

/// The playouts of each round, with at most this number of rounds.
pub(super) fn rounds(playouts: u64, most: u64) -> impl Iterator<Item = u64> {
    let rounds = (playouts / LEAST).clamp(1, most.max(1));
    (0..rounds).map(move |round| playouts * (round + 1) / rounds - playouts * round / rounds)
}

/// One rank in the middle of its rounds.
pub(super) struct InRounds {
    pub(super) tally: Tally,
    began: Instant,
    /// The reason why the search ends early.
    ended: Option<StopReason>,
    failure: Option<SearchError>,
}

impl InRounds {
    pub(super) fn new() -> InRounds {
        InRounds { tally: Tally::default(), began: Instant::now(), ended: None, failure: None }
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
            Ok(report) => {
                self.tally.own += report.iterations;
                if report.stop != StopReason::Iterations {
                    self.ended = Some(report.stop);
                }
            }
            Err(error) => self.failure = Some(error),
        }
        true
    }

    /// This rank's part of the next sum. `rest` are the playouts of all ranks that are not in the last sum.
    pub(super) fn tell(&mut self, search: &dyn TreeSearch, rest: Option<u64>) -> Vec<i64> {
        if let Some(rest) = rest
            && self.ended.is_none()
            && plays_the_most_visited(search.settings())
            && lead(&search.report()).is_some_and(|lead| lead > rest)
        {
            self.ended = Some(StopReason::Decided);
        }
        let stop = self.ended.is_some() || self.failure.is_some();
        self.tally.tell(Word { stop, ..Word::default() }, search.contribution())
    }

    pub(super) fn hear(&mut self, search: &mut dyn TreeSearch, sums: &[i64]) -> Verdict {
        self.tally.hear(sums, |statistics| search.merge(statistics))
    }

    /// The report at the end of all rounds.
    pub(super) fn finish(self, search: &dyn TreeSearch) -> Result<Report, SearchError> {
        match self.failure {
            Some(error) => Err(error),
            None => {
                let stop = self.ended.unwrap_or(StopReason::Iterations);
                Ok(report_of_all(search.report(), self.tally.known(), self.began, stop))
            }
        }
    }
}

/// One rank's part of a search of this number of playouts a rank.
pub(super) fn search(
    search: &mut dyn TreeSearch,
    link: &mut dyn Communicator,
    terms: &Terms,
    playouts: u64,
    stop: &StopFlag,
    see: &mut dyn FnMut(&Report),
) -> Result<Ended, SearchError> {
    let mut rank = InRounds::new();
    let mut left = playouts;
    let mut is_under_way = false;
    for size in rounds(playouts, MERGES) {
        let budget = Budget::iterations(size).or_stopped_by(stop.clone());
        if !rank.make(search, budget, see) {
            return Ok(Ended { report: search.report(), is_degraded: false });
        }
        left -= size;
        let mut is_over = false;
        if is_under_way {
            let Some(sums) = wait(link, rank.began) else { return Ok(degraded(rank.finish(search)?)) };
            is_over = rank.hear(search, &sums).stop;
        }
        // The last round is in the next sum.
        let (ranks, is_first) = (link.ranks() as u64, link.rank() == 0);
        let rest = (terms.early_stop && is_first && !is_over).then(|| ranks * left + (ranks - 1) * size);
        let part = rank.tell(search, rest);
        link.start_sum(part);
        is_under_way = true;
        if is_over {
            break;
        }
    }
    let Some(sums) = wait(link, rank.began) else { return Ok(degraded(rank.finish(search)?)) };
    rank.hear(search, &sums);
    Ok(Ended { report: rank.finish(search)?, is_degraded: false })
}

/// The sum that is under way; `None` if some rank is lost.
fn wait(link: &mut dyn Communicator, began: Instant) -> Option<Vec<i64>> {
    let patience = Instant::now() + PATIENCE + TIMES * began.elapsed();
    loop {
        let now = Instant::now();
        let sums = link.wait_for_sum(patience.min(now + LOOK));
        if sums.is_some() || now >= patience {
            return sums;
        }
    }
}
