//! The check of a game, and the lists of games and agents.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use boughs::StopFlag;
use boughs::conformance::{Effort, check_until};
use boughs_agents::default_agent;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::asking::{self, Whole};
use crate::error::{Raised, error};
use crate::game::Rules;
use crate::locks::Mutex;
use crate::position::Position;
use crate::search::session_of;
use crate::waiting::GLANCE;

/// Checks a game by random play. Returns the sentences of the extent, or the fault as an exception.
#[pyfunction]
pub(crate) fn check_game(py: Python<'_>, game: &Bound<'_, PyAny>, games: Whole, seed: Whole) -> PyResult<String> {
    let (games, seed) = (asking::within("games", games.named("games")?, 1..=u32::MAX)?, seed.named("seed")?);
    let (session, raised) = if let Ok(spec) = game.cast::<PyString>() {
        (boughs_games::start(&spec.to_cow()?).map_err(error)?.position, Raised::default())
    } else if let Ok(position) = game.cast::<Position>() {
        (position.get().session(), Raised::default())
    } else {
        let rules = Arc::new(Rules::of_object(game)?);
        let raised = rules.raised.clone();
        (session_of(&rules, rules.copying.copy(game)?.unbind()), raised)
    };
    let effort = Effort { games, seed, ..Effort::default() };
    let stop = StopFlag::default();
    let (sender, receiver) = channel();
    let flag = stop.clone();
    let work = move || {
        let checked = check_until(session.as_position(), effort, &flag);
        boughs::run::discard(session);
        // The caller has gone after an interruption.
        let _ = sender.send(checked);
    };
    let started = thread::Builder::new().name("boughs".into()).spawn(work);
    started.map_err(|fault| error(format!("the system gives no thread: {fault}")))?;
    let receiver = Mutex::new(receiver);
    let checked = loop {
        match py.detach(|| receiver.lock().recv_timeout(GLANCE)) {
            Ok(checked) => break checked,
            Err(RecvTimeoutError::Disconnected) => return Err(error("the check failed")),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| {
                stop.raise();
                // A game in Python unwinds at the next call of it.
                raised.end();
            })?,
        }
    };
    match checked {
        Ok(checked) => Ok(checked.to_string()),
        Err(fault) => match raised.take() {
            None => Err(error(fault)),
            Some(exception) => {
                let place = if fault.moves.is_empty() { "at the start" } else { "after the moves" };
                // Python 3.10 and older have no notes.
                let note = format!("raised {place} {}", fault.moves);
                let _ = exception.value(py).call_method1("add_note", (note.trim_end(),));
                Err(exception)
            }
        },
    }
}

/// The name, the summary, the options and the default agent of every game.
#[pyfunction]
pub(crate) fn game_list() -> Vec<(&'static str, &'static str, &'static str, String)> {
    let entries = boughs_games::entries().iter();
    entries.map(|entry| (entry.name, entry.summary, entry.options, default_agent(entry.name).to_string())).collect()
}

/// An agent as it writes itself, if its text is right.
#[pyfunction]
pub(crate) fn agent_text(text: &str) -> PyResult<String> {
    asking::agent("", Some(text), &[]).map(|agent| agent.to_string())
}

/// The agent of a game.
#[pyfunction]
pub(crate) fn default_agent_text(game: &str) -> PyResult<String> {
    Ok(default_agent(boughs_games::start(game).map_err(error)?.entry.name).to_string())
}
