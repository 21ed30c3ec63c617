//! `boughs scale`: how many more playouts a second more threads make, as numbers, files and plots; with `--strength` how
//! much stronger that is.

use std::path::PathBuf;

use boughs::{Settings, StopFlag};
use boughs_games::{Listed, Visitor};
use boughs_lab::scale::{DEFAULT_ROUNDS, Experiment, Mode, Plan, Report, csv, default_threads, html, plots};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::strength::{Basis, StrengthArgs};
use crate::args;
use crate::failure::Failure;
use crate::folder::Folder;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::progress::Bar;
use crate::show::scaling;

const COLUMNS_HELP: &str = "\
Columns:
  mode        the way to be parallel; roof is random playouts with no tree at all, which shows what the machine can do
  speed-up    playouts for each of the same mode on one thread in the same round
  efficiency  speed-up for each thread
  cores       how many cores were kept busy
  ±           half the interval of 95 % confidence

Files: scale.csv has a line for each run, scale.json everything, scale.html the tables and plots, which also stand in
throughput.svg, speedup.svg and efficiency.svg.

With --strength, as in boughs scale connect4 --strength --games 400 --out strength:
  win rate, Elo   against one thread, from games in pairs; draws are half a win
  optimal         share of solved positions in which the move keeps the value (Connect Four)
  needs           how many times the playouts one thread needs to play as well
  speed-up        how many times the time one thread needs to play as well
  ideal speed-up  the same if each thread or worker were as fast as one alone: what is left of N after what
                  playing in parallel costs
  games more      what it takes until the win rate is sure to 5 %
Files: strength.csv, strength.json, strength.html, plots, and games.db with every game; the same command goes on from there.

Example:
  boughs scale connect4 --time 50ms --rounds 3 --out scaling";

/// Measure how throughput grows with the number of threads
///
/// Every round runs every configuration once, in shuffled order, and speed-ups are ratios within a round. A run that got
/// less than 85 % of its cores is disturbed and counts for no speed-up; batched threads wait for each other by design, so a
/// batched run is compared with the busiest one of its kind, and the roof must have got its cores in the same round. Where four or more thread counts have a core for every
/// thread, the universal scalability law is fitted and predicts more cores than there are.
///
/// With --strength everybody plays games against one thread: threads at equal playouts, which shows what playing in parallel
/// costs, and at equal time, which shows what it brings; and logical workers, which need no cores.
///
/// Ctrl-C ends the measurement and keeps the runs that are complete, if these make a whole round, or every game.
#[derive(clap::Args)]
#[command(after_help = COLUMNS_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    /// Numbers of threads; 1 is always measured, because the others are compared with it [default: 1, 2, 4, ... and the
    /// number of cores]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = args::some_threads)]
    threads: Vec<usize>,
    /// Ways to be parallel; the roof is always measured
    #[arg(long, value_name = "MODE,...", value_delimiter = ',', default_value = "shared,independent,batched", value_parser = modes())]
    parallel: Vec<Mode>,
    #[command(flatten)]
    limits: args::Limits,
    /// How often every configuration runs
    #[arg(long, value_name = "N", default_value_t = DEFAULT_ROUNDS, value_parser = args::whole(1u32))]
    rounds: u32,
    /// The agent that searches, except for its threads and its way to be parallel [default: the one 'boughs games' names]
    #[arg(long, value_name = "SPEC", long_help = args::mcts_help())]
    agent: Option<Settings>,
    /// Seed of the order of runs and of all searches
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::whole(0u64))]
    seed: u64,
    /// Folder for the files, which replace those of an earlier measurement
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    strength: StrengthArgs,
}

fn names() -> [&'static str; 3] {
    Mode::SEARCHES.map(Mode::name)
}

/// Reads the name of a way to be parallel.
fn modes() -> impl TypedValueParser<Value = Mode> {
    PossibleValuesParser::new(names()).try_map(|name| {
        Mode::SEARCHES.into_iter().find(|mode| mode.name() == name).ok_or_else(|| format!("there is no mode {name}"))
    })
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.strength.strength { self.strength.run(&self.basis()) } else { self.game.visit(Scale(&self)) }
    }

    fn basis(&self) -> Basis<'_> {
        Basis {
            game: &self.game,
            agent: self.agent.as_ref(),
            modes: &self.parallel,
            threads: self.thread_counts(),
            limits: &self.limits,
            seed: self.seed,
            out: &self.out,
            json: self.json,
        }
    }

    fn thread_counts(&self) -> Vec<usize> {
        if self.threads.is_empty() { default_threads() } else { self.threads.clone() }
    }

    fn plan<G: Listed>(&self) -> Plan {
        let settings = args::settings_of::<G>(self.agent.as_ref());
        Plan {
            game: self.game.game.clone(),
            settings: Settings { seed: self.seed, ..settings },
            modes: self.parallel.clone(),
            threads: self.thread_counts(),
            time: self.limits.time(),
            iterations: self.limits.iterations,
            rounds: self.rounds,
            command: std::env::args().collect::<Vec<_>>().join(" "),
        }
    }
}

struct Scale<'a>(&'a Args);

impl Visitor for Scale<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let Scale(args) = self;
        let folder = Folder::at(&args.out)?;
        let stop = interrupt::stops_search();
        let mut experiment = Experiment::new(start, args.plan::<G>());
        measure(&mut experiment, &folder, &stop)?;
        if experiment.rounds_done() == 0 {
            return Err(Failure::new("interrupted before the first round was complete, so there is nothing to report"));
        }
        let report = experiment.report();
        let files = save_all(&folder, &report)?;
        match args.json {
            true => print_json(&report),
            false => print(&format!("{} wrote {}\n", scaling(&report), files.join(", "))),
        }
    }
}

/// Makes all runs, or those before the flag is raised, and saves them round by round.
fn measure<G: Listed>(experiment: &mut Experiment<G>, folder: &Folder, stop: &StopFlag) -> Result<(), Failure> {
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
            save_data(folder, &experiment.report())?;
        }
    }
    Ok(())
}

/// Writes what cannot be had again.
fn save_data(folder: &Folder, report: &Report) -> Result<(), Failure> {
    folder.write("scale.csv", &csv(&report.runs))?;
    folder.write("scale.json", &(serde_json::to_string(report)? + "\n"))
}

/// Writes everything, and says where it is.
fn save_all(folder: &Folder, report: &Report) -> Result<Vec<String>, Failure> {
    save_data(folder, report)?;
    let plots = plots(report)?;
    folder.write("scale.html", &html(report, &plots))?;
    let mut files: Vec<String> = ["scale.csv", "scale.json", "scale.html"].map(String::from).to_vec();
    for plot in plots {
        let name = format!("{}.svg", plot.name);
        folder.write(&name, &plot.svg)?;
        files.push(name);
    }
    Ok(files.iter().map(|name| folder.path(name).display().to_string()).collect())
}
