//! A measurement under way.

use std::ops::ControlFlow;

use boughs::StopFlag;
use boughs_arena::{ArenaError, Conditions, ContestSetup, Limit, LoadMeter, News, ReplayCommand, Store, tables_here};
use boughs_games::start;

use super::series::Series;
use super::solved_test::SolvedTest;
use super::{Config, StrengthPlan, StrengthReport, config};
use crate::scale::Machine;
use crate::solved::positions_of;

/// Each configuration plays this part of its games before any goes on, so that a machine that slows down for a while
/// slows none of them more than another.
const PASSES: u64 = 8;

/// A measurement under way.
pub struct StrengthExperiment<'s> {
    pub(super) plan: StrengthPlan,
    pub(super) machine: Machine,
    pub(super) meter: LoadMeter,
    store: &'s mut Store,
    replay: ReplayCommand,
    pub(super) series: Vec<Series>,
    pub(super) tests: Vec<SolvedTest>,
    /// The games of each row of the report.
    pub(super) entries: Vec<Entry>,
    /// Games and solved positions played by this experiment.
    pub(super) played: u64,
    /// Games and solved positions that the store had before.
    pub(super) kept: u64,
}

/// A row of the report on its way.
pub(super) struct Entry {
    pub(super) config: Config,
    pub(super) limit: Limit,
    /// The index of its series; `None` for one thread, which does not play itself.
    pub(super) series: Option<usize>,
    /// The index of its test, if the game has solved positions.
    pub(super) test: Option<usize>,
}

impl<'s> StrengthExperiment<'s> {
    /// Prepares a plan and counts the games that the store has of it. `replay` writes the command that plays a game
    /// again, for the record.
    ///
    /// # Errors
    /// If there is no such game, it is for more than two players, or the store cannot be read.
    pub fn new(
        plan: StrengthPlan,
        store: &'s mut Store,
        replay: ReplayCommand,
    ) -> Result<StrengthExperiment<'s>, ArenaError> {
        check_players(&plan.game)?;
        let positions = positions_of(&plan.game).len() as u64;
        let mut experiment = StrengthExperiment {
            machine: Machine::here(),
            meter: LoadMeter::new(),
            store,
            replay,
            series: Vec::new(),
            tests: Vec::new(),
            entries: Vec::new(),
            played: 0,
            kept: 0,
            plan,
        };
        for (config, limit) in config::all(&experiment.plan) {
            let conditions = experiment.plan.conditions(config, limit);
            let test = match (positions, config) {
                (0, _) => None,
                (_, Config::Alone { times }) if times != 1.0 => None,
                _ => Some(experiment.add_test(&conditions)?),
            };
            let is_itself = config == (Config::Alone { times: 1.0 });
            let series = if is_itself { None } else { Some(experiment.add_series(conditions)?) };
            experiment.entries.push(Entry { config, limit, series, test });
        }
        let (series, tests) = (experiment.series.iter(), experiment.tests.iter());
        experiment.kept = series.map(Series::games).chain(tests.map(SolvedTest::answered)).sum();
        Ok(experiment)
    }

    /// The index of the series under these conditions, which several rows may have in common.
    fn add_series(&mut self, conditions: Conditions) -> Result<usize, ArenaError> {
        if let Some(place) = self.series.iter().position(|series| series.conditions() == &conditions) {
            return Ok(place);
        }
        let stop = StopFlag::default();
        let mut setup = setup(&self.plan, self.store, self.replay, &conditions, &stop);
        self.series.push(Series::open(&mut setup, conditions)?);
        Ok(self.series.len() - 1)
    }

    /// The index of the test of the first contestant.
    fn add_test(&mut self, conditions: &Conditions) -> Result<usize, ArenaError> {
        let test = SolvedTest::kept_in(self.store, conditions)?;
        let place = self.tests.iter().position(|other| *other == test);
        Ok(place.unwrap_or_else(|| {
            self.tests.push(test);
            self.tests.len() - 1
        }))
    }

    /// The number of games and solved positions still to be played.
    pub fn steps_left(&self) -> u64 {
        let games = self.plan.rounds() * Conditions::games_a_round(2);
        let games = self.series.iter().map(|series| games.saturating_sub(series.games()));
        games.chain(self.tests.iter().map(SolvedTest::left)).sum()
    }

    /// Plays the missing games until all are played or `stop` is raised. `see` is called after every step with the name
    /// of the contestant.
    ///
    /// # Errors
    /// If a game cannot be played, or cannot be kept.
    pub fn play(&mut self, stop: &StopFlag, see: &mut dyn FnMut(&str)) -> Result<(), ArenaError> {
        let mut see = |name: &str| {
            self.played += 1;
            see(name);
        };
        for test in &mut self.tests {
            test.take(&self.plan.game, self.store, stop, &mut see)?;
        }
        let rounds = self.plan.rounds();
        let passes = PASSES.min(rounds);
        for pass in 1..=passes {
            for series in &mut self.series {
                if stop.is_raised() {
                    return Ok(());
                }
                let name = series.conditions().contestants[0].to_string();
                let mut setup = setup(&self.plan, self.store, self.replay, series.conditions(), stop);
                series.play(&mut setup, rounds * pass / passes, &mut |_: News<'_>| {
                    see(&name);
                    ControlFlow::Continue(())
                })?;
            }
        }
        Ok(())
    }

    /// The report of the games played so far.
    pub fn report(&self, interrupted: bool) -> StrengthReport {
        StrengthReport::of(self, interrupted)
    }
}

/// The setup of a series. Its games are kept as matches, so `boughs match` finds them.
fn setup<'v>(
    plan: &'v StrengthPlan,
    store: &'v mut Store,
    replay: ReplayCommand,
    conditions: &Conditions,
    stop: &'v StopFlag,
) -> ContestSetup<'v> {
    let tables = plan.tables.unwrap_or_else(|| tables_here(conditions));
    ContestSetup { kind: "match", store, command: &plan.command, replay, tables, stop }
}

/// Refuses games for more than two players: Elo compares two.
fn check_players(game: &str) -> Result<(), ArenaError> {
    match start(game)?.position.players() {
        0..=2 => Ok(()),
        players => Err(ArenaError::new(format!(
            "strength is told in Elo, and {game} is for {players} players; name a game for two"
        ))),
    }
}
