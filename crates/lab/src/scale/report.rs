//! What all runs say together: a line for each configuration, a law for each mode, and what to beware of.

use serde::Serialize;

use super::line::{Line, judge_batches};
use super::{Fit, LEAST_COUNTS, Machine, Mode, Plan, Run, count};

/// A measurement of scaling, complete or as far as it came.
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
    /// The seed of the order of runs and of the searches.
    pub seed: u64,
    /// Seconds a run may take, where that is limited.
    pub seconds: Option<f64>,
    /// Playouts a run makes, where that is limited.
    pub iterations: Option<u64>,
    /// How many rounds were asked for.
    pub rounds: u32,
    /// How many are complete.
    pub rounds_done: usize,
    /// The machine.
    pub machine: Machine,
    /// A line for each configuration.
    pub lines: Vec<Line>,
    /// A law for each mode.
    pub laws: Vec<Law>,
    /// What to beware of.
    pub warnings: Vec<String>,
    /// Every run, in the order they were made.
    pub runs: Vec<Run>,
}

/// The universal scalability law of one mode.
#[derive(Clone, Debug, Serialize)]
pub struct Law {
    /// The mode.
    pub mode: Mode,
    /// The law that fits it.
    pub fit: Option<Fit>,
    /// Why none was fitted.
    pub why_none: Option<String>,
}

impl Report {
    /// Of these runs.
    pub(super) fn of(
        plan: &Plan,
        machine: Machine,
        mut runs: Vec<Run>,
        search_warnings: Vec<String>,
        rounds_done: usize,
    ) -> Report {
        judge_batches(&mut runs);
        let counted: Vec<&Run> =
            runs.iter().filter(|run| !run.disturbed && machine.has_room_for(run.threads)).collect();
        let configurations = plan.modes.iter().flat_map(|&mode| plan.threads.iter().map(move |&n| (mode, n)));
        let lines: Vec<Line> = configurations.filter_map(|(mode, n)| Line::of(mode, n, &runs, &counted)).collect();
        let mut warnings = beware(plan, &machine, &lines);
        warnings.extend(search_warnings);
        Report {
            boughs: env!("CARGO_PKG_VERSION"),
            command: plan.command.clone(),
            game: plan.game.clone(),
            agent: plan.agent(),
            seed: plan.settings.seed,
            seconds: plan.time.map(|time| time.as_secs_f64()),
            iterations: plan.iterations,
            rounds: plan.rounds,
            rounds_done,
            laws: plan.modes.iter().map(|&mode| Law::of(mode, &lines)).collect(),
            machine,
            lines,
            warnings,
            runs,
        }
    }

    /// The lines of one mode, fewest threads first.
    pub fn lines_of(&self, mode: Mode) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.mode == mode)
    }

    /// How it was measured, in two lines of text.
    pub fn method(&self) -> [String; 2] {
        let limit = match (self.seconds, self.iterations) {
            (Some(seconds), Some(iterations)) => format!("{seconds} s or {iterations} playouts a run"),
            (Some(seconds), None) => format!("{seconds} s a run"),
            (None, Some(iterations)) => format!("{iterations} playouts a run"),
            (None, None) => "no limit".to_string(),
        };
        let rounds = match self.rounds_done == self.rounds as usize {
            true => format!("{} rounds", self.rounds),
            false => format!("{} of {} rounds", self.rounds_done, self.rounds),
        };
        let Report { agent, game, seed, .. } = self;
        [
            format!("{agent} on {game}, {limit}, {rounds} in shuffled order, seed {seed}; ± is 95 % confidence"),
            format!("{}, boughs {}", self.machine, self.boughs),
        ]
    }
}

impl Law {
    fn of(mode: Mode, lines: &[Line]) -> Law {
        let points: Vec<(usize, f64)> = lines
            .iter()
            .filter(|line| line.mode == mode && line.counted > 0)
            .map(|line| (line.threads, line.playouts_per_second.mean))
            .collect();
        let fit = Fit::of(&points);
        let why_none = fit.is_none().then(|| {
            let found = points.len();
            format!("it needs {LEAST_COUNTS} thread counts that got a core for every thread, and there are {found}")
        });
        Law { mode, fit, why_none }
    }
}

/// What a reader of these lines should beware of.
fn beware(plan: &Plan, machine: &Machine, lines: &[Line]) -> Vec<String> {
    let mut warnings = Vec::new();
    let too_many: Vec<String> =
        plan.threads.iter().filter(|&&threads| !machine.has_room_for(threads)).map(ToString::to_string).collect();
    if !too_many.is_empty() {
        let room = match machine.quota {
            Some(quota) if quota < machine.cores as f64 => format!("the {quota} cores that the container has time for"),
            _ => format!("the {}", count(machine.cores, "core")),
        };
        warnings.push(format!("more threads than {room}: no speed-up is claimed for {}", too_many.join(", ")));
    }
    if let (true, Some(load)) = (machine.is_busy(), machine.load) {
        warnings.push(format!("the machine had a load of {load} at the start: others use its cores"));
    }
    let disturbed = lines.iter().filter(|line| line.counted < line.runs && machine.has_room_for(line.threads));
    let name = |line: &Line| format!("{} with {}", line.mode.name(), count(line.threads, "thread"));
    let (some, all): (Vec<&Line>, Vec<&Line>) = disturbed.partition(|line| line.counted > 0);
    if !all.is_empty() {
        let names = all.into_iter().map(name).collect::<Vec<_>>().join(", ");
        warnings.push(format!("every run was disturbed, so no speed-up is claimed: {names}"));
    }
    if !some.is_empty() {
        let part = |line: &Line| format!("{} ({} of {})", name(line), line.runs - line.counted, line.runs);
        let names = some.into_iter().map(part).collect::<Vec<_>>().join(", ");
        warnings.push(format!("disturbed runs do not count: {names}"));
    }
    if lines.iter().all(|line| line.runs < 2) {
        warnings.push("one round has no spread, so there are no intervals; ask for more rounds".to_string());
    }
    warnings
}

impl Plan {
    /// The agent without what each configuration sets.
    fn agent(&self) -> String {
        boughs::Settings { threads: 1, parallel: boughs::Parallel::Shared, ..self.settings.clone() }.to_string()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use boughs::Settings;
    use std::time::Duration;

    /// Runs of two modes at these thread counts on a machine with so many cores: the roof is perfect, shared trees follow
    /// a law, and rounds differ by a percent or so.
    pub(in crate::scale) fn synthetic(threads: &[usize], cores: usize, rounds: u32) -> Report {
        let plan = Plan {
            game: "synthetic".to_string(),
            settings: Settings::default(),
            modes: vec![Mode::Shared, Mode::Roof],
            threads: threads.to_vec(),
            time: Some(Duration::from_secs(1)),
            iterations: None,
            rounds,
            command: "boughs scale <synthetic>".to_string(),
        };
        let machine = Machine { cores, ..Machine::default() };
        let mut runs = Vec::new();
        for round in 1..=rounds {
            for &n in threads {
                let (x, off) = (n as f64, 1.0 + 0.005 * f64::from(round % 3) * if n % 3 == 1 { 1.0 } else { -1.0 });
                let law = x / (1.0 + 0.04 * (x - 1.0) + 0.0005 * x * (x - 1.0));
                runs.push(run(Mode::Shared, n, round, 2e6 * law * off, n.min(cores) as f64));
                runs.push(run(Mode::Roof, n, round, 9e6 * x * off, n.min(cores) as f64));
            }
        }
        Report::of(&plan, machine, runs, Vec::new(), rounds as usize)
    }

    pub(in crate::scale) fn run(mode: Mode, threads: usize, round: u32, speed: f64, busy: f64) -> Run {
        let timed = crate::measure::Timed { wall: 1.0, cpu: Some(busy) };
        Run {
            mode,
            threads,
            round,
            playouts: speed as u64,
            wall: 1.0,
            cpu: Some(busy),
            cores_busy: Some(busy),
            disturbed: timed.is_disturbed(threads),
            playouts_per_second: speed,
        }
    }

    /// A report of runs on two cores.
    pub(in crate::scale) fn report(runs: Vec<Run>, threads: &[usize]) -> Report {
        let plan = Plan {
            game: String::new(),
            settings: "mcts:c=0.7,threads=3,parallel=batched".parse().unwrap(),
            modes: vec![Mode::Shared, Mode::Batched],
            threads: threads.to_vec(),
            time: None,
            iterations: Some(1),
            rounds: 2,
            command: String::new(),
        };
        Report::of(&plan, Machine { cores: 2, ..Machine::default() }, runs, Vec::new(), 2)
    }

    #[test]
    fn threads_without_a_core_have_no_speed_up_and_a_warning() {
        let report = synthetic(&[1, 2, 4, 8], 2, 3);
        let claimed: Vec<bool> = report.lines_of(Mode::Shared).map(|line| line.speed_up.is_some()).collect();
        assert_eq!(claimed, [true, true, false, false]);
        assert_eq!(report.warnings, ["more threads than the 2 cores: no speed-up is claimed for 4, 8"]);
        let why_none = report.laws[0].why_none.as_deref().unwrap();
        assert!(why_none.contains("needs 4 thread counts") && why_none.ends_with("there are 2"), "{why_none}");
    }

    #[test]
    fn a_law_is_fitted_to_what_counts() {
        let report = synthetic(&[1, 2, 4, 8, 16], 16, 7);
        let fit = report.laws[0].fit.as_ref().unwrap();
        assert!((fit.sigma - 0.04).abs() < 0.01 && (fit.kappa - 0.0005).abs() < 0.0005, "{fit:?}");
        assert!(report.laws[1].fit.as_ref().unwrap().sigma < 0.01);
    }

    #[test]
    fn one_round_has_no_intervals() {
        let report = synthetic(&[1, 2], 2, 1);
        assert!(report.lines.iter().all(|line| line.playouts_per_second.plus_minus.is_none()));
        assert!(report.warnings[0].contains("no intervals"), "{:?}", report.warnings);
    }
}
