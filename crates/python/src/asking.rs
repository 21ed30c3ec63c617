//! Arguments of Python functions in the engine's types, with the sentences of the program for those that are wrong.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

use boughs::{Budget, MAX_THREADS};
use boughs_agents::{AgentSpec, default_agent};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::error::error;

/// The time of a search without limits.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A whole number as Python code gives it. It may be negative, or too large for the argument that it is.
pub(crate) struct Whole(Result<u64, String>);

impl Whole {
    pub(crate) const ZERO: Whole = Whole(Ok(0));

    /// The number, if the argument of this name can be it.
    pub(crate) fn named<T: TryFrom<u64>>(&self, name: &str) -> PyResult<T> {
        let number = self.0.as_ref().ok().and_then(|&number| T::try_from(number).ok());
        number.ok_or_else(|| {
            let given = self.0.as_ref().map_or_else(String::clone, u64::to_string);
            let bits = 8 * size_of::<T>();
            error(format!("{name} = {given} should be a whole number from 0 to 2**{bits} - 1"))
        })
    }
}

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        match given.extract::<u64>() {
            Ok(number) => Ok(Whole(Ok(number))),
            Err(fault) if fault.is_instance_of::<PyOverflowError>(given.py()) => {
                Ok(Whole(Err(given.str()?.to_string_lossy().into_owned())))
            }
            Err(fault) => Err(fault),
        }
    }
}

/// The same for an argument that may be left out.
pub(crate) fn whole<T: TryFrom<u64>>(name: &str, given: Option<&Whole>) -> PyResult<Option<T>> {
    given.map(|given| given.named(name)).transpose()
}

/// A number, if it is within a range.
pub(crate) fn within<T: PartialOrd + Display>(name: &str, number: T, range: RangeInclusive<T>) -> PyResult<T> {
    match range.contains(&number) {
        true => Ok(number),
        false => Err(error(format!("{name} = {number} should be a number from {} to {}", range.start(), range.end()))),
    }
}

/// The number of games or cases at a time, if it is given.
pub(crate) fn concurrency(given: Option<&Whole>) -> PyResult<Option<usize>> {
    match whole("concurrency", given)? {
        None => Ok(None),
        Some(number) => within("concurrency", number, 1..=MAX_THREADS).map(Some),
    }
}

/// A time in seconds. One that no clock can count to is no limit.
pub(crate) fn seconds(name: &str, time: f64) -> PyResult<Duration> {
    match time >= 0.0 {
        true => Ok(Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX)),
        false => Err(error(format!("{name} = {time} is no time; give seconds, such as 0.5"))),
    }
}

/// The limits of a search, by default a second. Its time counts from this call.
pub(crate) fn budget(time: Option<f64>, iterations: Option<&Whole>, early_stop: bool) -> PyResult<Budget> {
    let mut budget = Budget::unlimited();
    match (time, whole("iterations", iterations)?) {
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
