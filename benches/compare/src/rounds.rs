//! Everything is run, round after round, in shuffled order.

use boughs::Rng;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::against;
use crate::args::Args;
use crate::case::Case;
use crate::engines::{Entry, Outcome};
use crate::machine::Machine;
use crate::run::Job;
use crate::store;
use crate::summary::{Summary, summarise};

/// All that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    pub(crate) command: Vec<String>,
    pub(crate) machine: Machine,
    pub(crate) rounds_asked: u32,
    pub(crate) rounds_done: u32,
    pub(crate) seed: u64,
    pub(crate) engines: Vec<&'static Entry>,
    pub(crate) summaries: Vec<Summary>,
    pub(crate) failures: Vec<String>,
    pub(crate) counts: Vec<Count>,
    pub(crate) runs: Vec<Run>,
}

/// One timed run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Run {
    pub(crate) case: Case,
    pub(crate) engine: &'static str,
    pub(crate) threads: usize,
    pub(crate) round: u32,
    pub(crate) playouts_per_second: f64,
    /// The cores the search kept busy, where the system tells.
    pub(crate) cores_busy: Option<f64>,
    /// True if the run got clearly less processor time than it asked for.
    pub(crate) disturbed: bool,
    /// The memory the process took from the system, where that tells.
    pub(crate) bytes: Option<u64>,
    pub(crate) outcome: Outcome,
}

/// The random games an engine played in a run that was not timed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Count {
    pub(crate) case: Case,
    pub(crate) engine: &'static str,
    pub(crate) threads: usize,
    pub(crate) games: u64,
}

/// Counts the games of every engine once, and then measures as many rounds as were asked for.
///
/// # Errors
/// If the results cannot be written, or another program does not answer. A run that fails is noted in the results.
pub(crate) fn all(args: &Args) -> Result<Comparison, String> {
    if let Some(other) = args.against {
        against::check(other, &args.cases())?;
    }
    let mut comparison = Comparison {
        command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        machine: Machine::here(),
        rounds_asked: args.rounds,
        rounds_done: 0,
        seed: args.seed,
        engines: args.engines(),
        summaries: Vec::new(),
        failures: Vec::new(),
        counts: Vec::new(),
        runs: Vec::new(),
    };
    let save = |comparison: &Comparison| args.json.as_ref().map_or(Ok(()), |path| store::write(path, comparison));
    // A file that cannot be written should not be found out about in an hour.
    save(&comparison)?;
    let bar = progress(args);
    for case in args.cases() {
        for job in jobs(args, &case, args.seed, true) {
            bar.set_message(format!("counting games, {case}, {}", job.engine));
            match job.run() {
                Ok(answer) => comparison.counts.extend(answer.games.map(|games| count(&job, games))),
                Err(error) => comparison.failures.push(failure(&job, &error)),
            }
            bar.inc(u64::from(case.playouts));
        }
    }
    for round in 1..=args.rounds {
        for (place, case) in args.cases().iter().enumerate() {
            let mut jobs = jobs(args, case, args.seed.wrapping_add(u64::from(round)), false);
            shuffle(&mut jobs, &mut Rng::new(args.seed, u64::from(round) << 32 | place as u64));
            for job in jobs {
                bar.set_message(format!("round {round} of {}, {case}, {} x{}", args.rounds, job.engine, job.threads));
                match job.run() {
                    Ok(answer) => comparison.runs.push(timed(&job, round, answer.outcome, answer.bytes)),
                    Err(error) => comparison.failures.push(failure(&job, &error)),
                }
                bar.inc(u64::from(case.playouts));
            }
        }
        comparison.rounds_done = round;
        comparison.summaries = args.cases().iter().map(|case| summarise(&comparison, case)).collect();
        save(&comparison)?;
    }
    bar.finish_and_clear();
    Ok(comparison)
}

/// Every engine of a case with every number of threads it can be had with.
fn jobs(args: &Args, case: &Case, seed: u64, count: bool) -> Vec<Job> {
    let mut jobs = Vec::new();
    for threads in args.threads() {
        for entry in args.engines().into_iter().filter(|entry| threads == 1 || entry.parallel) {
            jobs.push(Job { engine: entry.name, program: entry.program, case: case.clone(), threads, seed, count });
        }
    }
    jobs
}

/// Fisher and Yates 1938.
fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

/// A bar that is as long as all playouts of all runs.
fn progress(args: &Args) -> ProgressBar {
    let of_case = |case: Case| u64::from(case.playouts) * jobs(args, &case, 0, false).len() as u64;
    let playouts: u64 = args.cases().into_iter().map(of_case).sum();
    let bar = ProgressBar::new(playouts * (u64::from(args.rounds) + 1));
    let style = ProgressStyle::with_template("{bar:30} {percent} %, {eta} left  {wide_msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn count(job: &Job, games: u64) -> Count {
    Count { case: job.case.clone(), engine: job.engine, threads: job.threads, games }
}

fn timed(job: &Job, round: u32, outcome: Outcome, bytes: Option<u64>) -> Run {
    Run {
        case: job.case.clone(),
        engine: job.engine,
        threads: job.threads,
        round,
        playouts_per_second: outcome.speed(),
        cores_busy: outcome.search.cores_busy(),
        disturbed: outcome.search.is_disturbed(job.threads),
        bytes,
        outcome,
    }
}

fn failure(job: &Job, error: &str) -> String {
    format!("{} with {} threads failed at {}: {error}", job.engine, job.threads, job.case)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn engines_without_threads_have_no_run_with_two() {
        let args = Args::try_parse_from(["boughs-compare", "--only", "board-game,mcts"]).unwrap();
        let jobs = jobs(&args, &"connect4:1k".parse().unwrap(), 0, false);
        let found: Vec<_> = jobs.iter().map(|job| (job.engine, job.threads)).collect();
        assert_eq!(found, [("roof", 1), ("board-game", 1), ("mcts", 1), ("roof", 2), ("mcts", 2)]);
    }

    #[test]
    fn another_build_makes_its_runs_itself_with_every_number_of_threads() {
        let args = Args::try_parse_from(["boughs-compare", "--only", "boughs,mcts", "--against", "before=Cargo.toml"])
            .unwrap();
        let jobs = jobs(&args, &"connect4:1k".parse().unwrap(), 0, false);
        let found: Vec<_> = jobs.iter().map(|job| (job.engine, job.threads, job.program.is_some())).collect();
        let with = |threads| ["roof", "boughs", "before", "mcts"].map(|name| (name, threads, name == "before"));
        assert_eq!(found, [with(1), with(2)].concat());
    }

    #[test]
    fn a_shuffle_keeps_everything_and_depends_on_its_seed() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..20).collect();
            shuffle(&mut items, &mut Rng::new(seed, 0));
            items
        };
        assert_ne!(shuffled(1), shuffled(2));
        assert_eq!(shuffled(1), shuffled(1));
        let mut sorted = shuffled(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
    }
}
