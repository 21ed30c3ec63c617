//! `boughs check-engine`: a walk through what an engine has to do, in numbered steps.

use std::time::Duration;

use boughs::notation::counted;
use boughs_arena::{CheckNews, CheckStep, Contestant, EngineCheck, Outcome, check_engine, harmless};
use serde_json::json;

use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{bold, print, print_json};
use crate::progress::Spinner;

/// Check that an engine speaks its protocol, in numbered steps
///
/// Starts the engine and walks through what clients ask of it: names, commands, faults, moves, clocks, a game against
/// itself, the end. An engine that does something else fails the step, is started again, and goes on with the next one.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs check-engine 'gtp:boughs gtp go' go:size=5 --time 100ms")]
pub(crate) struct Args {
    /// The engine: gtp:, ugi: or uai: and its command, as in 'gtp:gnugo --mode gtp'
    #[arg(value_name = "ENGINE")]
    engine: String,
    /// The game that the engine plays, with options as in hex:size=7
    #[arg(value_name = "GAME", default_value = "go", help = args::game_help())]
    game: String,
    /// Time of a move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = args::duration)]
    time: Duration,
    /// Time beyond it that is forgiven
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = args::duration)]
    grace: Duration,
    /// The most moves that the engine finds in its game
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = args::whole_within(1, 10_000))]
    moves: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Args { engine, game, time, grace, moves, json } = self;
        let engine = Contestant::engine(&engine)?;
        let check = EngineCheck { engine, game, time, grace, moves: moves as usize };
        let stop = interrupt::stops_search();
        let mut fault = None;
        let spinner = Spinner::new();
        let mut see = |news: CheckNews<'_>| {
            match news {
                CheckNews::Begins(number, does) => spinner.say(format!("step {number}: {does}")),
                CheckNews::Done(_) if json => {}
                CheckNews::Done(step) => fault = spinner.aside(|| print(&line(step))).err(),
            }
            fault.is_none() && !stop.is_raised()
        };
        let steps = check_engine(&check, &stop, &mut see);
        drop(spinner);
        let steps = steps?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        if json {
            print_json(&json!({
                "boughs": env!("CARGO_PKG_VERSION"),
                "engine": check.engine.to_string(),
                "game": check.game,
                "interrupted": stop.is_raised(),
                "steps": steps.iter().map(json_of).collect::<Vec<_>>(),
            }))?;
        }
        let failed = steps.iter().filter(|step| matches!(step.outcome, Outcome::Failed(_))).count();
        match failed {
            0 => Ok(()),
            failed => Err(Failure::of_check(format!("{failed} of {} failed", counted(steps.len(), "steps")))),
        }
    }
}

/// A line about a step, and others with what the engine did instead.
fn line(step: &CheckStep) -> String {
    let CheckStep { number, does, outcome } = step;
    match outcome {
        Outcome::Passed => format!("{number:>2}  passed   {does}\n"),
        Outcome::Skipped(why) => format!("{number:>2}  skipped  {does}: {}\n", harmless(why)),
        Outcome::Failed(why) => {
            let why = harmless(why).trim_end().replace('\n', "\n             ");
            format!("{number:>2}  {}   {does}\n             {why}\n", bold("failed"))
        }
    }
}

fn json_of(step: &CheckStep) -> serde_json::Value {
    let (outcome, why) = match &step.outcome {
        Outcome::Passed => ("passed", None),
        Outcome::Failed(why) => ("failed", Some(why)),
        Outcome::Skipped(why) => ("skipped", Some(why)),
    };
    json!({"number": step.number, "does": step.does, "outcome": outcome, "why": why})
}
