//! The place in a store where a contest keeps its games.

use crate::conditions_text::changed_files;
use crate::{
    Added, ArenaError, Conditions, Event, EventId, EventKey, MOST_GAMES, Record, ReplayCommand, Store, StoreError,
    StoredGames,
};

/// The games of a contest in a store.
pub(crate) struct Archive<'s> {
    store: &'s mut Store,
    key: EventKey,
    event: EventId,
    replay: ReplayCommand,
}

impl<'s> Archive<'s> {
    /// Finds the games of a contest, or makes a place for them. The files of contestants are part of the conditions.
    pub(crate) fn open(
        store: &'s mut Store,
        conditions: &Conditions,
        [kind, command]: [&str; 2],
        replay: ReplayCommand,
    ) -> Result<Archive<'s>, StoreError> {
        let key =
            EventKey { kind: kind.to_string(), conditions: conditions.text_with_files(), command: command.to_string() };
        Archive::of_key(store, key, replay)
    }

    /// Finds the games of a key, or makes a place for them.
    pub(crate) fn of_key(
        store: &'s mut Store,
        key: EventKey,
        replay: ReplayCommand,
    ) -> Result<Archive<'s>, StoreError> {
        let event = store.event(&key)?;
        Ok(Archive { store, key, event, replay })
    }

    /// The place of an event that the store has.
    pub(crate) fn of_event(store: &'s mut Store, event: &Event) -> Archive<'s> {
        Archive { store, key: event.key.clone(), event: event.id, replay: |_, _| String::new() }
    }

    /// The games, which may not fit the plan.
    pub(crate) fn games(&self) -> StoredGames<'_> {
        self.store.games(self.event)
    }

    /// Returns the files that changed since the last games that the store has under otherwise the same conditions.
    pub(crate) fn changed_files(&self) -> Result<Vec<String>, StoreError> {
        let events = self.store.events()?;
        let played = events.iter().rev().filter(|event| event.games > 0 && event.key.kind == self.key.kind);
        let mut changed = played.map(|event| changed_files(&event.key.conditions, &self.key.conditions));
        Ok(changed.find(|files| !files.is_empty()).unwrap_or_default())
    }

    /// Keeps a game and returns the game that counts, and true if it is this one. If another process was faster, its
    /// game counts.
    pub(crate) fn keep(
        &mut self,
        conditions: &Conditions,
        players: usize,
        record: Record,
    ) -> Result<(Record, bool), ArenaError> {
        let planned = conditions.planned(record.number, players);
        let replay = (self.replay)(&conditions.meeting(planned.pairing), planned.number_in_match);
        if self.store.add(self.event, &record, &replay)? == Added::New {
            return Ok((record, true));
        }
        let Some(kept) = self.store.game(self.event, record.number)? else { return Ok((record, true)) };
        self.check(conditions, players, &kept.record)?;
        Ok((kept.record, false))
    }

    /// Checks that a game of the store fits the plan.
    pub(crate) fn check(&self, conditions: &Conditions, players: usize, record: &Record) -> Result<(), StoreError> {
        let misfit = |what: String| Err(self.store.misfit(record.number, &what));
        if record.number >= MOST_GAMES {
            return misfit(format!("is beyond the last one, {}", MOST_GAMES - 1));
        }
        let planned = conditions.planned(record.number, players);
        match (record.round, &record.seats) == (planned.round, &planned.seats) {
            true => Ok(()),
            false => misfit(format!(
                "has the contestants {:?} in round {}, and the plan has {:?} in round {}",
                record.seats, record.round, planned.seats, planned.round
            )),
        }
    }
}
