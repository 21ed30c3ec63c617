//! Arguments that matches and tournaments share: under which conditions games are played, and where results go.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use boughs::Rng;
use boughs_arena::{ArenaError, Conditions, Contestant, Limit, Openings, Store, tables_here};
use boughs_games::{Listed, Visitor, in_match, visit};
use tempfile::NamedTempFile;

use crate::args;
use crate::failure::Failure;
use crate::protocols;

/// Under which conditions games are played.
#[derive(clap::Args)]
pub(crate) struct Terms {
    /// Time for each move, such as 50ms; it is measured outside of who thinks [default: 100ms; 50ms in
    /// green-circle, as in the contest]
    #[arg(long, value_name = "TIME", value_parser = args::duration, conflicts_with = "iterations")]
    time: Option<Duration>,
    /// Playouts for each move instead: on one thread, or batched, the games are the same each time
    #[arg(long, value_name = "N", value_parser = args::whole(1u64))]
    iterations: Option<u64>,
    /// How much later than the time an answer may come before it loses the game [default: 50ms, and 0ms for programs that play by
    /// the lines of a contest]
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    grace: Option<Duration>,
    /// What games begin with: start, random:PLIES, random:LEAST-MOST, or a file with the moves of an opening in each line
    #[arg(long, value_name = "OPENINGS", default_value = "start", value_parser = openings)]
    openings: Openings,
    /// Seed of openings, luck and all searches
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::whole(0u64))]
    seed: u64,
}

/// How long a move may take where nothing is said.
const DEFAULT_TIME: Duration = Duration::from_millis(100);

/// How much later an answer may come where nothing is said.
const DEFAULT_GRACE: Duration = Duration::from_millis(50);

/// Whether programs play a game by the lines of a contest, which knows no grace.
fn has_official_lines(game: &str) -> bool {
    struct Official;

    impl Visitor for Official {
        type Output = bool;
        fn visit<G: Listed>(self, start: G) -> bool {
            start.official(Rng::new(0, 0)).is_some()
        }
    }

    visit(game, Official).unwrap_or(false)
}

impl Terms {
    /// The conditions of games between these contestants.
    pub(crate) fn conditions(
        &self,
        game: &str,
        contestants: Vec<Contestant>,
        pairings: Vec<[usize; 2]>,
    ) -> Result<Conditions, Failure> {
        let limit = match self.iterations {
            Some(playouts) => Limit::Playouts(playouts),
            None => Limit::Time(self.time.or_else(|| protocols::time_of_an_answer(game)).unwrap_or(DEFAULT_TIME)),
        };
        if limit == Limit::Time(Duration::ZERO) {
            return Err(Failure::new("--time 0 leaves no time to move; give at least 1ms"));
        }
        let grace = self.grace.unwrap_or(DEFAULT_GRACE);
        let mut conditions = Conditions {
            game: in_match(game),
            contestants,
            pairings,
            limit,
            grace,
            program_grace: grace,
            openings: self.openings.clone(),
            seed: self.seed,
        };
        if self.grace.is_none() && conditions.has_programs() && has_official_lines(game) {
            conditions.program_grace = Duration::ZERO;
        }
        Ok(conditions)
    }
}

/// Help on who may play.
pub(crate) fn contestant_help() -> String {
    format!(
        "An agent, or a program as in 'cmd:./bot --flag', which speaks the lines of docs/PROTOCOL.md. {}",
        args::agents_list()
    )
}

/// Where games and results go.
#[derive(clap::Args)]
pub(crate) struct Output {
    /// Games to play at the same time [default: as many as there are cores for]
    #[arg(long, value_name = "K", value_parser = args::some_threads)]
    concurrency: Option<usize>,
    /// File that keeps every game (SQLite), and from which an interrupted run goes on
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl Output {
    /// The store that was named, or one that ends with the program.
    pub(crate) fn store(&self) -> Result<Store, Failure> {
        Ok(match &self.store {
            Some(path) => Store::open(path)?,
            None => Store::in_memory()?,
        })
    }

    /// The store of a contest, if it needs one: where none was named, games are kept for a page alone.
    pub(crate) fn store_for(&self, page: Option<&PageFile>) -> Result<Option<Store>, Failure> {
        (self.store.is_some() || page.is_some()).then(|| self.store()).transpose()
    }

    /// How many games are played at a time.
    pub(crate) fn tables(&self, conditions: &Conditions) -> usize {
        self.concurrency.unwrap_or_else(|| tables_here(conditions))
    }
}

/// Where a page goes.
#[derive(clap::Args)]
pub(crate) struct PageOutput {
    /// Write a page with the results and every game move by move
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl PageOutput {
    /// The page that was asked for; its place is made sure of before there is anything to write.
    pub(crate) fn file(&self) -> Result<Option<PageFile>, Failure> {
        self.html.as_deref().map(PageFile::at).transpose()
    }
}

/// A page that is not written yet. Where there is one already it stays until the new one is whole.
pub(crate) struct PageFile {
    part: NamedTempFile,
    path: PathBuf,
}

impl PageFile {
    pub(crate) fn at(path: &Path) -> Result<PageFile, Failure> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let part = match path.is_dir() {
            true => Err(ErrorKind::IsADirectory.into()),
            false => new_in(folder),
        };
        Ok(PageFile { part: part.map_err(|error| unwritable(path, &error))?, path: path.to_path_buf() })
    }

    /// Writes the page.
    pub(crate) fn write(self, page: impl FnOnce(&mut dyn Write) -> Result<(), ArenaError>) -> Result<(), Failure> {
        let PageFile { part, path } = self;
        let mut out = BufWriter::new(part);
        page(&mut out)?;
        let part = out.into_inner().map_err(|error| unwritable(&path, error.error()))?;
        part.persist(&path).map_err(|error| unwritable(&path, &error.error))?;
        Ok(())
    }
}

/// A file as the user's programs make files, who may want to share it; temporary ones are for their owner alone.
fn new_in(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("the page '{}' cannot be written ({error}); name another file", path.display()))
}

/// The command line that this program was given.
pub(crate) fn given() -> String {
    let words: Vec<String> = ["boughs".to_string()].into_iter().chain(std::env::args().skip(1)).collect();
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// The command line that plays a game of a match again.
pub(crate) fn replay(conditions: &Conditions, number: u64) -> String {
    let mut words = vec!["boughs".to_string(), "match".to_string(), conditions.game.clone()];
    words.extend(conditions.contestants.iter().map(Contestant::to_string));
    let mut flag = |name: &str, value: String| words.extend([format!("--{name}"), value]);
    match conditions.limit {
        Limit::Time(time) => flag("time", milliseconds(time)),
        Limit::Playouts(playouts) => flag("iterations", playouts.to_string()),
    }
    // Without it programs of a contest have none.
    if conditions.program_grace == conditions.grace {
        flag("grace", milliseconds(conditions.grace));
    }
    match &conditions.openings {
        Openings::Start => {}
        Openings::Random(least, most) if least == most => flag("openings", format!("random:{least}")),
        Openings::Random(least, most) => flag("openings", format!("random:{least}-{most}")),
        Openings::Listed { file, .. } => flag("openings", file.clone()),
    }
    flag("seed", conditions.seed.to_string());
    flag("only", number.to_string());
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// A time as it is written in a command line.
pub(crate) fn milliseconds(time: Duration) -> String {
    format!("{}ms", time.as_micros() as f64 / 1e3)
}

/// Reads what games begin with.
pub(crate) fn openings(text: &str) -> Result<Openings, String> {
    /// The most random moves: more are no opening.
    const MOST: u32 = 1_000;
    if text == "start" {
        return Ok(Openings::Start);
    }
    let Some(plies) = text.strip_prefix("random:") else { return listed(text) };
    let (least, most) = plies.split_once('-').unwrap_or((plies, plies));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if least <= most && most <= MOST => Ok(Openings::Random(least, most)),
        _ => Err(format!("'{plies}' is no number of plies up to {MOST}; write random:4, or random:2-6")),
    }
}

/// Reads a file of openings.
fn listed(file: &str) -> Result<Openings, String> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        format!("the file '{file}' cannot be read ({error}); openings are start, random:PLIES or a file of moves")
    })?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<String> = lines.map(str::to_string).collect();
    match lines.is_empty() {
        true => Err(format!("the file '{file}' has no opening; write the moves of one in each line")),
        false => Ok(Openings::Listed { file: file.to_string(), lines }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_read() {
        assert_eq!(openings("start"), Ok(Openings::Start));
        assert_eq!(openings("random:4"), Ok(Openings::Random(4, 4)));
        assert_eq!(openings("random:2-6"), Ok(Openings::Random(2, 6)));
        for text in ["random:", "random:6-2", "random:x", "random:-1", "random:1001", "no such file"] {
            assert!(openings(text).is_err(), "{text}");
        }
    }

    #[test]
    fn programs_of_a_contest_have_no_grace_unless_one_is_given() {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            terms: Terms,
        }
        let conditions = |line: &str, game: &str, contestant: &str| {
            let line = <Line as clap::Parser>::parse_from(format!("x --seed 1 {line}").split_whitespace());
            let contestants = ["flat", contestant].map(|text| text.parse().unwrap()).to_vec();
            line.terms.conditions(game, contestants, vec![[0, 1]]).unwrap_or_else(|_| panic!("{game}"))
        };
        for (line, game, contestant, grace, given) in [
            ("", "photosynthesis", "cmd:./bot", [50, 0], false),
            ("", "green-circle:seed=3", "cmd:./bot", [50, 0], false),
            ("--grace 50ms", "photosynthesis", "cmd:./bot", [50, 50], true),
            ("--grace 7ms", "photosynthesis", "cmd:./bot", [7, 7], true),
            ("", "photosynthesis", "mcts", [50, 50], true),
            ("", "connect4", "cmd:./bot", [50, 50], true),
        ] {
            let conditions = conditions(line, game, contestant);
            assert_eq!([conditions.grace, conditions.program_grace], grace.map(Duration::from_millis), "{line} {game}");
            assert_eq!(replay(&conditions, 3).contains("--grace"), given, "{line} {game}");
            assert_eq!(conditions.text().contains("program_grace"), !given, "{line} {game}");
        }
    }

    #[test]
    fn the_command_says_what_games_depend_on() {
        let conditions = Conditions {
            game: "hex:size=7".into(),
            contestants: ["mcts:c=0.7", "cmd:./bot 'two words'"].map(|text| text.parse().unwrap()).to_vec(),
            pairings: vec![[0, 1]],
            limit: Limit::Time(Duration::from_micros(2500)),
            grace: Duration::from_millis(50),
            program_grace: Duration::from_millis(50),
            openings: Openings::Random(2, 6),
            seed: 9,
        };
        let command = replay(&conditions, 17);
        let words = shlex::split(&command).unwrap();
        assert_eq!(words[3..6], ["mcts:c=0.7", "cmd:./bot 'two words'", "--time"]);
        assert!(command.ends_with("--time 2.5ms --grace 50ms --openings random:2-6 --seed 9 --only 17"), "{command}");
    }
}
