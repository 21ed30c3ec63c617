//! Strength by threads: what playing in parallel costs, and what it brings, in games.
//!
//! Everybody meets one thread. At equal playouts a parallel search can only be worse: its descents do not know yet what
//! those before them will find, and the games say how much that costs. At equal time it makes more playouts, and the games
//! say what is left of that. What one thread has to be given to play as well, in playouts or in time, is read off a
//! [yardstick](Way::Alone): one thread that thinks half as long, twice as long, and so on, against itself. At equal time
//! that is the strength speed-up of Chaslot, Winands and Van den Herik (2008).
//!
//! **Logical workers** need no cores: one thread with `parallel=batched,batch=W` chooses leaves before it knows the rewards of
//! those in flight, and adds rewards in a fixed order, as if W processors without any other cost were at work (the idealised
//! machine of Segal 2010). A batch has two halves, and one is chosen while the other is in flight: a descent sees from W/2
//! to W - 1 others that have not come back, three quarters of W on average. With W = 1 it sees none.
//!
//! Every game is kept in a store. What is missing is played, so the same plan goes on where it was interrupted, and a wider one
//! plays only what is new.

mod bout;
mod csv;
mod exam;
mod line;
mod page;
mod plot;
mod report;
mod way;
mod yardstick;

use std::ops::ControlFlow;
use std::time::Duration;

use boughs::{InFlight, Settings, StopFlag};
use boughs_arena::{ArenaError, Conditions, Limit, LoadMeter, News, Openings, Replay, Store, Venue, tables_here};
use boughs_games::{Listed, Visitor, visit};

use crate::scale::{Machine, Mode};
use crate::solved::positions_of;
use bout::Bout;
use exam::Exam;

pub use csv::csv;
pub use line::Line;
pub use page::html;
pub use plot::plots;
pub use report::Report;
pub use way::{Kind, Way};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game, as it was asked for.
    pub game: String,
    /// The agent that plays; its threads and its way to be parallel are those of each line.
    pub settings: Settings,
    /// The ways to be parallel.
    pub modes: Vec<Mode>,
    /// The numbers of threads.
    pub threads: Vec<usize>,
    /// How many playouts logical workers have in flight.
    pub workers: Vec<u32>,
    /// How these are shown to each other.
    pub rules: Vec<InFlight>,
    /// Playouts for a move, where strength at equal playouts is asked for.
    pub playouts: Option<u64>,
    /// Time for a move, where strength at equal time is asked for.
    pub time: Option<Duration>,
    /// How much later than that a move may come.
    pub grace: Duration,
    /// Games of each line.
    pub games: u64,
    /// What games begin with.
    pub openings: Openings,
    /// From which all randomness comes.
    pub seed: u64,
    /// How many games are played at a time, if not as many as there are cores for.
    pub tables: Option<usize>,
    /// The command line that asked for it, for the record.
    pub command: String,
}

/// Everybody plays such a part of the games before anybody goes on, so that a machine that slows down for a while slows none
/// of them more than another.
const PASSES: u64 = 8;

/// A measurement under way.
pub struct Experiment<'s> {
    plan: Plan,
    machine: Machine,
    meter: LoadMeter,
    store: &'s mut Store,
    replay: Replay,
    bouts: Vec<Bout>,
    exams: Vec<Exam>,
    /// Which games belong to which line of the report.
    entries: Vec<Entry>,
    /// Games and solved positions that were played now.
    played: u64,
}

/// A line of the report on its way.
struct Entry {
    way: Way,
    limit: Limit,
    /// Its games; one thread does not play itself.
    bout: Option<usize>,
    exam: Option<usize>,
}

impl<'s> Experiment<'s> {
    /// Prepares a plan, and counts what the store has of it already. `replay` says which command plays a game again,
    /// for the record.
    ///
    /// # Errors
    /// If there is no such game, it is not for one or two, or the store cannot be read.
    pub fn new(plan: Plan, store: &'s mut Store, replay: Replay) -> Result<Experiment<'s>, ArenaError> {
        check_players(&plan.game)?;
        let positions = positions_of(&plan.game).len() as u64;
        let mut experiment = Experiment {
            machine: Machine::here(),
            meter: LoadMeter::new(),
            store,
            replay,
            bouts: Vec::new(),
            exams: Vec::new(),
            entries: Vec::new(),
            played: 0,
            plan,
        };
        for (way, limit) in way::all(&experiment.plan) {
            let conditions = experiment.plan.conditions(way, limit);
            let exam = match (positions, way) {
                (0, _) => None,
                (_, Way::Alone { times }) if times != 1.0 => None,
                _ => Some(experiment.exam(&conditions)?),
            };
            let bout = if way == (Way::Alone { times: 1.0 }) { None } else { Some(experiment.bout(conditions)?) };
            experiment.entries.push(Entry { way, limit, bout, exam });
        }
        Ok(experiment)
    }

    /// The place of the games under these conditions, which several lines may have in common.
    fn bout(&mut self, conditions: Conditions) -> Result<usize, ArenaError> {
        if let Some(place) = self.bouts.iter().position(|bout| bout.conditions() == &conditions) {
            return Ok(place);
        }
        let stop = StopFlag::default();
        let mut venue = venue(&self.plan, self.store, self.replay, &conditions, &stop);
        self.bouts.push(Bout::at(&mut venue, conditions)?);
        Ok(self.bouts.len() - 1)
    }

    /// The place of the solved positions as the first contestant answers them.
    fn exam(&mut self, conditions: &Conditions) -> Result<usize, ArenaError> {
        let exam = Exam::kept_in(self.store, conditions)?;
        let place = self.exams.iter().position(|other| *other == exam);
        Ok(place.unwrap_or_else(|| {
            self.exams.push(exam);
            self.exams.len() - 1
        }))
    }

    /// How many games and solved positions are still to be played.
    pub fn steps_left(&self) -> u64 {
        let games = self.plan.rounds() * Conditions::games_a_round(2);
        let games = self.bouts.iter().map(|bout| games.saturating_sub(bout.games()));
        games.chain(self.exams.iter().map(Exam::left)).sum()
    }

    /// Plays what is missing, or until `stop` is raised; `see` hears what is being done after every step.
    ///
    /// # Errors
    /// If a game cannot be played at all, or cannot be kept.
    pub fn play(&mut self, stop: &StopFlag, see: &mut dyn FnMut(&str)) -> Result<(), ArenaError> {
        let mut see = |name: &str| {
            self.played += 1;
            see(name);
        };
        for exam in &mut self.exams {
            exam.take(&self.plan.game, self.store, stop, &mut see)?;
        }
        let rounds = self.plan.rounds();
        let passes = PASSES.min(rounds);
        for pass in 1..=passes {
            for bout in &mut self.bouts {
                if stop.is_raised() {
                    return Ok(());
                }
                let name = bout.conditions().contestants[0].to_string();
                let mut venue = venue(&self.plan, self.store, self.replay, bout.conditions(), stop);
                bout.play(&mut venue, rounds * pass / passes, &mut |_: News<'_>| {
                    see(&name);
                    ControlFlow::Continue(())
                })?;
            }
        }
        Ok(())
    }

    /// What was found so far.
    pub fn report(&self, interrupted: bool) -> Report {
        Report::of(self, interrupted)
    }
}

/// Where games under some conditions are played: as matches, so that `boughs match` finds them there.
fn venue<'v>(
    plan: &'v Plan,
    store: &'v mut Store,
    replay: Replay,
    conditions: &Conditions,
    stop: &'v StopFlag,
) -> Venue<'v> {
    let tables = plan.tables.unwrap_or_else(|| tables_here(conditions));
    Venue { kind: "match", store, command: &plan.command, replay, tables, stop }
}

impl Plan {
    /// How many rounds the games of a line make.
    fn rounds(&self) -> u64 {
        self.games.div_ceil(Conditions::games_a_round(2)).max(1)
    }

    /// Under which conditions somebody meets one thread.
    fn conditions(&self, way: Way, limit: Limit) -> Conditions {
        Conditions {
            game: self.game.clone(),
            contestants: vec![way.contestant(&self.settings, limit), Way::one_thread(&self.settings, limit)],
            pairings: vec![[0, 1]],
            limit,
            grace: self.grace,
            program_grace: self.grace,
            openings: self.openings.clone(),
            seed: self.seed,
        }
    }
}

/// Elo is for games in which one wins what the other loses, or each plays for itself.
fn check_players(game: &str) -> Result<(), ArenaError> {
    struct Players;
    impl Visitor for Players {
        type Output = usize;
        fn visit<G: Listed>(self, start: G) -> usize {
            start.players()
        }
    }
    match visit(game, Players).map_err(|error| ArenaError::new(error.to_string()))? {
        0..=2 => Ok(()),
        players => Err(ArenaError::new(format!(
            "strength is told in Elo, and {game} is for {players} players; name a game for two"
        ))),
    }
}

#[cfg(test)]
mod tests;
