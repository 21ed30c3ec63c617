//! A search as pages hold it: what they tell it, and the news of it.

use std::sync::{Arc, Mutex, PoisonError};

use boughs::StopFlag;
use crossbeam::channel::Sender;
use serde_json::Value;
use tokio::sync::{oneshot, watch};

use super::tree::TreeQuestion;
use crate::refusal::Refusal;

/// The state of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Nothing was searched yet.
    New,
    /// It waits for a place or for memory.
    Waiting,
    Running,
    /// It was stopped, and can go on.
    Stopped,
    /// Its limit is reached, or the position is proven.
    Ended,
    /// It cannot go on.
    Failed,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            State::New => "new",
            State::Waiting => "waiting",
            State::Running => "running",
            State::Stopped => "stopped",
            State::Ended => "ended",
            State::Failed => "failed",
        }
    }

    fn is_over(self) -> bool {
        !matches!(self, State::Waiting | State::Running)
    }
}

/// The news of a search.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) state: State,
    /// The number of the run that they tell of, counted from 1; 0 before the first.
    pub(crate) run: u64,
    /// Further members of a JSON object: each with a comma before it.
    pub(crate) members: Arc<str>,
}

impl Update {
    /// The news as a JSON object that begins with `head`.
    pub(crate) fn text(&self, head: &str) -> String {
        format!("{head}\"state\":\"{}\"{}}}", self.state.name(), self.members)
    }

    /// The same for a page that has stopped a search, which goes on for others.
    pub(crate) fn stopped_text(&self, head: &str) -> String {
        let members = if self.state == State::Waiting { "".into() } else { self.members.clone() };
        let state = if self.state.is_over() { self.state } else { State::Stopped };
        Update { state, run: self.run, members }.text(head)
    }
}

/// The answer to a question.
pub(super) type Reply = oneshot::Sender<Result<Value, Refusal>>;

/// A message to a search.
pub(crate) enum Command {
    /// Makes the run with this number, until the limits are reached or the flag is raised.
    Go(u64, StopFlag),
    /// Ends waiting. A running search ends by its flag.
    Stop,
    /// Asks for a part of the tree.
    Tree(TreeQuestion, Reply),
    /// Makes iterations, and tells the four steps of the last one.
    Step(u64, Reply),
    /// Gives up the tree, for others.
    Forget,
    /// Ends the thread.
    Quit,
}

/// A search as pages hold it. The last one to let go ends it.
pub(crate) struct Handle {
    commands: Sender<Command>,
    pub(crate) updates: watch::Receiver<Update>,
    wishes: Mutex<Wishes>,
}

/// The pages that want the search to run.
struct Wishes {
    count: usize,
    flag: StopFlag,
    /// The number of the last run that was asked for.
    run: u64,
}

impl Handle {
    /// A search that no page wants yet, with the way to its thread.
    pub(super) fn new(commands: Sender<Command>, updates: watch::Receiver<Update>) -> Handle {
        let wishes = Mutex::new(Wishes { count: 0, flag: StopFlag::default(), run: 0 });
        Handle { commands, updates, wishes }
    }

    /// Counts one page more that wants the search to run, and returns the number of the run whose news it gets. A page
    /// that joins a search at its end reads the result.
    pub(crate) fn want(&self, joins: bool) -> u64 {
        let mut wishes = self.wishes.lock().unwrap_or_else(PoisonError::into_inner);
        wishes.count += 1;
        if joins && self.updates.borrow().state == State::Ended && self.is_over(&wishes) {
            return wishes.run;
        }
        self.go_by(&mut wishes)
    }

    /// Lets the search go on, if it does not run, and returns the number of the run.
    pub(crate) fn go(&self) -> u64 {
        self.go_by(&mut self.wishes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Pages that ask for a search before it begins, or while it runs, ask for one run.
    fn go_by(&self, wishes: &mut Wishes) -> u64 {
        if wishes.flag.is_raised() || self.is_over(wishes) {
            wishes.run += 1;
            wishes.flag = StopFlag::default();
            // The thread reads until it is told to quit.
            let _ = self.commands.send(Command::Go(wishes.run, wishes.flag.clone()));
        }
        wishes.run
    }

    /// Returns true if no run is under way or asked for.
    fn is_over(&self, wishes: &Wishes) -> bool {
        let update = self.updates.borrow();
        update.run >= wishes.run && update.state.is_over()
    }

    /// Counts one page less that wants the search to run. It stops if no other page wants it. Returns true if one does.
    pub(crate) fn leave(&self) -> bool {
        let mut wishes = self.wishes.lock().unwrap_or_else(PoisonError::into_inner);
        wishes.count -= 1;
        if wishes.count == 0 {
            wishes.flag.raise();
            let _ = self.commands.send(Command::Stop);
        }
        wishes.count > 0
    }

    /// Asks for a part of the tree.
    pub(crate) async fn tree(&self, question: TreeQuestion) -> Result<Value, Refusal> {
        self.ask(|reply| Command::Tree(question, reply)).await
    }

    /// Makes iterations one by one.
    pub(crate) async fn step(&self, count: u64) -> Result<Value, Refusal> {
        self.ask(|reply| Command::Step(count, reply)).await
    }

    async fn ask(&self, command: impl FnOnce(Reply) -> Command) -> Result<Value, Refusal> {
        let (reply, answer) = oneshot::channel();
        let _ = self.commands.send(command(reply));
        answer.await.unwrap_or_else(|_| Err(Refusal::failed("the search has ended")))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.wishes.get_mut().unwrap_or_else(PoisonError::into_inner).flag.raise();
        let _ = self.commands.send(Command::Quit);
    }
}
