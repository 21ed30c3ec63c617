//! Logical ranks: all ranks in one process, one after the other.

use std::thread;

use boughs::memory::fault_beside;
use boughs::spec::{Key, Spec, SpecError, text};
use boughs::{Agent, Budget, Choice, Report, SearchError, Session, Settings, TreeSearch};

use super::by_playouts::{InRounds, MERGES, MOST_MERGES, rounds, to_come};
use crate::entry::Build;

/// The options of logical ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// The number of ranks.
    pub ranks: u32,
    /// The number of times that they merge during a search.
    pub merges: u64,
    /// The number of threads, each of which makes the playouts of some ranks; 0 for as many as there are cores. The
    /// result does not depend on it.
    pub threads: usize,
    /// The settings of each rank. The memory is that of all together.
    pub settings: Settings,
}

impl Default for Ranks {
    fn default() -> Ranks {
        Ranks { ranks: 4, merges: MERGES, threads: 1, settings: Settings::default() }
    }
}

/// The keys of a search that a rank has not: it has one thread.
const NOT_OF_RANKS: [&str; 2] = ["threads", "parallel"];

impl Spec for Ranks {
    const NAME: &'static str = "ranks";
    const SUMMARY: &'static str =
        "root parallelisation as over many machines, one rank after the other, to measure what ranks are worth";
    const REMOVED: &'static [(&'static str, &'static str)] = Settings::REMOVED;

    fn keys() -> Vec<Key<Ranks>> {
        let mut keys = vec![
            Key::number(
                "ranks",
                "searches that merge; each makes the playouts of the limit",
                1..=4096,
                |set: &mut Ranks| &mut set.ranks,
            ),
            Key::number(
                "merges",
                "times that they merge during a search, but not more often than every 32 playouts",
                1..=MOST_MERGES,
                |set: &mut Ranks| &mut set.merges,
            ),
        ];
        keys.push(
            Key::threads(|set: &mut Ranks| &mut set.threads)
                .help("threads that search, each for some of the ranks, 0 for all cores"),
        );
        let of_search = Settings::keys().into_iter().filter(|key| !NOT_OF_RANKS.contains(&key.name));
        keys.extend(of_search.map(|key| key.of_part(|set: &mut Ranks| &mut set.settings)));
        keys
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.settings.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn idle_key(&self) -> Option<&'static str> {
        self.settings.idle_key()
    }
}

/// The memory of a rank beside its tree: its thread, its tables and its reports.
const A_RANK: usize = 160 << 10;

/// The memory of what a rank knows of an action after two actions.
const AN_ACCOUNT: usize = 128;

impl Ranks {
    /// The most memory of all ranks beside their trees.
    fn memory_beside(&self, position: &dyn Session) -> usize {
        let mut actions = Vec::new();
        position.actions(&mut actions);
        let facts = position.facts();
        let a_rank = A_RANK + actions.len() * actions.len() * AN_ACCOUNT + facts.position_bytes;
        // As many ranks as there are threads search at a time.
        let at_work = Settings { threads: self.threads, ..self.settings.clone() }.memory_beside(&facts);
        (self.ranks as usize).saturating_mul(a_rank).saturating_add(at_work)
    }

    /// The error of one rank, with the nearest settings of all ranks in place of those of one.
    fn of_all(&self, error: SearchError) -> SearchError {
        match error {
            SearchError::Unsupported { reason, instead } => SearchError::Unsupported {
                instead: instead.parse().map_or(instead, |nearest: Settings| {
                    let settings = Settings { memory: self.settings.memory, ..nearest };
                    text(&Ranks { settings, ..self.clone() })
                }),
                reason,
            },
            other => other,
        }
    }
}

impl Build for Ranks {
    fn memory(&self, position: &dyn Session) -> usize {
        self.settings.memory.saturating_add(self.memory_beside(position))
    }

    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        if let Some(fault) = fault_beside(self.memory_beside(position), self.settings.memory, "ranks") {
            return Err(SearchError::Setting(SpecError::new(fault)));
        }
        let settings = Settings { memory: self.settings.memory / self.ranks.max(1) as usize, ..self.settings.clone() };
        let ranks: Result<Vec<_>, _> =
            (0..self.ranks as usize).map(|rank| super::build(position, &settings, rank)).collect();
        let ranks = ranks.map_err(|error| self.of_all(error))?;
        let threads = match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        Ok(Box::new(LogicalRanks { ranks, merges: self.merges, threads }))
    }
}

/// Playouts of a rank between two sums if they have no limit.
const WITHOUT_LIMIT: u64 = 256;

/// The ranks of one search.
struct LogicalRanks {
    ranks: Vec<Box<dyn TreeSearch>>,
    merges: u64,
    threads: usize,
}

impl LogicalRanks {
    /// The playouts of the rounds of a budget.
    fn rounds(&self, budget: &Budget) -> Box<dyn Iterator<Item = u64>> {
        match budget.most_iterations() {
            Some(playouts) => Box::new(rounds(playouts, self.merges)),
            None => Box::new(std::iter::repeat(WITHOUT_LIMIT)),
        }
    }

    /// Lets every rank take over a sum. Returns true if some rank says stop in it.
    fn hear(&mut self, rounds: &mut [InRounds], sums: &[i64]) -> bool {
        let mut stop = false;
        for (search, rank) in self.ranks.iter_mut().zip(rounds) {
            stop |= rank.hear(&mut **search, sums).stop;
        }
        stop
    }

    /// Makes a round on every rank. Returns false if there is nothing to search.
    fn make(&mut self, rounds: &mut [InRounds], size: u64, budget: &Budget, see: &mut dyn FnMut(&Report)) -> bool {
        let limited = Budget::iterations(size).or_stopped_by(budget.stop_flag());
        let limited = budget.deadline().map_or(limited.clone(), |deadline| limited.or_until(deadline));
        if self.threads == 1 {
            return self
                .ranks
                .iter_mut()
                .zip(rounds)
                .all(|(search, rank)| rank.make(&mut **search, limited.clone(), see));
        }
        let some = self.ranks.len().div_ceil(self.threads).max(1);
        thread::scope(|scope| {
            let limited = &limited;
            let make = |(searches, rounds): (&mut [Box<dyn TreeSearch>], &mut [InRounds])| {
                let make = |(search, rank): (&mut Box<dyn TreeSearch>, &mut InRounds)| {
                    rank.make(&mut **search, limited.clone(), &mut |_| ())
                };
                searches.iter_mut().zip(rounds).all(make)
            };
            let parts = self.ranks.chunks_mut(some).zip(rounds.chunks_mut(some));
            let running: Vec<_> = parts.map(|part| scope.spawn(move || make(part))).collect();
            running.into_iter().all(|part| part.join().unwrap_or(false))
        })
    }
}

impl Agent for LogicalRanks {
    fn position(&self) -> &dyn Session {
        self.ranks[0].position()
    }

    fn search(&mut self, budget: Budget, see: &mut dyn FnMut(&Report)) -> Result<Report, SearchError> {
        let mut all: Vec<InRounds> = self.ranks.iter().map(|_| InRounds::new()).collect();
        let count = self.ranks.len() as u64;
        let mut left = budget.most_iterations();
        let mut under_way: Option<Vec<i64>> = None;
        let mut is_over = false;
        for size in self.rounds(&budget) {
            if !self.make(&mut all, size, &budget, see) {
                break;
            }
            left = left.map(|left| left - size);
            if let Some(sums) = under_way.take() {
                is_over = self.hear(&mut all, &sums);
            }
            let may_stop = budget.stops_early() && !is_over;
            let mut rest = left.filter(|&left| may_stop && left > 0).map(|left| to_come(count, left, size));
            let mut parts = Vec::new();
            for (search, rank) in self.ranks.iter().zip(&mut all) {
                // The first rank decides.
                parts.push(rank.tell(&**search, rest.take()));
            }
            under_way = Some(sum(&parts));
            if is_over {
                break;
            }
        }
        if let Some(sums) = under_way {
            self.hear(&mut all, &sums);
        }
        let mut reports =
            all.into_iter().zip(&self.ranks).map(|(rank, search)| rank.finish(&**search, left.unwrap_or(1)));
        let first = reports.next().expect("there is one rank at least")?;
        let bytes = reports.try_fold(first.bytes, |bytes, report| Ok::<_, SearchError>(bytes + report?.bytes))?;
        Ok(Report { bytes, ..first })
    }

    fn choose(&mut self, budget: Budget) -> Result<Choice, SearchError> {
        self.search(budget, &mut |_| ()).map(|report| Choice::from(&report))
    }

    fn advance(&mut self, action: u32) -> Result<(), SearchError> {
        self.ranks.iter_mut().try_for_each(|rank| rank.advance(action))
    }

    fn reset(&mut self, position: &dyn Session) -> Result<(), SearchError> {
        self.ranks.iter_mut().try_for_each(|rank| rank.reset(position))
    }

    fn begin(&mut self, position: &dyn Session, seed: u64) -> Result<(), SearchError> {
        let number =
            |(number, rank): (usize, &mut Box<dyn TreeSearch>)| rank.begin(position, super::seed_of_rank(seed, number));
        self.ranks.iter_mut().enumerate().try_for_each(number)
    }
}

/// The sum of the parts of all ranks.
fn sum(parts: &[Vec<i64>]) -> Vec<i64> {
    let mut sums = parts.first().cloned().unwrap_or_default();
    for part in &parts[1..] {
        sums.iter_mut().zip(part).for_each(|(sum, number)| *sum = sum.wrapping_add(*number));
    }
    sums
}
