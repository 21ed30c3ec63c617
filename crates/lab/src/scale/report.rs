//! The report of a measurement: a row for each configuration, a law for each mode, and warnings.

use boughs::notation::counted;
use serde::Serialize;

use super::row::{ScaleRow, judge_batches};
use super::{Fit, LEAST_COUNTS, Machine, Mode, Run, ScalePlan};

/// The report of a measurement, complete or interrupted.
#[derive(Clone, Debug, Serialize)]
pub struct ScaleReport {
    /// The measured version of Boughs.
    pub boughs: &'static str,
    /// The command line that asked for the measurement.
    pub command: String,
    /// The game.
    pub game: String,
    /// The agent, without its threads and its parallelisation.
    pub agent: String,
    /// The seed of the order of runs and of the searches.
    pub seed: u64,
    /// The time limit of a run in seconds, if there is one.
    pub seconds: Option<f64>,
    /// The playout limit of a run, if there is one.
    pub iterations: Option<u64>,
    /// The number of rounds asked for.
    pub rounds: u32,
    /// The number of complete rounds.
    pub rounds_done: usize,
    /// The machine.
    pub machine: Machine,
    /// A row for each configuration.
    #[serde(rename = "lines")]
    pub rows: Vec<ScaleRow>,
    /// A law for each mode.
    pub laws: Vec<Law>,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
    /// Every run, in the order they were made.
    pub runs: Vec<Run>,
}

/// The universal scalability law of one mode.
#[derive(Clone, Debug, Serialize)]
pub struct Law {
    /// The mode.
    pub mode: Mode,
    /// The fitted law.
    pub fit: Option<Fit>,
    /// The reason there is no fit.
    pub why_none: Option<String>,
}

impl Law {
    /// The reasons why modes have no law, each with the names of its modes.
    pub fn reasons(laws: &[Law]) -> Vec<(&str, Vec<&'static str>)> {
        let mut reasons: Vec<(&str, Vec<&'static str>)> = Vec::new();
        for law in laws {
            let Some(why) = law.why_none.as_deref() else { continue };
            match reasons.iter_mut().find(|(reason, _)| *reason == why) {
                Some((_, modes)) => modes.push(law.mode.name()),
                None => reasons.push((why, vec![law.mode.name()])),
            }
        }
        reasons
    }
}

impl ScaleReport {
    /// The report of these runs.
    pub(super) fn of(
        plan: &ScalePlan,
        machine: Machine,
        mut runs: Vec<Run>,
        search_warnings: Vec<String>,
        rounds_done: usize,
    ) -> ScaleReport {
        judge_batches(&mut runs);
        let counted: Vec<&Run> =
            runs.iter().filter(|run| !run.disturbed && machine.has_room_for(run.threads)).collect();
        let configurations = plan.modes.iter().flat_map(|&mode| plan.threads.iter().map(move |&n| (mode, n)));
        let rows: Vec<ScaleRow> =
            configurations.filter_map(|(mode, n)| ScaleRow::of(mode, n, &runs, &counted)).collect();
        let mut warnings = warnings(plan, &machine, &rows);
        warnings.extend(search_warnings);
        ScaleReport {
            boughs: env!("CARGO_PKG_VERSION"),
            command: plan.command.clone(),
            game: plan.game.clone(),
            agent: plan.agent(),
            seed: plan.settings.seed,
            seconds: plan.time.map(|time| time.as_secs_f64()),
            iterations: plan.iterations,
            rounds: plan.rounds,
            rounds_done,
            laws: plan.modes.iter().map(|&mode| Law::of(mode, &rows)).collect(),
            machine,
            rows,
            warnings,
            runs,
        }
    }

    /// The rows of one mode, fewest threads first.
    pub fn rows_of(&self, mode: Mode) -> impl Iterator<Item = &ScaleRow> {
        self.rows.iter().filter(move |row| row.mode == mode)
    }

    /// The method of the measurement, in two lines of text.
    pub fn method(&self) -> [String; 2] {
        let limit = match (self.seconds, self.iterations) {
            (Some(seconds), Some(iterations)) => format!("{seconds} s or {} a run", counted(iterations, "playouts")),
            (Some(seconds), None) => format!("{seconds} s a run"),
            (None, Some(iterations)) => format!("{} a run", counted(iterations, "playouts")),
            (None, None) => "no limit".to_string(),
        };
        let rounds = match self.rounds_done == self.rounds as usize {
            true => counted(self.rounds, "rounds"),
            false => format!("{} of {}", self.rounds_done, counted(self.rounds, "rounds")),
        };
        let ScaleReport { agent, game, seed, .. } = self;
        [
            format!("{agent} on {game}, {limit}, {rounds} in shuffled order, seed {seed}; ± is 95 % confidence"),
            format!("{}, boughs {}", self.machine, self.boughs),
        ]
    }
}

impl Law {
    fn of(mode: Mode, rows: &[ScaleRow]) -> Law {
        let points: Vec<(usize, f64)> = rows
            .iter()
            .filter(|row| row.mode == mode && row.counted > 0)
            .filter_map(|row| Some((row.threads, row.playouts_per_second.value()?)))
            .collect();
        let fit = Fit::of(&points);
        let why_none = fit.is_none().then(|| {
            let found = points.len();
            format!("it needs {LEAST_COUNTS} thread counts that got a core for every thread, and there are {found}")
        });
        Law { mode, fit, why_none }
    }
}

/// Warnings about these rows.
fn warnings(plan: &ScalePlan, machine: &Machine, rows: &[ScaleRow]) -> Vec<String> {
    let mut warnings = Vec::new();
    let too_many: Vec<String> =
        plan.threads.iter().filter(|&&threads| !machine.has_room_for(threads)).map(ToString::to_string).collect();
    if !too_many.is_empty() {
        let room = match machine.quota {
            Some(quota) if quota < machine.cores as f64 => {
                format!("the {} that the container has time for", counted(quota, "cores"))
            }
            _ => format!("the {}", counted(machine.cores, "cores")),
        };
        warnings.push(format!("more threads than {room}: no speed-up is claimed for {}", too_many.join(", ")));
    }
    if let (true, Some(load)) = (machine.is_busy(), machine.load) {
        warnings.push(format!("the machine had a load of {load} at the start: others use its cores"));
    }
    let disturbed = rows.iter().filter(|row| row.counted < row.runs && machine.has_room_for(row.threads));
    let name = |row: &ScaleRow| format!("{} with {}", row.mode.name(), counted(row.threads, "threads"));
    let (some, all): (Vec<&ScaleRow>, Vec<&ScaleRow>) = disturbed.partition(|row| row.counted > 0);
    if !all.is_empty() {
        let names = all.into_iter().map(name).collect::<Vec<_>>().join(", ");
        warnings.push(format!("every run was disturbed, so no speed-up is claimed: {names}"));
    }
    if !some.is_empty() {
        let part = |row: &ScaleRow| format!("{} ({} of {})", name(row), row.runs - row.counted, row.runs);
        let names = some.into_iter().map(part).collect::<Vec<_>>().join(", ");
        warnings.push(format!("disturbed runs do not count: {names}"));
    }
    if rows.iter().all(|row| row.runs < 2) {
        warnings.push("one round has no spread, so there are no intervals; ask for more rounds".to_string());
    }
    warnings
}

impl ScalePlan {
    /// The agent without the settings of each configuration.
    fn agent(&self) -> String {
        boughs::Settings { threads: 1, parallel: boughs::Parallel::Shared, ..self.settings.clone() }.to_string()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::synthetic::synthetic;
    use super::*;

    /// A report of runs on two cores.
    pub(in crate::scale) fn report(runs: Vec<Run>, threads: &[usize]) -> ScaleReport {
        let plan = ScalePlan {
            game: String::new(),
            settings: "mcts:c=0.7,threads=3,parallel=batched".parse().unwrap(),
            modes: vec![Mode::Shared, Mode::Batched],
            threads: threads.to_vec(),
            time: None,
            iterations: Some(1),
            rounds: 2,
            command: String::new(),
        };
        ScaleReport::of(&plan, Machine { cores: 2, ..Machine::default() }, runs, Vec::new(), 2)
    }

    #[test]
    fn threads_without_a_core_have_no_speed_up_and_a_warning() {
        let report = synthetic(&[1, 2, 4, 8], 2, 3);
        let claimed: Vec<bool> = report.rows_of(Mode::Shared).map(|row| row.speed_up.is_some()).collect();
        assert_eq!(claimed, [true, true, false, false]);
        assert_eq!(report.warnings, ["more threads than the 2 cores: no speed-up is claimed for 4, 8"]);
        let why_none = report.laws[0].why_none.as_deref().unwrap();
        assert!(why_none.contains("needs 4 thread counts") && why_none.ends_with("there are 2"), "{why_none}");
    }

    #[test]
    fn a_law_is_fitted_to_the_runs_that_count() {
        let report = synthetic(&[1, 2, 4, 8, 16], 16, 7);
        let fit = report.laws[0].fit.as_ref().unwrap();
        assert!((fit.sigma - 0.04).abs() < 0.01 && (fit.kappa - 0.0005).abs() < 0.0005, "{fit:?}");
        assert!(report.laws[1].fit.as_ref().unwrap().sigma < 0.01);
    }

    #[test]
    fn one_round_has_no_intervals() {
        let report = synthetic(&[1, 2], 2, 1);
        assert!(report.rows.iter().all(|row| row.playouts_per_second.error().is_none()));
        assert!(report.warnings[0].contains("no intervals"), "{:?}", report.warnings);
    }
}
