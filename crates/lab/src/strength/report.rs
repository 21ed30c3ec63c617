//! The report of a measurement: a row for each configuration, and warnings.

use boughs::notation::counted;
use boughs_arena::statistics::{Estimate, Strength, Tally};
use boughs_arena::{Limit, Load, Openings};
use serde::Serialize;

use super::experiment::{Entry, StrengthExperiment};
use super::handicap_curve::HandicapCurve;
use super::{Config, Kind, StrengthPlan, StrengthRow};
use crate::scale::Machine;

/// The report of a measurement, complete or interrupted.
#[derive(Clone, Debug, Serialize)]
pub struct StrengthReport {
    /// The measured version of Boughs.
    pub boughs: &'static str,
    /// The command line that asked for the measurement.
    pub command: String,
    /// The game.
    pub game: String,
    /// The agent, without its threads and its parallelisation.
    pub agent: String,
    /// The seed of openings and searches.
    pub seed: u64,
    /// Playouts for a move, where strength was measured at equal playouts.
    pub playouts: Option<u64>,
    /// Time for a move in seconds, where strength was measured at equal time.
    pub seconds: Option<f64>,
    /// The number of games asked for in each row.
    pub games: u64,
    /// The openings of the games.
    pub openings: Openings,
    /// The number of games and solved positions played by this run; the store had the others.
    pub played: u64,
    /// The number of games and solved positions that the store had.
    #[serde(skip)]
    pub kept: u64,
    /// True if the measurement was interrupted.
    pub interrupted: bool,
    /// The machine.
    pub machine: Machine,
    /// The load of the machine during this run, where the system tells.
    pub load: Option<Load>,
    /// A row for each configuration.
    #[serde(rename = "lines")]
    pub rows: Vec<StrengthRow>,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
}

impl StrengthReport {
    pub(super) fn of(experiment: &StrengthExperiment<'_>, interrupted: bool) -> StrengthReport {
        let StrengthExperiment { plan, machine, meter, .. } = experiment;
        let load = meter.read();
        let rows = rows(experiment);
        let mut warnings = warnings(plan, machine, &rows);
        warnings.extend(faults(experiment));
        if plan.time.is_some() && load.is_some_and(|load| load.is_disturbed()) {
            warnings.push("other programs kept the machine busy, so timed moves had less than their time".to_string());
        }
        StrengthReport {
            boughs: env!("CARGO_PKG_VERSION"),
            command: plan.command.clone(),
            game: plan.game.clone(),
            agent: plan.settings.to_string(),
            seed: plan.seed,
            playouts: plan.playouts,
            seconds: plan.time.map(|time| time.as_secs_f64()),
            games: plan.games,
            openings: plan.openings.clone(),
            played: experiment.played,
            kept: experiment.kept,
            interrupted,
            machine: machine.clone(),
            load,
            rows,
            warnings,
        }
    }

    /// The rows of one table.
    pub fn rows_of(&self, kind: Kind) -> impl Iterator<Item = &StrengthRow> {
        self.rows.iter().filter(move |row| row.kind == kind)
    }

    /// Returns true if no game and no answer counts.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| row.games.count() == 0 && row.optimal.and_then(Estimate::value).is_none())
    }

    /// The method of the measurement, in lines of text.
    pub fn method(&self) -> Vec<String> {
        let StrengthReport { agent, game, seed, machine, .. } = self;
        let limits = [
            self.playouts.map(|playouts| format!("{} a move", counted(playouts, "playouts"))),
            self.seconds.map(|seconds| format!("{} ms a move", seconds * 1e3)),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let openings = match &self.openings {
            Openings::Start => "from the start".to_string(),
            Openings::Random(least, most) => format!("after {least} to {most} random moves"),
            Openings::Listed { file, .. } => format!("after openings from {file}"),
        };
        let of_ranks = match self.rows_of(Kind::Ranks).next() {
            Some(_) => "; each rank makes as many playouts as the one thread",
            None => "",
        };
        vec![
            format!(
                "{agent} on {game}, {}, {} a line in pairs with the seats changed, {openings}, seed {seed}; \
                 intervals are 95 % confidence",
                limits.join(" and "),
                counted(self.games, "games")
            ),
            format!(
                "every configuration plays one thread; the playouts or the time that one thread needs to play as well \
                 are read off the yardstick{of_ranks}"
            ),
            match self.kept {
                0 => format!("{} games and solved positions, all played now", self.played),
                kept => format!("{} games and solved positions played now, {kept} kept from before", self.played),
            },
            format!("{machine}, Boughs {}", self.boughs),
        ]
    }
}

fn rows(experiment: &StrengthExperiment<'_>) -> Vec<StrengthRow> {
    let curve = |wanted: Limit| {
        let same = experiment.entries.iter().filter(move |entry| entry.limit == wanted);
        HandicapCurve::of(same.filter_map(|entry| match entry.config {
            Config::Alone { times } => Some((times, experiment.strength(entry)?.elo)),
            Config::Threads { .. } | Config::Workers { .. } | Config::Ranks { .. } => None,
        }))
    };
    let row = |entry: &Entry| {
        let row = experiment.row(entry);
        match experiment.strength(entry) {
            Some(strength) => row.with(strength).compared(curve(entry.limit).equal_to(strength.elo)),
            None => row,
        }
    };
    let mut rows: Vec<StrengthRow> = experiment.entries.iter().map(row).collect();
    rows.sort_by_key(|row| Kind::ALL.iter().position(|kind| *kind == row.kind));
    rows
}

impl StrengthExperiment<'_> {
    /// The strength of a configuration compared with one thread; `None` for one thread itself.
    fn strength(&self, entry: &Entry) -> Option<Strength> {
        entry.series.map(|series| self.series[series].score().strength())
    }

    /// A row without the results of its games.
    fn row(&self, entry: &Entry) -> StrengthRow {
        const ITSELF: Estimate = Estimate::Unknown { why: "it is the one thread that all others play" };
        StrengthRow {
            kind: entry.config.kind(entry.limit),
            limit: entry.limit.to_string(),
            name: entry.config.name(),
            size: entry.config.size(),
            agent: entry.config.contestant(&self.plan.settings, entry.limit).to_string(),
            games: Tally::default().games,
            share: ITSELF,
            elo: ITSELF,
            games_more: None,
            equal_to: None,
            speed_up: None,
            optimal: entry.test.map(|test| self.tests[test].share()),
            duplicates: entry.series.map_or(0, |series| self.series[series].score().duplicates()),
        }
    }
}

/// Warnings about these rows.
fn warnings(plan: &StrengthPlan, machine: &Machine, rows: &[StrengthRow]) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut too_many: Vec<usize> =
        plan.threads.iter().copied().filter(|&threads| !machine.has_room_for(threads)).collect();
    too_many.dedup();
    if plan.time.is_some() && !too_many.is_empty() {
        let names: Vec<String> = too_many.iter().map(ToString::to_string).collect();
        warnings.push(format!(
            "more threads than cores: the gain of {} threads at equal time cannot be seen on this machine",
            names.join(", ")
        ));
    }
    let duplicates: u64 = rows.iter().map(|row| row.duplicates).sum();
    if duplicates > 0 {
        warnings.push(format!(
            "{} repeated another one move for move, which says nothing new; vary them with longer --openings",
            counted(duplicates, "games")
        ));
    }
    if let Some(more) = rows.iter().filter_map(|row| row.games_more).max() {
        warnings.push(format!(
            "not every win rate is sure to 5 %: that takes up to {} more in a line, and the same command \
             with more --games plays them",
            counted(more, "games")
        ));
    }
    warnings
}

/// Warnings about contestants that lost games by faults.
fn faults(experiment: &StrengthExperiment<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    for series in &experiment.series {
        for (side, name) in series.score().sides().iter().zip(&series.conditions().contestants) {
            if let Some(fault) = &side.last_fault {
                let games: u64 = side.faults.values().sum();
                warnings.push(format!("{name} lost {} by what it did; {fault}", counted(games, "games")));
            }
        }
    }
    warnings
}
