//! The configurations that play against one thread, and their tables.

use boughs::{InFlight, Parallel, Settings};
use boughs_agents::AgentSpec;
use boughs_agents::ranks::Ranks;
use boughs_arena::{Contestant, Limit};
use serde::Serialize;

use super::StrengthPlan;
use crate::scale::Mode;

/// A configuration that plays against one thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Config {
    /// A parallel search.
    Threads {
        /// The kind of parallelisation.
        mode: Mode,
        /// The number of threads.
        threads: usize,
    },
    /// Logical workers: one thread with playouts in flight.
    Workers {
        /// The rule by which traversals see them; `None` for one playout in flight, which no traversal sees.
        rule: Option<InFlight>,
        /// The number of playouts in flight.
        workers: u32,
    },
    /// Logical ranks: one thread with a tree for each rank, which merge during a search.
    Ranks {
        /// The number of ranks, each of which makes the playouts of the limit.
        ranks: u32,
    },
    /// One thread with a larger or smaller limit, a point of the handicap curve.
    Alone {
        /// The time or the playouts as a multiple of the opponent's.
        times: f64,
    },
}

/// The name of one worker, for which the rules make no difference.
pub const ANY_RULE: &str = "any rule";

/// A table of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Threads at equal playouts: the cost of searching in parallel.
    Price,
    /// Threads at equal time: the net gain.
    Gain,
    /// Logical workers, at equal playouts.
    Workers,
    /// Logical ranks, at equal playouts of each.
    Ranks,
    /// One thread against itself with larger and smaller limits: the handicap curve, called yardstick in reports.
    #[serde(rename = "yardstick")]
    HandicapCurve,
}

impl Kind {
    /// All tables, in the order of the report.
    pub const ALL: [Kind; 5] = [Kind::Price, Kind::Gain, Kind::Workers, Kind::Ranks, Kind::HandicapCurve];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Price => "price",
            Kind::Gain => "gain",
            Kind::Workers => "workers",
            Kind::Ranks => "ranks",
            Kind::HandicapCurve => "yardstick",
        }
    }

    /// The title of the table.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Price => "Threads at equal playouts: the price of being parallel",
            Kind::Gain => "Threads at equal time: the net gain",
            Kind::Workers => "Logical workers at equal playouts: what playouts in flight cost",
            Kind::Ranks => "Ranks at equal playouts of each: what trees that merge are worth",
            Kind::HandicapCurve => "One thread with more or less to think: the yardstick",
        }
    }
}

impl Config {
    /// The table of the configuration.
    pub fn kind(self, limit: Limit) -> Kind {
        match (self, limit) {
            (Config::Threads { .. }, Limit::Playouts(_)) => Kind::Price,
            (Config::Threads { .. }, Limit::Time(_)) => Kind::Gain,
            (Config::Workers { .. }, _) => Kind::Workers,
            (Config::Ranks { .. }, _) => Kind::Ranks,
            (Config::Alone { .. }, _) => Kind::HandicapCurve,
        }
    }

    /// The name of its row.
    pub fn name(self) -> String {
        match self {
            Config::Threads { mode, .. } => mode.name().to_string(),
            Config::Workers { rule: None, .. } => ANY_RULE.to_string(),
            Config::Workers { rule: Some(InFlight::Unobserved), .. } => "WU-UCT".to_string(),
            Config::Workers { rule: Some(InFlight::VirtualLoss(0)), .. } => "nothing shown".to_string(),
            Config::Workers { rule: Some(InFlight::VirtualLoss(visits)), .. } => format!("virtual loss {visits}"),
            Config::Ranks { .. } => "merging ranks".to_string(),
            Config::Alone { .. } => "one thread".to_string(),
        }
    }

    /// The number of threads, workers or ranks, or the multiple of the limit.
    pub fn size(self) -> f64 {
        match self {
            Config::Threads { threads, .. } => threads as f64,
            Config::Workers { workers, .. } => f64::from(workers),
            Config::Ranks { ranks } => f64::from(ranks),
            Config::Alone { times } => times,
        }
    }

    /// The one thread that is the opponent of every configuration. If playouts are limited it does one traversal at a
    /// time, as in the textbook; if time is limited it is as fast as it can be.
    pub(super) fn one_thread(settings: &Settings, limit: Limit) -> Contestant {
        let alone = Settings { threads: 1, parallel: Parallel::Shared, ..settings.clone() };
        agent(match limit {
            Limit::Playouts(_) => Settings { traversals: 1, ..alone },
            Limit::Time(_) => alone,
        })
    }

    /// The agent, or the agent with odds.
    pub(super) fn contestant(self, settings: &Settings, limit: Limit) -> Contestant {
        let batched = Settings { threads: 1, parallel: Parallel::Batched, ..settings.clone() };
        match self {
            // The games are the same at any number of threads, and threads of one game would take cores from another.
            Config::Threads { mode: Mode::Batched, .. } if matches!(limit, Limit::Playouts(_)) => agent(batched),
            Config::Threads { mode, threads } => {
                let parallel = mode.parallel().unwrap_or(Parallel::Shared);
                agent(Settings { threads, parallel, ..settings.clone() })
            }
            Config::Workers { rule, workers } => {
                agent(Settings { in_flight: rule.unwrap_or(settings.in_flight), batch: workers, ..batched })
            }
            // Each rank searches in the same way as the one thread that it meets.
            Config::Ranks { ranks } => {
                let settings = Settings { traversals: 1, ..settings.clone() };
                Contestant::Agent(AgentSpec::from(Ranks { ranks, settings, ..Ranks::default() }))
            }
            Config::Alone { times: 1.0 } => Config::one_thread(settings, limit),
            Config::Alone { times } => match Config::one_thread(settings, limit) {
                Contestant::Agent(agent) => Contestant::Odds(times, agent),
                other => other,
            },
        }
    }
}

fn agent(settings: Settings) -> Contestant {
    Contestant::Agent(settings.into())
}

/// The least multiple of the handicap curve at equal playouts. A parallel search plays as well as one thread with fewer
/// playouts, and ranks as well as one with more.
const LEAST_OF_THREADS: f64 = 0.125;
const LEAST: f64 = 0.5;

/// The greatest multiple for ranks. Its games take as long as those of as many ranks.
const MOST_OF_RANKS: u32 = 32;

/// All configurations of a plan, in the order of the report.
pub(super) fn all(plan: &StrengthPlan) -> Vec<(Config, Limit)> {
    let most_threads = plan.threads.iter().copied().max().unwrap_or(1) as u32;
    let limits = [plan.playouts.map(Limit::Playouts), plan.time.map(Limit::Time)];
    let mut all = Vec::new();
    for limit in limits.into_iter().flatten() {
        let threads = threads(plan).into_iter();
        let (logical, times) = match limit {
            Limit::Playouts(_) => ([workers(plan), ranks(plan)].concat(), playouts(plan)),
            Limit::Time(_) => (Vec::new(), doublings(LEAST, most_threads)),
        };
        let alone = times.into_iter().map(|times| Config::Alone { times });
        all.extend(threads.chain(logical).chain(alone).map(|config| (config, limit)));
    }
    all
}

/// Every mode with every number of threads, except the one thread itself.
fn threads(plan: &StrengthPlan) -> Vec<Config> {
    let mut threads = plan.threads.clone();
    threads.sort_unstable();
    threads.dedup();
    let of_mode = |mode| {
        threads
            .iter()
            .filter(move |&&threads| threads > 1 || mode == Mode::Batched)
            .map(move |&threads| Config::Threads { mode, threads })
    };
    Mode::SEARCHES.into_iter().filter(|mode| plan.modes.contains(mode)).flat_map(of_mode).collect()
}

/// Every rule with every number of playouts in flight; one playout in flight stands for all rules.
fn workers(plan: &StrengthPlan) -> Vec<Config> {
    let mut workers = plan.workers.clone();
    workers.sort_unstable();
    workers.dedup();
    let one = workers.contains(&1).then_some(Config::Workers { rule: None, workers: 1 });
    let of_rule = |&rule| {
        let several = workers.iter().filter(|&&workers| workers > 1);
        several.map(move |&workers| Config::Workers { rule: Some(rule), workers })
    };
    one.into_iter().chain(plan.rules.iter().flat_map(of_rule)).collect()
}

fn ranks(plan: &StrengthPlan) -> Vec<Config> {
    let mut ranks = plan.ranks.clone();
    ranks.sort_unstable();
    ranks.dedup();
    ranks.into_iter().map(|ranks| Config::Ranks { ranks }).collect()
}

/// The handicap curve at equal playouts, as far as the configurations of the plan may need it.
fn playouts(plan: &StrengthPlan) -> Vec<f64> {
    let has_ranks_alone = !plan.ranks.is_empty() && plan.threads.is_empty() && plan.workers.is_empty();
    let most = plan.ranks.iter().copied().max().unwrap_or(1);
    doublings(if has_ranks_alone { LEAST } else { LEAST_OF_THREADS }, most.min(MOST_OF_RANKS))
}

/// Powers of two from the least to the number of threads or ranks, rounded up, and at least to two.
fn doublings(least: f64, count: u32) -> Vec<f64> {
    let most = f64::from(count.max(2).next_power_of_two());
    std::iter::successors(Some(least), |times| Some(times * 2.0)).take_while(|&times| times <= most).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::synthetic::plan;
    use super::*;

    fn texts(limit: Limit, configs: impl IntoIterator<Item = Config>) -> Vec<String> {
        configs.into_iter().map(|config| config.contestant(&Settings::default(), limit).to_string()).collect()
    }

    #[test]
    fn workers_are_playouts_in_flight_of_one_thread() {
        let plan =
            StrengthPlan { workers: vec![8, 1], rules: vec![InFlight::VirtualLoss(1), InFlight::Unobserved], ..plan() };
        assert_eq!(
            texts(Limit::Playouts(100), workers(&plan)),
            ["mcts:parallel=batched,batch=1", "mcts:parallel=batched,batch=8", "mcts:loss=wu,parallel=batched,batch=8"]
        );
    }

    #[test]
    fn one_thread_does_not_meet_itself_and_batches_are_the_same_at_any_number_of_threads() {
        let plan = StrengthPlan { modes: Mode::SEARCHES.to_vec(), threads: vec![1, 4], ..plan() };
        let configs = threads(&plan);
        assert_eq!(
            texts(Limit::Time(Duration::from_secs(10)), configs.clone()),
            [
                "mcts:threads=4",
                "mcts:threads=4,parallel=independent",
                "mcts:parallel=batched",
                "mcts:threads=4,parallel=batched"
            ]
        );
        assert_eq!(texts(Limit::Playouts(9), configs)[2..], ["mcts:parallel=batched", "mcts:parallel=batched"]);
    }

    #[test]
    fn the_handicap_curve_is_one_thread_with_odds() {
        let alone = [0.5, 1.0, 4.0].map(|times| Config::Alone { times });
        assert_eq!(
            texts(Limit::Playouts(9), alone),
            ["0.5x:mcts:traversals=1", "mcts:traversals=1", "4x:mcts:traversals=1"]
        );
        assert_eq!(texts(Limit::Time(Duration::from_secs(10)), alone), ["0.5x:mcts", "mcts", "4x:mcts"]);
        assert_eq!(doublings(0.5, 1), [0.5, 1.0, 2.0]);
        assert_eq!(doublings(0.5, 6), [0.5, 1.0, 2.0, 4.0, 8.0]);
    }

    #[test]
    fn ranks_search_as_the_one_thread_does_and_the_curve_goes_as_far_as_they_may() {
        let alone = StrengthPlan { threads: vec![], workers: vec![], ranks: vec![8, 1, 8, 4], ..plan() };
        let limit = Limit::Playouts(100);
        assert_eq!(
            texts(limit, ranks(&alone)),
            ["ranks:ranks=1,traversals=1", "ranks:traversals=1", "ranks:ranks=8,traversals=1"]
        );
        let settings =
            Settings { threads: 4, parallel: Parallel::Independent, exploration: 0.4, ..Settings::default() };
        let two = Config::Ranks { ranks: 2 }.contestant(&settings, limit).to_string();
        assert_eq!(two, "ranks:ranks=2,c=0.4,traversals=1");
        let curve = |ranks: &[u32]| playouts(&StrengthPlan { ranks: ranks.to_vec(), ..alone.clone() });
        assert_eq!(curve(&[1, 5]), [0.5, 1.0, 2.0, 4.0, 8.0]);
        assert_eq!(curve(&[1024]), [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
        assert_eq!(playouts(&plan()), [0.125, 0.25, 0.5, 1.0, 2.0]);
        assert_eq!(playouts(&StrengthPlan { ranks: vec![4], ..plan() })[..2], [0.125, 0.25]);
        let of_time = StrengthPlan { playouts: None, time: Some(Duration::from_millis(9)), ..alone };
        assert!(all(&of_time).iter().all(|(config, _)| matches!(config, Config::Alone { .. })));
    }
}
