//! The exception of the package, and the exceptions of a user's own code on their way through the engine.

use std::fmt::Display;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::locks::Mutex;

create_exception!(
    boughs,
    Error,
    PyValueError,
    "A search, a game or an experiment cannot be as it was asked for. The text is one sentence with the cure."
);

/// The exception for a fault that the engine or an experiment states in one sentence.
pub(crate) fn error(sentence: impl Display) -> PyErr {
    Error::new_err(sentence.to_string())
}

/// The first exception that Python code raised inside a search. The engine ends the search by a panic, which it
/// catches; the exception waits here until the caller of the search takes it.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Slot>);

#[derive(Default)]
struct Slot {
    exception: Mutex<Option<PyErr>>,
    /// True if the game is wanted no more, and each call of it unwinds.
    is_over: AtomicBool,
}

impl Raised {
    /// Takes the exception, if there is one.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.exception.lock().take()
    }

    /// Makes the next call of the game unwind.
    pub(crate) fn end(&self) {
        self.0.is_over.store(true, Relaxed);
    }

    /// Keeps an exception and unwinds. Unlike a panic this prints nothing.
    pub(crate) fn unwind(&self, py: Python<'_>, error: PyErr) -> ! {
        let text = error.value(py).to_string();
        let name = error.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
        let loser = {
            let mut first = self.0.exception.lock();
            match &*first {
                Some(_) => Some(error),
                None => {
                    *first = Some(error);
                    None
                }
            }
        };
        // The end of an exception ends objects in its frames, whose `__del__` may run for long.
        drop(loser);
        resume_unwind(Box::new(format!("{name}: {text}")))
    }

    /// The result of an action on Python code, or the end of the search.
    pub(crate) fn unwrap<T>(&self, py: Python<'_>, result: PyResult<T>) -> T {
        if self.0.is_over.load(Relaxed) {
            resume_unwind(Box::new("interrupted".to_string()));
        }
        result.unwrap_or_else(|error| self.unwind(py, error))
    }

    /// The exception that was raised, or else the sentence of the engine.
    pub(crate) fn or(&self, sentence: impl Display) -> PyErr {
        self.take().unwrap_or_else(|| error(sentence))
    }
}
