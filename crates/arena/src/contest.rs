//! A match or a tournament: the games in its store, and those that are still to be played.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use boughs::StopFlag;

use crate::archive::Archive;
use crate::cores::cores_here;
use crate::record::last_words;
use crate::statistics::Sprt;
use crate::table::Table;
use crate::{
    ArenaError, Conditions, Contestant, Event, EventKey, Fault, Numbers, PairScore, Record, Referee, Store,
    StoredGames, game_pool,
};

/// A match or a tournament.
pub struct Contest<'s> {
    conditions: Conditions,
    players: usize,
    has_scores: bool,
    standings: Vec<PairScore>,
    played: Numbers,
    archive: Option<Archive<'s>>,
    changed_files: Vec<String>,
    /// The failures of games that were played elsewhere.
    failures: Failures,
}

/// Writes the command line that plays a game again: the game with this number in a match under these conditions.
pub type ReplayCommand = fn(&Conditions, u64) -> String;

/// Progress of a contest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Games that this run has played.
    pub games: u64,
    /// Games that were in the store before.
    pub kept: u64,
    /// Time since the run began.
    pub took: Duration,
    /// Time of all moves of this run together.
    pub thinking: Duration,
    /// Number of games at a time.
    pub tables: usize,
}

/// The news that a game has ended.
#[derive(Clone, Copy, Debug)]
pub struct News<'c> {
    /// The game.
    pub record: &'c Record,
    /// Score of each pairing, with this game.
    pub standings: &'c [PairScore],
    /// Progress of the contest.
    pub progress: Progress,
}

impl Progress {
    /// Share of the time of all tables in which no contestant was thinking.
    pub fn overhead(&self) -> f64 {
        let all = self.took.as_secs_f64() * self.tables as f64;
        if all > 0.0 { (1.0 - self.thinking.as_secs_f64() / all).max(0.0) } else { 0.0 }
    }
}

/// Number of games in a row that the program of a contestant did not start for, by contestant.
#[derive(Default)]
struct Failures(BTreeMap<usize, u32>);

impl Failures {
    /// Number of failures in a row that is taken for no accident.
    const MOST: u32 = 3;

    /// Counts the programs that did not start for a game.
    ///
    /// # Errors
    /// If a program has not started for [`Failures::MOST`] games in a row.
    fn check(&mut self, conditions: &Conditions, record: &Record) -> Result<(), ArenaError> {
        let failed = record.ending.faults().iter().filter_map(|(seat, fault)| match fault {
            Fault::NotStarted(why) => Some((*seat, why)),
            _ => None,
        });
        let mut is_whole = true;
        for (seat, why) in failed {
            is_whole = false;
            let contestant = record.seats[seat];
            let count = self.0.entry(contestant).or_default();
            *count += 1;
            if *count >= Failures::MOST {
                let said = last_words(&record.notes[seat]);
                return Err(ArenaError::new(format!(
                    "{} was not started in {count} games in a row: {why}{said}; try its command by hand",
                    conditions.contestants[contestant]
                )));
            }
        }
        // A game that did not begin says nothing about its other programs.
        if is_whole {
            record.seats.iter().for_each(|seat| _ = self.0.remove(seat));
        }
        Ok(())
    }
}

impl<'s> Contest<'s> {
    /// A contest without games. Contestants that are source files are compiled.
    ///
    /// # Errors
    /// If there is no such game, a source file does not compile, or a contestant or an opening does not go with it.
    pub fn new(mut conditions: Conditions) -> Result<Contest<'static>, ArenaError> {
        let (players, has_scores, edition) = {
            // Building a table finds contestants that do not go with the game before a store keeps anything.
            let table = Table::new(&conditions, Default::default())?;
            (table.players(), table.has_scores(), table.edition())
        };
        for contestant in &mut conditions.contestants {
            if let Contestant::Program(program) = contestant {
                *program = program.clone().compiled(edition)?;
            }
        }
        let standings = vec![PairScore::default(); conditions.pairings.len()];
        Ok(Contest {
            conditions,
            players,
            has_scores,
            standings,
            played: Numbers::default(),
            archive: None,
            changed_files: Vec::new(),
            failures: Failures::default(),
        })
    }

    /// A contest that a store has, to be read: nothing of it is started or compiled, and it is not played on.
    ///
    /// # Errors
    /// If its conditions cannot be read, its game is not known, or its games do not fit its plan.
    pub fn stored(store: &'s mut Store, event: &Event) -> Result<Contest<'s>, ArenaError> {
        let conditions = Conditions::read(&event.key.conditions)?;
        Contest::not_started(conditions)?.with_games(Archive::of_event(store, event))
    }

    /// A contest whose games were played elsewhere, to be put together in a store by [`add`](Contest::add). Nothing of
    /// it is started or compiled.
    ///
    /// # Errors
    /// If its game is not known, or the store cannot be read or written.
    pub fn merged(
        store: &'s mut Store,
        key: EventKey,
        conditions: Conditions,
        test: Option<Sprt>,
        replay: ReplayCommand,
    ) -> Result<Contest<'s>, ArenaError> {
        let mut contest = Contest::not_started(conditions)?;
        let archive = Archive::of_key(store, key, replay)?;
        if archive.games().next().is_none() {
            contest.changed_files = archive.changed_files()?;
        }
        contest.archive = Some(archive);
        Ok(match test {
            Some(test) => contest.ended_by(test),
            None => contest,
        })
    }

    /// Counts the games of the store anew: those that were added, and others that it had before. The test is the one
    /// that ends the contest.
    ///
    /// # Errors
    /// If the store cannot be read, or has games that do not fit the plan.
    pub fn recounted(mut self, test: Option<Sprt>) -> Result<Contest<'s>, ArenaError> {
        self.standings.fill(test.map_or_else(PairScore::default, PairScore::ended_by));
        match self.archive.take() {
            Some(archive) => self.with_games(archive),
            None => Ok(self),
        }
    }

    /// A contest without games of which nothing is started or compiled, so it cannot be played here.
    ///
    /// # Errors
    /// If its game is not known.
    pub fn not_started(conditions: Conditions) -> Result<Contest<'s>, ArenaError> {
        let (players, has_scores) = match Referee::of(&conditions.game) {
            Some(referee) => (referee.seats(), referee.seats() > 2),
            None => {
                let start = boughs_games::start(&conditions.game)?.position;
                (start.players(), !start.facts().rewards.halves || start.players() > 2)
            }
        };
        let standings = vec![PairScore::default(); conditions.pairings.len()];
        let (played, changed_files) = (Numbers::default(), Vec::new());
        let failures = Failures::default();
        Ok(Contest { conditions, players, has_scores, standings, played, archive: None, changed_files, failures })
    }

    /// Counts a game that was played elsewhere, and keeps it. If the store has a game of this number, that game counts.
    /// Returns true if the game is new.
    ///
    /// # Errors
    /// If the game does not fit the plan, a program was not started for several games in a row, or the store cannot be
    /// read or written.
    pub fn add(&mut self, record: Record) -> Result<bool, ArenaError> {
        self.failures.check(&self.conditions, &record)?;
        if let Some(archive) = &self.archive {
            archive.check(&self.conditions, self.players, &record)?;
        }
        let (counts, is_new) = self.keep(record)?;
        self.count(&counts);
        Ok(is_new)
    }

    /// Ends each pairing with the decision of a test.
    pub fn ended_by(mut self, test: Sprt) -> Contest<'s> {
        self.standings.fill(PairScore::ended_by(test));
        self
    }

    /// Keeps the games in a store. Games that the store has under the same conditions count, if the files of the
    /// contestants are as they were: weights and programs.
    ///
    /// `kind` names the kind of contest, and `command` is the command line that began it.
    ///
    /// # Errors
    /// If the store cannot be read or written, or has games that do not fit the plan.
    pub fn keep_in(
        mut self,
        store: &'s mut Store,
        kind: &str,
        command: &str,
        replay: ReplayCommand,
    ) -> Result<Contest<'s>, ArenaError> {
        let archive = Archive::open(store, &self.conditions, [kind, command], replay)?;
        if archive.games().next().is_none() {
            self.changed_files = archive.changed_files()?;
        }
        self.with_games(archive)
    }

    /// Counts the games of an archive.
    fn with_games(mut self, archive: Archive<'s>) -> Result<Contest<'s>, ArenaError> {
        let mut played = Vec::new();
        for kept in archive.games() {
            let record = kept?.record;
            archive.check(&self.conditions, self.players, &record)?;
            self.count(&record);
            played.push(record.number);
        }
        Ok(Contest { played: Numbers::default().with(played), archive: Some(archive), ..self })
    }

    /// The conditions of the contest.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// Number of players of the game.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Returns true if rewards say more than who won.
    pub fn has_scores(&self) -> bool {
        self.has_scores
    }

    /// Score of each pairing.
    pub fn standings(&self) -> &[PairScore] {
        &self.standings
    }

    /// The games so far, if a store keeps them.
    pub fn games(&self) -> Option<StoredGames<'_>> {
        self.archive.as_ref().map(Archive::games)
    }

    /// Names of the files that changed since the store got its last games of this contest, which do not count for that
    /// reason. Empty once the contest has games with the files as they are.
    pub fn changed_files(&self) -> &[String] {
        &self.changed_files
    }

    /// Returns true if a test has ended all pairings.
    pub fn is_decided(&self) -> bool {
        self.standings.iter().all(PairScore::is_decided)
    }

    /// Plays until this number of rounds is complete, a test has ended all pairings, `see` breaks off, or `stop` is
    /// raised. `see` gets the news of every game.
    ///
    /// # Errors
    /// If a game cannot be played at all, or cannot be kept.
    pub fn play(
        &mut self,
        rounds: u64,
        tables: usize,
        stop: &StopFlag,
        see: &mut dyn FnMut(News<'_>) -> ControlFlow<()>,
    ) -> Result<Progress, ArenaError> {
        let started = Instant::now();
        let mut played_now = Vec::new();
        let mut failures = Failures::default();
        let mut progress = Progress { kept: self.played.len(), tables, ..Progress::default() };
        if self.is_decided() {
            return Ok(progress);
        }
        let (conditions, played) = (self.conditions.clone(), std::mem::take(&mut self.played));
        let numbers = (0..conditions.games(rounds, self.players)).filter(|&number| !played.contains(number));
        let result = game_pool::play(&conditions, numbers, (tables, &cores_here()), stop, &mut |record| {
            failures.check(&conditions, &record)?;
            let (record, _) = self.keep(record)?;
            self.count(&record);
            played_now.push(record.number);
            progress.games += 1;
            progress.took = started.elapsed();
            progress.thinking += record.clocks.iter().map(|clock| clock.total).sum::<Duration>();
            let said = see(News { record: &record, standings: &self.standings, progress });
            Ok(if self.is_decided() { ControlFlow::Break(()) } else { said })
        });
        progress.took = started.elapsed();
        self.played = played.with(played_now);
        result.map(|()| progress)
    }

    /// Plays the games with these numbers, which are neither counted nor kept, and gives them to `see`: in their order
    /// if there is one table. Other processes of the machine may play other games of the plan.
    ///
    /// # Errors
    /// If a game cannot be played at all.
    pub fn play_part(
        &self,
        numbers: Range<u64>,
        tables: usize,
        stop: &StopFlag,
        see: &mut dyn FnMut(Record),
    ) -> Result<(), ArenaError> {
        let mut failures = Failures::default();
        let cores = game_pool::cores_of_its_own(&self.conditions, tables);
        game_pool::play(&self.conditions, numbers, (tables, &cores), stop, &mut |record| {
            failures.check(&self.conditions, &record)?;
            see(record);
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Returns true if the games of this number of rounds were played, or a test has ended all pairings.
    pub fn is_complete(&self, rounds: u64) -> bool {
        let mut numbers = 0..self.conditions.games(rounds, self.players);
        self.is_decided() || numbers.all(|number| self.played.contains(number))
    }

    /// Plays a single game, which is neither counted nor kept. Returns it with the standard error of a referee that is
    /// a program, or `None` if it was interrupted.
    ///
    /// # Errors
    /// If the game cannot be played at all.
    pub fn play_only(&self, number: u64, stop: &StopFlag) -> Result<Option<(Record, String)>, ArenaError> {
        game_pool::play_one(&self.conditions, number, stop)
    }

    /// Puts a game into the store, if there is one, and returns the game that counts, and true if it is this one.
    fn keep(&mut self, record: Record) -> Result<(Record, bool), ArenaError> {
        match &mut self.archive {
            Some(archive) => archive.keep(&self.conditions, self.players, record),
            None => Ok((record, true)),
        }
    }

    fn count(&mut self, record: &Record) {
        let planned = self.conditions.planned(record.number, self.players);
        self.standings[planned.pairing].add(&planned, record);
    }
}
