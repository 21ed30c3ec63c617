//! The best scores of the cases of a contest, remembered from run to run.

use std::path::Path;

use boughs_arena::judge::{CaseVerdict, NamedCase};
use boughs_arena::{Best, CaseKey, Contestant, Store, StoreError};

/// The best scores so far, if there is a store for them.
pub(crate) struct Bests {
    store: Option<Store>,
    game: String,
    contestant: String,
    command: String,
}

impl Bests {
    /// Opens the best scores of a file.
    pub(crate) fn open(
        path: Option<&Path>,
        game: &str,
        contestant: &Contestant,
        command: String,
    ) -> Result<Bests, StoreError> {
        Ok(Bests {
            store: path.map(Store::open).transpose()?,
            game: game.to_string(),
            contestant: contestant.to_string(),
            command,
        })
    }

    /// Returns the best score before this one, and keeps this one if it is better.
    pub(crate) fn compare(&mut self, named: &NamedCase, verdict: &CaseVerdict) -> Result<Option<f64>, StoreError> {
        let Some(store) = &mut self.store else { return Ok(None) };
        let key = CaseKey { game: self.game.clone(), name: named.name.clone(), checksum: named.checksum() };
        let score = f64::from(verdict.score);
        let best = Best { score, contestant: self.contestant.clone(), command: self.command.clone() };
        let before = if verdict.fault.is_none() { store.offer_best(&key, &best)? } else { store.best(&key)? };
        Ok(before.map(|best| best.score))
    }

    /// Writes everything to the disk, unless there was a fault.
    pub(crate) fn close(self, fault: Option<StoreError>) -> Result<(), StoreError> {
        match (fault, self.store) {
            (Some(fault), _) => Err(fault),
            (None, Some(store)) => store.close(),
            (None, None) => Ok(()),
        }
    }
}
