//! Numbers for what players know, by which the tree tells information sets apart.
//!
//! Python's own hash will not do: -1 and -2 have one hash, alone and in tuples. Numbers, texts and tuples of them are
//! hashed here by their content, the same in every process. Other values are kept in a dictionary.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyString, PyTuple};

/// The values that are no numbers, texts or tuples, by the order in which a search met them.
pub(crate) struct Known {
    places: Py<PyDict>,
    /// Held while a value is added.
    adding: Mutex<()>,
}

impl Known {
    pub(crate) fn new(py: Python<'_>) -> Known {
        Known { places: PyDict::new(py).unbind(), adding: Mutex::default() }
    }

    /// The number of a value, the same for equal values.
    pub(crate) fn number(&self, value: &Bound<'_, PyAny>) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        self.hash(value, &mut hasher)?;
        Ok(hasher.finish())
    }

    fn hash(&self, value: &Bound<'_, PyAny>, hasher: &mut DefaultHasher) -> PyResult<()> {
        if value.is_exact_instance_of::<PyString>()
            && let Ok(text) = value.cast::<PyString>()?.to_cow()
        {
            (1u8, &*text).hash(hasher);
        } else if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            (2u8, tuple.len()).hash(hasher);
            for item in tuple.iter() {
                self.hash(&item, hasher)?;
            }
        } else if let Some(number) = whole(value) {
            (3u8, number).hash(hasher);
        } else if value.is_none() {
            4u8.hash(hasher);
        } else if let Ok(bytes) = value.cast_exact::<PyBytes>() {
            (5u8, bytes.as_bytes()).hash(hasher);
        } else {
            (6u8, self.place(value)?).hash(hasher);
        }
        Ok(())
    }

    /// The place of a value in the dictionary.
    fn place(&self, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        let py = value.py();
        let places = self.places.bind(py);
        if let Some(place) = places.get_item(value)? {
            return place.extract();
        }
        let _guard = self.adding.lock_py_attached(py).unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(place) = places.get_item(value)? {
            return place.extract();
        }
        let place = places.len();
        places.set_item(value, place)?;
        Ok(place)
    }
}

/// The whole number that a value equals. `True`, 1 and 1.0 are equal in Python.
fn whole(value: &Bound<'_, PyAny>) -> Option<i64> {
    if value.is_exact_instance_of::<PyInt>() || value.is_exact_instance_of::<PyBool>() {
        return value.extract::<i64>().ok();
    }
    let number = value.cast_exact::<PyFloat>().ok()?.value();
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}
