//! A search as pages hold it: their orders to it, and the way to its news.

use std::sync::{Arc, Mutex, PoisonError};

use boughs::StopFlag;
use crossbeam::channel::Sender;

use super::news::{News, State};
use super::tree::TreeQuestion;
use crate::outbox::Reply;

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
    pub(crate) news: Arc<News>,
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
    pub(super) fn new(commands: Sender<Command>, news: Arc<News>) -> Handle {
        let wishes = Mutex::new(Wishes { count: 0, flag: StopFlag::default(), run: 0 });
        Handle { commands, news, wishes }
    }

    /// Counts one page more that wants the search to run, and returns the number of the run whose news it gets. A page
    /// that joins a search at its end reads the result.
    pub(crate) fn want(&self, joins: bool) -> u64 {
        let mut wishes = self.wishes.lock().unwrap_or_else(PoisonError::into_inner);
        wishes.count += 1;
        if joins && self.news.update().state == State::Ended && self.is_over(&wishes) {
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
        let update = self.news.update();
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

    /// The way to the news.
    pub(crate) fn news(&self) -> &Arc<News> {
        &self.news
    }

    /// Asks for a part of the tree.
    pub(crate) fn tree(&self, question: TreeQuestion, reply: Reply) {
        // A reply that is dropped with its command is an answer too.
        let _ = self.commands.send(Command::Tree(question, reply));
    }

    /// Makes iterations one by one.
    pub(crate) fn step(&self, count: u64, reply: Reply) {
        let _ = self.commands.send(Command::Step(count, reply));
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.wishes.get_mut().unwrap_or_else(PoisonError::into_inner).flag.raise();
        let _ = self.commands.send(Command::Quit);
    }
}
