//! The news of a search, and the pages that watch them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crossbeam::channel::Sender;

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

    pub(super) fn is_over(self) -> bool {
        !matches!(self, State::Waiting | State::Running)
    }
}

/// The news of a search at one time.
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

/// The latest news of a search.
pub(crate) struct News(Mutex<Latest>);

struct Latest {
    update: Update,
    /// The number of updates before this one.
    number: u64,
    /// The bells of those that watch.
    bells: Vec<Weak<Sender<()>>>,
}

impl News {
    pub(crate) fn new() -> Arc<News> {
        let update = Update { state: State::New, run: 0, members: "".into() };
        Arc::new(News(Mutex::new(Latest { update, number: 0, bells: Vec::new() })))
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest update.
    pub(super) fn update(&self) -> Update {
        self.latest().update.clone()
    }

    /// Replaces the update, and rings the bells.
    pub(crate) fn publish(&self, update: Update) {
        let mut latest = self.latest();
        latest.update = update;
        latest.number += 1;
        // A bell that has rung and was not heard yet rings for this update too.
        latest.bells.iter().filter_map(Weak::upgrade).for_each(|bell| _ = bell.try_send(()));
    }

    /// Watches the news. The bell rings at each update.
    pub(crate) fn watch(self: &Arc<News>, bell: Sender<()>) -> Watch {
        let bell = Arc::new(bell);
        let mut latest = self.latest();
        latest.bells.retain(|bell| bell.strong_count() > 0);
        latest.bells.push(Arc::downgrade(&bell));
        Watch { news: self.clone(), seen: None, _bell: bell }
    }
}

/// One that watches news.
pub(crate) struct Watch {
    news: Arc<News>,
    /// The number of the last update that was seen.
    seen: Option<u64>,
    /// The bell is rung as long as this is there.
    _bell: Arc<Sender<()>>,
}

impl Watch {
    /// The latest update, if it was not seen yet.
    pub(crate) fn newer(&mut self) -> Option<Update> {
        let latest = self.news.latest();
        let before = self.seen.replace(latest.number);
        (before != Some(latest.number)).then(|| latest.update.clone())
    }

    /// The latest update.
    pub(crate) fn latest(&self) -> Update {
        self.news.update()
    }
}
