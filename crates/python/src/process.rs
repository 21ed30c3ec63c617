//! Searches and their process: the end of the interpreter, and copies of the process made by `fork`.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::locks::Mutex;
use crate::search::Shared;

/// The longest wait for the threads of searches at the end of the interpreter.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time for which a thread keeps the interpreter, as threads of Python do.
const TURN: Duration = Duration::from_millis(5);

/// The time between two looks at these threads.
const PAUSE: Duration = Duration::from_millis(1);

/// The searches that run.
static RUNNING: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// True at the end of the interpreter. A thread that then asks for it would be killed in the middle of its work.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

/// The number of threads that hold the interpreter or wait for it. All threads see one order of this counter and the
/// flag: a thread either sees the flag, or is counted before the flag's thread looks at the counter.
static INSIDE: AtomicUsize = AtomicUsize::new(0);

/// Runs code of Python on the calling thread, unless the interpreter has ended.
pub(crate) fn try_attach<T>(work: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    struct Leaving;
    impl Drop for Leaving {
        fn drop(&mut self) {
            // A fork may have set the counter back.
            let _ = INSIDE.try_update(SeqCst, SeqCst, |inside| inside.checked_sub(1));
        }
    }
    INSIDE.fetch_add(1, SeqCst);
    let _leaving = Leaving;
    if HAS_ENDED.load(SeqCst) {
        return None;
    }
    Python::try_attach(work)
}

/// Runs code of Python on the calling thread. At the end of the interpreter the search of the thread ends.
pub(crate) fn attach<T>(work: impl FnOnce(Python<'_>) -> T) -> T {
    try_attach(work).unwrap_or_else(|| std::panic::resume_unwind(Box::new("the interpreter has ended".to_string())))
}

thread_local! {
    /// The time at which this thread last let others have the interpreter.
    static YIELDED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Releases the interpreter for a moment if this thread has kept it for [`TURN`]. The interpreter does so by itself
/// where a thread runs Python code, but not where it runs only code of C or Rust.
pub(crate) fn yield_sometimes(py: Python<'_>) {
    let now = Instant::now();
    if YIELDED.get().is_none_or(|last| now.duration_since(last) > TURN) {
        YIELDED.set(Some(now));
        py.detach(|| ());
    }
}

/// Notes a search that begins.
pub(crate) fn begin(search: &Arc<Shared>) {
    let mut running = RUNNING.lock();
    running.retain(|other| other.upgrade().is_some_and(|other| other.is_running()));
    running.push(Arc::downgrade(search));
}

/// Ends all searches, and waits until none of their threads is in Python code. Called at the end of the interpreter,
/// which takes no more threads afterwards.
#[pyfunction]
pub(crate) fn stop_all(py: Python<'_>) {
    py.detach(|| {
        HAS_ENDED.store(true, SeqCst);
        let searches: Vec<_> = RUNNING.lock().drain(..).filter_map(|search| search.upgrade()).collect();
        searches.iter().for_each(|search| search.stop());
        let until = Instant::now() + PATIENCE;
        while INSIDE.load(SeqCst) > 0 && Instant::now() < until {
            std::thread::sleep(PAUSE);
        }
    });
}

/// Forgets the searches of the process that this one was forked from. Their threads are not in this process.
#[pyfunction]
pub(crate) fn after_fork() {
    INSIDE.store(0, SeqCst);
    std::mem::take(&mut *RUNNING.lock()).into_iter().for_each(std::mem::forget);
}
