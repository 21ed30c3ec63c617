//! Copies of positions of a game written in Python.
//!
//! `copy.deepcopy` is always right and takes longer than a whole playout of a small game. An object whose attributes
//! are numbers, texts, and lists, dictionaries and sets of these is copied here in a fraction of that time. The first
//! other value hands the whole object to `copy.deepcopy`, which keeps what attributes share.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PySet, PyString, PyTuple, PyType};

/// The way to copy positions of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copying {
    /// By its method `copy`.
    Own,
    /// Attribute by attribute.
    Attributes,
    /// By `copy.deepcopy`.
    Deep,
}

impl Copying {
    /// The way to copy an object: its own method if it has one.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Copying> {
        let class = object.get_type();
        Ok(match () {
            () if class.getattr_opt("copy")?.is_some_and(|copy| copy.is_callable()) => Copying::Own,
            () if is_plain(object, &class)? => Copying::Attributes,
            () => Copying::Deep,
        })
    }

    /// Copies an object.
    pub(crate) fn copy<'py>(self, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        match self {
            Copying::Own => object.call_method0(intern!(py, "copy")),
            Copying::Deep => deep(object),
            Copying::Attributes => {
                let class = object.get_type();
                let new = class.call_method1(intern!(py, "__new__"), (&class,))?;
                let attributes = object.getattr(intern!(py, "__dict__"))?.cast_into::<PyDict>()?;
                let copied = new.getattr(intern!(py, "__dict__"))?.cast_into::<PyDict>()?;
                let mut memo = Memo::default();
                for (name, value) in attributes.iter() {
                    match memo.copy(value, 0)? {
                        Some(value) => copied.set_item(name, value)?,
                        None => return deep(object),
                    }
                }
                Ok(new)
            }
        }
    }
}

/// Returns true if an object is its attributes and nothing else, and its class does not say how to copy it.
fn is_plain(object: &Bound<'_, PyAny>, class: &Bound<'_, PyType>) -> PyResult<bool> {
    let base = object.py().get_type::<PyAny>();
    for name in ["__new__", "__reduce__", "__reduce_ex__"] {
        if !class.getattr(name)?.is(&base.getattr(name)?) {
            return Ok(false);
        }
    }
    for name in ["__deepcopy__", "__setstate__", "__getnewargs__", "__getnewargs_ex__"] {
        if class.hasattr(name)? {
            return Ok(false);
        }
    }
    // From Python 3.11 on every object has a `__getstate__`.
    let getstate = class.getattr("__getstate__").ok();
    if getstate.is_some_and(|own| base.getattr("__getstate__").map_or(true, |usual| !own.is(&usual))) {
        return Ok(false);
    }
    for part in class.mro() {
        if part.getattr("__dict__")?.contains("__slots__")? && !part.getattr("__slots__")?.is_empty().unwrap_or(false) {
            return Ok(false);
        }
    }
    object.hasattr("__dict__")
}

/// Calls `copy.deepcopy`.
fn deep<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    py.import(intern!(py, "copy"))?.getattr(intern!(py, "deepcopy"))?.call1((object,))
}

/// The depth of containers in containers from which on `copy.deepcopy` copies them.
const DEEPEST: usize = 50;

/// The containers that one copy has met, so that two attributes that hold the same list still do.
#[derive(Default)]
struct Memo<'py> {
    containers: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
}

impl<'py> Memo<'py> {
    /// The copy of a value that consists of numbers, texts and containers. `None` for any other value: it may hold the
    /// object itself, or a container that another attribute holds too, so only a copy of the whole object is right.
    fn copy(&mut self, value: Bound<'py, PyAny>, depth: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        if is_constant(&value) {
            return Ok(Some(value));
        }
        if let Some((_, copied)) = self.containers.iter().find(|(met, _)| met.is(&value)) {
            return Ok(Some(copied.clone()));
        }
        if depth == DEEPEST {
            return Ok(None);
        }
        if let Ok(list) = value.cast_exact::<PyList>() {
            // A list of numbers, the usual board, is copied at once.
            let copied = list.get_slice(0, list.len());
            self.containers.push((value.clone(), copied.clone().into_any()));
            for (place, item) in list.iter().enumerate() {
                if !is_constant(&item) {
                    let Some(item) = self.copy(item, depth + 1)? else { return Ok(None) };
                    copied.set_item(place, item)?;
                }
            }
            return Ok(Some(copied.into_any()));
        }
        if let Ok(dict) = value.cast_exact::<PyDict>() {
            let copied = dict.copy()?;
            self.containers.push((value.clone(), copied.clone().into_any()));
            for (key, item) in dict.iter() {
                if !is_constant(&key) {
                    return Ok(None);
                }
                if !is_constant(&item) {
                    let Some(item) = self.copy(item, depth + 1)? else { return Ok(None) };
                    copied.set_item(key, item)?;
                }
            }
            return Ok(Some(copied.into_any()));
        }
        let is_flat = value.is_exact_instance_of::<PyByteArray>()
            || value.cast_exact::<PySet>().is_ok_and(|set| set.iter().all(|item| is_constant(&item)));
        if is_flat {
            let copied = value.call_method0(intern!(value.py(), "copy"))?;
            self.containers.push((value, copied.clone()));
            return Ok(Some(copied));
        }
        Ok(None)
    }
}

/// Returns true for a value that cannot change: a number, a text, or a tuple of these.
fn is_constant(value: &Bound<'_, PyAny>) -> bool {
    value.is_none()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyBytes>()
        || value.cast_exact::<PyTuple>().is_ok_and(|tuple| tuple.iter().all(|item| is_constant(&item)))
}
