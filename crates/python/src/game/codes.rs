//! Numbers for the moves of a game written in Python, by which the tree knows them.

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyInt, PyList};
use std::sync::Mutex;

/// The first code of a move from the table. An integer below it is its own code.
const FIRST: u32 = 1 << 31;

/// The moves that are no small integers, in the order in which a search met them.
pub(crate) struct Codes {
    moves: Py<PyList>,
    places: Py<PyDict>,
    /// Held while a move is added. Other code holds no lock while Python runs.
    adding: Mutex<()>,
}

impl Codes {
    pub(crate) fn new(py: Python<'_>) -> Codes {
        Codes { moves: PyList::empty(py).unbind(), places: PyDict::new(py).unbind(), adding: Mutex::default() }
    }

    /// The code of a move, the same for equal moves.
    pub(crate) fn encode(&self, choice: &Bound<'_, PyAny>) -> PyResult<u32> {
        if choice.is_exact_instance_of::<PyInt>()
            && let Ok(code) = choice.extract::<u32>()
            && code < FIRST
        {
            return Ok(code);
        }
        let py = choice.py();
        let (moves, places) = (self.moves.bind(py), self.places.bind(py));
        // `True` equals 1, and its text is another one.
        let key = (choice.get_type(), choice);
        if let Some(place) = places.get_item(&key)? {
            return Ok(FIRST + place.extract::<u32>()?);
        }
        let _guard = self.adding.lock_py_attached(py).unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(place) = places.get_item(&key)? {
            return Ok(FIRST + place.extract::<u32>()?);
        }
        let place = moves.len() as u32;
        moves.append(choice)?;
        places.set_item(key, place)?;
        Ok(FIRST + place)
    }

    /// The move of a code.
    pub(crate) fn decode<'py>(&self, py: Python<'py>, code: u32) -> PyResult<Bound<'py, PyAny>> {
        match code.checked_sub(FIRST) {
            None => Ok(code.into_pyobject(py)?.into_any()),
            Some(place) => self.moves.bind(py).get_item(place as usize),
        }
    }
}
