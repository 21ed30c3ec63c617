//! `boughs scale`: the growth of throughput with the number of threads, as numbers, files and plots; with
//! `--strength` the growth of strength.

use std::path::{Path, PathBuf};

use boughs::{Settings, StopFlag};
use boughs_arena::{Measurement, MeasurementId, Store};
use boughs_lab::scale::{DEFAULT_ROUNDS, Mode, ScaleExperiment, ScalePlan, ScaleReport, default_threads};
use boughs_pages::scale::{NAMES, data_files, files};
use boughs_shards::{Job, ScaleJob};

use super::strength::{Basis, StrengthArgs};
use crate::args;
use crate::failure::Failure;
use crate::folder::Folder;
use crate::output::{print, print_json};
use crate::progress::Bar;
use crate::show::scaling;
use crate::{interrupt, program};

const COLUMNS_HELP: &str = "\
Columns (± is half the 95 % interval):
  mode        kind of parallelisation: shared = tree, independent = root, batched = leaf; or roof
  speed-up    playouts for each of the same mode on one thread in the same round
  efficiency  speed-up for each thread
  cores       number of cores that were kept busy
Columns with --strength:
  win rate, Elo   against one thread, from games in pairs; draws are half a win
  optimal         share of solved positions in which the move keeps the value (Connect Four)
  needs           factor of playouts with which one thread plays as well
  speed-up        factor of time with which one thread plays as well
  ideal speed-up  the same if each thread or worker were as fast as one alone
  games more      number of games until the win rate is sure to 5 %

Example:
  boughs scale connect4 --time 50ms --rounds 3 --out scaling";

/// Measure how throughput or strength grows with the number of threads
///
/// Every round runs every configuration once, in shuffled order. The roof is random playouts without a tree: the limit
/// of the machine. A run with less than 85 % of its cores is disturbed and counts for no speed-up (leaf parallelisation
/// waits by design and is compared with its own busiest run). From four thread counts on, the universal scalability law
/// predicts more cores. The files scale.csv, scale.json, scale.html and three .svg plots go to --out.
///
/// With --strength each configuration plays games against one thread: at equal playouts (the price of parallel search),
/// at equal time (its gain), with logical workers or ranks. Files are strength.* and games.db; the same command goes on
/// from there. Ctrl-C keeps complete rounds and games.
#[derive(clap::Args)]
#[command(after_help = COLUMNS_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::GameArg,
    /// Numbers of threads; 1 is always added [default: 1,2,4,... all cores]
    #[arg(long, value_name = "N,...", value_parser = args::list(args::some_threads))]
    threads: Vec<std::vec::Vec<usize>>,
    /// Kinds of parallelisation
    #[arg(long, value_name = "MODE,...", default_value = "shared,independent,batched")]
    #[arg(value_parser = args::list(mode))]
    parallel: Vec<std::vec::Vec<Mode>>,
    #[command(flatten)]
    limits: args::Limits,
    /// Number of rounds
    #[arg(long, value_name = "N", default_value_t = DEFAULT_ROUNDS, value_parser = args::whole(1u32))]
    rounds: u32,
    #[arg(long, value_name = "SPEC")]
    #[arg(help = args::agent_help("that of the game"))]
    agent: Option<Settings>,
    /// Seed of the order of runs and of all searches
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::whole(0u64))]
    seed: u64,
    /// Folder for the files, which replace older ones; needed without --plan
    #[arg(long, value_name = "DIR", required_unless_present = "plan")]
    out: Option<PathBuf>,
    /// Write a plan of rounds for 'boughs shard' and measure nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "store", "strength"])]
    plan: Option<PathBuf>,
    /// Store that keeps the measurement for 'boughs serve'
    #[arg(long, value_name = "FILE", conflicts_with = "strength")]
    store: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    strength: StrengthArgs,
}

/// Reads the name of a kind of parallelisation.
fn mode(name: &str) -> Result<Mode, String> {
    let mode = Mode::SEARCHES.into_iter().find(|mode| mode.name() == name);
    mode.ok_or_else(|| format!("should be one of {}", Mode::SEARCHES.map(Mode::name).join(", ")))
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match (&self.plan, &self.out) {
            (Some(plan), _) => self.write_plan(plan),
            (None, Some(out)) if self.strength.strength => self.strength.run(&self.basis(out)),
            (None, Some(out)) => self.measure(out),
            (None, None) => Err(Failure::new("--out is missing; name a folder for the files")),
        }
    }

    /// Writes the plan of `--plan`.
    fn write_plan(&self, path: &Path) -> Result<(), Failure> {
        if self.threads.is_empty() {
            return Err(Failure::new("--plan needs --threads, because machines may have other numbers of cores"));
        }
        let game = self.game.start()?;
        args::write_plan(path, 1, Job::Scale(ScaleJob::new(&self.plan(game.entry.name))), self.json)
    }

    fn basis<'a>(&'a self, out: &'a Path) -> Basis<'a> {
        Basis {
            game: &self.game,
            agent: self.agent.as_ref(),
            modes: self.parallel.concat(),
            threads: self.threads.concat(),
            limits: &self.limits,
            seed: self.seed,
            out,
            json: self.json,
        }
    }

    fn thread_counts(&self) -> Vec<usize> {
        if self.threads.is_empty() { default_threads() } else { self.threads.concat() }
    }

    fn plan(&self, game: &str) -> ScalePlan {
        ScalePlan {
            game: self.game.game.clone(),
            settings: Settings { seed: self.seed, ..args::settings_for(game, self.agent.as_ref()) },
            modes: self.parallel.concat(),
            threads: self.thread_counts(),
            time: self.limits.time(),
            iterations: self.limits.iterations,
            rounds: self.rounds,
            command: program::command_line(),
        }
    }

    /// Measures throughput and reports it.
    fn measure(&self, out: &Path) -> Result<(), Failure> {
        let game = self.game.start()?;
        let folder = Folder::at(out, &NAMES)?;
        let mut kept = Kept::at(self.store.as_deref())?;
        let stop = interrupt::stops_search();
        let mut experiment = ScaleExperiment::new(game.position, self.plan(game.entry.name));
        run_all(&mut experiment, &mut kept, &folder, &stop)?;
        if experiment.rounds_done() == 0 {
            return Err(Failure::new("interrupted before the first round was complete, so there is nothing to report"));
        }
        report(&experiment.report(), &folder, &mut kept, experiment.next_task().is_none(), self.json)
    }
}

/// Writes the files of a measurement that was made elsewhere, keeps it in a store, and prints it.
pub(super) fn keep(results: &ScaleReport, out: &Path, store: Option<&Path>, json: bool) -> Result<(), Failure> {
    let mut kept = Kept::at(store)?;
    if kept.has(results)? {
        kept = Kept(None);
    }
    report(results, &Folder::at(out, &NAMES)?, &mut kept, true, json)
}

/// Prints results, and writes and keeps them.
fn report(results: &ScaleReport, folder: &Folder, kept: &mut Kept, is_over: bool, json: bool) -> Result<(), Failure> {
    let written = files(results).map_err(Failure::from).and_then(|files| folder.write_all(files));
    match json {
        true => print_json(results)?,
        false => print(&scaling(results))?,
    }
    // Files that cannot be written do not take the results with them.
    let stored = kept.keep(results, is_over);
    let names = written?;
    stored?;
    if json { Ok(()) } else { print(&format!(" wrote {}\n", names.join(", "))) }
}

/// The measurement in the store of `--store`, if there is one.
struct Kept(Option<(Store, Option<MeasurementId>)>);

impl Kept {
    fn at(path: Option<&Path>) -> Result<Kept, Failure> {
        Ok(Kept(path.map(Store::open).transpose()?.map(|store| (store, None))))
    }

    /// Returns true if the store has these results of a measurement already.
    fn has(&self, results: &ScaleReport) -> Result<bool, Failure> {
        let Some((store, _)) = &self.0 else { return Ok(false) };
        let wanted = measurement("scale", [&results.game, &results.command], &files(results)?, true);
        Ok(store.has_measurement(&wanted)?)
    }

    /// Keeps the results so far.
    fn keep(&mut self, report: &ScaleReport, is_over: bool) -> Result<(), Failure> {
        let Some((store, number)) = &mut self.0 else { return Ok(()) };
        let measurement = measurement("scale", [&report.game, &report.command], &files(report)?, is_over);
        match *number {
            Some(number) => store.replace_measurement(number, &measurement)?,
            None => *number = Some(store.add_measurement(&measurement)?),
        }
        Ok(())
    }
}

/// A measurement of a kind, of a game by a command line, whose files have its report and its page.
pub(super) fn measurement(
    kind: &str,
    [game, command]: [&str; 2],
    files: &[boughs_pages::File],
    is_over: bool,
) -> Measurement {
    let text = |ending: &str| {
        let name = format!("{kind}.{ending}");
        files.iter().find(|file| file.name == name).map(|file| file.text.clone()).unwrap_or_default()
    };
    let [kind, game, command] = [kind, game, command].map(String::from);
    Measurement { report: text("json"), page: text("html"), kind, game, command, is_over }
}

/// Makes all runs, or those before the flag is raised, and saves them round by round.
fn run_all(experiment: &mut ScaleExperiment, kept: &mut Kept, folder: &Folder, stop: &StopFlag) -> Result<(), Failure> {
    let bar = Bar::new(experiment.total_runs() as u64);
    let mut saved = 0;
    while let Some(task) = experiment.next_task() {
        bar.say(task.to_string());
        if !experiment.advance(stop)? {
            break;
        }
        bar.show(experiment.runs_done() as u64);
        if experiment.rounds_done() > saved {
            saved = experiment.rounds_done();
            // All is written again at the end, which tells a fault that stays.
            let report = experiment.report();
            let _ = save_data(folder, &report);
            let _ = kept.keep(&report, false);
        }
    }
    Ok(())
}

/// Writes the files with the measured numbers, which a kill would lose.
fn save_data(folder: &Folder, report: &ScaleReport) -> Result<(), Failure> {
    folder.write_all(data_files(report)?).map(drop)
}
