//! The limits of a search: `--time` and `--iterations`.

use std::time::Duration;

use boughs::Budget;

use super::{duration, whole};

/// The time of a search without `--time` and `--iterations`.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The limits of a search.
#[derive(clap::Args)]
pub(crate) struct Limits {
    /// Time for the search, such as 2s or 500ms; with --iterations the first limit ends it [default: 1s, none with
    /// --iterations]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Playouts for the search
    #[arg(long, value_name = "N", value_parser = whole(0u64))]
    pub(crate) iterations: Option<u64>,
}

impl Limits {
    /// Returns the budget of the arguments, if there are any. Its time counts from this call.
    pub(crate) fn given(&self) -> Option<Budget> {
        let unlimited = Budget::unlimited();
        match (self.time, self.iterations) {
            (None, None) => None,
            (Some(time), None) => Some(unlimited.or_time(time)),
            (None, Some(iterations)) => Some(unlimited.or_iterations(iterations)),
            (Some(time), Some(iterations)) => Some(unlimited.or_time(time).or_iterations(iterations)),
        }
    }

    /// Returns `--time`, or the default time if there is no `--iterations` either.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.time.or(self.iterations.is_none().then_some(DEFAULT_TIME))
    }

    /// Returns the budget of the arguments, or the default time. The time counts from this call.
    pub(crate) fn budget(&self) -> Budget {
        self.given().unwrap_or_else(|| Budget::time(DEFAULT_TIME))
    }
}
