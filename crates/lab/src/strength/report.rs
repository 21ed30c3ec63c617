//! What all games say together.

use boughs_arena::statistics::{Estimate, Strength, Tally};
use boughs_arena::{Limit, Load, Openings};
use serde::Serialize;

use super::yardstick::Yardstick;
use super::{Entry, Experiment, Kind, Line, Plan, Way};
use crate::scale::Machine;

/// A measurement of strength, complete or as far as it came.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of Boughs that was measured.
    pub boughs: &'static str,
    /// The command line that asked for it.
    pub command: String,
    /// The game.
    pub game: String,
    /// The agent, without its threads and its way to be parallel.
    pub agent: String,
    /// The seed of openings and searches.
    pub seed: u64,
    /// Playouts for a move, where strength at equal playouts was asked for.
    pub playouts: Option<u64>,
    /// Time for a move in seconds, where strength at equal time was asked for.
    pub seconds: Option<f64>,
    /// How many games were asked for in each line.
    pub games: u64,
    /// What they began with.
    pub openings: Openings,
    /// How many games and solved positions were played now; the others were kept from before.
    pub played: u64,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// The machine.
    pub machine: Machine,
    /// How busy it was while games were played now, where the system tells.
    pub load: Option<Load>,
    /// Who met one thread, and what came of it.
    pub lines: Vec<Line>,
    /// What to beware of.
    pub warnings: Vec<String>,
}

impl Report {
    pub(super) fn of(experiment: &Experiment<'_>, interrupted: bool) -> Report {
        let Experiment { plan, machine, meter, .. } = experiment;
        let load = meter.read();
        let lines = lines(experiment);
        let mut warnings = beware(plan, machine, &lines);
        warnings.extend(faults(experiment));
        if plan.time.is_some() && load.is_some_and(|load| load.is_disturbed()) {
            warnings.push("other programs kept the machine busy, so timed moves had less than their time".to_string());
        }
        Report {
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
            interrupted,
            machine: machine.clone(),
            load,
            lines,
            warnings,
        }
    }

    /// The lines of one table.
    pub fn lines_of(&self, kind: Kind) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.kind == kind)
    }

    /// Whether a game or an answer counts at all.
    pub fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| line.games.count() == 0 && line.optimal.and_then(Estimate::value).is_none())
    }

    /// How it was measured, in lines of text.
    pub fn method(&self) -> Vec<String> {
        let Report { agent, game, seed, machine, .. } = self;
        let limits = [
            self.playouts.map(|playouts| format!("{playouts} playouts a move")),
            self.seconds.map(|seconds| format!("{} ms a move", seconds * 1e3)),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let openings = match &self.openings {
            Openings::Start => "from the start".to_string(),
            Openings::Random(least, most) => format!("after {least} to {most} random moves"),
            Openings::Listed { file, .. } => format!("after openings from {file}"),
        };
        vec![
            format!(
                "{agent} on {game}, {}, {} games a line in pairs with the seats changed, {openings}, seed {seed}; intervals are 95 \
                 % confidence",
                limits.join(" and "),
                self.games
            ),
            "everybody meets one thread; what it needs to play as well, in playouts or in time, is read off the yardstick"
                .to_string(),
            format!("{} games and solved positions played now, the others kept from before", self.played),
            format!("{machine}, Boughs {}", self.boughs),
        ]
    }
}

fn lines(experiment: &Experiment<'_>) -> Vec<Line> {
    let yardstick = |wanted: Limit| {
        let same = experiment.entries.iter().filter(move |entry| entry.limit == wanted);
        Yardstick::of(same.filter_map(|entry| match entry.way {
            Way::Alone { times } => Some((times, experiment.strength(entry)?.elo)),
            Way::Threads { .. } | Way::Workers { .. } => None,
        }))
    };
    let line = |entry: &Entry| {
        let line = experiment.line(entry);
        match experiment.strength(entry) {
            Some(strength) => line.with(strength).compared(yardstick(entry.limit).equal_to(strength.elo)),
            None => line,
        }
    };
    let mut lines: Vec<Line> = experiment.entries.iter().map(line).collect();
    lines.sort_by_key(|line| Kind::ALL.iter().position(|kind| *kind == line.kind));
    lines
}

impl Experiment<'_> {
    /// How strong somebody is compared with one thread; nobody is compared with themselves.
    fn strength(&self, entry: &Entry) -> Option<Strength> {
        entry.bout.map(|bout| self.bouts[bout].standing().strength())
    }

    /// A line without what its games say.
    fn line(&self, entry: &Entry) -> Line {
        const ITSELF: Estimate = Estimate::Unknown { why: "it is the one thread that everybody meets" };
        Line {
            kind: entry.way.kind(entry.limit),
            limit: entry.limit.to_string(),
            name: entry.way.name(),
            size: entry.way.size(),
            agent: entry.way.contestant(&self.plan.settings, entry.limit).to_string(),
            games: Tally::default().games,
            share: ITSELF,
            elo: ITSELF,
            games_more: None,
            equal_to: None,
            speed_up: None,
            optimal: entry.exam.map(|exam| self.exams[exam].share()),
            duplicates: entry.bout.map_or(0, |bout| self.bouts[bout].standing().duplicates()),
        }
    }
}

fn beware(plan: &Plan, machine: &Machine, lines: &[Line]) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut too_many: Vec<usize> =
        plan.threads.iter().copied().filter(|&threads| !machine.has_room_for(threads)).collect();
    too_many.dedup();
    if plan.time.is_some() && !too_many.is_empty() {
        let names: Vec<String> = too_many.iter().map(ToString::to_string).collect();
        warnings.push(format!(
            "more threads than cores: what {} threads gain at equal time cannot be seen on this machine",
            names.join(", ")
        ));
    }
    let duplicates: u64 = lines.iter().map(|line| line.duplicates).sum();
    if duplicates > 0 {
        warnings.push(format!(
            "{duplicates} games were move for move like another and say nothing new; vary them with longer --openings"
        ));
    }
    if let Some(more) = lines.iter().filter_map(|line| line.games_more).max() {
        warnings.push(format!(
            "not every win rate is sure to 5 %: that takes up to {more} games more in a line, and the same command with more \
             --games plays them"
        ));
    }
    warnings
}

/// Who lost games otherwise than by the rules of the game.
fn faults(experiment: &Experiment<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    for bout in &experiment.bouts {
        for (side, name) in bout.standing().sides().iter().zip(&bout.conditions().contestants) {
            if let Some(fault) = &side.last_fault {
                let games: u64 = side.faults.values().sum();
                warnings.push(format!("{name} lost {games} games by what it did; {fault}"));
            }
        }
    }
    warnings
}
