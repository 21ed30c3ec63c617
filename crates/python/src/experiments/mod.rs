//! Experiments: contests, measurements of scaling, judged cases, learning, and replays. Results are texts of JSON.

mod contest;
mod judging;
mod learning;
mod replays;
mod scaling;

use std::time::Duration;

use boughs::StopFlag;
use boughs_arena::Limit;
use pyo3::prelude::*;

use crate::asking::{self, Whole};
use crate::error::error;
use crate::process::attach;
pub(crate) use contest::{contest_report, play_contest, replay_command};
pub(crate) use judging::{case_row, judge, judge_report};
pub(crate) use learning::{learn, learned_report, read_learned, write_learned, write_whole};
pub(crate) use replays::{replay_log, replay_puzzle};
pub(crate) use scaling::{scale, scale_report};

/// A function of Python that is told how far an experiment has come.
pub(crate) struct Watcher {
    function: Option<Py<PyAny>>,
    stop: StopFlag,
    pub(crate) fault: Option<PyErr>,
}

impl Watcher {
    pub(crate) fn new(function: Option<Py<PyAny>>, stop: &StopFlag) -> Watcher {
        Watcher { function, stop: stop.clone(), fault: None }
    }

    /// Tells the number of parts that are done, and of all. An exception of the function ends the experiment.
    pub(crate) fn tell(&mut self, done: u64, all: Option<u64>) {
        if let (Some(function), None) = (&self.function, &self.fault) {
            let told = attach(|py| function.call1(py, (done, all)).map(drop));
            if let Err(fault) = told {
                self.fault = Some(fault);
                self.stop.raise();
            }
        }
    }
}

/// The limit of a move or a case.
fn limit(time: Option<f64>, iterations: Option<&Whole>, usual: Duration) -> PyResult<Limit> {
    match (time, asking::whole("iterations", iterations)?) {
        (Some(_), Some(_)) => Err(error("time and iterations are both limits; give one of them")),
        (_, Some(0)) => Err(error("iterations = 0 leaves nothing to search; give at least 1")),
        (_, Some(iterations)) => Ok(Limit::Playouts(iterations)),
        (None, None) => Ok(Limit::Time(usual)),
        (Some(time), None) => match asking::seconds("time", time)? {
            Duration::ZERO => Err(error("time = 0 leaves no time to move; give at least 0.001")),
            time => Ok(Limit::Time(time)),
        },
    }
}
