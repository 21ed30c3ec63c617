//! `boughs scale --strength`: what playing in parallel costs and brings in games.

use std::path::Path;
use std::time::Duration;

use boughs::{InFlight, Settings};
use boughs_arena::{Openings, Store};
use boughs_games::{Listed, Visitor};
use boughs_lab::scale::Mode;
use boughs_lab::strength::{Experiment, Plan, Report, csv, html, plots};

use crate::args;
use crate::failure::Failure;
use crate::folder::Folder;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::progress::Bar;
use crate::show::strength;
use crate::terms;

/// What `--strength` adds to the arguments.
#[derive(clap::Args)]
#[command(next_help_heading = "Strength")]
pub(crate) struct StrengthArgs {
    /// Play games against one thread instead: at equal playouts (--iterations), at equal time (--time), or both where neither
    /// or both are given
    #[arg(long, conflicts_with = "rounds")]
    pub(crate) strength: bool,
    /// Games of each line, in pairs with the seats changed [default: 100]
    #[arg(long, value_name = "N", requires = "strength", value_parser = args::whole(1u64))]
    games: Option<u64>,
    /// What games begin with, as in boughs match [default: random:4-8]
    #[arg(long, value_name = "OPENINGS", requires = "strength", value_parser = terms::openings)]
    openings: Option<Openings>,
    /// Logical workers: how many playouts one thread has in flight [default: 1,8,64,512]
    #[arg(long, value_name = "W,...", requires = "strength", value_delimiter = ',', value_parser = args::some_workers)]
    workers: Vec<u32>,
    /// How these are shown to each other: visits of a virtual loss, wu for WU-UCT, 0 for nothing [default: 1,wu,0]
    #[arg(long, value_name = "RULE,...", requires = "strength", value_delimiter = ',', value_parser = rule)]
    loss: Vec<InFlight>,
    /// Games to play at the same time [default: as many as there are cores for]
    #[arg(long, value_name = "K", requires = "strength", value_parser = args::some_threads)]
    concurrency: Option<usize>,
}

/// What games are played with, of what `boughs scale` is told anyway.
pub(crate) struct Basis<'a> {
    pub(crate) game: &'a args::Game,
    pub(crate) agent: Option<&'a Settings>,
    pub(crate) modes: &'a [Mode],
    pub(crate) threads: Vec<usize>,
    pub(crate) limits: &'a args::Limits,
    pub(crate) seed: u64,
    pub(crate) out: &'a Path,
    pub(crate) json: bool,
}

/// Games of a line, playouts and time of a move, and the rest, where nothing is said.
const GAMES: u64 = 100;
const PLAYOUTS: u64 = 1_000;
const TIME: Duration = Duration::from_millis(20);
const GRACE: Duration = Duration::from_millis(50);
const OPENINGS: Openings = Openings::Random(4, 8);
const WORKERS: [u32; 4] = [1, 8, 64, 512];
const RULES: [InFlight; 3] = [InFlight::VirtualLoss(1), InFlight::Unobserved, InFlight::VirtualLoss(0)];

/// Reads how playouts in flight are shown.
fn rule(text: &str) -> Result<InFlight, String> {
    let settings = format!("mcts:loss={text}").parse::<Settings>();
    settings.map(|settings| settings.in_flight).map_err(|error| error.to_string())
}

impl StrengthArgs {
    /// Plays what is missing, and says what all games say.
    pub(crate) fn run(&self, basis: &Basis<'_>) -> Result<(), Failure> {
        let plan = self.plan(basis)?;
        let folder = Folder::at(basis.out)?;
        let mut store = Store::open(folder.path("games.db"))?;
        let mut experiment = Experiment::new(plan, &mut store, terms::replay)?;
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
        let report = experiment.report(stop.is_raised());
        if report.is_empty() {
            return Err(Failure::new(
                "interrupted before the first pair of games was complete, so there is nothing to report",
            ));
        }
        let files = save(&folder, &report)?;
        match basis.json {
            true => print_json(&report),
            false => print(&format!("{} wrote {}\n", strength(&report), files.join(", "))),
        }
    }

    fn plan(&self, basis: &Basis<'_>) -> Result<Plan, Failure> {
        let limits = basis.limits;
        let has_both = limits.time.is_none() == limits.iterations.is_none();
        if limits.time == Some(Duration::ZERO) || limits.iterations == Some(0) {
            return Err(Failure::new(
                "a move needs at least one playout, or some time; give --iterations 1 or --time 1ms",
            ));
        }
        Ok(Plan {
            game: basis.game.game.clone(),
            settings: basis.game.visit(SettingsOf(basis.agent))?,
            modes: basis.modes.to_vec(),
            threads: basis.threads.clone(),
            workers: if self.workers.is_empty() { WORKERS.to_vec() } else { self.workers.clone() },
            rules: if self.loss.is_empty() { RULES.to_vec() } else { self.loss.clone() },
            playouts: limits.iterations.or(has_both.then_some(PLAYOUTS)),
            time: limits.time.or(has_both.then_some(TIME)),
            grace: GRACE,
            games: self.games.unwrap_or(GAMES),
            openings: self.openings.clone().unwrap_or(OPENINGS),
            seed: basis.seed,
            tables: self.concurrency,
            command: std::env::args().collect::<Vec<_>>().join(" "),
        })
    }
}

/// The settings that were asked for, or else those that suit the game.
struct SettingsOf<'a>(Option<&'a Settings>);

impl Visitor for SettingsOf<'_> {
    type Output = Result<Settings, Failure>;

    fn visit<G: Listed>(self, _: G) -> Self::Output {
        Ok(args::settings_of::<G>(self.0))
    }
}

/// Writes the report in all its forms, and says where they are; the games stand beside them.
fn save(folder: &Folder, report: &Report) -> Result<Vec<String>, Failure> {
    let plots = plots(report)?;
    let mut files = vec![
        ("strength.csv".to_string(), csv(report)),
        ("strength.json".to_string(), serde_json::to_string(report)? + "\n"),
        ("strength.html".to_string(), html(report, &plots)),
    ];
    files.extend(plots.into_iter().map(|plot| (format!("{}.svg", plot.name), plot.svg)));
    files.iter().try_for_each(|(name, text)| folder.write(name, text))?;
    Ok(files.iter().map(|(name, _)| folder.path(name).display().to_string()).collect())
}
