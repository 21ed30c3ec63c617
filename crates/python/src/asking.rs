//! Arguments of Python functions in the engine's types, with the sentences of the program for those that are wrong.

use std::time::Duration;

use boughs::Budget;
use boughs_agents::{AgentSpec, default_agent};
use pyo3::prelude::*;

use crate::error::error;

/// The time of a search without limits.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A time in seconds. One that no clock can count to is no limit.
pub(crate) fn seconds(name: &str, time: f64) -> PyResult<Duration> {
    match time >= 0.0 {
        true => Ok(Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX)),
        false => Err(error(format!("{name} = {time} is no time; give seconds, such as 0.5"))),
    }
}

/// The limits of a search, by default a second. Its time counts from this call.
pub(crate) fn budget(time: Option<f64>, iterations: Option<u64>, early_stop: bool) -> PyResult<Budget> {
    let mut budget = Budget::unlimited();
    match (time, iterations) {
        (None, None) => budget = budget.or_time(DEFAULT_TIME),
        (time, iterations) => {
            if let Some(time) = time {
                budget = budget.or_time(seconds("time", time)?);
            }
            if let Some(iterations) = iterations {
                budget = budget.or_iterations(iterations);
            }
        }
    }
    Ok(budget.early_stop(early_stop))
}

/// The agent that a text names, by default that of the game, with keys from other arguments.
pub(crate) fn agent(game: &str, text: Option<&str>, keys: &[(&str, Option<String>)]) -> PyResult<AgentSpec> {
    let mut agent = match text {
        Some(text) => text.parse::<AgentSpec>().map_err(error)?,
        None => default_agent(game),
    };
    for (key, value) in keys {
        if let Some(value) = value {
            agent.set(key, value).map_err(error)?;
        }
    }
    Ok(agent)
}
