//! Scaling: the throughput of a search by its number of threads, measured so that it can be believed.
//!
//! A configuration is a kind of parallelisation with a number of threads. Every round runs every configuration once, in
//! an order that is shuffled anew, so that a machine that slows down for a while slows none of them more than another.
//! A speed-up is always the ratio of two runs of one round. The [no-tree baseline](crate::no_tree), the roof of tables
//! and files, takes part like a kind of parallelisation: it shows the speed of the machine itself. A run that did not
//! get its cores is shown, but no speed-up is claimed from it.

mod experiment;
mod machine;
mod quota;
mod report;
mod row;
mod run;
mod schedule;
#[doc(hidden)]
pub mod synthetic;
mod usl;

use std::time::Duration;

use boughs::Settings;

pub use experiment::{Round, ScaleError, ScaleExperiment};
pub use machine::Machine;
pub use report::{Law, ScaleReport};
pub use row::ScaleRow;
pub use run::Run;
pub use schedule::{Mode, Task, default_threads};
pub use usl::{Fit, LEAST_COUNTS, Prediction};

/// The configurations of a measurement and their runs.
#[derive(Clone, Debug)]
pub struct ScalePlan {
    /// The game, as the user named it.
    pub game: String,
    /// The agent that searches; its threads and its parallelisation are those of each configuration.
    pub settings: Settings,
    /// The kinds of parallelisation; the no-tree baseline always takes part.
    pub modes: Vec<Mode>,
    /// The numbers of threads; one thread always takes part, because everything is compared with it.
    pub threads: Vec<usize>,
    /// The time of each run.
    pub time: Option<Duration>,
    /// The playouts of each run.
    pub iterations: Option<u64>,
    /// The number of times that every configuration runs.
    pub rounds: u32,
    /// The command line that asked for the measurement, for the record.
    pub command: String,
}

/// The default number of rounds: intervals need several rounds, and a seventh costs little.
pub const DEFAULT_ROUNDS: u32 = 7;
