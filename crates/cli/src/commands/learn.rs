//! `boughs learn`: weights for the features of a game, by games against itself.

use std::path::{Path, PathBuf};
use std::{fs, io};

use boughs::learn::Learning;
use boughs_lab::learn::{Course, Learned, Terms, names, plot};

use crate::args;
use crate::failure::Failure;
use crate::folder::Folder;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::progress::Live;
use crate::show::learning;

/// Rounds whose means are shown while learning goes on.
const RECENT: usize = 10;

/// Learn by self-play what positions are worth
///
/// Weights for the features of a game are found by temporal differences: games are played against itself, each turn is searched to
/// its end, and what the search finds corrects the value of the position before. What is learned depends on the seed and on
/// the other settings, but not on the number of threads.
///
/// The file has the weights and everything that was learned so far, and is replaced after each round of games. The same command
/// goes on from there, also after a kill, and with more --games; a last round that was cut short is then played again. Beside it
/// a plot shows the course of learning, as SVG, and an empty file ending in .lock keeps others from learning into the same one.
///
/// Ctrl-C ends learning after the last round that is complete.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs learn green-circle --games 100 --threads 2 --out weights.json")]
pub(crate) struct Args {
    /// The game: green-circle
    #[arg(value_name = "GAME")]
    game: String,
    /// Games to play in all
    #[arg(long, value_name = "N", default_value_t = Learning::default().games, value_parser = args::whole(1u64))]
    games: u64,
    /// File for what is learned
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Threads that play, 0 for all cores
    #[arg(long, value_name = "N", default_value_t = Learning::default().threads, value_parser = args::threads)]
    threads: usize,
    /// Seed of all randomness
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::whole(0u64))]
    seed: u64,
    /// Games of a round, after which weights change and the file is written
    #[arg(long, value_name = "N", default_value_t = Learning::default().round, value_parser = args::whole_within(1, 100_000))]
    round: u64,
    /// How far each lesson moves the weights at first
    #[arg(long, value_name = "X", default_value_t = Learning::default().rate, value_parser = args::number_within(0.0, 1.0))]
    rate: f64,
    /// Games after which lessons move weights half as far; a third after twice as many
    #[arg(long, value_name = "N", default_value_t = Learning::default().slowing, value_parser = args::number_within(1.0, 1e9))]
    slowing: f64,
    /// How much of what comes of later turns counts for earlier ones: the lambda of TD(lambda)
    #[arg(long, value_name = "X", default_value_t = Learning::default().lambda, value_parser = args::number_within(0.0, 1.0))]
    lambda: f64,
    /// Share of turns that are played at random
    #[arg(long, value_name = "X", default_value_t = Learning::default().explore, value_parser = args::number_within(0.0, 1.0))]
    explore: f64,
    /// Most positions of a turn that are looked at; where that is not enough, random chains say the rest
    #[arg(long, value_name = "N", default_value_t = Learning::default().positions as u64, value_parser = args::whole_within(1, 10_000_000))]
    positions: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let nothing = Learned::nothing(&self.game, self.terms()).ok_or_else(|| {
            let games = names().join(", ");
            Failure::new(format!("'{}' is no game that can be learned; there is {games}", self.game))
        })?;
        let (folder, name) = self.place()?;
        let _lock = folder.lock(&name)?.ok_or_else(|| {
            Failure::new(format!(
                "another command is learning into '{}'; wait for its end, or name another file with --out",
                self.out.display()
            ))
        })?;
        let learned = match read(&self.out)? {
            Some(before) => match nothing.misfit(&before) {
                None => before,
                Some(misfit) => {
                    return Err(Failure::new(format!(
                        "'{}' was learned with other settings: {misfit}; name another file with --out, or use the settings \
                         that it has",
                        self.out.display()
                    )));
                }
            },
            None => nothing,
        };
        let Some(mut course) = Course::new(learned, self.games, self.threads)? else { return Ok(()) };
        let stop = interrupt::stops_search();
        let live = Live::new(Some(self.games));
        live.show(course.learned().games, String::new);
        while course.advance(&stop) {
            save(&folder, &name, course.learned())?;
            let recent = &course.learned().curve[course.learned().curve.len().saturating_sub(RECENT)..];
            live.show(course.learned().games, || learning::recent(recent));
        }
        drop(live);
        let learned = course.learned();
        if learned.games == 0 {
            return Err(Failure::new("interrupted before the first round was complete, so nothing was learned"));
        }
        let picture = Path::new(&name).with_extension("svg").to_string_lossy().into_owned();
        folder.write(&picture, &plot(learned)?.svg)?;
        let files = [name, picture].map(|name| folder.path(&name).display().to_string());
        if self.json {
            return print_json(learned);
        }
        print(&learning::text(learned, &files))?;
        match learned.games < self.games {
            true => print(&format!(
                "interrupted after {} of {} games; the same command goes on\n",
                learned.games, self.games
            )),
            false => Ok(()),
        }
    }

    fn terms(&self) -> Terms {
        let Args { seed, round, rate, slowing, lambda, explore, positions, .. } = *self;
        Terms { seed, round, rate, slowing, lambda, explore, positions }
    }

    /// The folder of the file, and its name there.
    fn place(&self) -> Result<(Folder, String), Failure> {
        let is_no_file = || Failure::new(format!("--out '{}' names no file", self.out.display()));
        let name = self.out.file_name().and_then(|name| name.to_str()).ok_or_else(is_no_file)?;
        if self.out.is_dir() {
            return Err(is_no_file());
        }
        if self.out.extension().is_none_or(|extension| extension != "json") {
            return Err(Failure::new(format!(
                "--out '{name}' should end in .json, by which agents know a file of weights; the plot beside it ends in .svg"
            )));
        }
        let folder = self.out.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        Ok((Folder::at(folder)?, name.to_string()))
    }
}

/// What was learned before, if there is such a file.
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

fn save(folder: &Folder, name: &str, learned: &Learned) -> Result<(), Failure> {
    folder.write(name, &(serde_json::to_string_pretty(learned)? + "\n"))
}
