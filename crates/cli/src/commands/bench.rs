//! `boughs bench`: the speed of the search in every game, and one checksum of its results.

use std::fmt::Write;

use boughs::Settings;
use boughs::notation::counted;
use boughs_lab::bench::{Bench, BenchPlan, all_games, run};
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanCount;

use crate::args::{agent_help, game_help, threads, whole};
use crate::failure::Failure;
use crate::output::{bold, print, print_json};
use crate::progress::Spinner;
use crate::show::{Column, percent, plain_table};

const COLUMNS_HELP: &str = "\
Columns:
  roof           random playouts a second without a tree (the no-tree baseline), on as many threads
  share          playouts of the search for each of the roof; noise can lift it above 100 %
  bytes/playout  memory of the tree for each playout
  cores          number of cores the search really got
  release ms     time to make the tree ready for the next search
  return ms      time to give its memory back to the system

Example:
  boughs bench connect4 --iterations 20000";

/// Measure the search of every game and print one checksum of its results
///
/// A change of the code that leaves the search as it is leaves the checksum as it is.
#[derive(clap::Args)]
#[command(after_help = COLUMNS_HELP)]
pub(crate) struct Args {
    #[arg(value_name = "GAME", help = format!("{} [default: all of them]", game_help()))]
    game: Option<String>,
    #[arg(long, value_name = "SPEC", help = agent_help("mcts with 256M of memory; no other agent goes here"))]
    agent: Option<Settings>,
    /// Threads that search, 0 for all cores [default: as the agent says, else 1]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Playouts of each search
    #[arg(long, value_name = "N", default_value_t = BenchPlan::default().iterations, value_parser = whole(1u64))]
    iterations: u64,
    /// Rounds in which roof and search are measured; medians are reported
    #[arg(long, value_name = "N", default_value_t = BenchPlan::default().rounds, value_parser = whole(1u32))]
    rounds: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut settings = self.agent.unwrap_or(BenchPlan::default().settings);
        settings.threads = self.threads.unwrap_or(settings.threads);
        let plan = BenchPlan { settings, iterations: self.iterations, rounds: self.rounds };
        let spinner = Spinner::new();
        let games = self.game.map_or_else(all_games, |game| vec![game]);
        let bench = run(&games, &plan, &mut |game| spinner.say(game.to_string()))?;
        drop(spinner);
        if self.json { print_json(&bench) } else { print(&report(&bench)) }
    }
}

fn report(bench: &Bench) -> String {
    const COLUMNS: [Column; 8] = [
        ("game", Left),
        ("playouts/s", Right),
        ("roof", Right),
        ("share", Right),
        ("bytes/playout", Right),
        ("cores", Right),
        ("release ms", Right),
        ("return ms", Right),
    ];
    let mut table = plain_table(&COLUMNS);
    for line in &bench.games {
        table.add_row([
            line.game.clone(),
            HumanCount(line.playouts_per_second as u64).to_string(),
            HumanCount(line.no_tree_baseline as u64).to_string(),
            percent(line.share),
            format!("{:.1}", line.bytes_per_playout),
            line.cores_busy.map_or("-".to_string(), |cores| format!("{cores:.2}")),
            format!("{:.3}", line.release_ms),
            format!("{:.3}", line.return_ms),
        ]);
    }
    let mut text = table.trim_fmt() + "\n\n";
    let Bench { agent, iterations, threads, rounds, .. } = bench;
    let _ = writeln!(
        text,
        " {agent}, {} a search, {}, medians of {rounds}",
        counted(HumanCount(*iterations), "playouts"),
        counted(threads, "threads")
    );
    let _ = match &bench.checksum {
        Some(checksum) => writeln!(text, " checksum {}", bold(checksum)),
        None => writeln!(text, " no checksum: with several threads only parallel=batched finds the same every time"),
    };
    text
}
