//! Positions and searches of a game that Python code has a part in, compiled for each kind of game.

use std::sync::Arc;

use boughs::run::guarded;
use boughs::{Evaluator, Information, Search as TreeSearchOf, SearchError, Session, Settings, TreeSearch};
use pyo3::prelude::*;

use crate::evaluator::PyEvaluator;
use crate::game::{HIDDEN, OPEN, PyGame, Range, Rules, SIMULTANEOUS};
use crate::playout::Attached;

/// Calls a generic function for the kind of game that the rules describe.
macro_rules! with_kind {
    ($rules:expr, $function:ident, $($argument:expr),*) => {
        match ($rules.information, $rules.range) {
            (Information::Perfect, Range::Unknown) => $function::<OPEN, true>($($argument),*),
            (Information::Perfect, _) => $function::<OPEN, false>($($argument),*),
            (Information::Simultaneous, Range::Unknown) => $function::<SIMULTANEOUS, true>($($argument),*),
            (Information::Simultaneous, _) => $function::<SIMULTANEOUS, false>($($argument),*),
            (Information::Hidden, Range::Unknown) => $function::<HIDDEN, true>($($argument),*),
            (Information::Hidden, _) => $function::<HIDDEN, false>($($argument),*),
        }
    };
}

/// A position of a game written in Python as a session.
pub(crate) fn session_of(rules: &Arc<Rules>, object: Py<PyAny>) -> Box<dyn Session> {
    fn of<const KNOWS: u8, const SCORES: bool>(rules: &Arc<Rules>, object: Py<PyAny>) -> Box<dyn Session> {
        Box::new(PyGame::<KNOWS, SCORES>::of_object(rules.clone(), object))
    }
    with_kind!(rules, of, rules, object)
}

/// Builds a search of a game in Python, or of a game of the engine with an evaluator in Python.
pub(super) fn build(
    settings: &Settings,
    session: Box<dyn Session>,
    rules: &Arc<Rules>,
    evaluator: Option<Arc<PyEvaluator>>,
) -> Result<Box<dyn TreeSearch>, SearchError> {
    fn of<const KNOWS: u8, const SCORES: bool>(
        settings: &Settings,
        session: Box<dyn Session>,
        rules: &Arc<Rules>,
        evaluator: Option<Arc<PyEvaluator>>,
    ) -> Result<Box<dyn TreeSearch>, SearchError> {
        let game = match session.downcast_ref::<PyGame<KNOWS, SCORES>>() {
            Some(game) => guarded(|| game.clone())?,
            None => PyGame::of_session(rules.clone(), session),
        };
        let playout = Attached::of(settings, evaluator.is_some());
        Ok(match evaluator {
            None => Box::new(TreeSearchOf::with_playout(game, settings.clone(), playout)?),
            Some(evaluator) => {
                let evaluator: Arc<dyn Evaluator<PyGame<KNOWS, SCORES>>> = evaluator;
                Box::new(TreeSearchOf::with_evaluator_and_playout(game, settings.clone(), evaluator, playout)?)
            }
        })
    }
    with_kind!(rules, of, settings, session, rules, evaluator)
}
