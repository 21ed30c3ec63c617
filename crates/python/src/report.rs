//! Reports of searches as dictionaries with arrays.

use boughs::inspect::NodeView;
use boughs::{Child, Move, Report};
use boughs_arena::statistics::share_interval;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::game::{Range, Rules};

/// The scale of the means in a report, with the range of the game's rewards.
#[derive(Clone, Copy)]
pub(crate) enum Scale {
    /// The means are as the tree of a game in Python keeps them.
    Tree(Range),
    /// The means are as the game of the engine counts them.
    Game(Range),
}

impl Scale {
    /// A mean of the report as the game counts it.
    fn to_game(self, mean: f64) -> f64 {
        match self {
            Scale::Tree(range) => range.of_tree(mean),
            Scale::Game(_) => mean,
        }
    }

    /// The 95 % interval of a mean of samples, as the game counts it. NaN if rewards have no known bounds.
    fn interval(self, mean: f64, samples: u64) -> [f64; 2] {
        match self {
            Scale::Tree(Range::Unknown) | Scale::Game(Range::Unknown) => [f64::NAN; 2],
            Scale::Tree(range) => share_interval(mean, samples).map(|end| range.of_tree(end)),
            Scale::Game(range) => {
                share_interval(range.to_tree(mean).clamp(0.0, 1.0), samples).map(|end| range.of_tree(end))
            }
        }
    }
}

/// A report, and the node of the searched position, which has the priors.
#[derive(Clone)]
pub(crate) struct Findings {
    pub(crate) report: Report,
    pub(crate) root: Option<NodeView>,
}

/// The moves of a report as users know them: objects of a game in Python, or texts.
pub(crate) struct Moves<'r>(pub(crate) Option<&'r Rules>);

impl Moves<'_> {
    fn get<'py>(&self, py: Python<'py>, action: u32, text: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.0 {
            Some(rules) => rules.codes.decode(py, action),
            None => Ok(text.into_pyobject(py)?.into_any()),
        }
    }

    fn list<'py>(&self, py: Python<'py>, moves: &[Move]) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        moves.iter().try_for_each(|step| list.append(self.get(py, step.action, &step.text)?))?;
        Ok(list)
    }
}

/// A report as a dictionary, whose columns are arrays.
pub(crate) fn to_dict<'py>(
    py: Python<'py>,
    Findings { report, root }: &Findings,
    scale: Scale,
    moves: &Moves<'_>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let children = &report.children;
    let has_values = report.unit() == "value";
    let scores = report.scores || has_values || matches!(scale, Scale::Tree(Range::Between(..)));
    let or_nan = |value: Option<f64>| value.unwrap_or(f64::NAN);
    let numbers = |column: Vec<f64>| column.into_pyarray(py);
    let means = |value: f64| scale.to_game(value);

    let list = PyList::empty(py);
    let lines = PyList::empty(py);
    let lines_texts = PyList::empty(py);
    for child in children {
        list.append(moves.get(py, child.action, &child.text)?)?;
        let line = PyList::empty(py);
        child.line.iter().try_for_each(|step| line.append(moves.get(py, step.action, &step.text)?))?;
        lines.append(line)?;
        lines_texts.append(child.line.iter().map(|step| step.text.as_str()).collect::<Vec<_>>())?;
    }
    let intervals: Vec<[f64; 2]> = children
        .iter()
        .map(|child| match child.proven {
            Some(proven) => [means(proven); 2],
            None => report.samples_of(child).map_or([f64::NAN; 2], |samples| scale.interval(child.mean, samples)),
        })
        .collect();
    let prior = |action: u32| {
        let children = root.as_ref().map(|root| &root.children)?;
        children.iter().find(|child| child.action == action)?.prior
    };
    let has_mean = |playouts: u64, mean: f64| if playouts > 0 { means(mean) } else { f64::NAN };

    dict.set_item("best", report.best.as_ref().map(|best| moves.get(py, best.action, &best.text)).transpose()?)?;
    dict.set_item("moves", list)?;
    dict.set_item("texts", children.iter().map(|child| child.text.as_str()).collect::<Vec<_>>())?;
    dict.set_item("codes", children.iter().map(|child| child.action).collect::<Vec<u32>>().into_pyarray(py))?;
    dict.set_item("playouts", children.iter().map(|child| child.playouts).collect::<Vec<u64>>().into_pyarray(py))?;
    let mean = |child: &Child| child.value.unwrap_or_else(|| has_mean(child.playouts, child.mean));
    dict.set_item("means", numbers(children.iter().map(mean).collect()))?;
    dict.set_item("lower", numbers(intervals.iter().map(|interval| interval[0]).collect()))?;
    dict.set_item("upper", numbers(intervals.iter().map(|interval| interval[1]).collect()))?;
    dict.set_item("proven", numbers(children.iter().map(|child| or_nan(child.proven.map(means))).collect()))?;
    dict.set_item("priors", numbers(children.iter().map(|child| or_nan(prior(child.action))).collect()))?;
    dict.set_item("strategy", numbers(children.iter().map(|child| or_nan(child.strategy)).collect()))?;
    dict.set_item("lines", lines)?;
    dict.set_item("line", moves.list(py, &report.pv)?)?;
    dict.set_item("lines_texts", lines_texts)?;
    dict.set_item("line_texts", report.pv.iter().map(|step| step.text.as_str()).collect::<Vec<_>>())?;
    let plan = report.best_playout.as_ref();
    dict.set_item("plan", plan.map(|plan| moves.list(py, &plan.moves)).transpose()?)?;
    dict.set_item("plan_score", plan.map(|plan| means(plan.score)))?;
    dict.set_item("scores", scores)?;
    dict.set_item("iterations", report.iterations)?;
    dict.set_item("inherited", report.inherited)?;
    dict.set_item("playouts_per_second", report.playouts_per_second)?;
    dict.set_item("depth", report.depth)?;
    dict.set_item("bytes", report.bytes)?;
    dict.set_item("seconds", report.seconds)?;
    dict.set_item("stop", report.stop.name())?;
    dict.set_item("warnings", report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    Ok(dict)
}
