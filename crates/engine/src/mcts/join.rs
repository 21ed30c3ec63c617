//! The end of a search: waiting for its workers, or leaving those behind that are in a long playout.
//!
//! A worker that is left behind keeps the trees of its search, which no other search uses, and its thread. Only one set
//! of trees is left behind at a time, so a search never has more than twice its memory.

use std::sync::Arc;

use super::SearchError;
use super::allocation::allocate_again;
use super::learned_playouts;
use super::search_core::SearchCore;
use super::shared::{Results, SharedSearch};
use crate::mcts::settings::Learning;
use crate::mcts::tree::Tree;
use crate::reward::Bounds;
use crate::run::{Pool, WorkerGuard};
use crate::{Budget, Position, StopReason, Warning};

impl SearchCore {
    /// Ends the last search and waits until no worker is in a tree, because workers may still be on their way when a
    /// search was read at its deadline. A worker that does not come back soon keeps its tree and its thread, and the
    /// next search has others. If there are no others, this waits on, but no longer than the next search may take.
    /// Returns false if a worker is still in a tree, which happens only with a budget.
    pub(super) fn join_workers(&mut self, next: Option<&Budget>) -> bool {
        let Some(working) = self.working.clone() else { return true };
        self.comes_back_in = working.time_to_come_back().unwrap_or(self.comes_back_in);
        let has_ended = working.status.join_playouts(next, self.comes_back_in);
        // A search that would end at once needs no other trees, and may keep what it has in these.
        let spent = next.and_then(|next| next.is_spent(0));
        let is_spent = spent.is_some_and(|reason| reason != StopReason::Iterations);
        if !has_ended && !is_spent && self.leave_workers(&working) {
            return true;
        }
        if has_ended || working.status.join_all(next) {
            self.state.learn_from(&working);
            self.working = None;
            return true;
        }
        false
    }

    /// Ends the last search and waits until no worker is in a tree.
    pub(super) fn join_all_workers(&mut self) {
        if let Some(working) = self.working.take() {
            working.status.join_all(None);
            self.state.learn_from(&working);
        }
    }

    /// Returns true if a worker that was left behind is still at work.
    pub(super) fn has_left_workers(&self) -> bool {
        self.left.iter().any(|tree| tree.strong_count() > 0)
    }

    /// Goes on with empty trees, and with threads that are not busy, if the system gives as much of all as before.
    fn leave_workers(&mut self, working: &SharedSearch) -> bool {
        let Some(trees) = self.other_trees() else { return false };
        let pool = match &self.state.pool {
            Some(_) => match Pool::new(self.state.settings.threads) {
                Ok(pool) => Some(Arc::new(pool)),
                Err(_) => return false,
            },
            None => None,
        };
        if !self.threads.replace_busy() {
            return false;
        }
        self.state.learn_from(working);
        self.left = self.state.trees.iter().map(Arc::downgrade).collect();
        (self.state.trees, self.state.last, self.working) = (trees, None, None);
        (self.state.pool, self.state.bounds) = (pool, Bounds::NONE);
        // A worker that was left behind still teaches the table of its search.
        if self.state.settings.learning != Learning::Off {
            self.state.learned = learned_playouts::of(&self.state.settings, &self.state.facts);
        }
        // The playouts of the last batch.
        self.state.next_stream += u64::from(self.state.settings.leaves());
        true
    }

    /// Another set of empty trees, unless one was left behind already.
    fn other_trees(&self) -> Option<Vec<Arc<Tree>>> {
        if self.has_left_workers() {
            return None;
        }
        allocate_again(self.state.layout, &self.state.settings, self.state.less_memory.as_ref())
    }

    /// Begins and ends a search whose budget was spent while a worker was in the trees. Its report has what earlier
    /// searches of the position have found.
    pub(super) fn launch_nothing(
        &mut self,
        position: &dyn Position,
        first: usize,
        budget: Budget,
        results: Results,
    ) -> Result<(), SearchError> {
        let reason = if budget.stop.is_raised() { StopReason::Stopped } else { StopReason::Time };
        let mut search = self.state.share(position, first, self.state.settings.clone(), budget, results)?;
        if let Some(working) = &self.working {
            search.go_on_from(working);
        }
        search.warn(&Warning::PlayoutGoesOn);
        search.status.stop(reason);
        (0..self.state.settings.workers()).for_each(|_| drop(WorkerGuard(&search.status)));
        self.state.last = Some(Arc::new(search));
        Ok(())
    }
}
