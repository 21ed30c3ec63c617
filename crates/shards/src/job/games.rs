//! The games of a contest: a match, a tournament, or a stage of a tuning.

use std::ops::Range;
use std::time::Duration;

use boughs::StopFlag;
use boughs_arena::statistics::Sprt;
use boughs_arena::{
    Checksums, Conditions, Contest, Contestant, EventKey, Limit, MOST_GAMES, Openings, PairScore, Progress, Record,
    Referee, ReplayCommand, Store,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{check_files, check_programs};
use crate::shard::damaged;
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

/// The most cores of a game.
const MOST_CORES: usize = 1 << 16;

/// The greatest reward that a game may have. Sums of larger ones would not be finite.
const MOST_REWARD: f64 = 1e15;

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
    /// Number of games that were asked for. Whole rounds may be more.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    asked: Option<u64>,
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
    /// If a program is not there, whose checksum belongs to the plan.
    pub fn new(
        kind: ContestKind,
        conditions: &Conditions,
        games: u64,
        test: Option<Sprt>,
        gauntlet: bool,
    ) -> Result<GamesJob, PlanError> {
        let text: Value = serde_json::from_str(&conditions.text_with_files())?;
        let referee = Referee::of(&conditions.game).map(|referee| Contestant::Program(referee.program().clone()));
        check_programs(conditions.contestants.iter().chain(&referee), &files_of(&text)?)?;
        Ok(GamesJob {
            kind,
            conditions: text,
            openings: match &conditions.openings {
                Openings::Listed { file, .. } => Some(file.clone()),
                Openings::Start | Openings::Random(..) => None,
            },
            games,
            asked: None,
            test: test.map(|test| format!("{},{}", test.elo0(), test.elo1())),
            gauntlet,
            cores: conditions.cores(),
        })
    }

    /// The same games, of which a user has asked for this number.
    pub fn asked_for(self, games: Option<u64>) -> GamesJob {
        GamesJob { asked: games, ..self }
    }

    /// Number of games that were asked for, if a user has named one.
    pub fn asked(&self) -> Option<u64> {
        self.asked
    }

    pub(super) fn check(&self) -> Result<(), PlanError> {
        let conditions = self.conditions()?;
        let fault = match self.kind {
            ContestKind::Match if conditions.pairings != [[0, 1]] => "a match has two contestants",
            _ if self.test.is_some() && conditions.pairings.len() > 1 => "its test is for one pairing",
            _ if self.games > MOST_GAMES => "it has too many games",
            _ if matches!(conditions.limit, Limit::Playouts(0) | Limit::Time(Duration::ZERO)) => "its limit is 0",
            _ if self.cores == 0 || self.cores > MOST_CORES => "its number of cores is odd",
            _ => return self.test().map(drop),
        };
        Err(PlanError::new(fault))
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
        let here: Value = serde_json::from_str(&conditions.text_with_files())?;
        check_files(&files_of(&self.conditions)?, &files_of(&here)?)?;
        let mut records: Vec<Record> = Vec::new();
        Contest::new(conditions)?.play_part(numbers, tables, stop, &mut |record| {
            records.push(record);
            see(records.len() as u64);
        })?;
        records.sort_by_key(|record| record.number);
        Ok(records.iter().map(serde_json::to_string).collect::<Result<_, _>>()?)
    }

    /// Puts the games of all shards into a store, as if one machine had played them in their order. A test that ends
    /// the contest counts them in this order too, and games after its decision are left out. `see` gets the number of
    /// games so far. Returns the contest with all games that the store has of it, and its progress: the time of its
    /// games, one after the other.
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
    ) -> Result<(Contest<'s>, Progress), PlanError> {
        let (kind, conditions) = (self.kind.name().to_string(), self.conditions.to_string());
        let key = EventKey { kind, conditions, command: command.to_string() };
        let test = self.test()?;
        let mut contest = Contest::merged(store, key, self.conditions()?, test, replay)?;
        let (mut seen, mut new) = (0, 0);
        for shard in 0..folder.plan().shards() {
            if contest.is_decided() {
                break;
            }
            let records = records(folder, shard, contest.conditions(), contest.players())?;
            for record in records.ok_or_else(|| folder.incomplete())? {
                if !contest.is_decided() {
                    new += u64::from(contest.add(record)?);
                    seen += 1;
                    see(seen);
                }
            }
        }
        let contest = contest.recounted(test)?;
        let (mut took, mut thinking, mut games) = (Duration::ZERO, Duration::ZERO, 0);
        for kept in contest.games().into_iter().flatten() {
            let record = kept?.record;
            games += 1;
            took = took.saturating_add(record.took);
            let clocks = record.clocks.iter().map(|clock| clock.total);
            thinking = clocks.fold(thinking, Duration::saturating_add);
        }
        Ok((contest, Progress { games: new, kept: games - new.min(games), took, thinking, tables: 1 }))
    }

    pub(super) fn check_results(&self, folder: &ShardFolder, shard: u64) -> Result<(), PlanError> {
        let contest = Contest::not_started(self.conditions()?)?;
        records(folder, shard, contest.conditions(), contest.players()).map(drop)
    }

    /// The test that ends the contest, before any game; `None` if there is no test.
    ///
    /// # Errors
    /// If its bounds are no bounds, or the conditions are no conditions.
    pub fn running_test(&self) -> Result<Option<RunningTest>, PlanError> {
        let Some(test) = self.test()? else { return Ok(None) };
        let contest = Contest::not_started(self.conditions()?)?;
        let conditions = contest.conditions().clone();
        let scores = vec![PairScore::ended_by(test); conditions.pairings.len()];
        Ok(Some(RunningTest { players: contest.players(), conditions, scores, shards: 0 }))
    }
}

/// The checksums of files in the text of conditions.
fn files_of(conditions: &Value) -> Result<Checksums, PlanError> {
    conditions.get("files").map_or_else(|| Ok(Checksums::new()), |files| Ok(Checksums::deserialize(files)?))
}

/// The test of a contest while its shards are run. Games count in the order of their numbers, so a shard counts when
/// all shards before it are there.
#[derive(Debug)]
pub struct RunningTest {
    conditions: Conditions,
    players: usize,
    scores: Vec<PairScore>,
    /// Number of shards that are counted.
    shards: u64,
}

impl RunningTest {
    /// Counts the shards that the folder has got since the last call. Returns true if the test is decided, so that the
    /// other shards need not be run.
    ///
    /// # Errors
    /// If a file of the folder cannot be read.
    pub fn is_decided(&mut self, folder: &ShardFolder) -> Result<bool, PlanError> {
        while !self.scores.iter().all(PairScore::is_decided) && self.shards < folder.plan().shards() {
            // A damaged shard is run again, as one that is missing.
            if !folder.has(self.shards)? {
                return Ok(false);
            }
            let records = records(folder, self.shards, &self.conditions, self.players)?;
            for record in records.unwrap_or_default() {
                let planned = self.conditions.planned(record.number, self.players);
                self.scores[planned.pairing].add(&planned, &record);
            }
            self.shards += 1;
        }
        Ok(self.scores.iter().all(PairScore::is_decided))
    }
}

/// The games of a shard, which fit the plan; `None` if it has no file.
fn records(
    folder: &ShardFolder,
    shard: u64,
    conditions: &Conditions,
    players: usize,
) -> Result<Option<Vec<Record>>, PlanError> {
    let Some(records) = folder.results::<Record>(shard)? else { return Ok(None) };
    for (number, record) in folder.plan().units(shard)?.zip(&records) {
        let planned = conditions.planned(number, players);
        let fits = record.number == number
            && (record.round, &record.seats) == (planned.round, &planned.seats)
            && Store::takes(record)
            && record.rewards.iter().all(|reward| reward.is_nan() || reward.abs() <= MOST_REWARD);
        if !fits {
            return Err(damaged(shard, &format!("does not have game {number} of the plan")));
        }
    }
    Ok(Some(records))
}
