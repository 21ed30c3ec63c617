//! Strength by threads, in games: the cost of searching in parallel, and the gain.
//!
//! Every configuration plays against one thread. At equal playouts a parallel search can only be weaker: its traversals
//! do not know yet the results of those still under way, and the games measure that cost. At equal time it makes more
//! playouts, and the games measure the net gain. The playouts or the time that one thread needs to play as well are
//! read off a [handicap curve](Config::Alone), the yardstick of the report: one thread with half the limit, twice the
//! limit, and so on, against itself. At equal time the result is the strength speed-up of Chaslot, Winands and Van den
//! Herik (2008).
//!
//! **Logical workers** need no cores: one thread with `parallel=batched,batch=W` selects leaves before it knows the
//! rewards of those in flight, and adds rewards in a fixed order, as if W processors without any other cost were at
//! work (the idealised machine of Segal 2010). A batch has two halves, and one is selected while the other is in
//! flight: a traversal sees from W/2 to W - 1 others that have not come back, three quarters of W on average. With W =
//! 1 it sees none.
//!
//! **Logical ranks** are root parallelisation as over many machines, in one thread: each rank has a tree, makes all the
//! playouts of the limit, and merges with the others during the search. On as many machines a move takes as long as
//! that of one thread, so the strength speed-up of ranks is the multiple of playouts that one thread needs to play as
//! well.
//!
//! Every game is kept in a store. Only missing games are played, so the same plan continues where it was interrupted,
//! and a wider plan plays only its new games.

mod config;
mod experiment;
mod handicap_curve;
mod report;
mod row;
mod series;
mod solved_test;
#[doc(hidden)]
pub mod synthetic;

use std::time::Duration;

use boughs::{InFlight, Settings};
use boughs_arena::{Conditions, Limit, Openings};
use boughs_games::in_match;

use crate::scale::Mode;

pub use config::{ANY_RULE, Config, Kind};
pub use experiment::StrengthExperiment;
pub use report::StrengthReport;
pub use row::StrengthRow;

/// The configurations of a measurement and their games.
#[derive(Clone, Debug)]
pub struct StrengthPlan {
    /// The game, as the user named it.
    pub game: String,
    /// The agent that plays; its threads and its parallelisation are those of each configuration.
    pub settings: Settings,
    /// The kinds of parallelisation.
    pub modes: Vec<Mode>,
    /// The numbers of threads.
    pub threads: Vec<usize>,
    /// The numbers of playouts that logical workers have in flight.
    pub workers: Vec<u32>,
    /// The rules by which traversals see playouts in flight.
    pub rules: Vec<InFlight>,
    /// The numbers of logical ranks, measured at equal playouts of each rank.
    pub ranks: Vec<u32>,
    /// Playouts for a move, to measure strength at equal playouts.
    pub playouts: Option<u64>,
    /// Time for a move, to measure strength at equal time.
    pub time: Option<Duration>,
    /// The delay after that time within which a move still counts, by game and limit, as matches have it.
    pub grace: fn(&str, Limit) -> Duration,
    /// Games of each configuration.
    pub games: u64,
    /// The openings of the games.
    pub openings: Openings,
    /// The seed of all randomness.
    pub seed: u64,
    /// The number of games played at a time; `None` for as many as there are cores for.
    pub tables: Option<usize>,
    /// The command line that asked for the measurement, for the record.
    pub command: String,
}

impl StrengthPlan {
    /// The number of rounds that make the games of a configuration.
    fn rounds(&self) -> u64 {
        self.games.div_ceil(Conditions::games_a_round(2)).max(1)
    }

    /// The conditions under which a configuration plays against one thread: those of a match.
    fn conditions(&self, config: Config, limit: Limit) -> Conditions {
        Conditions {
            game: in_match(&self.game),
            contestants: vec![config.contestant(&self.settings, limit), Config::one_thread(&self.settings, limit)],
            pairings: vec![[0, 1]],
            limit,
            grace: (self.grace)(&self.game, limit),
            openings: self.openings.clone(),
            seed: self.seed,
        }
    }
}

#[cfg(test)]
mod tests;
