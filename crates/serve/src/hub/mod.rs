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
use boughs::notation::counted;
use boughs::run::cores;
use boughs::{Budget, Session, TreeKind};
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

/// The memory of the threads of a search, of its reports and of what a page is sent of them.
const A_SEARCH: usize = 1 << 20;

/// The most searches that pages hold, running or not. Each has a thread.
const MOST_HELD: usize = 64;

/// The most threads of a search, where the machine has not more cores.
const MOST_THREADS: usize = 64;

/// The time of a contest agent, whose answer is made for a limit.
const TIME_OF_CONTEST_AGENTS: Duration = Duration::from_secs(1);

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
            return Err(Refusal::bad(format!("a search has at most {} here", counted(most_threads, "threads"))));
        }
        let bytes = self.bound(&mut task.agent, &*task.place.position)?;
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
    fn bound(&self, agent: &mut AgentSpec, position: &dyn Session) -> Result<usize, Refusal> {
        let (name, share, most) = (agent.to_string(), self.capacity.share(), self.capacity.most_bytes());
        let name = name.split(':').next().unwrap_or_default();
        let mut trees = 0;
        if let Some((_, memory)) = agent.values().into_iter().find(|(key, _)| *key == "memory") {
            let list = AgentSpec::list();
            let keys = list.iter().filter(|entry| entry.name == name).flat_map(|entry| &entry.keys);
            let is_default = keys.into_iter().any(|key| key.name == "memory" && key.default == memory);
            let bytes = parse_size(&memory).map_err(Refusal::bad)?;
            trees = bytes;
            if is_default {
                let beside = A_SEARCH + agent.memory(position).saturating_sub(bytes).saturating_mul(3) / 2;
                // What is beside the tree leaves it half of a share at least.
                let bytes = bytes.min(share.saturating_sub(beside).max(share / 2));
                agent.set("memory", &write_size(bytes)).map_err(Refusal::bad)?;
                trees = bytes;
            }
        }
        // The allocator keeps a part of what searches give back beside their trees.
        let bytes = A_SEARCH + trees + agent.memory(position).saturating_sub(trees).saturating_mul(3) / 2;
        match bytes <= most {
            true => Ok(bytes),
            false => Err(Refusal::bad(format!(
                "this search may take {} of memory, and all of this server have {}; make {} less",
                write_size(bytes.next_multiple_of(1 << 20)),
                write_size(most),
                size_keys(agent)
            ))),
        }
    }
}

/// The options of an agent by which it takes more memory or less.
fn size_keys(agent: &AgentSpec) -> String {
    const KEYS: [&str; 9] =
        ["memory", "width", "ranks", "worlds", "positions", "batch", "bulk", "traversals", "threads"];
    let keys = agent.values().into_iter().map(|(key, _)| key).filter(|key| KEYS.contains(key));
    keys.collect::<Vec<_>>().join(", ")
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
