//! A search that Python code starts, watches and stops.

mod kinds;
mod moves;
mod searcher;
mod shared;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use boughs::run::{discard, guarded};
use boughs::spec::Spec as _;
use boughs::{Budget, Session, Settings, StopFlag, Turn};
use boughs_agents::AgentSpec;
use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use self::kinds::build;
pub(crate) use self::kinds::session_of;
use self::moves::{code_of, play};
use self::searcher::Searcher;
use self::shared::Fault;
pub(crate) use self::shared::Shared;
use crate::asking::{self, Whole};
use crate::error::error;
use crate::evaluator::PyEvaluator;
use crate::game::Rules;
use crate::locks::Mutex;
use crate::position::Position;
use crate::process;
use crate::report::{Moves, Scale, to_dict};
use crate::waiting::GLANCE;

/// The longest wait for the end of a search after Ctrl-C. It ends within a millisecond, unless its game is slow to make
/// a report; then it ends on its own thread.
const PATIENCE: Duration = Duration::from_millis(50);

/// A search of a position, on threads of its own.
#[pyclass(frozen, module = "boughs._boughs")]
pub(crate) struct Search {
    shared: Arc<Shared>,
    agent: AgentSpec,
    spec: String,
    /// The evaluator, which may hold this search.
    evaluator: Mutex<Option<Arc<PyEvaluator>>>,
}

#[pymethods]
impl Search {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python class")]
    #[pyo3(signature = (game, moves=None, agent=None, threads=None, memory=None, seed=Whole::ZERO, evaluator=None))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        moves: Option<&Bound<'_, PyAny>>,
        agent: Option<&str>,
        threads: Option<Whole>,
        memory: Option<String>,
        seed: Whole,
        evaluator: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Search> {
        let (spec, native) = match (game.cast::<PyString>(), game.cast::<Position>()) {
            (Ok(text), _) => {
                let spec = text.to_cow()?.into_owned();
                let position = boughs_games::start(&spec).map_err(error)?.position;
                (spec, Some(position))
            }
            (_, Ok(position)) => {
                let position = position.get();
                (position.spec().to_string(), Some(position.session()))
            }
            _ => (game.get_type().name()?.to_string(), None),
        };
        let name = spec.split(':').next().unwrap_or_default().trim().to_string();
        let keys = [
            ("threads", asking::whole::<usize>("threads", threads.as_ref())?.map(|threads| threads.to_string())),
            ("memory", memory),
        ];
        // The agent of a game may value leaves by knowledge of its own.
        let agent = agent.or(evaluator.map(|_| Settings::NAME));
        let mut agent = asking::agent(&name, agent, &keys)?.with_seed(seed.named("seed")?);
        let is_python = native.is_none();
        let (session, rules) = match native {
            Some(mut session) => {
                play(None, &mut *session, moves)?;
                let rules = Arc::new(Rules::of_session(py, &*session));
                (session, rules)
            }
            None => {
                let rules = Arc::new(Rules::of_object(game)?);
                let mut session = session_of(&rules, rules.copying.copy(game)?.unbind());
                let played = guarded(|| play(Some(&rules), &mut *session, moves));
                played.map_err(|fault| rules.raised.or(fault))??;
                (session, rules)
            }
        };
        let evaluator = evaluator.map(|given| PyEvaluator::of(given, &spec, rules.clone())).transpose()?.map(Arc::new);
        if evaluator.is_some() {
            if agent.settings().is_none() {
                return Err(error(format!(
                    "an evaluator is for the agent mcts, and '{agent}' is another; try agent='mcts'"
                )));
            }
            agent.set("eval", "off").map_err(error)?;
        }
        let raised = rules.raised.clone();
        let kept = evaluator.clone();
        let built = py.detach(|| match agent.settings() {
            Some(settings) if is_python || evaluator.is_some() => {
                build(settings, session, &rules, evaluator).map(Searcher::Tree)
            }
            Some(settings) => boughs_agents::tree_search(&*session, settings.clone()).map(Searcher::Tree),
            None => agent.build(&*session).map(Searcher::Other),
        });
        let searcher = built.map_err(|fault| raised.or(fault))?;
        let scale = match is_python || searcher.has_own_range(&rules) {
            true => Scale::Tree(rules.range),
            false => Scale::Game(rules.range),
        };
        let shared = Shared::new(searcher, is_python.then_some(rules), scale, raised);
        Ok(Search { shared: Arc::new(shared), agent, spec, evaluator: Mutex::new(kept) })
    }

    /// The agent as text.
    #[getter]
    fn agent(&self) -> String {
        self.agent.to_string()
    }

    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    #[getter]
    fn is_running(&self) -> bool {
        self.shared.is_of_this_process() && self.shared.is_running()
    }

    /// The drawing of the position, as the player to move sees it.
    fn board(&self) -> PyResult<String> {
        self.with_position(|position| match position.turn() {
            Turn::Player(player) => position.board_for(player),
            _ => position.board(),
        })
    }

    /// The party that acts: a player, -1 for chance, `None` at the end.
    fn turn(&self) -> PyResult<Option<i64>> {
        self.with_position(|position| match position.turn() {
            Turn::Player(player) => Some(player as i64),
            Turn::Chance => Some(-1),
            Turn::Over => None,
        })
    }

    /// Begins to search and returns at once.
    #[pyo3(signature = (time=None, iterations=None, early_stop=true, unlimited=false))]
    fn start(&self, time: Option<f64>, iterations: Option<Whole>, early_stop: bool, unlimited: bool) -> PyResult<()> {
        let mut budget = match unlimited {
            true => Budget::unlimited(),
            false => asking::budget(time, iterations.as_ref(), early_stop)?,
        };
        self.check_process()?;
        let flag = StopFlag::default();
        budget = budget.or_stopped_by(flag.clone());
        let (mut searcher, fault) = {
            let mut state = self.shared.state.lock();
            let searcher = state.searcher.take().ok_or_else(|| error("the search is running; stop it first"))?;
            (state.is_running, state.latest) = (true, None);
            (searcher, state.fault.take())
        };
        // The end of an exception may run Python code, so no lock is held.
        drop((fault, self.shared.raised.take()));
        *self.shared.flag.lock() = flag;
        process::begin(&self.shared);
        let shared = self.shared.clone();
        let (give, take) = std::sync::mpsc::channel::<Searcher>();
        let started = thread::Builder::new().name("boughs".into()).spawn(move || {
            let Ok(mut searcher) = take.recv() else { return };
            let search = || guarded(|| searcher.search(budget, &shared)).and_then(|result| result);
            let result = match shared.rules {
                // Agents that play on this thread keep its place among those of the interpreter.
                Some(_) => process::attach(|py| py.detach(search)),
                None => search(),
            };
            // An exception without a fault is one of a report that a user asked for on the way.
            let exception = shared.raised.take();
            let mut state = shared.state.lock();
            match result {
                Ok(findings) => state.latest = Some(findings),
                Err(sentence) => {
                    let is_told = AtomicBool::new(false);
                    state.fault = Some(Arc::new(Fault { sentence, exception, is_told }));
                }
            }
            (state.searcher, state.is_running) = (Some(searcher), false);
            shared.changed.notify_all();
        });
        if let Err(fault) = started {
            let mut state = self.shared.state.lock();
            (state.searcher, state.is_running) = (Some(searcher), false);
            return Err(error(format!("the system gives no thread for a search: {fault}")));
        }
        while let Err(returned) = give.send(searcher) {
            searcher = returned.0;
        }
        Ok(())
    }

    /// Waits until the search has ended, at most some seconds. Returns true if it has. Ctrl-C ends the search.
    #[pyo3(signature = (seconds=None))]
    fn wait(&self, py: Python<'_>, seconds: Option<f64>) -> PyResult<bool> {
        self.check_process()?;
        let most = seconds.map(|time| asking::seconds("seconds", time)).transpose()?;
        let until = most.and_then(|most| Instant::now().checked_add(most));
        loop {
            let glance = Instant::now() + GLANCE;
            let next = until.map_or(glance, |until| until.min(glance));
            if py.detach(|| self.shared.wait_until(next)) {
                return Ok(true);
            }
            if let Err(signal) = py.check_signals() {
                self.end(py);
                return Err(signal);
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(false);
            }
        }
    }

    /// Ends the search and waits until it has ended.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.check_process()?;
        self.end(py);
        self.wait(py, None).map(drop)
    }

    /// The report of the last search, or of the running one as it is now. `None` before the first search.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.check_process()?;
        let shared = &self.shared;
        let findings = py.detach(|| {
            let mut state = shared.state.lock();
            if state.is_running {
                state.asked += 1;
                let asked = state.asked;
                shared.is_asked.store(true, Relaxed);
                let until = Instant::now() + 10 * GLANCE;
                while state.is_running && state.answered < asked {
                    let is_late;
                    (state, is_late) = shared.changed.wait_until(state, until);
                    if is_late {
                        break;
                    }
                }
            }
            match &state.fault {
                Some(fault) => Err(fault.clone()),
                None => Ok(state.latest.clone()),
            }
        });
        match findings.map_err(|fault| fault.tell(py))? {
            None => Ok(None),
            Some(findings) => to_dict(py, &findings, shared.scale, &Moves(shared.rules.as_deref())).map(Some),
        }
    }

    /// Raises the fault of the last search, unless a user has had it.
    fn raise_fault(&self, py: Python<'_>) -> PyResult<()> {
        self.check_process()?;
        let fault = self.shared.state.lock().fault.clone();
        match fault {
            Some(fault) if !fault.is_told.load(Relaxed) => Err(fault.tell(py)),
            _ => Ok(()),
        }
    }

    /// Plays a move and keeps the part of the tree below it. Raises the fault of the last search first, unless a user
    /// has had it.
    fn advance(&self, py: Python<'_>, choice: &Bound<'_, PyAny>) -> PyResult<()> {
        self.check_process()?;
        if self.shared.is_running() {
            self.stop(py)?;
        }
        self.raise_fault(py)?;
        let shared = &self.shared;
        let advanced = self.with_searcher(|searcher| {
            let code = guarded(|| code_of(shared.rules.as_deref(), searcher.position(), choice));
            let code = code.map_err(|fault| shared.raised.or(fault))??;
            let advanced = py.detach(|| guarded(|| searcher.agent().advance(code)).and_then(|result| result));
            advanced.map_err(|fault| shared.raised.or(fault))
        })?;
        let fault = {
            let mut state = shared.state.lock();
            state.latest = None;
            state.fault.take()
        };
        drop(fault);
        advanced
    }

    /// Shows the evaluator to the collector of garbage, unless the search runs: then its threads hold it too.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let is_at_rest = self.shared.state.try_lock().is_some_and(|state| state.searcher.is_some());
        match self.evaluator.try_lock() {
            Some(evaluator) if is_at_rest => evaluator.as_ref().map_or(Ok(()), |evaluator| evaluator.traverse(&visit)),
            _ => Ok(()),
        }
    }

    fn __clear__(&self) {
        if !self.shared.is_of_this_process() {
            return;
        }
        let evaluator = self.evaluator.lock().take();
        self.end_searcher();
        drop(evaluator);
    }
}

impl Search {
    /// A copy of the process by `fork` has the memory of a search and none of its threads.
    fn check_process(&self) -> PyResult<()> {
        match self.shared.is_of_this_process() {
            true => Ok(()),
            false => {
                Err(error("this search belongs to the process that this one was forked from; make a new search here"))
            }
        }
    }

    /// Drops the agent, if it does not search.
    fn end_searcher(&self) {
        let searcher = self.shared.state.try_lock().and_then(|mut state| state.searcher.take());
        // The threads of a search may need the interpreter to end.
        let _ = Python::try_attach(|py| py.detach(|| discard(searcher)));
    }

    fn end(&self, py: Python<'_>) {
        self.shared.stop();
        py.detach(|| self.shared.wait_until(Instant::now() + PATIENCE));
    }

    /// Asks the agent while it does not search. No lock is held meanwhile, because the game may need the interpreter.
    fn with_searcher<T>(&self, ask: impl FnOnce(&mut Searcher) -> T) -> PyResult<T> {
        self.check_process()?;
        let taken = self.shared.state.lock().searcher.take();
        let mut searcher = taken.ok_or_else(|| error("the search is running; stop it first"))?;
        let answer = ask(&mut searcher);
        self.shared.state.lock().searcher = Some(searcher);
        Ok(answer)
    }

    /// Asks for a fact about the position.
    fn with_position<T>(&self, ask: impl FnOnce(&dyn Session) -> T) -> PyResult<T> {
        let answer = self.with_searcher(|searcher| guarded(|| ask(searcher.position())))?;
        answer.map_err(|fault| self.shared.raised.or(fault))
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        if !self.shared.is_of_this_process() {
            // The threads that the destructor would wait for are not in this process.
            std::mem::forget(self.shared.clone());
            return;
        }
        self.shared.stop();
        self.end_searcher();
    }
}
