//! An agent that searches on the calling thread.

use boughs::{Agent, Budget, SearchError, Session, TreeSearch};

use super::shared::Shared;
use crate::game::{Range, Rules};
use crate::report::Findings;

/// An agent, with its tree if it has one.
pub(super) enum Searcher {
    Tree(Box<dyn TreeSearch>),
    Other(Box<dyn Agent>),
}

impl Searcher {
    pub(super) fn agent(&mut self) -> &mut dyn Agent {
        match self {
            Searcher::Tree(search) => &mut **search,
            Searcher::Other(agent) => &mut **agent,
        }
    }

    pub(super) fn position(&self) -> &dyn Session {
        match self {
            Searcher::Tree(search) => search.position(),
            Searcher::Other(agent) => agent.position(),
        }
    }

    /// Searches on the calling thread.
    pub(super) fn search(&mut self, budget: Budget, shared: &Shared) -> Result<Findings, SearchError> {
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

    /// Returns true if means have to be converted to the scores of the game.
    pub(super) fn has_own_range(&self, rules: &Rules) -> bool {
        match self {
            Searcher::Tree(search) => {
                search.position().facts().rewards.bounds == Some((0.0, 1.0))
                    && matches!(rules.range, Range::Between(..))
            }
            Searcher::Other(_) => false,
        }
    }
}
