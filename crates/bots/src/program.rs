//! A program that is one agent of one contest.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use boughs::DelayMeter;

use crate::{Build, Fault, Lines, Play, Setup};

/// Plays over standard input and output, with the time of a contest and the least margin before its end. The argument
/// `--iterations N` counts playouts of an answer instead of time, so that the answers are equal on every run.
pub fn run(play: Play, build: &Build<'_>, [time, margin]: [Duration; 2]) -> ExitCode {
    let (meter, began) = (DelayMeter::start(), Instant::now());
    let played = iterations(env::args().skip(1).collect()).and_then(|iterations| {
        play(&mut Lines::standard()?, &Setup { build, seed: 0, time, margin, meter, began, iterations, tell })
    });
    let Err(fault) = played else { return ExitCode::SUCCESS };
    tell(&fault.to_string());
    ExitCode::from(2)
}

/// Reads the arguments of the program.
fn iterations(args: Vec<String>) -> Result<Option<u64>, Fault> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match (&args[..], args.last().and_then(|number| number.parse().ok())) {
        ([], _) => Ok(None),
        (["--iterations", _], Some(number @ 1..)) => Ok(Some(number)),
        _ => Err(format!("the arguments '{}' should be none, or --iterations N with N above 0", args.join(" ")).into()),
    }
}

fn tell(line: &str) {
    // A closed standard error loses nothing that the game needs.
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_none_or_a_number_of_playouts() {
        let read = |line: &str| iterations(line.split_whitespace().map(str::to_string).collect());
        assert_eq!(read("").unwrap(), None);
        assert_eq!(read("--iterations 70").unwrap(), Some(70));
        for wrong in ["--iterations", "--iterations 0", "--iterations x", "70", "--time 70", "--iterations 70 70"] {
            assert!(read(wrong).is_err_and(|fault| fault.to_string().contains(wrong)), "{wrong}");
        }
    }
}
