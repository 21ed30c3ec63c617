//! Searches and their process: the end of the interpreter, and copies of the process made by `fork`.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use pyo3::prelude::*;

use crate::search::Shared;
use crate::waiting::GLANCE;

/// The longest wait for a search at the end of the interpreter.
const PATIENCE: Duration = Duration::from_secs(5);

/// The searches that run.
static RUNNING: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// Notes a search that begins.
pub(crate) fn begin(search: &Arc<Shared>) {
    let mut running = RUNNING.lock();
    running.retain(|other| other.upgrade().is_some_and(|other| other.is_of_this_process() && other.is_running()));
    running.push(Arc::downgrade(search));
}

/// Ends all searches, and waits until none of their threads is in Python code. Called at the end of the interpreter,
/// which takes no more threads afterwards.
#[pyfunction]
pub(crate) fn stop_all(py: Python<'_>) {
    py.detach(|| {
        let searches: Vec<_> = RUNNING.lock().drain(..).filter_map(|search| search.upgrade()).collect();
        searches.iter().filter(|search| search.is_of_this_process()).for_each(|search| search.stop());
        let until = Instant::now() + PATIENCE;
        for search in searches.iter().filter(|search| search.is_of_this_process()) {
            while (search.is_running() || search.is_working()) && Instant::now() < until {
                std::thread::sleep(GLANCE / 20);
            }
        }
    });
}
