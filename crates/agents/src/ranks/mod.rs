//! One position searched by many processes, each with a tree of its own: the *ranks* of MPI.
//!
//! A few times a second all ranks add up what is new in their trees (`TreeSearch::contribution`) and take over the sum.
//! A sum is under way while the search goes on, so no rank waits for another one. Chaslot, Winands and van den Herik
//! (2008) call it root parallelisation; Bourki et al. (2010) merge more than the root, as here.
//!
//! - [`search`] is one rank's part of a search. All ranks call it with the same [`Terms`]. The rank 0 keeps the clock:
//!   its deadline and its stop flag end the search of all.
//! - [`Ranks`] is an agent that has all ranks in one process, one after the other (logical ranks), to measure what
//!   they are worth without the machines. Under a limit of playouts it finds what the same ranks find by MPI.
//!
//! Under a limit of playouts each rank makes as many in the same number of rounds, and merges between them. Then, with
//! one worker a rank, the result is a function of the seed and the number of ranks.

mod by_playouts;
mod by_time;
mod logical;
mod round;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use boughs::{Budget, Policy, Report, Rng, SearchError, Settings, StopReason, TreeSearch, Warning};

pub use logical::Ranks;

/// The connection of a rank with all others.
pub trait Communicator: Send {
    /// The number of this rank, from 0 on.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn ranks(&self) -> usize;

    /// Starts to add up numbers of all ranks, of which each starts as many sums of as many numbers. One sum is under
    /// way at a time.
    fn start_sum(&mut self, numbers: Vec<i64>);

    /// The sum that was started, if all ranks have taken part by this time.
    fn wait_for_sum(&mut self, until: Instant) -> Option<Vec<i64>>;

    /// Leaves a search whose sum is late, and takes part in its further sums in the background, so that ranks that are
    /// late find the end of the search.
    fn abandon(&mut self, rest: Rest);
}

/// The further sums of a search that the rank 0 has left.
#[derive(Clone, Debug)]
pub struct Rest {
    /// The numbers for each of them. The first number of a sum is that of the ranks that say stop, and these say so.
    pub numbers: Vec<i64>,
    /// The most sums that may come after the one that is late.
    pub most: usize,
    /// The sums that come after the first in which some rank says stop.
    pub after_stop: usize,
}

impl Rest {
    /// Takes part in all that come. The first number of the sum that was late is `stops`, and `sum` makes the next
    /// sum of these numbers and returns its first number.
    pub fn take_part(self, mut stops: i64, mut sum: impl FnMut(&[i64]) -> i64) {
        let (mut most, mut after) = (self.most, self.after_stop);
        while most > 0 && (stops == 0 || after > 0) {
            most -= 1;
            if stops > 0 {
                after -= 1;
            }
            stops += sum(&self.numbers);
        }
    }
}

/// The limits of a search that all ranks know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// The playouts of each rank.
    pub playouts: Option<u64>,
    /// The time from the start of the search.
    pub time: Option<Duration>,
    /// True if the search ends when no other move can overtake the best one.
    pub early_stop: bool,
}

impl Terms {
    /// The terms of a budget at this moment.
    pub fn of(budget: &Budget) -> Terms {
        Terms {
            playouts: budget.most_iterations(),
            time: budget.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now())),
            early_stop: budget.stops_early(),
        }
    }
}

/// The end of a search of all ranks.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The report, with the playouts of all ranks.
    pub report: Report,
    /// True if some rank was late at the end, so that the report has what all had found before. On the rank 0 the
    /// search was [abandoned](Communicator::abandon); the others are not in the same position any more, or not with the
    /// same tree. Another rank gives up its search only when the rank 0 gives no sign for long.
    pub is_degraded: bool,
}

/// The seed of a rank. The rank 0 has that of the settings.
pub fn seed_of_rank(seed: u64, rank: usize) -> u64 {
    match rank {
        0 => seed,
        _ => Rng::new(seed, SEEDS - rank as u64).bits(),
    }
}

/// The random streams of seeds count down from here, far from those of playouts.
const SEEDS: u64 = u64::MAX / 8;

/// Builds the search of one rank.
///
/// # Errors
/// If the settings do not go with the game or with ranks, or the memory or the threads cannot be had.
pub fn build(
    position: &dyn boughs::Session,
    settings: &Settings,
    rank: usize,
) -> Result<Box<dyn TreeSearch>, SearchError> {
    if matches!(settings.policy, Policy::Gumbel | Policy::RegretMatching) {
        let instead = Settings { policy: Policy::Ucb1, ..settings.clone() };
        let this = Settings { policy: settings.policy, ..Settings::default() };
        return Err(SearchError::Unsupported {
            reason: format!("ranks add up visits, which are not what '{this}' chooses its move by"),
            instead: instead.to_string(),
        });
    }
    let settings = Settings { seed: seed_of_rank(settings.seed, rank), ..settings.clone() };
    let mut search = crate::tree_search(position, settings)?;
    search.start_merging();
    Ok(search)
}

/// Searches together with all other ranks, which call this with the same terms. The budget is that of the terms; its
/// deadline and its stop flag count on rank 0 alone. `see` is called some twenty times a second with the report so far.
///
/// # Errors
/// If there is no memory for the first node, or the game panics. The other ranks end their search then.
pub fn search(
    search: &mut dyn TreeSearch,
    link: &mut dyn Communicator,
    terms: &Terms,
    budget: Budget,
    see: &mut dyn FnMut(&Report),
) -> Result<Ended, SearchError> {
    match (terms.playouts, terms.time) {
        (Some(playouts), None) => by_playouts::search(search, link, terms, (playouts, &budget.stop_flag()), see),
        _ => by_time::search(search, link, terms, budget, see),
    }
}

/// The report of all ranks: that of a search that has merged, with the number of playouts of all.
fn report_of_all(report: Report, iterations: u64, began: Instant, stop: StopReason) -> Report {
    let of_all: u64 = report.children.iter().map(|child| child.playouts).sum();
    let seconds = began.elapsed().as_secs_f64();
    // Another rank counts its playouts after it has told their visits, and may have made some more.
    let iterations = iterations.min(of_all);
    Report {
        iterations,
        inherited: of_all.saturating_sub(iterations),
        seconds,
        playouts_per_second: iterations as f64 / seconds.max(1e-9),
        stop,
        ..report
    }
}

/// The lead in playouts of the most played move over the next; none if only one move is legal.
fn lead(report: &Report) -> Option<u64> {
    let mut playouts: Vec<u64> = report.children.iter().map(|child| child.playouts).collect();
    playouts.sort_unstable();
    let [.., second, first] = playouts[..] else { return None };
    Some(first - second)
}

/// Returns true if the settings play the move with the most playouts.
fn plays_the_most_visited(settings: &Settings) -> bool {
    settings.final_move == boughs::FinalMove::MostPlayouts && settings.temperature == 0.0 && !settings.solver
}

/// The report of a search whose last sum was late.
fn degraded(mut report: Report) -> Report {
    report.warnings.push(Warning::RankLost);
    report
}

/// The time that ranks other than the first wait for a sum after the first would have given it up.
const SILENCE: Duration = Duration::from_secs(30);

/// The most time that the rank 0 waits for a sum after its search was stopped.
const AFTER_STOP: Duration = Duration::from_millis(300);
