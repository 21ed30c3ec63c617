//! `boughs learn GAME --out FILE.net`: a network that values boards, by games against itself.

use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use boughs::named_file::open;
use boughs::notation::counted;
use boughs_agents::learn::{AGAINST, NetRun};
use boughs_nets::{Learning, NetError, Progress, Tuples};
use boughs_pages::learning::net_plot;
use indicatif::HumanCount;
use serde_json::json;

use crate::failure::Failure;
use crate::interrupt;
use crate::named_file::NamedFile;
use crate::output::{print, print_json};
use crate::progress::Live;

/// The games of a round, all of which end before the next round and before a stop. Only whole rounds are played, so
/// that weights do not depend on pauses.
const ROUND: u64 = 256;
/// The time before the first measurement of the strength, and the longest between two of them. The files are written
/// after each. The time between two doubles, and measurements take at most one part in [`SHARE`] of the time to learn.
const FIRST_CHECKPOINT: Duration = Duration::from_secs(2);
const CHECKPOINT: Duration = Duration::from_secs(60);
const SHARE: u32 = 20;
/// The time to learn where neither the time nor the number of games is given.
const TIME: Duration = Duration::from_secs(600);

/// The game to learn, and the time for it.
pub(super) struct NetArgs<'a> {
    pub(super) game: &'a str,
    pub(super) out: &'a Path,
    pub(super) games: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) threads: usize,
    pub(super) tuples: &'a str,
    pub(super) stages: Option<usize>,
    pub(super) from: Option<&'a Path>,
    pub(super) learning: Learning,
    pub(super) small: bool,
    pub(super) json: bool,
}

/// The files of a network: to play by, to go on from, and to look at.
struct Files {
    net: PathBuf,
    course: PathBuf,
    picture: PathBuf,
}

impl Files {
    fn of(net: &Path) -> Files {
        Files { net: net.to_path_buf(), course: net.with_extension("course"), picture: net.with_extension("svg") }
    }

    /// Writes all. Each file is replaced when it is complete, the course first, from which the others can be made.
    fn save(&self, run: &NetRun, small: bool) -> Result<(), Failure> {
        save(&self.course, |out| run.write_course(out))?;
        save(&self.net, |out| if small { run.write_small(out) } else { run.write_net(out) })?;
        NamedFile::at(&self.picture)?.write_text(&net_plot(run.players(), &run.progress().curve)?.svg)
    }
}

fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    NamedFile::at(path)?.write(|out| {
        let mut out = BufWriter::new(out);
        write(&mut out).and_then(|()| out.flush()).map_err(|error| fault(path, &error))
    })
}

fn fault(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("'{}': {error}", path.display()))
}

impl NetArgs<'_> {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let files = Files::of(self.out);
        // A name that cannot be written is a fault now, and not after hours.
        for file in [&files.course, &files.net, &files.picture] {
            NamedFile::at(file)?;
        }
        let mut run = self.begin(&files)?;
        let stop = interrupt::stops_search();
        let live = match (self.games, self.time()) {
            (None, Some(time)) => Live::of(Some(time.as_secs()), "s"),
            (games, _) => Live::new(games),
        };
        let show = |run: &NetRun| {
            let Progress { games, seconds, .. } = run.progress();
            let done = if self.games.is_some() { *games } else { *seconds as u64 };
            live.show(done, || line(run));
        };
        let measure = |run: &mut NetRun| {
            live.say(|| format!("{}; the strength is measured", line(run)));
            run.measure(&stop)
        };
        let (begun, mut saved, mut pause) = (run.progress().games, Instant::now(), FIRST_CHECKPOINT);
        live.say(|| format!("the first round of {ROUND} games"));
        while self.goes_on(run.progress()) && !stop.is_raised() {
            run.learn(ROUND);
            show(&run);
            if saved.elapsed() > pause {
                let began = Instant::now();
                // A strength that cannot be measured does not take what was learned with it.
                let measured = measure(&mut run);
                files.save(&run, self.small)?;
                measured?;
                saved = Instant::now();
                pause = CHECKPOINT.min(2 * pause).max(SHARE * began.elapsed());
            }
        }
        if run.progress().games == 0 {
            return Err(Failure::new("interrupted before the first round was complete, so nothing was learned"));
        }
        let is_measured = run.progress().curve.last().is_some_and(|point| point.games == run.progress().games);
        let measured = if is_measured {
            Ok(None)
        } else {
            // A measurement may take long, and a kill during it loses nothing.
            save(&files.course, |out| run.write_course(out))?;
            measure(&mut run)
        };
        // Also where nothing was learned: a kill may have come between the files.
        files.save(&run, self.small)?;
        measured?;
        drop(live);
        self.report(&run, &files, run.progress().games > begun)
    }

    /// The time to learn, if it is limited.
    fn time(&self) -> Option<Duration> {
        self.time.or(self.games.is_none().then_some(TIME))
    }

    /// Begins, or goes on from the file of the course.
    fn begin(&self, files: &Files) -> Result<NetRun, Failure> {
        let game = boughs_games::start(self.game)?;
        let threads = boughs::run::threads(self.threads);
        let name = |error: NetError| match error {
            NetError::NoCells
            | NetError::Players
            | NetError::Unfit(_)
            | NetError::Tuples(_)
            | NetError::Memory
            | NetError::Threads(_) => Failure::new(format!("{}: {error}", self.game)),
            error => fault(&files.course, &error),
        };
        let from = self.from.map(|file| file.display().to_string());
        let start = Progress { game: self.game.to_string(), from, ..Progress::default() };
        let tuples = NetRun::tuples(self.tuples, self.stages.unwrap_or(1), &game, self.learning.seed).map_err(name)?;
        match open(&files.course) {
            Ok(file) => {
                let fits = |found: &Tuples| match self.from {
                    None => *found == tuples,
                    Some(_) => self.stages.is_none_or(|stages| stages == found.stages()),
                };
                let file = BufReader::new(file);
                return NetRun::resume(&start, fits, game, self.learning, threads, file).map_err(name);
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fault(&files.course, &error)),
            Err(_) if files.net.exists() => return Err(fault(&files.net, &NetError::NoCourse)),
            Err(_) => {}
        }
        let network = match self.from {
            Some(from) => {
                let file = open(from).map_err(|error| fault(from, &error))?;
                NetRun::learned(file, self.stages, &game).map_err(|error| fault(from, &error))?
            }
            None => NetRun::nothing(&tuples, &game).map_err(name)?,
        };
        NetRun::new(start, network, game, self.learning, threads).map_err(name)
    }

    /// Returns true if more is to be learned.
    fn goes_on(&self, progress: &Progress) -> bool {
        // The shortest time is that of a round.
        progress.games == 0
            || self.games.is_none_or(|games| progress.games < games)
                && self.time().is_none_or(|time| progress.seconds < time.as_secs_f64())
    }

    fn report(&self, run: &NetRun, files: &Files, has_learned: bool) -> Result<(), Failure> {
        let Progress { games, moves, seconds, curve, .. } = run.progress();
        if self.json {
            let game = self.game;
            return print_json(
                &json!({ "game": game, "games": games, "moves": moves, "seconds": seconds, "curve": curve }),
            );
        }
        let names = [&files.net, &files.course, &files.picture].map(|file| file.display().to_string());
        print(&format!("{}\nwrote {}\n", line(run), names.join(", ")))?;
        match (self.goes_on(run.progress()), has_learned) {
            (true, _) => print("interrupted; the same command goes on\n"),
            (false, false) => print("nothing was left to learn; give more --games or --time\n"),
            (false, true) => Ok(()),
        }
    }
}

/// The course in a line.
fn line(run: &NetRun) -> String {
    let Progress { games, moves, seconds, curve, .. } = run.progress();
    let speed = HumanCount((*moves as f64 / seconds.max(1e-9)) as u64);
    let strength = curve.last().map_or(String::new(), |point| {
        let (of, digits, against) = match run.players() {
            1 => ("score", 0, String::new()),
            _ => ("points", 2, format!(" {AGAINST}")),
        };
        let is_last = point.games == *games;
        let when =
            if is_last { String::new() } else { format!(" after {}", counted(HumanCount(point.games), "games")) };
        format!("  {of} {:.digits$} ± {:.digits$}{against}{when}", point.strength, point.error)
    });
    format!("{} in {seconds:.1} s, {speed} moves a second{strength}", counted(HumanCount(*games), "games"))
}
