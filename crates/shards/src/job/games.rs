//! The games of a contest: a match, a tournament, or a stage of a tuning.

use std::ops::Range;

use boughs::StopFlag;
use boughs_arena::statistics::Sprt;
use boughs_arena::{Conditions, Contest, EventKey, MOST_GAMES, Openings, Record, ReplayCommand, Store};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::other_files;
use crate::{PlanError, ShardFolder};

/// The kind of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContestKind {
    /// A match.
    Match,
    /// A tournament.
    Tournament,
    /// A stage of a tuning.
    Tune,
}

impl ContestKind {
    /// The name under which a store keeps its contests.
    pub fn name(self) -> &'static str {
        match self {
            ContestKind::Match => "match",
            ContestKind::Tournament => "tournament",
            ContestKind::Tune => "tune",
        }
    }
}

/// The games of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesJob {
    /// The kind of the contest.
    pub kind: ContestKind,
    /// Everything that a game depends on except its number, as a store keeps it.
    conditions: Value,
    /// Name of the file of openings, whose lines stand in the conditions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    openings: Option<String>,
    /// Number of games.
    pub games: u64,
    /// Bounds of the test that ends a match, `ELO0,ELO1`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    test: Option<String>,
    /// True if the first contestant plays all others, and they do not play each other.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub gauntlet: bool,
    /// Number of cores that one game at a time needs.
    pub(super) cores: usize,
}

impl GamesJob {
    /// The games of a contest with these conditions.
    ///
    /// # Errors
    /// If the conditions cannot be written.
    pub fn new(
        kind: ContestKind,
        conditions: &Conditions,
        games: u64,
        test: Option<Sprt>,
        gauntlet: bool,
    ) -> Result<GamesJob, PlanError> {
        Ok(GamesJob {
            kind,
            conditions: serde_json::from_str(&conditions.text_with_files())?,
            openings: match &conditions.openings {
                Openings::Listed { file, .. } => Some(file.clone()),
                Openings::Start | Openings::Random(..) => None,
            },
            games,
            test: test.map(|test| format!("{},{}", test.elo0(), test.elo1())),
            gauntlet,
            cores: conditions.cores(),
        })
    }

    /// The conditions of the games.
    ///
    /// # Errors
    /// If they are no conditions.
    pub fn conditions(&self) -> Result<Conditions, PlanError> {
        let mut conditions = Conditions::read(&self.conditions.to_string())?;
        if let (Openings::Listed { file, .. }, Some(name)) = (&mut conditions.openings, &self.openings) {
            file.clone_from(name);
        }
        Ok(conditions)
    }

    /// The test that ends a match.
    ///
    /// # Errors
    /// If its bounds are no bounds.
    pub fn test(&self) -> Result<Option<Sprt>, PlanError> {
        self.test
            .as_deref()
            .map(|text| text.parse::<Sprt>().map_err(|error| PlanError::new(error.to_string())))
            .transpose()
    }

    pub(super) fn run(
        &self,
        numbers: Range<u64>,
        tables: usize,
        stop: &StopFlag,
        see: &mut dyn FnMut(u64),
    ) -> Result<Vec<String>, PlanError> {
        let conditions = self.conditions()?;
        let changed = conditions.changed_files_since(&self.conditions.to_string());
        let missing = self.conditions["files"].as_object().into_iter().flat_map(|files| files.keys());
        let here: Value = serde_json::from_str(&conditions.text_with_files())?;
        let missing = missing.filter(|file| here["files"].get(file).is_none()).cloned();
        let others: Vec<String> = changed.into_iter().chain(missing).collect();
        if !others.is_empty() {
            return Err(other_files(&others));
        }
        if numbers.end > MOST_GAMES {
            return Err(PlanError::new(format!("a contest has {MOST_GAMES} games at most")));
        }
        let mut records: Vec<Record> = Vec::new();
        Contest::new(conditions)?.play_part(numbers, tables, stop, &mut |record| {
            records.push(record);
            see(records.len() as u64);
        })?;
        records.sort_by_key(|record| record.number);
        Ok(records.iter().map(serde_json::to_string).collect::<Result<_, _>>()?)
    }

    /// Puts the games of all shards into a store, as if one machine had played them in their order. A test that ends the
    /// contest counts them in this order too, and games after its decision are left out. `see` gets the number of games
    /// so far. Returns the contest with the number of games that the store did not have.
    ///
    /// # Errors
    /// If a shard is missing or damaged, or the store cannot be read or written.
    pub fn merge<'s>(
        &self,
        folder: &ShardFolder,
        store: &'s mut Store,
        command: &str,
        replay: ReplayCommand,
        see: &mut dyn FnMut(u64),
    ) -> Result<(Contest<'s>, u64), PlanError> {
        let (kind, conditions) = (self.kind.name().to_string(), self.conditions.to_string());
        let key = EventKey { kind, conditions, command: command.to_string() };
        let mut contest = Contest::merged(store, key, self.conditions()?, self.test()?, replay)?;
        let (mut number, mut new) = (0, 0);
        'shards: for shard in 0..folder.plan().shards() {
            let records: Vec<Record> = folder.results(shard)?.ok_or_else(|| folder.incomplete())?;
            for record in records {
                if contest.is_decided() {
                    break 'shards;
                }
                if record.number != number {
                    return Err(PlanError::new(format!(
                        "shard {shard} has game {} in place of game {number}; delete its file and run it again",
                        record.number
                    )));
                }
                new += u64::from(contest.add(record)?);
                number += 1;
                see(number);
            }
        }
        Ok((contest, new))
    }

    /// Returns true if the games of the first shards decide the contest, so that the others need not be played.
    ///
    /// # Errors
    /// If a shard is damaged.
    pub fn is_decided(&self, folder: &ShardFolder) -> Result<bool, PlanError> {
        if self.test.is_none() {
            return Ok(false);
        }
        let mut store = Store::in_memory()?;
        let key = EventKey { kind: String::new(), conditions: self.conditions.to_string(), command: String::new() };
        let mut contest = Contest::merged(&mut store, key, self.conditions()?, self.test()?, |_, _| String::new())?;
        for shard in 0..folder.plan().shards() {
            let Some(records) = folder.results::<Record>(shard)? else { break };
            for record in records {
                contest.add(record)?;
                if contest.is_decided() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
