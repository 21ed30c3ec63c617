//! The state of a position, and the calls of the methods of a game written in Python.

use boughs::notation::counted;
use boughs::{Rng, Session, Turn};
use pyo3::PyTraverseError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::PyVisit;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList};

use crate::error::error;
use crate::process::try_attach;

/// The number of chance in `turn()`.
const CHANCE: i64 = -1;

/// The whole that weights given as fractions are parts of.
const WHOLE: f64 = (1 << 30) as f64;

/// The state of a position.
pub(crate) enum State {
    /// An object of a class in Python.
    Object(Object),
    /// A game of the engine.
    Session(Box<dyn Session>),
}

/// An object of a class in Python that is dropped while its thread is attached to the interpreter.
pub(crate) struct Object(Option<Py<PyAny>>);

impl Object {
    pub(crate) fn new(object: Py<PyAny>) -> Object {
        Object(Some(object))
    }

    pub(crate) fn bind<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.0.as_ref().expect("only a dropped position has no object").bind(py)
    }

    /// Shows the object to the collector of garbage.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }

    /// Plays a move. A method `play` that returns a new position, instead of changing its own, is right too.
    pub(crate) fn play(&mut self, choice: Bound<'_, PyAny>) -> PyResult<()> {
        let py = choice.py();
        let next = self.bind(py).call_method1(intern!(py, "play"), (choice,))?;
        self.become_unless_none("play", next)
    }

    /// Draws anew what a player does not know.
    pub(crate) fn determinize(&mut self, py: Python<'_>, player: usize, seed: u64) -> PyResult<()> {
        let rng = py.import(intern!(py, "random"))?.call_method1(intern!(py, "Random"), (seed,))?;
        let next = self.bind(py).call_method1(intern!(py, "determinize"), (player, rng))?;
        self.become_unless_none("determinize", next)
    }

    fn become_unless_none(&mut self, method: &str, next: Bound<'_, PyAny>) -> PyResult<()> {
        if next.is_none() {
            return Ok(());
        }
        let is_position = next.get_type().is(&self.bind(next.py()).get_type());
        if !is_position && !next.hasattr(intern!(next.py(), "turn"))? {
            return Err(PyTypeError::new_err(format!(
                "{method}() should change the position and return None, or return the next position, and returned {}",
                next.repr()?
            )));
        }
        self.0 = Some(next.unbind());
        Ok(())
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let object = self.0.take();
        let mut kept = Some(object);
        // An interpreter that ends takes no more threads. Its memory goes with the process.
        if try_attach(|_| drop(kept.take())).is_none() {
            std::mem::forget(kept);
        }
    }
}

/// The party that acts: `turn()` returns the number of a player, -1 for chance, and `None` at the end.
pub(crate) fn turn(object: &Bound<'_, PyAny>, players: usize) -> PyResult<Turn> {
    let turn = object.call_method0(intern!(object.py(), "turn"))?;
    if turn.is_none() {
        return Ok(Turn::Over);
    }
    let number = if turn.is_exact_instance_of::<PyBool>() { None } else { turn.extract::<i64>().ok() };
    match number {
        Some(CHANCE) => Ok(Turn::Chance),
        Some(player) if (0..players as i64).contains(&player) => Ok(Turn::Player(player as usize)),
        Some(player) => {
            Err(error(format!("turn() returned {player}, but players are 0 to {}; chance is -1", players - 1)))
        }
        None => Err(PyTypeError::new_err(format!(
            "turn() should return the number of a player, boughs.CHANCE, or None at the end of the game, and returned \
             {}",
            turn.repr()?
        ))),
    }
}

/// The list of legal moves.
pub(crate) fn moves<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let moves = object.call_method0(intern!(object.py(), "moves"))?;
    match moves.cast_into_exact::<PyList>() {
        Ok(list) => Ok(list),
        Err(other) => {
            let list = PyList::empty(object.py());
            let other = other.into_inner();
            if !other.hasattr(intern!(object.py(), "__iter__"))? {
                return Err(PyTypeError::new_err(format!(
                    "moves() should return a list, and returned {}",
                    other.repr()?
                )));
            }
            for choice in other.try_iter()? {
                list.append(choice?)?;
            }
            Ok(list)
        }
    }
}

/// The weights that a game gives the outcomes of chance.
pub(crate) fn chance<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    object.call_method0(intern!(object.py(), "chance"))
}

/// A random one of the moves; `None` if there is none.
pub(crate) fn pick<'py>(moves: &Bound<'py, PyList>, rng: &mut Rng) -> PyResult<Option<Bound<'py, PyAny>>> {
    match moves.len() as u32 {
        0 => Ok(None),
        count => moves.get_item(rng.below(count) as usize).map(Some),
    }
}

/// A random outcome by the weight of each; `None` if there is none.
pub(crate) fn draw<'py>(
    moves: &Bound<'py, PyList>,
    weights: &[u32],
    rng: &mut Rng,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    rng.pick_weighted(weights.iter().copied()).map(|place| moves.get_item(place)).transpose()
}

/// The weights of chance as whole numbers. Fractions become parts of a large whole.
pub(crate) fn weights(given: &Bound<'_, PyAny>, outcomes: usize) -> PyResult<Vec<u32>> {
    let wrong = |why: String| {
        error(format!("chance() should return the weight of each of the {outcomes} moves, in their order, and {why}"))
    };
    let mut weights: Vec<f64> = Vec::with_capacity(outcomes);
    for weight in given.try_iter()? {
        weights.push(weight?.extract()?);
    }
    if weights.len() != outcomes {
        return Err(wrong(format!("returned {}", counted(weights.len(), "numbers"))));
    }
    if let Some(weight) = weights.iter().find(|weight| !(weight.is_finite() && **weight >= 0.0)) {
        return Err(wrong(format!("returned {weight}; give numbers of at least 0")));
    }
    let sum: f64 = weights.iter().sum();
    let are_whole = weights.iter().all(|weight| weight.fract() == 0.0) && sum <= WHOLE;
    match () {
        () if sum <= 0.0 => Err(wrong("returned zeros; give at least one move a chance".to_string())),
        () if are_whole => Ok(weights.iter().map(|&weight| weight as u32).collect()),
        () => Ok(weights
            .iter()
            .map(|&weight| if weight > 0.0 { (weight / sum * WHOLE).max(1.0) as u32 } else { 0 })
            .collect()),
    }
}

/// The drawing of a position: that of its method `board`, or else of `__str__`.
pub(crate) fn board(object: &Bound<'_, PyAny>, has_board: bool) -> PyResult<String> {
    let text = match has_board {
        true => object.call_method0(intern!(object.py(), "board"))?.str()?,
        false => object.str()?,
    };
    Ok(text.to_string())
}
