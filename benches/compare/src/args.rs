//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::against;
use crate::case::{Case, NAMES};
use crate::engines::{Entry, Role, entries, unknown};
use crate::run::Job;

const HELP: &str = "\
Columns:
  playouts/s     median, then the slowest and the fastest run
  of roof        playouts for each that the same threads make at random without a tree
  of best rival  playouts for each of the fastest rival with as many threads in the same round
  of other       playouts for each of the other build (--against) with as many threads in the same round
  over 1 thread  how much faster than with one thread; only of rounds in which neither run was disturbed
  bytes/playout  what the process took from the system, pages of 4 KiB or 2 MiB, so use long searches
  free ms        to give the tree back
  reset ms       to make it ready for another search instead
  games          random games played for each playout asked for: finished and proven positions need none
  disturbed      runs that got less than 85 % of their cores, marked *

Examples:
  RUSTFLAGS='-C target-cpu=native' cargo run --release -p boughs-compare
  cargo run --release -p boughs-compare -- --only boughs,minimax --case othello:20k --rounds 3

Another commit in the same rounds, built with the same flags (d335818 needs a patch for more games than two):
  git worktree add ../before d335818
  git -C ../before apply \"$PWD/benches/compare/d335818.patch\"
  export RUSTFLAGS='-C target-cpu=native'
  (cd ../before && cargo build --release -p boughs-compare)
  cargo run --profile dist -p boughs-compare -- --only boughs \\
    --against d335818=../before/target/release/boughs-compare";

/// Compare Boughs with other Monte Carlo tree search crates on this machine
///
/// All engines search the same games with the same random playouts, as many as the case says, in shuffled rounds.
#[derive(Parser)]
#[command(name = "boughs-compare", version, after_help = HELP)]
pub(crate) struct Args {
    /// Rounds of measurement; medians are reported
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = engine, help = only_help())]
    only: Vec<&'static str>,
    /// Another build of this program, whose Boughs runs in the same rounds as an engine of this name
    #[arg(long, value_name = "NAME=PROGRAM", value_parser = against::parse)]
    pub(crate) against: Option<&'static Entry>,
    #[arg(
        long = "case",
        help = case_help(),
        value_name = "GAME:PLAYOUTS,...",
        value_delimiter = ',',
        default_value = "connect4:500k,connect4:5M,othello:400k"
    )]
    cases: Vec<Case>,
    /// Playouts of every case, instead of what it says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    iterations: Option<u32>,
    /// Numbers of threads; engines without threads run with 1 only
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Seed of the order and of the playouts
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Write everything, with every single run, to this file; after each round, so that little is lost
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Make one run and print it for the process that asked
    #[arg(long, hide = true, value_parser = engine)]
    run: Option<&'static str>,
    /// Count the games of that run, which makes its times useless
    #[arg(long, hide = true)]
    count: bool,
}

impl Args {
    /// The engines to compare, in the order of the list; another build of Boughs stands before the rivals.
    pub(crate) fn engines(&self) -> Vec<&'static Entry> {
        let wanted =
            |entry: &&Entry| entry.role == Role::Roof || self.only.is_empty() || self.only.contains(&entry.name);
        let mut engines: Vec<&'static Entry> = entries().iter().filter(wanted).collect();
        let rivals = engines.iter().position(|entry| entry.role == Role::Rival).unwrap_or(engines.len());
        engines.splice(rivals..rivals, self.against);
        engines
    }

    /// The cases, each once.
    pub(crate) fn cases(&self) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for case in &self.cases {
            let case = Case { playouts: self.iterations.unwrap_or(case.playouts), ..case.clone() };
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
        cases
    }

    /// The numbers of threads, each once, the smallest first.
    pub(crate) fn threads(&self) -> Vec<usize> {
        let mut threads: Vec<usize> = self.threads.iter().map(|&threads| usize::from(threads)).collect();
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    /// The one run that another process asks for.
    pub(crate) fn job(&self) -> Option<Job> {
        let (engine, case, threads) = (self.run?, self.cases().into_iter().next()?, self.threads().into_iter().next()?);
        Some(Job { engine, program: None, case, threads, seed: self.seed, count: self.count })
    }
}

fn engine(name: &str) -> Result<&'static str, String> {
    entries().iter().map(|entry| entry.name).find(|known| *known == name).ok_or_else(|| unknown(name))
}

fn case_help() -> String {
    format!("Games and playouts, such as othello:20k; the games are {}", NAMES.join(", "))
}

fn only_help() -> String {
    let names: Vec<&str> = entries().iter().map(|entry| entry.name).collect();
    format!("Engines to run: {}; the roof always does [default: all]", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn read(line: &str) -> Args {
        Args::try_parse_from(line.split(' ')).unwrap()
    }

    #[test]
    fn the_arguments_fit_together() {
        Args::command().debug_assert();
    }

    #[test]
    fn cases_that_become_the_same_are_run_once() {
        assert_eq!(read("boughs-compare").cases().len(), 3);
        let cases = read("boughs-compare --iterations 1000").cases();
        assert_eq!(cases.iter().map(ToString::to_string).collect::<Vec<_>>(), ["connect4:1k", "othello:1k"]);
    }

    #[test]
    fn the_roof_runs_with_whatever_is_chosen() {
        let names: Vec<_> =
            read("boughs-compare --only treant,boughs").engines().iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["roof", "boughs", "treant"]);
    }
}
