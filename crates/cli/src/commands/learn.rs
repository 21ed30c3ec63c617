//! `boughs learn`: weights for the features of a game, by games against itself.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use boughs::spec::nearest;
use boughs_agents::learn::{Learned, Learning, LearningRun, LearningTerms, names};
use boughs_pages::learning::plot;
use boughs_shards::{Job, LearnJob};

use super::learn_net::NetArgs;
use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::lock::Lock;
use crate::named_file::{self, NamedFile, regular};
use crate::output::{print, print_json};
use crate::progress::Live;
use crate::show::learning;

/// Learn the value of positions by self-play
///
/// Weights for the features of a game are found by temporal-difference learning, TD(lambda): the agent plays games
/// against itself and searches each turn to its end, and the result of the search corrects the value of the position
/// before. The weights depend on the seed and on the other settings, but not on the number of threads.
///
/// The file holds the weights and the course of learning, and is replaced after each round of games. The same command
/// goes on from there, also after a kill, and with more --games; a last round that was cut short is then played again.
/// Beside it stand a plot of the course as SVG and, until the command ends, an empty file ending in .lock, which keeps
/// a second command from learning into the same file.
///
/// Ctrl-C ends learning after the last round that is complete.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs learn green-circle --games 100 --threads 2 --out weights.json")]
pub(crate) struct Args {
    /// The game: green-circle for weights of its features, and any game with a board for a network
    #[arg(value_name = "GAME")]
    game: String,
    /// Games to play in all [default: 20000; for a network as many as the time allows]
    #[arg(long, value_name = "N", value_parser = args::whole(1u64))]
    games: Option<u64>,
    /// Time to learn a network [default: 10min without --games]
    #[arg(long, value_name = "TIME", value_parser = args::duration, conflicts_with = "plan")]
    time: Option<Duration>,
    /// Let threads learn a network from each game at once, without locks: faster, and different on every run
    #[arg(long, conflicts_with = "plan")]
    hogwild: bool,
    /// File for the weights and the course of learning; a network where it ends in .net
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Threads that play, 0 for all cores
    #[arg(long, value_name = "N", default_value_t = usual().threads, value_parser = args::threads)]
    #[arg(conflicts_with = "plan")]
    threads: usize,
    /// Seed of all randomness
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::whole(0u64))]
    seed: u64,
    /// Games of a round, after which weights change and the file is written
    #[arg(long, value_name = "N", default_value_t = usual().round)]
    #[arg(value_parser = args::whole_within(1, 100_000))]
    round: u64,
    /// Learning rate: how far each lesson moves the weights at first
    #[arg(long, value_name = "X", default_value_t = usual().rate)]
    #[arg(value_parser = args::number_within(0.0, 1.0))]
    rate: f64,
    /// Games after which lessons move weights half as far; a third after twice as many
    #[arg(long, value_name = "N", default_value_t = usual().slowing)]
    #[arg(value_parser = args::number_within(1.0, 1e9))]
    slowing: f64,
    /// Share of the results of later turns that counts for earlier ones: the lambda of TD(lambda)
    #[arg(long, value_name = "X", default_value_t = usual().lambda)]
    #[arg(value_parser = args::number_within(0.0, 1.0))]
    lambda: f64,
    /// Share of turns that are played at random
    #[arg(long, value_name = "X", default_value_t = usual().explore)]
    #[arg(value_parser = args::number_within(0.0, 1.0))]
    explore: f64,
    /// Most positions of a turn that are searched; of a longer turn random chains are played for the rest
    #[arg(long, value_name = "N", default_value_t = usual().positions as u64)]
    #[arg(value_parser = args::whole_within(1, 10_000_000))]
    positions: u64,
    #[command(flatten)]
    plan: args::PlanArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The settings without arguments.
fn usual() -> Learning {
    Learning::default()
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.out.extension().is_some_and(|extension| extension == "net") {
            return self.learn_net();
        }
        let all = self.games.unwrap_or(usual().games);
        let nothing = Learned::nothing(&self.game, self.terms()).ok_or_else(|| {
            let games = names();
            let meant = nearest(&self.game, games.iter().copied());
            let meant = meant.map_or(String::new(), |game| format!("did you mean {game}? "));
            let games = games.join(", ");
            Failure::new(format!("'{}' is no game that can be learned; {meant}there is {games}", self.game))
        })?;
        let _lock = lock(&self.out)?;
        let picture = self.out.with_extension("svg");
        let plot_file = NamedFile::at(&picture)?;
        let learned = match read(&self.out)? {
            Some(before) => match nothing.differences(&before) {
                None => before,
                Some(differences) => {
                    return Err(Failure::new(format!(
                        "'{}' was learned with other settings: {differences}; name another file with --out, or use the \
                         settings that it has",
                        self.out.display()
                    )));
                }
            },
            None => nothing,
        };
        let Some(mut course) = LearningRun::new(learned, all, self.threads)? else { return Ok(()) };
        if self.plan.plan.is_some() && !course.next_games().is_empty() {
            let job = || Ok(Job::Learn(LearnJob { learned: course.learned().clone(), games: all }));
            return self.plan.write(job, self.json).map(drop);
        }
        let stop = interrupt::stops_search();
        let live = Live::new(Some(all));
        live.show(course.learned().games, String::new);
        while course.advance(&stop) {
            save(course.learned(), &self.out)?;
            live.show(course.learned().games, || learning::recent(&course.learned().curve));
        }
        drop(live);
        let learned = course.learned();
        if learned.games == 0 {
            return Err(Failure::new("interrupted before the first round was complete, so nothing was learned"));
        }
        report(learned, [&self.out, &picture], plot_file, self.json)?;
        if !self.json && learned.games < all {
            print(&format!("interrupted after {} of {} games; the same command goes on\n", learned.games, all))?;
        }
        self.plan.nothing_left()
    }

    fn learn_net(&self) -> Result<(), Failure> {
        let _lock = Lock::of(&regular(&self.out)?)?.ok_or_else(|| {
            Failure::new(format!(
                "another command is learning into '{}'; wait for its end, or name another file with --out",
                self.out.display()
            ))
        })?;
        let learning = boughs_nets::Learning {
            explore: self.explore,
            hogwild: self.hogwild,
            seed: self.seed,
            ..boughs_nets::Learning::default()
        };
        let Args { game, out, games, time, threads, json, .. } = self;
        NetArgs { game, out, games: *games, time: *time, threads: *threads, learning, json: *json }.run()
    }

    fn terms(&self) -> LearningTerms {
        let Args { seed, round, rate, slowing, lambda, explore, positions, .. } = *self;
        LearningTerms { seed, round, rate, slowing, lambda, explore, positions }
    }
}

/// Keeps other commands from learning into a file.
fn lock(out: &Path) -> Result<Lock, Failure> {
    Lock::of(&place(out)?)?.ok_or_else(|| {
        Failure::new(format!(
            "another command is learning into '{}'; wait for its end, or name another file with --out",
            out.display()
        ))
    })
}

/// The file at the end of the links of `--out`, which two commands may reach by different names.
fn place(out: &Path) -> Result<PathBuf, Failure> {
    let name = out.display();
    if out.file_name().is_none() || out.is_dir() {
        return Err(Failure::new(format!("--out '{name}' names no file; give the name of one that ends in .json")));
    }
    if out.extension().is_none_or(|extension| extension != "json") {
        return Err(Failure::new(format!(
            "--out '{name}' should end in .json, by which agents know a file of weights; the plot beside it ends \
             in .svg"
        )));
    }
    regular(out)
}

fn save(learned: &Learned, out: &Path) -> Result<(), Failure> {
    named_file::write(out, &(serde_json::to_string_pretty(learned)? + "\n"))
}

/// Prints what was learned and writes its plot.
fn report(learned: &Learned, files: [&Path; 2], plot_file: NamedFile, json: bool) -> Result<(), Failure> {
    // A plot that cannot be written does not take the results with it.
    let written = plot(learned).map_err(Failure::from).and_then(|plot| plot_file.write_text(&plot.svg));
    match json {
        true => print_json(learned)?,
        false => print(&learning::text(learned, &files.map(|file| file.display().to_string())))?,
    }
    written
}

/// Keeps what was learned in a round whose games were played elsewhere.
pub(super) fn keep_round(job: &LearnJob, after: &Learned, out: &Path, json: bool) -> Result<(), Failure> {
    let _lock = lock(out)?;
    let picture = out.with_extension("svg");
    let plot_file = NamedFile::at(&picture)?;
    job.check_kept(read(out)?.as_ref(), after, out)?;
    save(after, out)?;
    report(after, [out, &picture], plot_file, json)
}

/// Reads the weights learned so far, if the file exists.
fn read(path: &Path) -> Result<Option<Learned>, Failure> {
    let fault = |error: &dyn std::fmt::Display| {
        Failure::new(format!(
            "'{}' holds nothing that was learned: {error}; name another file with --out",
            path.display()
        ))
    };
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|error| fault(&error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fault(&error)),
    }
}
