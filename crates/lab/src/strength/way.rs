//! Who meets one thread, and in which table that stands.

use boughs::{AgentSpec, InFlight, Parallel, Settings};
use boughs_arena::{Contestant, Limit};
use serde::Serialize;

use super::Plan;
use crate::scale::Mode;

/// Who meets one thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// Threads that share the work.
    Threads {
        /// How.
        mode: Mode,
        /// How many.
        threads: usize,
    },
    /// Logical workers: one thread with playouts in flight.
    Workers {
        /// How these are shown to each other; with one in flight there is nothing to show.
        rule: Option<InFlight>,
        /// How many playouts are in flight.
        workers: u32,
    },
    /// One thread that may think longer, or not as long.
    Alone {
        /// How many times the time or the playouts of the other.
        times: f64,
    },
}

/// What one worker is called, for whom no rule makes a difference.
pub(super) const ANY_RULE: &str = "any rule";

/// The table a line stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Threads at equal playouts: the price of being parallel.
    Price,
    /// Threads at equal time: the net gain.
    Gain,
    /// Logical workers, at equal playouts.
    Workers,
    /// One thread against itself with more or less to think.
    Yardstick,
}

impl Kind {
    /// All of them, in the order of the report.
    pub const ALL: [Kind; 4] = [Kind::Price, Kind::Gain, Kind::Workers, Kind::Yardstick];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Price => "price",
            Kind::Gain => "gain",
            Kind::Workers => "workers",
            Kind::Yardstick => "yardstick",
        }
    }

    /// What its table says.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Price => "Threads at equal playouts: the price of being parallel",
            Kind::Gain => "Threads at equal time: the net gain",
            Kind::Workers => "Logical workers at equal playouts: what playouts in flight cost",
            Kind::Yardstick => "One thread with more or less to think: the yardstick",
        }
    }
}

impl Way {
    /// The table it stands in.
    pub fn kind(self, limit: Limit) -> Kind {
        match (self, limit) {
            (Way::Threads { .. }, Limit::Playouts(_)) => Kind::Price,
            (Way::Threads { .. }, Limit::Time(_)) => Kind::Gain,
            (Way::Workers { .. }, _) => Kind::Workers,
            (Way::Alone { .. }, _) => Kind::Yardstick,
        }
    }

    /// What it is called.
    pub fn name(self) -> String {
        match self {
            Way::Threads { mode, .. } => mode.name().to_string(),
            Way::Workers { rule: None, .. } => ANY_RULE.to_string(),
            Way::Workers { rule: Some(InFlight::Unobserved), .. } => "WU-UCT".to_string(),
            Way::Workers { rule: Some(InFlight::VirtualLoss(0)), .. } => "nothing shown".to_string(),
            Way::Workers { rule: Some(InFlight::VirtualLoss(visits)), .. } => format!("virtual loss {visits}"),
            Way::Alone { .. } => "one thread".to_string(),
        }
    }

    /// How many threads or workers it has, or how many times as much to think.
    pub fn size(self) -> f64 {
        match self {
            Way::Threads { threads, .. } => threads as f64,
            Way::Workers { workers, .. } => f64::from(workers),
            Way::Alone { times } => times,
        }
    }

    /// The one thread that everybody meets. Where playouts are counted it has one descent under way, as in the textbook; where
    /// time is, it is as fast as it can be.
    pub(super) fn one_thread(settings: &Settings, limit: Limit) -> Contestant {
        let alone = Settings { threads: 1, parallel: Parallel::Shared, ..settings.clone() };
        agent(match limit {
            Limit::Playouts(_) => Settings { descents: 1, ..alone },
            Limit::Time(_) => alone,
        })
    }

    /// The agent or its odds.
    pub(super) fn contestant(self, settings: &Settings, limit: Limit) -> Contestant {
        let batched = Settings { threads: 1, parallel: Parallel::Batched, ..settings.clone() };
        match self {
            // The games are the same at any number of threads, and threads of one table would take cores from another.
            Way::Threads { mode: Mode::Batched, .. } if matches!(limit, Limit::Playouts(_)) => agent(batched),
            Way::Threads { mode, threads } => {
                let parallel = mode.parallel().unwrap_or(Parallel::Shared);
                agent(Settings { threads, parallel, ..settings.clone() })
            }
            Way::Workers { rule, workers } => {
                agent(Settings { in_flight: rule.unwrap_or(settings.in_flight), batch: workers, ..batched })
            }
            Way::Alone { times: 1.0 } => Way::one_thread(settings, limit),
            Way::Alone { times } => match Way::one_thread(settings, limit) {
                Contestant::Agent(agent) => Contestant::Odds(times, agent),
                other => other,
            },
        }
    }
}

fn agent(settings: Settings) -> Contestant {
    Contestant::Agent(AgentSpec::Mcts(settings).into())
}

/// How many times the playouts one thread is given to find what a parallel search is worth. Hardly anybody is stronger than
/// one thread with as many playouts.
const PLAYOUTS: [f64; 5] = [0.125, 0.25, 0.5, 1.0, 2.0];

/// Everybody a plan asks for, in the order of the report.
pub(super) fn all(plan: &Plan) -> Vec<(Way, Limit)> {
    let most_threads = plan.threads.iter().copied().max().unwrap_or(1);
    let limits = [plan.playouts.map(Limit::Playouts), plan.time.map(Limit::Time)];
    let mut all = Vec::new();
    for limit in limits.into_iter().flatten() {
        let threads = threads(plan).into_iter();
        let (workers, times) = match limit {
            Limit::Playouts(_) => (workers(plan), PLAYOUTS.to_vec()),
            Limit::Time(_) => (Vec::new(), doublings(most_threads)),
        };
        let alone = times.into_iter().map(|times| Way::Alone { times });
        all.extend(threads.chain(workers).chain(alone).map(|way| (way, limit)));
    }
    all
}

/// Every mode with every number of threads, but not what is the one thread itself.
fn threads(plan: &Plan) -> Vec<Way> {
    let mut threads = plan.threads.clone();
    threads.sort_unstable();
    threads.dedup();
    let of_mode = |mode| {
        threads
            .iter()
            .filter(move |&&threads| threads > 1 || mode == Mode::Batched)
            .map(move |&threads| Way::Threads { mode, threads })
    };
    Mode::SEARCHES.into_iter().filter(|mode| plan.modes.contains(mode)).flat_map(of_mode).collect()
}

/// Every rule with every number of playouts in flight; one playout in flight stands for all rules.
fn workers(plan: &Plan) -> Vec<Way> {
    let mut workers = plan.workers.clone();
    workers.sort_unstable();
    workers.dedup();
    let one = workers.contains(&1).then_some(Way::Workers { rule: None, workers: 1 });
    let of_rule = |&rule| {
        let several = workers.iter().filter(|&&workers| workers > 1);
        several.map(move |&workers| Way::Workers { rule: Some(rule), workers })
    };
    one.into_iter().chain(plan.rules.iter().flat_map(of_rule)).collect()
}

/// From a half to as many times as there are threads, or a little more.
fn doublings(threads: usize) -> Vec<f64> {
    let most = threads.max(2).next_power_of_two() as f64;
    std::iter::successors(Some(0.5), |times| Some(times * 2.0)).take_while(|&times| times <= most).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::plan;
    use super::*;

    fn texts(limit: Limit, ways: impl IntoIterator<Item = Way>) -> Vec<String> {
        ways.into_iter().map(|way| way.contestant(&Settings::default(), limit).to_string()).collect()
    }

    #[test]
    fn workers_are_playouts_in_flight_of_one_thread() {
        let plan = Plan { workers: vec![8, 1], rules: vec![InFlight::VirtualLoss(1), InFlight::Unobserved], ..plan() };
        assert_eq!(
            texts(Limit::Playouts(100), workers(&plan)),
            ["mcts:parallel=batched,batch=1", "mcts:parallel=batched,batch=8", "mcts:loss=wu,parallel=batched,batch=8"]
        );
    }

    #[test]
    fn one_thread_does_not_meet_itself_and_batches_are_the_same_at_any_number_of_threads() {
        let plan = Plan { modes: Mode::SEARCHES.to_vec(), threads: vec![1, 4], ..plan() };
        let ways = threads(&plan);
        assert_eq!(
            texts(Limit::Time(plan.grace), ways.clone()),
            [
                "mcts:threads=4",
                "mcts:threads=4,parallel=independent",
                "mcts:parallel=batched",
                "mcts:threads=4,parallel=batched"
            ]
        );
        assert_eq!(texts(Limit::Playouts(9), ways)[2..], ["mcts:parallel=batched", "mcts:parallel=batched"]);
    }

    #[test]
    fn the_yardstick_is_one_thread_with_odds() {
        let alone = [0.5, 1.0, 4.0].map(|times| Way::Alone { times });
        assert_eq!(texts(Limit::Playouts(9), alone), ["0.5x:mcts:descents=1", "mcts:descents=1", "4x:mcts:descents=1"]);
        assert_eq!(texts(Limit::Time(plan().grace), alone), ["0.5x:mcts", "mcts", "4x:mcts"]);
        assert_eq!(doublings(1), [0.5, 1.0, 2.0]);
        assert_eq!(doublings(6), [0.5, 1.0, 2.0, 4.0, 8.0]);
    }
}
