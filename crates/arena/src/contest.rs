//! A match or a tournament: its games, those that are in a store already and those that are still to be played.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use boughs::StopFlag;
use boughs_games::{Listed, Visitor, visit};

use crate::program::plain;
use crate::statistics::Sprt;
use crate::table::table;
use crate::{Added, ArenaError, Conditions, EventId, EventKey, Fault, Games, Numbers, Record, Standing, Store, runner};

/// A match or a tournament.
pub struct Contest<'s> {
    conditions: Conditions,
    players: usize,
    has_scores: bool,
    standings: Vec<Standing>,
    played: Numbers,
    kept: Option<Kept<'s>>,
}

/// Where the games of a contest are kept.
struct Kept<'s> {
    store: &'s mut Store,
    event: EventId,
    replay: Replay,
}

/// The command line that plays a game again: a game of a match under these conditions, by its number there.
pub type Replay = fn(&Conditions, u64) -> String;

/// How far a contest has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Games that were played now.
    pub games: u64,
    /// Games that were in the store before.
    pub kept: u64,
    /// For how long games have been played.
    pub took: Duration,
    /// The time of all moves of these games together.
    pub thinking: Duration,
    /// How many games were played at a time.
    pub tables: usize,
}

/// A game has ended.
#[derive(Clone, Copy, Debug)]
pub struct News<'c> {
    /// The game.
    pub record: &'c Record,
    /// How each pairing stands with it.
    pub standings: &'c [Standing],
    /// How far the contest has come.
    pub progress: Progress,
}

impl Progress {
    /// Which share of the time of all tables nobody was thinking in.
    pub fn overhead(&self) -> f64 {
        let all = self.took.as_secs_f64() * self.tables as f64;
        if all > 0.0 { (1.0 - self.thinking.as_secs_f64() / all).max(0.0) } else { 0.0 }
    }
}

/// How many games in a row the program of each contestant was not started for.
#[derive(Default)]
struct Failures(BTreeMap<usize, u32>);

impl Failures {
    /// So many in a row are no accident.
    const MOST: u32 = 3;

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
                let last = record.notes[seat].lines().map(str::trim).rfind(|line| !line.is_empty());
                let said = last.map_or(String::new(), |last| format!(", and said last '{}'", plain::shown(last)));
                return Err(ArenaError(format!(
                    "{} was not started in {count} games in a row: {why}{said}; try its command by hand",
                    conditions.contestants[contestant]
                )));
            }
        }
        // A game that did not begin says nothing of the others in it.
        if is_whole {
            record.seats.iter().for_each(|seat| _ = self.0.remove(seat));
        }
        Ok(())
    }
}

impl<'s> Contest<'s> {
    /// A contest of which no game was played.
    ///
    /// # Errors
    /// If there is no such game, or a contestant or an opening does not go with it.
    pub fn new(conditions: Conditions) -> Result<Contest<'static>, ArenaError> {
        struct Players;
        impl Visitor for Players {
            type Output = (usize, bool);
            fn visit<G: Listed>(self, start: G) -> Self::Output {
                (start.players(), !G::REWARDS.halves || start.players() > 2)
            }
        }
        let (players, has_scores) = visit(&conditions.game, Players).map_err(|error| ArenaError(error.to_string()))?;
        // Whoever does not go with the game is noticed before anything is kept of it.
        table(&conditions, Default::default())?;
        let standings = vec![Standing::default(); conditions.pairings.len()];
        Ok(Contest { conditions, players, has_scores, standings, played: Numbers::default(), kept: None })
    }

    /// The same contest, in which a pairing ends with the decision of a test.
    pub fn ended_by(mut self, test: Sprt) -> Contest<'s> {
        self.standings.fill(Standing::ended_by(test));
        self
    }

    /// The same contest with a store: the games it has of the same conditions count, and those to come are kept in it.
    /// `kind` says what it is, and `command` is the command line that began it.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub fn keep_in(
        mut self,
        store: &'s mut Store,
        kind: &str,
        command: &str,
        replay: Replay,
    ) -> Result<Contest<'s>, ArenaError> {
        let key = EventKey { kind: kind.to_string(), conditions: self.conditions.text(), command: command.to_string() };
        let event = store.event(&key)?;
        let mut played = Vec::new();
        for kept in store.games(event) {
            let record = kept?.record;
            self.count(&record);
            played.push(record.number);
        }
        let played = Numbers::default().with(played);
        Ok(Contest { played, kept: Some(Kept { store, event, replay }), ..self })
    }

    /// Under which conditions it is played.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// How many players the game has.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Whether what players get says more than who won.
    pub fn has_scores(&self) -> bool {
        self.has_scores
    }

    /// How each pairing stands.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// The games so far, where they are kept.
    pub fn games(&self) -> Option<Games<'_>> {
        self.kept.as_ref().map(|kept| kept.store.games(kept.event))
    }

    /// Whether a test has ended all pairings.
    pub fn is_decided(&self) -> bool {
        self.standings.iter().all(Standing::is_decided)
    }

    /// Plays on until all of so many rounds are played, a test has ended all pairings, `see` breaks off, or `stop` is raised.
    /// `see` hears of every game.
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
        let result = runner::play(&conditions, numbers, tables, stop, &mut |record| {
            failures.check(&conditions, &record)?;
            let record = self.keep(record)?;
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

    /// Plays a single game, which counts for nothing and is not kept. `None` if it was interrupted.
    ///
    /// # Errors
    /// If it cannot be played at all.
    pub fn play_only(&self, number: u64, stop: &StopFlag) -> Result<Option<Record>, ArenaError> {
        let mut played = None;
        runner::play(&self.conditions, std::iter::once(number), 1, stop, &mut |record| {
            played = Some(record);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(played)
    }

    /// Puts a game into the store. Where another process was faster, its game is the one that counts.
    fn keep(&mut self, record: Record) -> Result<Record, ArenaError> {
        let Some(Kept { store, event, replay }) = &mut self.kept else { return Ok(record) };
        let planned = self.conditions.planned(record.number, self.players);
        let meeting = self.conditions.meeting(planned.pairing);
        match store.add(*event, &record, &replay(&meeting, planned.number_in_match))? {
            Added::New => Ok(record),
            Added::AlreadyThere => Ok(store.game(*event, record.number)?.map_or(record, |kept| kept.record)),
        }
    }

    fn count(&mut self, record: &Record) {
        let planned = self.conditions.planned(record.number, self.players);
        self.standings[planned.pairing].add(&planned, record);
    }
}
