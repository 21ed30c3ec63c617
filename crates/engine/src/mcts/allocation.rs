//! The memory of a search's trees: that of the settings, or less where the system does not give that much.

use std::sync::Arc;

use super::SearchError;
use crate::Warning;
use crate::mcts::settings::Settings;
use crate::mcts::tree::words::Writers;
use crate::mcts::tree::{LayoutKind, Tree};
use crate::memory::write_size;
use crate::spec::SpecError;

/// The smallest tree that is worth having where the system does not give what was asked for.
const LEAST: usize = 256 << 10;

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
