//! The thread of a search, which answers questions about its tree while it runs.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use boughs::inspect::NodeView;
use boughs::run::discard;
use boughs::{Agent, Report, SearchError, StopFlag, TreeKind, TreeSearch};
use crossbeam::channel::{Receiver, Sender, select, unbounded};
use serde_json::{Value, json};

use super::capacity::{Capacity, Wait};
use super::handle::{Command, Handle};
use super::meter::Meter;
use super::news::{News, State, Update};
use super::tree::{self, TreeQuestion};
use super::{Task, report};
use crate::outbox::Reply;
use crate::refusal::Refusal;
use crate::secrets::Secrets;
use crate::server::PANICKED;

/// The most iterations of one step.
const MOST_STEPS: u64 = 1_000;

/// The longest wait for workers that are still inside a playout when a search has ended.
const SETTLING: Duration = Duration::from_secs(1);

/// The longest wait of a step for a place.
const STEP_PATIENCE: Duration = Duration::from_secs(1);

/// Starts the thread of a search.
pub(super) fn start(
    id: u64,
    task: Task,
    bytes: usize,
    capacity: Arc<Capacity>,
    secrets: Arc<Secrets>,
) -> Result<Arc<Handle>, Refusal> {
    let (sender, commands) = unbounded();
    let news = News::new();
    let worker = Worker {
        id,
        task,
        bytes,
        capacity,
        secrets,
        own: sender.clone(),
        commands,
        news: news.clone(),
        run: 0,
        searcher: None,
        has_place: false,
        has_memory: false,
        later: RefCell::default(),
        meter: Meter::default(),
    };
    thread::Builder::new()
        .name("search".into())
        .spawn(move || worker.work())
        .map_err(|error| Refusal::failed(format!("the system gives no thread for a search: {error}")))?;
    Ok(Arc::new(Handle::new(sender, news)))
}

/// An agent, with its tree if it has one.
enum Searcher {
    Tree(Box<dyn TreeSearch>),
    Other(Box<dyn Agent>),
}

/// The thread of a search.
struct Worker {
    id: u64,
    task: Task,
    bytes: usize,
    capacity: Arc<Capacity>,
    secrets: Arc<Secrets>,
    own: Sender<Command>,
    commands: Receiver<Command>,
    news: Arc<News>,
    /// The number of the run that is under way, or the last one.
    run: u64,
    searcher: Option<Searcher>,
    /// True while the search has a place among those that run.
    has_place: bool,
    /// True while the memory of the tree counts.
    has_memory: bool,
    /// Commands that came while a search ran and wait for its end.
    later: RefCell<VecDeque<Command>>,
    meter: Meter,
}

impl Worker {
    fn work(mut self) {
        loop {
            let later = self.later.get_mut().pop_front();
            let Some(command) = later.or_else(|| self.commands.recv().ok()) else { break };
            // The rules of a game, or an agent, may panic.
            let done = catch_unwind(AssertUnwindSafe(|| self.handle(command)));
            match done {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(_) => {
                    self.rest();
                    self.forget();
                    self.tell(State::Failed, json!({ "note": PANICKED }));
                }
            }
        }
        self.forget();
    }

    /// Does what a command says, while nothing runs. Breaks at the end.
    fn handle(&mut self, command: Command) -> ControlFlow<()> {
        match command {
            Command::Go(run, flag) => {
                self.run = run;
                return self.go(&flag);
            }
            Command::Tree(question, reply) => {
                let answer = match &self.searcher {
                    Some(Searcher::Tree(search)) => self.tree(&question, search.tree_kind(), &|path| search.node(path)),
                    _ => Err(self.no_tree()),
                };
                reply.send(answer);
            }
            Command::Step(count, reply) => {
                let answer = self.step(count, &reply);
                reply.send(answer);
            }
            Command::Stop => {}
            Command::Forget => {
                self.forget();
                self.tell(
                    State::Stopped,
                    json!({ "note": "the tree was given up, because other searches need its memory" }),
                );
            }
            Command::Quit => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }

    /// Drops the tree, and gives its memory back.
    fn forget(&mut self) {
        discard(self.searcher.take());
        if std::mem::take(&mut self.has_memory) {
            self.capacity.free(self.id, self.bytes);
        }
    }

    /// Tries to take a place, and the memory of the tree if it is not there.
    fn try_place(&mut self) -> Result<(), (Wait, Receiver<()>)> {
        let bytes = if self.has_memory { 0 } else { self.bytes };
        self.capacity.take(self.id, bytes)?;
        (self.has_place, self.has_memory) = (true, true);
        Ok(())
    }

    /// Gives the place back. The tree stays.
    fn rest(&mut self) {
        if std::mem::take(&mut self.has_place) {
            self.capacity.rest(self.id, self.own.clone());
        }
    }

    /// Takes a place for a search. `None` if it is stopped before it gets one.
    fn take_place(&mut self, flag: &StopFlag) -> ControlFlow<(), Option<()>> {
        loop {
            if flag.is_raised() {
                self.tell(State::Stopped, json!({}));
                return ControlFlow::Continue(None);
            }
            let Err((wait, told)) = self.try_place() else { return ControlFlow::Continue(Some(())) };
            let why = match wait {
                Wait::Searches => "as many searches run on this server as may; this one waits for a place",
                Wait::Memory => "the trees of other searches take the memory of this server; this one waits for it",
            };
            self.tell(State::Waiting, json!({ "note": why }));
            select! {
                recv(told) -> _ => {}
                recv(self.commands) -> command => match command {
                    Ok(go @ Command::Go(..)) if flag.is_raised() => self.later.get_mut().push_back(go),
                    Ok(Command::Go(..) | Command::Stop) => {}
                    Ok(other) => self.handle(other)?,
                    Err(_) => return ControlFlow::Break(()),
                }
            }
        }
    }

    /// Builds the agent, if there is none.
    fn build(&mut self) -> Result<(), SearchError> {
        if self.searcher.is_none() {
            let (position, agent) = (&*self.task.place.position, &self.task.agent);
            self.searcher = Some(match agent.settings() {
                Some(settings) => Searcher::Tree(boughs_agents::tree_search(position, settings.clone())?),
                None => Searcher::Other(agent.build(position)?),
            });
        }
        Ok(())
    }

    /// Runs a search.
    fn go(&mut self, flag: &StopFlag) -> ControlFlow<()> {
        if self.take_place(flag)?.is_none() {
            return ControlFlow::Continue(());
        }
        let built = self.build();
        let Some(searcher) = self.searcher.take().filter(|_| built.is_ok()) else {
            self.rest();
            self.forget();
            let why = built.err().map(|error| error.to_string()).unwrap_or_default();
            self.tell(State::Failed, json!({ "note": why }));
            return ControlFlow::Continue(());
        };
        self.meter = Meter::default();
        let budget = self.task.budget().or_stopped_by(flag.clone());
        let (searcher, result) = match searcher {
            Searcher::Tree(mut search) => {
                let kind = search.tree_kind();
                let result = search.watch(budget, &mut |running| {
                    self.tell_report(State::Running, &running.report());
                    self.answer_while_running(flag, &|question| self.tree(question, kind, &|path| running.node(path)));
                });
                let result = result.map(|report| settled(&*search, report));
                (Searcher::Tree(search), result)
            }
            Searcher::Other(mut agent) => {
                // Its first report may be its last one.
                self.tell(State::Running, json!({}));
                let result = agent.search(budget, &mut |report| {
                    self.tell_report(State::Running, report);
                    self.answer_while_running(flag, &|_| Err(self.keeps_no_tree()));
                });
                (Searcher::Other(agent), result)
            }
        };
        self.searcher = Some(searcher);
        match result {
            Ok(report) => {
                let state = if flag.is_raised() { State::Stopped } else { State::Ended };
                self.tell_report(state, &report);
            }
            Err(error) => self.tell(State::Failed, json!({ "note": error.to_string() })),
        }
        self.rest();
        ControlFlow::Continue(())
    }

    /// Answers the questions that have come while a search runs.
    fn answer_while_running(&self, flag: &StopFlag, tree: &dyn Fn(&TreeQuestion) -> Result<Value, Refusal>) {
        for command in self.commands.try_iter() {
            match command {
                Command::Tree(question, reply) => reply.send(tree(&question)),
                Command::Step(_, reply) => {
                    reply.send(Err(Refusal::bad("stop the search before you step through it")));
                }
                Command::Go(..) if flag.is_raised() => self.later.borrow_mut().push_back(command),
                Command::Go(..) | Command::Stop | Command::Forget => {}
                Command::Quit => {
                    flag.raise();
                    self.later.borrow_mut().push_back(command);
                }
            }
        }
    }

    fn tree(
        &self,
        question: &TreeQuestion,
        kind: TreeKind,
        node: &dyn Fn(&[u32]) -> Option<NodeView>,
    ) -> Result<Value, Refusal> {
        if !self.task.place.is_open() {
            return Err(Refusal::forbidden("the tree tells what this seat may not know"));
        }
        tree::tree(&*self.task.place.position, kind, node, question)
    }

    fn no_tree(&self) -> Refusal {
        match self.searcher {
            None => Refusal::bad("there is no tree yet; start the search"),
            Some(_) => self.keeps_no_tree(),
        }
    }

    fn keeps_no_tree(&self) -> Refusal {
        Refusal::bad(format!("the agent '{}' keeps no tree; take mcts to see one", self.task.agent))
    }

    /// Makes iterations one by one, and tells the steps of the last one. Breaks off when the page has gone.
    fn step(&mut self, count: u64, reply: &Reply) -> Result<Value, Refusal> {
        if !self.task.place.is_open() {
            return Err(Refusal::forbidden("the tree tells what this seat may not know"));
        }
        if self.task.agent.settings().is_none() {
            return Err(self.keeps_no_tree());
        }
        let patience = Instant::now() + STEP_PATIENCE;
        while let Err((wait, told)) = self.try_place() {
            // The tree of a search that rests is given up at once.
            told.recv_deadline(patience).map_err(|_| {
                Refusal::bad(match wait {
                    Wait::Searches => "as many searches run on this server as may; stop one, and step then",
                    Wait::Memory => {
                        "the trees of other searches take the memory of this server; stop one, and step then"
                    }
                })
            })?;
        }
        let stepped = self.step_in_place(count, reply);
        self.rest();
        if self.searcher.is_none() {
            self.forget();
        }
        stepped
    }

    fn step_in_place(&mut self, count: u64, reply: &Reply) -> Result<Value, Refusal> {
        self.build().map_err(Refusal::bad)?;
        let Some(Searcher::Tree(search)) = &mut self.searcher else { return Err(self.keeps_no_tree()) };
        if search.tree_kind() != TreeKind::Plain {
            return Err(Refusal::bad(match self.task.place.has_secrets() {
                true => "steps need a tree in which nothing is hidden: look on as one who sees all, with tree=plain",
                false => "the iterations of this tree depend on chance; take tree=plain to see them",
            }));
        }
        let mut last = None;
        for _ in 0..count.clamp(1, MOST_STEPS) {
            last = search.iterate().map_err(Refusal::bad)?;
            if last.is_none() || reply.is_closed() {
                break;
            }
        }
        let (kind, report) = (search.tree_kind(), search.report());
        let steps = last.map(|iteration| {
            let leaf = search.node(&iteration.path);
            tree::iteration(&*self.task.place.position, kind, &iteration, leaf.as_ref())
        });
        let question = TreeQuestion { path: Vec::new(), depth: tree::MOST_DEPTH, all: false };
        let shown = tree::tree(&*self.task.place.position, kind, &|path| search.node(path), &question)?;
        self.tell_report(State::Stopped, &report);
        Ok(json!({ "iteration": steps, "tree": shown["tree"] }))
    }

    fn tell_report(&self, state: State, report: &Report) {
        let place = &self.task.place;
        let value = if place.is_open() {
            report::report(report, self.meter.busy())
        } else {
            let best = report.best.as_ref().filter(|_| state != State::Running).map(|best| {
                // What an agent would play tells what it knows. The page plays the mark, and learns what all see of it.
                self.secrets.hide(&place.game, &place.texts(), &best.text)
            });
            report::closed(report, best)
        };
        self.tell(state, json!({ "report": value }));
    }

    /// Publishes the state, with the members of an object.
    fn tell(&self, state: State, members: Value) {
        let text = members.to_string();
        let members = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or_default();
        let members = if members.is_empty() { String::new() } else { format!(",{members}") };
        self.news.publish(Update { state, run: self.run, members: members.into() });
    }
}

/// The report of a search that has ended, once no worker is inside a playout any more, so that it has the same numbers
/// as the tree. A playout that does not end is not waited for.
fn settled(search: &dyn TreeSearch, report: Report) -> Report {
    if !search.is_working() {
        return report;
    }
    let patience = Instant::now() + SETTLING;
    while search.is_working() && Instant::now() < patience {
        thread::sleep(Duration::from_millis(1));
    }
    Report { stop: report.stop, seconds: report.seconds, ..search.report() }
}
