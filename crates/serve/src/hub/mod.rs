//! All searches of the server. Pages that ask for the same search of the same position share it, and a search ends when
//! the last of them leaves.

mod capacity;
mod handle;
mod meter;
mod news;
mod report;
mod search;
mod tree;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use boughs::memory::{parse_size, write_size};
use boughs::run::cores;
use boughs::{Budget, TreeKind};
use boughs_agents::AgentSpec;

use crate::place::Place;
use crate::refusal::Refusal;
use crate::secrets::Secrets;
use capacity::Capacity;
pub(crate) use handle::Handle;
pub(crate) use news::{News, Watch};
#[cfg(test)]
pub(crate) use news::{State, Update};
pub(crate) use tree::TreeQuestion;

/// The most searches that pages hold, running or not. Each has a thread.
const MOST_HELD: usize = 64;

/// The most threads of a search, where the machine has not more cores.
const MOST_THREADS: usize = 64;

/// The time of a contest agent, whose answer is made for a limit.
const TIME_OF_CONTEST_AGENTS: Duration = Duration::from_secs(1);

/// The memory that an agent without a tree counts as.
const BYTES_WITHOUT_TREE: usize = 16 << 20;

/// The memory that each position of the width of a beam counts as.
const BYTES_OF_A_BEAM: usize = 4 << 10;

/// The longest time of a run.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// The limits of one search. Without any it goes on until it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Limits {
    pub(crate) time: Option<Duration>,
    pub(crate) iterations: Option<u64>,
}

/// A search that a page asks for.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) place: Place,
    pub(crate) agent: AgentSpec,
    pub(crate) limits: Limits,
    /// True for a search that goes iteration by iteration for one page alone, which this number names.
    pub(crate) alone: Option<u64>,
}

/// All searches.
pub(crate) struct Hub {
    searches: Mutex<HashMap<String, Weak<Handle>>>,
    capacity: Arc<Capacity>,
    secrets: Arc<Secrets>,
    /// The agent of the command line, which alone may read files.
    trusted: AgentSpec,
    next: AtomicU64,
}

impl Hub {
    pub(crate) fn new(most_searches: usize, most_bytes: usize, secrets: Arc<Secrets>, trusted: AgentSpec) -> Hub {
        let capacity = Arc::new(Capacity::new(most_searches, most_bytes));
        Hub { searches: Mutex::default(), capacity, secrets, trusted, next: AtomicU64::new(0) }
    }

    /// Joins a search, or starts it. It runs once a page wants it to.
    pub(crate) fn join(&self, mut task: Task) -> Result<Arc<Handle>, Refusal> {
        if !task.agent.files().is_empty() && task.agent.files() != self.trusted.files() {
            return Err(Refusal::forbidden(
                "an agent with a file is chosen when the server starts, by --agent; leave the file out here",
            ));
        }
        let is_plain = task.agent.settings().is_some_and(|settings| settings.tree == TreeKind::Plain);
        if is_plain && task.place.has_secrets() {
            return Err(Refusal::bad("an agent with tree=plain knows what this seat may not; leave tree= out"));
        }
        let most_threads = MOST_THREADS.max(cores());
        if task.agent.threads() > most_threads {
            return Err(Refusal::bad(format!("a search has at most {most_threads} threads here")));
        }
        let bytes = self.bound(&mut task.agent)?;
        if task.limits == Limits::default()
            && boughs_agents::agents_of(task.place.entry.name)
                .iter()
                .any(|own| task.agent.to_string().split(':').next() == Some(own.name))
        {
            task.limits.time = Some(TIME_OF_CONTEST_AGENTS);
        }
        let key = task.key();
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = searches.get(&key).and_then(Weak::upgrade) {
            return Ok(known);
        }
        searches.retain(|_, search| search.strong_count() > 0);
        if searches.len() >= MOST_HELD {
            return Err(Refusal::failed("too many searches are open on this server; close some pages"));
        }
        let id = self.next.fetch_add(1, Relaxed);
        let handle = search::start(id, task, bytes, self.capacity.clone(), self.secrets.clone())?;
        searches.insert(key, Arc::downgrade(&handle));
        Ok(handle)
    }

    /// Bounds the memory of an agent, and returns it.
    fn bound(&self, agent: &mut AgentSpec) -> Result<usize, Refusal> {
        let (name, share) = (agent.to_string(), self.capacity.share());
        let name = name.split(':').next().unwrap_or_default();
        let memory = agent.values().into_iter().find(|(key, _)| *key == "memory").map(|(_, value)| value);
        let Some(memory) = memory else { return self.bytes_without_tree(agent) };
        let list = AgentSpec::list();
        let keys = list.iter().filter(|entry| entry.name == name).flat_map(|entry| &entry.keys);
        let is_default = keys.into_iter().any(|key| key.name == "memory" && key.default == memory);
        let bytes = parse_size(&memory).map_err(Refusal::bad)?;
        if !is_default {
            let most = self.capacity.most_bytes();
            return if bytes <= most {
                Ok(bytes)
            } else {
                Err(Refusal::bad(format!(
                    "all trees of this server have {} of memory; give memory= less",
                    write_size(most)
                )))
            };
        }
        let bytes = bytes.min(share);
        agent.set("memory", &write_size(bytes)).map_err(Refusal::bad)?;
        Ok(bytes)
    }

    /// The memory that an agent without a tree counts as: a beam keeps as many positions as it is wide.
    fn bytes_without_tree(&self, agent: &AgentSpec) -> Result<usize, Refusal> {
        let width =
            agent.values().into_iter().find(|(key, _)| *key == "width").and_then(|(_, value)| value.parse().ok());
        let bytes = width.unwrap_or(0usize).saturating_mul(BYTES_OF_A_BEAM).saturating_add(BYTES_WITHOUT_TREE);
        match bytes <= self.capacity.most_bytes() {
            true => Ok(bytes),
            false => Err(Refusal::bad("so wide a beam takes more memory than this server has; make width= smaller")),
        }
    }
}

impl Task {
    /// Equal for searches that pages can share.
    fn key(&self) -> String {
        let Task { place, agent, limits, alone } = self;
        let viewer = if place.is_open() { None } else { place.viewer };
        format!("{}\n{:?}\n{agent} {}\n{limits:?} {viewer:?} {alone:?}", place.game, place.moves, agent.seed())
    }

    fn budget(&self) -> Budget {
        let budget = Budget::time(self.limits.time.unwrap_or(LONGEST).min(LONGEST));
        let budget = self.limits.iterations.map_or(budget.clone(), |count| budget.or_iterations(count));
        budget.early_stop(false)
    }
}
