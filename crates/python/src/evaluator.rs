//! Evaluators written in Python, which get leaves in batches.

use std::sync::Arc;

use boughs::notation::counted;
use boughs::{Evaluations, Evaluator, Knowledge, Leaf, Turn};
use numpy::{PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::error::error;
use boughs::Game as _;

use crate::game::{Object, PyGame, Range, Rules, State};
use crate::position::Position;
use crate::process::attach;

/// An evaluator written in Python.
pub(crate) struct PyEvaluator {
    /// Dropped by the last thread of a search.
    evaluate: Object,
    has_priors: bool,
    /// The game of positions that Python sees as [`Position`]s.
    spec: String,
    rules: Arc<Rules>,
}

/// A leaf as Python code sees it: the player to move, and the codes of the legal moves.
struct Seen<'l> {
    turn: Turn,
    actions: &'l [u32],
}

impl PyEvaluator {
    /// The evaluator that an object is: a function, or an object with a method `evaluate`, which gives priors too if
    /// its attribute `priors` is true.
    pub(crate) fn of(evaluator: &Bound<'_, PyAny>, spec: &str, rules: Arc<Rules>) -> PyResult<PyEvaluator> {
        let py = evaluator.py();
        let evaluate = match evaluator.getattr_opt(intern!(py, "evaluate"))? {
            Some(method) => method,
            None if evaluator.is_callable() => evaluator.clone(),
            None => {
                return Err(error(format!(
                    "{} is no evaluator; give a function of a list of positions, or an object with a method evaluate",
                    evaluator.get_type().name()?
                )));
            }
        };
        let priors = evaluator.getattr_opt(intern!(py, "priors"))?;
        let has_priors = priors.map_or(Ok(false), |priors| priors.is_truthy())?;
        Ok(PyEvaluator { evaluate: Object::new(evaluate.unbind()), has_priors, spec: spec.to_string(), rules })
    }

    /// Shows the Python object to the collector of garbage.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.evaluate.traverse(visit)
    }

    /// Asks for the values of positions and writes them to `out`.
    fn ask(&self, positions: Bound<'_, PyList>, leaves: &[Seen<'_>], out: &mut Evaluations) -> PyResult<()> {
        let py = positions.py();
        let given = self.evaluate.bind(py).call1((positions,))?;
        let (values, priors) = match self.has_priors {
            false => (given, None),
            true => {
                let pair = given.cast_into::<PyTuple>().ok().filter(|pair| pair.len() == 2).ok_or_else(|| {
                    error("an evaluator with priors = True should return a pair, the values and the priors")
                })?;
                (pair.get_item(0)?, Some(pair.get_item(1)?))
            }
        };
        let values = self.values(&values, leaves)?;
        let priors = match priors {
            None => vec![Vec::new(); leaves.len()],
            Some(priors) => self.priors(&priors, leaves)?,
        };
        values.iter().zip(&priors).for_each(|(values, priors)| out.push(values, priors));
        Ok(())
    }

    /// The values of each leaf, as the tree keeps rewards.
    fn values(&self, given: &Bound<'_, PyAny>, leaves: &[Seen<'_>]) -> PyResult<Vec<Vec<f64>>> {
        let (count, players) = (leaves.len(), self.rules.players);
        let array = as_array(given)?;
        let shape = array.shape().to_vec();
        // The value of the other player follows if the rewards of both sum to a constant, which bounds tell.
        let has_one = players == 1 || players == 2 && self.rules.range != Range::Unknown;
        let range = self.rules.range;
        let to_tree = |&value: &f64| match range.bounds() {
            Some((least, most)) if value.is_finite() && !range.holds(value) => Err(error(format!(
                "an evaluator returned the value {value}, and rewards of this game are from {least} to {most}; values \
                 are expected rewards"
            ))),
            _ => Ok(range.to_tree(value)),
        };
        match shape[..] {
            [rows, columns] if (rows, columns) == (count, players) => {
                let values: PyReadonlyArray2<'_, f64> = array.cast::<numpy::PyArray2<f64>>()?.readonly();
                values.as_array().rows().into_iter().map(|row| row.iter().map(to_tree).collect()).collect()
            }
            [rows] if rows == count && has_one => {
                let values: PyReadonlyArray1<'_, f64> = array.cast::<numpy::PyArray1<f64>>()?.readonly();
                let both = leaves.iter().zip(values.as_array()).map(|(leaf, value)| {
                    let value = to_tree(value)?;
                    Ok(match (players, leaf.turn) {
                        (1, _) => vec![value],
                        (_, Turn::Player(1)) => vec![1.0 - value, value],
                        _ => vec![value, 1.0 - value],
                    })
                });
                both.collect()
            }
            _ => Err(error(format!(
                "an evaluator got {} and returned values of the shape {shape:?}; return an array of the \
                 shape ({count}, {players}), a value for each player{}",
                counted(count, "positions"),
                match (has_one, players) {
                    (true, _) => ", or one value for each position, that of the player to move",
                    (false, 2) => "; one value for each position would do if the game declared the bounds of rewards",
                    (false, _) => "",
                }
            ))),
        }
    }

    /// The priors of each leaf, in the order of its moves. A row of an array has a column for each code of a move; a
    /// list has the priors of the legal moves alone, and a dictionary has them by move.
    fn priors(&self, given: &Bound<'_, PyAny>, leaves: &[Seen<'_>]) -> PyResult<Vec<Vec<f32>>> {
        let count = leaves.len();
        if given.cast::<PyList>().is_err() {
            let array = as_array(given)?;
            if array.ndim() == 2 && array.shape()[0] == count {
                let priors: PyReadonlyArray2<'_, f64> = array.cast::<numpy::PyArray2<f64>>()?.readonly();
                let priors = priors.as_array();
                let prior = |leaf: usize, action: u32| {
                    priors.get((leaf, action as usize)).map(|&prior| prior as f32).ok_or_else(|| {
                        error(format!(
                            "an evaluator returned {} for each position, and a move has the code {action}; \
                             return a list of the priors of the legal moves instead",
                            counted(priors.ncols(), "priors")
                        ))
                    })
                };
                let rows = leaves.iter().enumerate();
                return rows
                    .map(|(row, leaf)| leaf.actions.iter().map(|&action| prior(row, action)).collect())
                    .collect();
            }
        }
        let lists: Vec<Bound<'_, PyAny>> = given.try_iter()?.collect::<PyResult<_>>()?;
        if lists.len() != count {
            let got = counted(count, "positions");
            return Err(error(format!("an evaluator got {got} and returned priors of {}", lists.len())));
        }
        lists.iter().zip(leaves).map(|(list, leaf)| self.priors_of(list, leaf)).collect()
    }

    fn priors_of(&self, list: &Bound<'_, PyAny>, leaf: &Seen<'_>) -> PyResult<Vec<f32>> {
        let py = list.py();
        if let Ok(by_move) = list.cast::<PyDict>() {
            let prior = |&action: &u32| match by_move.get_item(self.rules.codes.decode(py, action)?)? {
                Some(prior) => prior.extract(),
                None => Ok(0.0),
            };
            return leaf.actions.iter().map(prior).collect();
        }
        list.try_iter()?.map(|prior| prior?.extract()).collect()
    }
}

/// The numbers as an array of floats.
fn as_array<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = given.py();
    let array = py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "asarray"), (given, "float64"))?;
    Ok(array.cast_into::<PyUntypedArray>()?)
}

impl<const KNOWS: u8, const SCORES: bool> Evaluator<PyGame<KNOWS, SCORES>> for PyEvaluator {
    fn knowledge(&self) -> Knowledge {
        if self.has_priors { Knowledge::ValuesAndPriors } else { Knowledge::Values }
    }

    fn evaluate(&self, leaves: &[Leaf<'_, PyGame<KNOWS, SCORES>>], out: &mut Evaluations) {
        attach(|py| {
            let positions = PyList::empty(py);
            let listed = leaves.iter().try_for_each(|leaf| match &leaf.position.state {
                State::Object(object) => positions.append(object.bind(py)),
                State::Session(session) => positions.append(Position::of(&self.spec, session.clone())),
            });
            let seen = |leaf: &Leaf<'_, PyGame<KNOWS, SCORES>>| leaf.position.turn();
            let seen: Vec<Seen<'_>> =
                leaves.iter().map(|leaf| Seen { turn: seen(leaf), actions: leaf.actions }).collect();
            let asked = listed.and_then(|()| self.ask(positions, &seen, out));
            self.rules.raised.unwrap(py, asked);
        });
    }
}
