//! `boughs scale --strength`: the price and the gain of parallel search, and the worth of ranks, measured in games.

use std::path::Path;
use std::time::Duration;

use boughs::{InFlight, Settings};
use boughs_arena::{Measurement, MeasurementEntry, Openings, Store};
use boughs_lab::scale::{Mode, default_threads};
use boughs_lab::strength::{StrengthExperiment, StrengthPlan};
use boughs_pages::strength::{NAMES, files};

use super::scale;
use crate::args;
use crate::failure::Failure;
use crate::folder::Folder;
use crate::output::{print, print_json};
use crate::progress::Bar;
use crate::show::contest::rounding_warning;
use crate::show::strength;
use crate::{interrupt, program};

/// The arguments that go with `--strength`.
#[derive(clap::Args)]
#[command(next_help_heading = "Strength")]
pub(crate) struct StrengthArgs {
    /// Play games against one thread: at equal playouts (--iterations), at equal time (--time), or both if neither or
    /// both are given
    #[arg(long, conflicts_with = "rounds")]
    pub(crate) strength: bool,
    /// Games of each configuration, in pairs [default: 100]
    #[arg(long, value_name = "N", requires = "strength", value_parser = args::whole(1u64))]
    games: Option<u64>,
    /// First moves of the games, as in 'boughs match' [default: random:4-8]
    #[arg(long, value_name = "OPENINGS", requires = "strength", value_parser = args::openings)]
    openings: Option<Openings>,
    /// Playouts in flight as logical workers [default: 1,8,64,512]
    #[arg(long, value_name = "W,...", requires = "strength", value_parser = args::list(args::some_workers))]
    workers: Vec<std::vec::Vec<u32>>,
    /// Virtual loss in visits, 0 for none, or wu for WU-UCT [default: 1,wu,0]
    #[arg(long, value_name = "RULE,...", requires = "strength", value_parser = args::list(rule))]
    loss: Vec<std::vec::Vec<InFlight>>,
    /// Logical ranks, by --iterations; alone without --threads and --workers
    #[arg(long, value_name = "R,...", requires = "strength", value_parser = args::list(some_ranks))]
    ranks: Vec<std::vec::Vec<u32>>,
    /// Games to play at the same time [default: as many as the cores allow]
    #[arg(long, value_name = "K", requires = "strength", value_parser = args::some_threads)]
    concurrency: Option<usize>,
}

/// The arguments of `boughs scale` that games need too.
pub(crate) struct Basis<'a> {
    pub(crate) game: &'a args::GameArg,
    pub(crate) agent: Option<&'a Settings>,
    pub(crate) modes: Vec<Mode>,
    /// The numbers of threads that the user named.
    pub(crate) threads: Vec<usize>,
    pub(crate) limits: &'a args::Limits,
    pub(crate) seed: u64,
    pub(crate) out: &'a Path,
    pub(crate) json: bool,
}

/// The number of players of a game. Elo compares two.
const PLAYERS: usize = 2;

// Defaults: games of a configuration, playouts and time of a move, and the rest.
const GAMES: u64 = 100;
const PLAYOUTS: u64 = 1_000;
const TIME: Duration = Duration::from_millis(20);
const OPENINGS: Openings = Openings::Random(4, 8);
const WORKERS: [u32; 4] = [1, 8, 64, 512];
const RULES: [InFlight; 3] = [InFlight::VirtualLoss(1), InFlight::Unobserved, InFlight::VirtualLoss(0)];

/// Reads the rule for playouts in flight.
fn rule(text: &str) -> Result<InFlight, String> {
    let settings = format!("mcts:loss={text}").parse::<Settings>();
    settings
        .map(|settings| settings.in_flight)
        .map_err(|error| error.to_string().replace(&format!("'{text}' in loss={text} "), ""))
}

/// Reads a number of ranks.
fn some_ranks(text: &str) -> Result<u32, String> {
    const MOST: u32 = 4096;
    let number = text.parse().ok().filter(|ranks| (1..=MOST).contains(ranks));
    number.ok_or_else(|| format!("should be a whole number from 1 to {MOST}"))
}

/// Keeps the results, in place of those that an earlier run of the same command has left.
fn keep(store: &mut Store, found: &Measurement) -> Result<(), Failure> {
    let is_same = |entry: &MeasurementEntry| entry.kind == found.kind && entry.command == found.command;
    match store.measurements()?.into_iter().rfind(is_same) {
        Some(entry) => store.replace_measurement(entry.id, found)?,
        None => _ = store.add_measurement(found)?,
    }
    Ok(())
}

impl StrengthArgs {
    /// Plays the games that are missing, and reports on all of them.
    pub(crate) fn run(&self, basis: &Basis<'_>) -> Result<(), Failure> {
        let plan = self.plan(basis)?;
        let folder = Folder::at(basis.out, &NAMES)?;
        let mut store = Store::open(folder.path("games.db"))?;
        let mut experiment = StrengthExperiment::new(plan, &mut store, args::replay)?;
        let stop = interrupt::stops_search();
        let bar = Bar::new(experiment.steps_left());
        let mut done = 0;
        let played = experiment.play(&stop, &mut |name| {
            done += 1;
            bar.show(done);
            bar.say(name.to_string());
        });
        drop(bar);
        played?;
        let mut report = experiment.report(stop.is_raised());
        if report.is_empty() {
            return Err(Failure::new(
                "interrupted before the first pair of games was complete, so there is nothing to report",
            ));
        }
        report.warnings.extend(rounding_warning(report.games, PLAYERS));
        let is_over = !stop.is_raised();
        let written = files(&report).map_err(Failure::from).and_then(|files| {
            let kept =
                keep(&mut store, &scale::measurement("strength", [&report.game, &report.command], &files, is_over));
            let written = folder.write_all(files)?;
            kept.map(|()| written)
        });
        match basis.json {
            true => print_json(&report)?,
            false => print(&strength(&report))?,
        }
        // Files that cannot be written do not take the results with them.
        let names = written?;
        if basis.json { Ok(()) } else { print(&format!(" wrote {}\n", names.join(", "))) }
    }

    fn plan(&self, basis: &Basis<'_>) -> Result<StrengthPlan, Failure> {
        let limits = basis.limits;
        let has_both = limits.time.is_none() == limits.iterations.is_none();
        if limits.time == Some(Duration::ZERO) || limits.iterations == Some(0) {
            return Err(Failure::new(
                "a move needs at least one playout, or some time; give --iterations 1 or --time 1ms",
            ));
        }
        // Those who ask for ranks do not wait for tables that they did not ask for.
        let (has_ranks, has_threads) = (!self.ranks.is_empty(), !basis.threads.is_empty());
        if has_ranks && limits.time.is_some() && !(has_threads && limits.iterations.is_some()) {
            return Err(Failure::new(
                "--ranks plays at equal playouts; give --iterations in place of --time, or both with --threads",
            ));
        }
        let has_workers = !self.workers.is_empty() || !self.loss.is_empty();
        let usual_threads = if has_ranks { Vec::new() } else { default_threads() };
        let usual_workers = if has_ranks && !has_workers { &[][..] } else { &WORKERS };
        let has_times = has_both && (has_threads || !has_ranks);
        Ok(StrengthPlan {
            game: basis.game.game.clone(),
            settings: args::settings_for(basis.game.start()?.entry.name, basis.agent),
            modes: basis.modes.clone(),
            threads: if has_threads { basis.threads.clone() } else { usual_threads },
            workers: if self.workers.is_empty() { usual_workers.to_vec() } else { self.workers.concat() },
            rules: if self.loss.is_empty() { RULES.to_vec() } else { self.loss.concat() },
            ranks: self.ranks.concat(),
            playouts: limits.iterations.or(has_both.then_some(PLAYOUTS)),
            time: limits.time.or(has_times.then_some(TIME)),
            grace: |game, limit| limit.usual_grace(game),
            games: self.games.unwrap_or(GAMES),
            openings: self.openings.clone().unwrap_or(OPENINGS),
            seed: basis.seed,
            tables: self.concurrency,
            command: program::command_line(),
        })
    }
}
