//! `boughs stress`: the delays of answers under a time limit.

use std::fmt::Write;
use std::time::Duration;

use boughs::notation::counted;
use boughs_lab::measure::LEAST_UTILISATION;
use boughs_lab::stress::{Bucket, Overrun, Stress, StressPlan, run};
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanCount;

use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::progress::Bar;
use crate::show::{percent, plain_table};

/// The length of the bar of the fullest bucket.
const LONGEST_BAR: u64 = 40;

/// Play timed moves as a contest does and print how late the answers were
///
/// The agent plays both sides, game after game, with a tree it keeps. The clock of a move runs from its request to the
/// answer, reading the move before included. What counts is the worst of thousands of moves: a bot that is late loses.
/// While the machine wakes threads late, the search ends sooner by twice the delay that it measures. A bare thread that
/// sleeps until the same deadlines tells what the system alone makes late.
///
/// Ctrl-C ends the run and prints what it has measured so far.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs stress connect4 --time 5ms --moves 200 --load 2 --margin 1ms")]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::GameArg,
    /// Limit of a move
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = args::duration)]
    time: Duration,
    /// Moves to make
    #[arg(long, value_name = "N", default_value_t = StressPlan::default().moves, value_parser = args::whole(1u64))]
    moves: u64,
    /// Least time before the limit at which the search ends
    #[arg(long, value_name = "TIME", default_value = "0ms", value_parser = args::duration)]
    margin: Duration,
    /// Longest random pause before each request, as while an opponent searches: threads fall asleep, caches go cold
    #[arg(long, value_name = "TIME", default_value = "0ms", value_parser = args::duration)]
    jitter: Duration,
    /// Threads that compete for the cores meanwhile
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads)]
    load: usize,
    #[command(flatten)]
    agent: args::AgentArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.margin >= self.time {
            let (time, margin) = (self.time, self.margin);
            return Err(Failure::new(format!(
                "--time {time:?} less --margin {margin:?} leaves no time to search; the time must be longer than the \
                 margin"
            )));
        }
        let game = self.game.start()?;
        let plan = StressPlan {
            settings: self.agent.settings(game.entry.name, "boughs stress")?,
            time: self.time,
            margin: self.margin,
            moves: self.moves,
            jitter: self.jitter,
            load: self.load,
        };
        let bar = Bar::new(self.moves);
        bar.say("moves");
        let stress = run(&game, &plan, &interrupt::stops_search(), &mut |moves| bar.show(moves))?;
        drop(bar);
        let stress = stress.ok_or_else(|| Failure::new("interrupted before there was a result"))?;
        if self.json { print_json(&stress) } else { print(&report(&stress)) }
    }
}

fn report(stress: &Stress) -> String {
    let mut text = histogram(&stress.overrun.histogram) + "\n";
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, " {name:<9} {value}");
    };
    let Overrun { min, p50, p90, p99, p999, max, .. } = stress.overrun;
    line(
        "overrun",
        format!("p50 {p50:.3}, p90 {p90:.3}, p99 {p99:.3}, p99.9 {p999:.3}, max {max:.3} ms; min {min:.3}"),
    );
    line("late", late(&stress.overrun));
    line("sleeps", format!("late {} of bare sleeps until the same deadlines", late(&stress.sleeps)));
    let delays = stress.delays_ms;
    line("delay", format!("threads woke up to {:.3} ms late (median of moves {:.3})", delays.high, delays.median));
    let margins = stress.margins_ms;
    let mut margin = format!(
        "{:.3} to {:.3} ms, at least {} ms; a fixed one of {:.3} ms would have kept all answers within the limit",
        margins.low, margins.high, stress.margin_ms, stress.enough_ms
    );
    // With fewer answers, 999 in 1,000 of them are all.
    if stress.moves >= 1_000 {
        let _ = write!(margin, ", {:.3} ms 999 in 1,000 of them", stress.enough_999_ms);
    }
    line("margin", margin);
    line("widened", format!("delays took {} of the time to search", percent(stress.share_widened)));
    if let Some(cost) = stress.cost {
        let [with, without] = [cost.playouts_with, cost.playouts_without].map(|playouts| HumanCount(playouts as u64));
        line(
            "cost",
            format!("the least margin takes {} of the playouts: {with} instead of {without}", percent(cost.share_lost)),
        );
    }
    let [low, median, high] =
        [stress.playouts.low, stress.playouts.median, stress.playouts.high].map(|value| HumanCount(value as u64));
    line("playouts", format!("{median} a move (median), {low} to {high}"));
    if let Some(share) = stress.utilisation {
        let disturbed = stress.load == 0 && share < LEAST_UTILISATION;
        let note = if disturbed { "; something else used the machine" } else { "" };
        line("cores", format!("each thread got {} of one{note}", percent(share)));
    }
    line(
        "agent",
        format!(
            "{}, {}, {} against it",
            stress.agent,
            counted(stress.threads, "threads"),
            counted(stress.load, "threads")
        ),
    );
    let (moves, games) = (HumanCount(stress.moves), counted(HumanCount(stress.games), "games"));
    let moves = match stress.moves < stress.asked {
        true => format!("{moves} before the interruption, {} asked for,", HumanCount(stress.asked)),
        false => moves.to_string(),
    };
    line("moves", format!("{moves} of {} ms in {games}, pauses up to {} ms", stress.time_ms, stress.jitter_ms));
    text
}

fn late(overrun: &Overrun) -> String {
    let bounds = overrun.beyond.iter().map(|beyond| {
        let when = if beyond.ms == 0.0 { "at all".to_string() } else { format!("beyond {} ms", beyond.ms) };
        format!("{} {when} ({:.2} %)", HumanCount(beyond.moves), beyond.share * 100.0)
    });
    bounds.collect::<Vec<_>>().join(", ")
}

/// A line for each bucket, with a bar; the smallest bucket that is not empty can still be seen.
fn histogram(buckets: &[Bucket]) -> String {
    let mut table = plain_table(&[("overrun ms", Right), ("moves", Right), ("", Left)]);
    let most = buckets.iter().map(|bucket| bucket.moves).max().unwrap_or(0).max(1);
    for bucket in buckets {
        let length = (bucket.moves * LONGEST_BAR).div_ceil(most);
        table.add_row([range(bucket), HumanCount(bucket.moves).to_string(), "#".repeat(length as usize)]);
    }
    table.trim_fmt() + "\n"
}

fn range(bucket: &Bucket) -> String {
    match (bucket.from, bucket.to) {
        (Some(from), Some(to)) => format!("{from} to {to}"),
        (None, Some(to)) => format!("up to {to}"),
        (Some(from), None) => format!("beyond {from}"),
        (None, None) => "any".to_string(),
    }
}
