//! Waiting for work on another thread, with the interpreter free meanwhile and an eye on Ctrl-C.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use boughs::StopFlag;
use pyo3::prelude::*;

use crate::error::error;

/// The time between two looks at the signals of the process.
pub(crate) const GLANCE: Duration = Duration::from_millis(20);

thread_local! {
    /// The flag of the work of this thread.
    static STOP: RefCell<Option<StopFlag>> = const { RefCell::new(None) };
}

/// Returns true if the work of this thread is to end.
pub(crate) fn is_stopped() -> bool {
    STOP.with_borrow(|stop| stop.as_ref().is_some_and(StopFlag::is_raised))
}

/// Does work on a thread of its own while other threads of Python run. Ctrl-C raises `stop`, and once the work has
/// ended, the exception of the signal is the result.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, stop: &StopFlag, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let started = thread::Builder::new().name("boughs".into()).spawn_scoped(scope, move || {
                STOP.set(Some(stop.clone()));
                // The receiver waits until the work has ended.
                let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
            });
            if let Err(fault) = started {
                return Err(error(format!("the system gives no thread: {fault}")));
            }
            let mut signal = Ok(());
            let result = loop {
                match receiver.recv_timeout(GLANCE) {
                    Ok(result) => break Some(result),
                    Err(RecvTimeoutError::Disconnected) => break None,
                    Err(RecvTimeoutError::Timeout) if signal.is_ok() => {
                        signal = Python::attach(|py| py.check_signals());
                        if signal.is_err() {
                            stop.raise();
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            };
            signal?;
            match result {
                Some(Ok(result)) => Ok(result),
                Some(Err(panic)) => Err(error(format!("the engine failed: {}", boughs::run::panic_text(&*panic)))),
                None => Err(error("the engine failed")),
            }
        })
    })
}
