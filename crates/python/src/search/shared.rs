//! The state of a search, which its thread shares with its users.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use boughs::inspect::NodeView;
use boughs::run::guarded;
use boughs::{Report, Running, SearchError, StopFlag};
use pyo3::prelude::*;

use super::searcher::Searcher;
use crate::error::{Raised, error};
use crate::game::Rules;
use crate::locks::{Condvar, Mutex};
use crate::process;
use crate::report::{Findings, Scale};

/// The state of a search, which its thread shares with its users.
pub(crate) struct Shared {
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
    pub(super) flag: Mutex<StopFlag>,
    /// True if a user waits for a report of the running search. A search looks here often.
    pub(super) is_asked: AtomicBool,
    process: u32,
    /// The rules, if the game is written in Python.
    pub(super) rules: Option<Arc<Rules>>,
    pub(super) scale: Scale,
    pub(super) raised: Raised,
}

#[derive(Default)]
pub(super) struct State {
    /// The agent. `None` while it searches.
    pub(super) searcher: Option<Searcher>,
    pub(super) is_running: bool,
    pub(super) latest: Option<Findings>,
    pub(super) fault: Option<Arc<Fault>>,
    /// The number of reports that users have asked for, and the last of these that was there when one was made.
    pub(super) asked: u64,
    pub(super) answered: u64,
}

/// The fault that ended a search.
pub(super) struct Fault {
    pub(super) sentence: SearchError,
    /// The exception of Python code, if one was the fault.
    pub(super) exception: Option<PyErr>,
    /// True if a user has had it as an exception.
    pub(super) is_told: AtomicBool,
}

impl Fault {
    /// The fault as an exception. Called while no lock is held, because it may run Python code.
    pub(super) fn tell(&self, py: Python<'_>) -> PyErr {
        self.is_told.store(true, Relaxed);
        match &self.exception {
            Some(exception) => exception.clone_ref(py),
            None => error(&self.sentence),
        }
    }
}

impl Shared {
    pub(super) fn new(searcher: Searcher, rules: Option<Arc<Rules>>, scale: Scale, raised: Raised) -> Shared {
        Shared {
            state: Mutex::new(State { searcher: Some(searcher), ..State::default() }),
            changed: Condvar::default(),
            flag: Mutex::default(),
            is_asked: AtomicBool::new(false),
            process: std::process::id(),
            rules,
            scale,
            raised,
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.state.lock().is_running
    }

    pub(crate) fn is_of_this_process(&self) -> bool {
        self.process == std::process::id()
    }

    pub(crate) fn stop(&self) {
        self.flag.lock().raise();
    }

    pub(super) fn see_tree(&self, running: &Running<'_>) {
        // A report of a game in Python asks the game for many texts, and goes on with the interpreter in hand.
        let report = || Some((running.report(), running.node(&[])));
        self.see(|| if self.rules.is_some() { process::attach(|_| report()) } else { report() });
    }

    /// Keeps a report of the running search, if a user has asked for one.
    pub(super) fn see(&self, report: impl FnOnce() -> Option<(Report, Option<NodeView>)>) {
        if !self.is_asked.swap(false, Relaxed) {
            return;
        }
        let asked = self.state.lock().asked;
        let made = guarded(report).ok().flatten();
        let mut state = self.state.lock();
        if let Some((report, root)) = made {
            state.latest = Some(Findings { report, root });
        }
        state.answered = asked;
        self.changed.notify_all();
    }

    /// Waits until a time, or until the search has ended. Returns true if it has.
    pub(super) fn wait_until(&self, until: Instant) -> bool {
        let mut state = self.state.lock();
        while state.is_running {
            let is_late;
            (state, is_late) = self.changed.wait_until(state, until);
            if is_late {
                break;
            }
        }
        !state.is_running
    }
}
