//! `boughs-compare`: Boughs side by side with the Monte Carlo tree search crates one could use instead.
//!
//! Every engine ([`engines`]) searches the same positions with the same game code and the same random playouts
//! ([`position`]), equally many of them. Each run has a process to itself ([`run`]), so that none finds the heap as
//! another left it, and what it takes from the system can be told. Rounds go through all engines in shuffled order
//! ([`rounds`]): a machine that slows down for a while slows all of them, and ratios are taken within a round
//! ([`summary`]). Another build of this program can make runs in the same rounds ([`against`]).

mod against;
mod args;
mod case;
mod counted;
mod engines;
mod machine;
mod position;
mod rounds;
mod run;
mod store;
mod summary;
mod table;

use std::process::ExitCode;

use clap::Parser;

use args::Args;

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.job() {
        Some(job) => run::answer(&job),
        None => compare(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("boughs-compare: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn compare(args: &Args) -> Result<(), String> {
    let comparison = rounds::all(args)?;
    print!("{}", table::report(&comparison));
    match comparison.failures.first() {
        None => Ok(()),
        Some(first) => Err(format!("{} runs failed, the first of them because {first}", comparison.failures.len())),
    }
}
