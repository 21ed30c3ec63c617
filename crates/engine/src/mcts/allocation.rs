//! The memory of a search: that of its trees, which is that of the settings, or less where the system does not give
//! that much, and what it takes beside them.

use std::sync::Arc;

use super::SearchError;
use crate::mcts::settings::{Learning, Parallel, Settings};
use crate::mcts::tree::words::Writers;
use crate::mcts::tree::{LayoutKind, Tree};
use crate::memory::{fault_beside, write_size};
use crate::run::cores;
use crate::spec::SpecError;
use crate::{GameFacts, Warning};

/// The smallest tree that is worth having where the system does not give what was asked for.
const LEAST: usize = 256 << 10;

/// The memory of a traversal beside its position: its path, its moves, and the priors of its leaf.
const A_TRAVERSAL: usize = 768;

/// The memory of a thread: its stack, and its share of what the system's allocator keeps.
const A_THREAD: usize = 64 << 10;

/// The memory of a node of a bulk beside its position, and the simulations that go through it at least, on average.
const A_BULK_NODE: usize = 256;
const SIMULATIONS_A_NODE: usize = 16;

/// The most simulations of the bulks of all workers, which have one for 64 visits of the root.
const MOST_IN_BULKS: usize = 1 << 20;

/// The memory of the tables of a search, and of what playouts have learned.
const TABLES: usize = 128 << 10;
const LEARNED: usize = 2 << 20;

impl Settings {
    /// The most memory in bytes that a search of a game takes beside its trees, as far as the size of its positions
    /// tells: traversals under way, copies of the game for bulks, and threads.
    pub fn memory_beside(&self, facts: &GameFacts) -> usize {
        let threads = if self.threads == 0 { cores() } else { self.threads };
        let (workers, in_bulks) = match self.parallel {
            Parallel::Batched => (1, 0),
            Parallel::Shared | Parallel::Independent => (threads, (threads * self.bulk as usize).min(MOST_IN_BULKS)),
        };
        let traversals = workers * self.leaves().max(self.traversals) as usize * (facts.position_bytes + A_TRAVERSAL);
        let bulks = in_bulks / SIMULATIONS_A_NODE * (facts.position_bytes + A_BULK_NODE);
        let learned = if self.learning == Learning::Off { 0 } else { LEARNED };
        TABLES + learned + threads * A_THREAD + traversals + bulks
    }
}

/// Checks that a search takes no more memory beside its trees than goes with theirs.
///
/// # Errors
/// If it does.
pub(super) fn check_beside(facts: &GameFacts, settings: &Settings) -> Result<(), SearchError> {
    let fault = fault_beside(settings.memory_beside(facts), settings.memory, "batch, bulk, traversals or threads");
    fault.map_or(Ok(()), |fault| Err(SearchError::Setting(SpecError::new(fault))))
}

/// Allocates empty trees for a search by this number of workers. The other result warns that they have less than the
/// settings ask for.
///
/// # Errors
/// If there is no room for a root, a tree cannot take as much, or the system gives too little.
pub(super) fn allocate(
    layout: LayoutKind,
    settings: &Settings,
) -> Result<(Vec<Arc<Tree>>, Option<Warning>), SearchError> {
    let (trees, writers) = kind(settings);
    let trees_of = |bytes: usize| trees_of(trees, bytes, layout, writers);
    let asked = settings.memory / trees;
    if asked > Tree::MOST_BYTES {
        let (bytes, most) = (write_size(settings.memory), write_size(trees.saturating_mul(Tree::MOST_BYTES)));
        let fault = format!("a tree takes 16 GiB at most, and memory={bytes} is more; try memory={most}");
        return Err(SearchError::Setting(SpecError::new(fault)));
    }
    if let Some(all) = trees_of(asked) {
        return Ok((all, None));
    }
    let mut less = std::iter::successors(Some(asked / 2), |bytes| Some(bytes / 2)).take_while(|&bytes| bytes >= LEAST);
    match less.find(|&bytes| trees_of(bytes).is_some()) {
        // The other half is for all else that the process needs.
        Some(bytes) => {
            let warning = Warning::LessMemory { asked: settings.memory, given: bytes / 2 * trees };
            Ok((trees_of(bytes / 2).ok_or(SearchError::NoMemory)?, Some(warning)))
        }
        None if asked < LEAST => Err(SearchError::Memory { bytes: settings.memory }),
        None => Err(SearchError::NoMemory),
    }
}

/// Allocates another set of empty trees, as large as those that [`allocate`] gave with this warning. `None` if the
/// system does not give as much once more.
pub(super) fn allocate_again(
    layout: LayoutKind,
    settings: &Settings,
    less_memory: Option<&Warning>,
) -> Option<Vec<Arc<Tree>>> {
    let (trees, writers) = kind(settings);
    let all = match less_memory {
        Some(&Warning::LessMemory { given, .. }) => given,
        _ => settings.memory,
    };
    trees_of(trees, all / trees, layout, writers)
}

/// The number of trees, and the number of threads that write to each.
fn kind(settings: &Settings) -> (usize, Writers) {
    let trees = settings.trees();
    let writers = if settings.workers() > trees { Writers::Many } else { Writers::One };
    (trees, writers)
}

fn trees_of(trees: usize, bytes: usize, layout: LayoutKind, writers: Writers) -> Option<Vec<Arc<Tree>>> {
    (0..trees).map(|_| Tree::new(bytes, layout, writers).map(Arc::new).ok()).collect()
}
