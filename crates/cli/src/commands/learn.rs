//! `boughs learn`: weights for the features of a game, by games against itself.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use boughs::named_file::read_to_string;
use boughs::notation::counted;
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
/// With --out FILE.net a network of tuples of cells learns any game with a board, for one or two players, by TD(lambda)
/// on the positions after moves; mcts:policy=puct,net=FILE.net plays by it. After two seconds, later each minute, its
/// strength is measured: the mean score, or the share of points of its best move against mcts with 200 playouts.
/// FILE.course keeps all that is needed to go on, FILE.svg shows the strength.
///
/// With --out FILE.json the weights of the features of green-circle are learned, by games whose turns are searched to
/// their ends; the file has the course too, and an SVG stands beside it.
///
/// What a number of games teaches depends on the seed and on the other settings, but not on the number of threads,
/// except with --hogwild.
/// The same command goes on where it was interrupted or killed, and with more --games or --time it goes on further.
/// A file ending in .lock keeps a second command from learning into the same file. Ctrl-C ends learning after the
/// round, a second one at once.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs learn tictactoe --out tictactoe.net --games 5000")]
pub(crate) struct Args {
    /// The game
    #[arg(value_name = "GAME")]
    game: String,
    /// File of what is learned: a network ends in .net, weights of features in .json
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games to play in all [default: 20000; of a network as many as the time allows, in whole rounds of 256]
    #[arg(long, value_name = "N", value_parser = args::whole(1u64))]
    games: Option<u64>,
    /// Threads that play, 0 for all cores
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::threads)]
    #[arg(conflicts_with = "plan")]
    threads: usize,
    /// Seed of all randomness
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = args::whole(0u64))]
    seed: u64,
    /// Learning rate: how far each lesson moves the weights at first [default: 0.02; of a network 1, and with two
    /// players 10, or 0.3 with --hogwild]
    #[arg(long, value_name = "X", value_parser = args::number_within(0.0, 100.0))]
    rate: Option<f64>,
    /// Share of later results that counts for earlier positions: the lambda of TD(lambda) [default: 0.8; of a network
    /// 0.9, and 0.5 with one player]
    #[arg(long, value_name = "X", value_parser = args::number_within(0.0, 1.0))]
    lambda: Option<f64>,
    /// Share of moves that are played at random [default: 0.3; of a network 0.1, and 0 with one player]
    #[arg(long, value_name = "X", value_parser = args::number_within(0.0, 1.0))]
    explore: Option<f64>,
    #[command(flatten)]
    net: NetOptions,
    #[command(flatten)]
    weights: WeightOptions,
    #[command(flatten)]
    plan: args::PlanArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The arguments of networks alone.
#[derive(clap::Args)]
struct NetOptions {
    /// Network: time to learn, in whole rounds [default: 10min without --games]
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    time: Option<Duration>,
    /// Network: its tuples, as in lines+diagonals+rectangles:3x2, walks:70x8 or cells such as 0-1-7-8
    /// [default: usual]
    #[arg(long, value_name = "TUPLES")]
    tuples: Option<String>,
    /// Network: stages, by filled cells, with weights of their own [default: 1]
    #[arg(long, value_name = "N", value_parser = args::whole_within(1, 100))]
    stages: Option<u64>,
    /// Network: file of the network whose weights are the first ones
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tuples", "optimism"])]
    from: Option<PathBuf>,
    /// Network: score of every board at first [default: 0]
    #[arg(long, value_name = "X", value_parser = args::number_within(0.0, 1e9))]
    optimism: Option<f64>,
    /// Network: most random moves before a game begins, each number as likely as another [default: 8, and 0 with one
    /// player]
    #[arg(long, value_name = "N", value_parser = args::whole_within(0, 1_000))]
    opening: Option<u64>,
    /// Network: moves that are searched for the values to learn [default: 1]
    #[arg(long, value_name = "N", value_parser = args::whole_within(1, 20))]
    depth: Option<u64>,
    /// Network: learn priors too, in a second table
    #[arg(long)]
    policy: bool,
    /// Network: write weights of 8 bits, and less than a third of the file
    #[arg(long)]
    small: bool,
    /// Network: threads learn at once, without locks; runs of several differ
    #[arg(long)]
    hogwild: bool,
}

/// The arguments of weights of features alone.
#[derive(clap::Args)]
struct WeightOptions {
    /// Weights: games of a round, after which they change and the file is written [default: 100]
    #[arg(long, value_name = "N", value_parser = args::whole_within(1, 100_000))]
    round: Option<u64>,
    /// Weights: games after which lessons move them half as far; a third after twice as many [default: 1000]
    #[arg(long, value_name = "N", value_parser = args::number_within(1.0, 1e9))]
    slowing: Option<f64>,
    /// Weights: most positions of a turn that are searched; of a longer turn random chains are played for the rest
    /// [default: 5000]
    #[arg(long, value_name = "N", value_parser = args::whole_within(1, 10_000_000))]
    positions: Option<u64>,
}

/// The settings of weights without arguments.
fn usual() -> Learning {
    Learning::default()
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let is_net = self.out.extension().is_some_and(|extension| extension == "net");
        let WeightOptions { round, slowing, positions } = self.weights;
        let NetOptions { time, tuples, stages, from, optimism, opening, depth, policy, small, hogwild } = &self.net;
        let others: &[(&str, bool)] = match is_net {
            true => &[
                ("--round", round.is_some()),
                ("--slowing", slowing.is_some()),
                ("--positions", positions.is_some()),
                ("--plan", self.plan.plan.is_some()),
            ],
            false => &[
                ("--time", time.is_some()),
                ("--tuples", tuples.is_some()),
                ("--stages", stages.is_some()),
                ("--from", from.is_some()),
                ("--optimism", optimism.is_some()),
                ("--opening", opening.is_some()),
                ("--depth", depth.is_some()),
                ("--policy", *policy),
                ("--small", *small),
                ("--hogwild", *hogwild),
            ],
        };
        if let Some((name, _)) = others.iter().find(|(_, is_given)| *is_given) {
            let (own, other) = if is_net { ("a network", ".json") } else { ("weights of features", ".net") };
            return Err(Failure::new(format!(
                "{name} has no use for {own}; leave it out, or give --out a name that ends in {other}"
            )));
        }
        if let Some(rate) = self.rate.filter(|&rate| !is_net && rate > 1.0) {
            return Err(Failure::new(format!("--rate {rate} is too great for weights of features; give at most 1")));
        }
        if is_net { self.learn_net() } else { self.learn_weights() }
    }

    fn learn_weights(self) -> Result<(), Failure> {
        let all = self.games.unwrap_or(usual().games);
        place(&self.out)?;
        let nothing = Learned::nothing(&self.game, self.terms()).ok_or_else(|| {
            let games = names();
            let meant = nearest(&self.game, games.iter().copied());
            let meant = meant.map_or(String::new(), |game| format!("did you mean {game}? "));
            let games = games.join(", ");
            Failure::new(format!(
                "'{}' is no game of features with weights; {meant}there is {games}; a network learns any board, by an \
                 --out that ends in .net",
                self.game
            ))
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
            print(&format!(
                "interrupted after {} of {}; the same command goes on\n",
                learned.games,
                counted(all, "games")
            ))?;
        }
        self.plan.nothing_left()
    }

    fn learn_net(&self) -> Result<(), Failure> {
        let game = boughs_games::start(&self.game)?;
        let usual = boughs_nets::Learning::usual(game.position.players(), self.net.hogwild);
        let learning = boughs_nets::Learning {
            rate: self.rate.map_or(usual.rate, |rate| rate as f32),
            lambda: self.lambda.map_or(usual.lambda, |lambda| lambda as f32),
            explore: self.explore.unwrap_or(usual.explore),
            opening: self.net.opening.map_or(usual.opening, |moves| moves as u32),
            depth: self.net.depth.map_or(usual.depth, |moves| moves as u32),
            policy: self.net.policy,
            optimism: self.net.optimism.map_or(usual.optimism, |value| value as f32),
            seed: self.seed,
            ..usual
        };
        let _lock = lock_file(&regular(&self.out)?)?;
        let tuples = self.net.tuples.as_deref().unwrap_or("usual");
        let Args { game, out, games, threads, json, .. } = self;
        let NetOptions { time, small, .. } = self.net;
        let (stages, from) = (self.net.stages.map(|stages| stages as usize), self.net.from.as_deref());
        let (games, threads, json) = (*games, *threads, *json);
        NetArgs { game, out, games, time, threads, tuples, stages, from, learning, small, json }.run()
    }

    fn terms(&self) -> LearningTerms {
        let usual = LearningTerms::of(&usual());
        let WeightOptions { round, slowing, positions } = self.weights;
        LearningTerms {
            seed: self.seed,
            round: round.unwrap_or(usual.round),
            rate: self.rate.unwrap_or(usual.rate),
            slowing: slowing.unwrap_or(usual.slowing),
            lambda: self.lambda.unwrap_or(usual.lambda),
            explore: self.explore.unwrap_or(usual.explore),
            positions: positions.unwrap_or(usual.positions),
        }
    }
}

/// Keeps other commands from learning into a file.
fn lock(out: &Path) -> Result<Lock, Failure> {
    lock_file(&place(out)?)
}

fn lock_file(out: &Path) -> Result<Lock, Failure> {
    Lock::of(out)?.ok_or_else(|| {
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
            "--out '{name}' should end in .json, by which agents know a file of weights, or in .net for a network; the \
             plot beside it ends in .svg"
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
    match read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|error| fault(&error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fault(&error)),
    }
}
