//! A search that Python code starts, watches and stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use boughs::run::{discard, guarded};
use boughs::spec::Spec as _;
use boughs::{
    Agent, Budget, Evaluator, Information, Report, Running, Search as TreeSearchOf, SearchError, Session, Settings,
    StopFlag, TreeSearch,
};
use boughs_agents::AgentSpec;
use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::asking;
use crate::error::{Raised, error};
use crate::evaluator::PyEvaluator;
use crate::game::{HIDDEN, OPEN, PyGame, Range, Rules, SIMULTANEOUS};
use crate::locks::{Condvar, Mutex};
use crate::playout::Attached;
use crate::position::{Position, Wanted};
use crate::process;
use crate::report::{Findings, Moves, Scale, to_dict};
use crate::waiting::GLANCE;

/// The longest wait for the end of a search after Ctrl-C. It ends within a millisecond, unless its game is slow to make
/// a report; then it ends on its own thread.
const PATIENCE: Duration = Duration::from_millis(50);

/// An agent, with its tree if it has one.
enum Searcher {
    Tree(Box<dyn TreeSearch>),
    Other(Box<dyn Agent>),
}

impl Searcher {
    fn agent(&mut self) -> &mut dyn Agent {
        match self {
            Searcher::Tree(search) => &mut **search,
            Searcher::Other(agent) => &mut **agent,
        }
    }

    fn position(&self) -> &dyn Session {
        match self {
            Searcher::Tree(search) => search.position(),
            Searcher::Other(agent) => agent.position(),
        }
    }

    /// Searches on the calling thread.
    fn search(&mut self, budget: Budget, shared: &Shared) -> Result<Findings, SearchError> {
        match self {
            Searcher::Tree(search) => {
                let report = search.watch(budget, &mut |running| shared.see_tree(running))?;
                Ok(Findings { report, root: search.node(&[]) })
            }
            Searcher::Other(agent) => {
                let report = agent.search(budget, &mut |report| shared.see(|| Some((report.clone(), None))))?;
                Ok(Findings { report, root: None })
            }
        }
    }
}

/// The state of a search, which its thread shares with its users.
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    flag: Mutex<StopFlag>,
    /// True if a user waits for a report of the running search. A search looks here often.
    is_asked: AtomicBool,
    process: u32,
    /// The rules, if the game is written in Python.
    rules: Option<Arc<Rules>>,
    scale: Scale,
    raised: Raised,
}

#[derive(Default)]
struct State {
    /// The agent. `None` while it searches.
    searcher: Option<Searcher>,
    is_running: bool,
    latest: Option<Findings>,
    fault: Option<Arc<Fault>>,
    /// The number of reports that users have asked for, and the last of these that was there when one was made.
    asked: u64,
    answered: u64,
}

/// The fault that ended a search.
struct Fault {
    sentence: SearchError,
    /// The exception of Python code, if one was the fault.
    exception: Option<PyErr>,
    /// True if a user has had it as an exception.
    is_told: AtomicBool,
}

impl Fault {
    /// The fault as an exception. Called while no lock is held, because it may run Python code.
    fn tell(&self, py: Python<'_>) -> PyErr {
        self.is_told.store(true, Relaxed);
        match &self.exception {
            Some(exception) => exception.clone_ref(py),
            None => error(&self.sentence),
        }
    }
}

impl Shared {
    pub(crate) fn is_running(&self) -> bool {
        self.state.lock().is_running
    }

    pub(crate) fn is_of_this_process(&self) -> bool {
        self.process == std::process::id()
    }

    pub(crate) fn stop(&self) {
        self.flag.lock().raise();
    }

    fn see_tree(&self, running: &Running<'_>) {
        // A report of a game in Python asks the game for many texts, and goes on with the interpreter in hand.
        let report = || Some((running.report(), running.node(&[])));
        self.see(|| if self.rules.is_some() { process::attach(|_| report()) } else { report() });
    }

    /// Keeps a report of the running search, if a user has asked for one.
    fn see(&self, report: impl FnOnce() -> Option<(Report, Option<boughs::inspect::NodeView>)>) {
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
    fn wait_until(&self, until: Instant) -> bool {
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
    #[pyo3(signature = (game, moves=None, agent=None, threads=None, memory=None, seed=0, evaluator=None))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        moves: Option<&Bound<'_, PyAny>>,
        agent: Option<&str>,
        threads: Option<usize>,
        memory: Option<String>,
        seed: u64,
        evaluator: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Search> {
        let keys = [("threads", threads.map(|threads| threads.to_string())), ("memory", memory)];
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
        // The agent of a game may value leaves by knowledge of its own.
        let agent = agent.or(evaluator.map(|_| Settings::NAME));
        let mut agent = asking::agent(&name, agent, &keys)?.with_seed(seed);
        let (session, rules): (Box<dyn Session>, Arc<Rules>) = match native {
            Some(mut session) => {
                play(&mut *session, moves)?;
                let rules = Arc::new(Rules::of_session(py, &*session));
                (session, rules)
            }
            None => {
                let rules = Arc::new(Rules::of_object(game)?);
                let copied = rules.copying.copy(game)?.unbind();
                let mut session = erased(&rules, Start::Object(copied));
                let played = guarded(|| play_python(py, &rules, &mut *session, moves));
                played.map_err(|fault| rules.raised.or(fault))??;
                (session, rules)
            }
        };
        let is_python = !game.is_instance_of::<PyString>() && game.cast::<Position>().is_err();
        let evaluator = evaluator.map(|given| PyEvaluator::of(given, &spec, rules.clone())).transpose()?.map(Arc::new);
        if evaluator.is_some() && agent.settings().is_none() {
            return Err(error(format!(
                "an evaluator is for the agent mcts, and '{agent}' is another; try agent='mcts'"
            )));
        }
        if evaluator.is_some() {
            agent.set("eval", "off").map_err(error)?;
        }
        let raised = rules.raised.clone();
        let kept = evaluator.clone();
        let built = py.detach(|| match (agent.settings(), is_python || evaluator.is_some()) {
            (Some(settings), true) => build(settings, session, &rules, evaluator).map(Searcher::Tree),
            (Some(settings), false) => session.tree_search(settings.clone()).map(Searcher::Tree),
            (None, _) => agent.build(&*session).map(Searcher::Other),
        });
        let searcher = built.map_err(|fault| raised.or(fault))?;
        let scale = match &searcher {
            _ if is_python => Scale::Tree(rules.range),
            Searcher::Tree(search) if has_own_range(&**search, &rules) => Scale::Tree(rules.range),
            _ => Scale::Game(rules.range),
        };
        let shared = Shared {
            state: Mutex::new(State { searcher: Some(searcher), ..State::default() }),
            changed: Condvar::default(),
            flag: Mutex::default(),
            is_asked: AtomicBool::new(false),
            process: std::process::id(),
            rules: is_python.then_some(rules),
            scale,
            raised,
        };
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
            boughs::Turn::Player(player) => position.board_for(player),
            _ => position.board(),
        })
    }

    /// The party that acts: a player, -1 for chance, `None` at the end.
    fn turn(&self) -> PyResult<Option<i64>> {
        self.with_position(|position| match position.turn() {
            boughs::Turn::Player(player) => Some(player as i64),
            boughs::Turn::Chance => Some(-1),
            boughs::Turn::Over => None,
        })
    }

    /// Begins to search and returns at once.
    #[pyo3(signature = (time=None, iterations=None, early_stop=true, unlimited=false))]
    fn start(&self, time: Option<f64>, iterations: Option<u64>, early_stop: bool, unlimited: bool) -> PyResult<()> {
        let mut budget = match unlimited {
            true => Budget::unlimited(),
            false => asking::budget(time, iterations, early_stop)?,
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
            let code = code_of(shared, searcher.position(), choice)?;
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

/// The start of a search of a [`PyGame`].
enum Start {
    Object(Py<PyAny>),
    Session(Box<dyn Session>),
}

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

/// A position of a game in Python as a session.
fn erased(rules: &Arc<Rules>, start: Start) -> Box<dyn Session> {
    fn of<const KNOWS: u8, const SCORES: bool>(rules: &Arc<Rules>, start: Start) -> Box<dyn Session> {
        Box::new(game_of::<KNOWS, SCORES>(rules, start))
    }
    with_kind!(rules, of, rules, start)
}

/// A position of a game written in Python, for checks.
pub(crate) fn session_of(rules: &Arc<Rules>, object: Py<PyAny>) -> Box<dyn Session> {
    erased(rules, Start::Object(object))
}

fn game_of<const KNOWS: u8, const SCORES: bool>(rules: &Arc<Rules>, start: Start) -> PyGame<KNOWS, SCORES> {
    match start {
        Start::Object(object) => PyGame::of_object(rules.clone(), object),
        Start::Session(session) => PyGame::of_session(rules.clone(), session),
    }
}

/// Builds a search of a game in Python, or of a game of the engine with an evaluator in Python.
fn build(
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
            None => game_of(rules, Start::Session(session)),
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

/// Returns true if the means of a search have to be converted to the scores of its game.
fn has_own_range(search: &dyn TreeSearch, rules: &Rules) -> bool {
    search.position().facts().rewards.bounds == Some((0.0, 1.0)) && matches!(rules.range, Range::Between(..))
}

/// Plays the moves before the search, as text or as a list of texts.
fn play(session: &mut dyn Session, moves: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let Some(moves) = moves else { return Ok(()) };
    if let Ok(text) = moves.cast::<PyString>() {
        let played = session.play_moves(&text.to_cow()?);
        return played.map(drop).map_err(|fault| error(format!("moves, {fault}")));
    }
    for choice in moves.try_iter()? {
        let code = Wanted::of(&choice?)?.find(session)?;
        session.apply(code);
    }
    Ok(())
}

/// The same for a game in Python, whose moves are objects.
fn play_python(
    py: Python<'_>,
    rules: &Rules,
    session: &mut dyn Session,
    moves: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let Some(moves) = moves else { return Ok(()) };
    if moves.is_instance_of::<PyString>() {
        return play(session, Some(moves));
    }
    let moves: Vec<Bound<'_, PyAny>> = moves.try_iter()?.collect::<PyResult<_>>()?;
    for choice in PyList::new(py, moves)?.iter() {
        let code = code_in(rules, session, &choice)?;
        session.apply(code);
    }
    Ok(())
}

/// The code of a move in the position of a search.
fn code_of(shared: &Shared, position: &dyn Session, choice: &Bound<'_, PyAny>) -> PyResult<u32> {
    let found = guarded(|| match &shared.rules {
        None => Wanted::of(choice)?.find(position),
        Some(rules) => code_in(rules, position, choice),
    });
    found.map_err(|fault| shared.raised.or(fault))?
}

/// The code of a legal move of a game in Python: the move itself, or its text.
fn code_in(rules: &Rules, position: &dyn Session, choice: &Bound<'_, PyAny>) -> PyResult<u32> {
    let mut codes = Vec::new();
    if position.turn() != boughs::Turn::Over {
        position.actions(&mut codes);
    }
    let code = rules.codes.encode(choice).ok().filter(|code| codes.contains(code));
    if let Some(code) = code {
        return Ok(code);
    }
    let text = choice.str()?.to_string();
    let by_text = if codes.is_empty() { None } else { position.find_move(&text) };
    by_text.ok_or_else(|| error(SearchError::IllegalAction(text)))
}
