//! Experiments: contests, measurements of scaling, judged cases, learning, and replays. Results are texts of JSON.

use std::fs::File;
use std::io::{BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use boughs::log::Log;
use boughs::puzzle::Puzzle;
use boughs::{Settings, StopFlag};
use boughs_agents::default_agent;
use boughs_agents::learn::{Learned, Learning, LearningRun, LearningTerms, names};
use boughs_arena::judge::{CaseVerdict, Cases, JudgeSettings, NamedCase, judge as judge_cases};
use boughs_arena::statistics::{Anchor, Mean, Ratings, Sprt};
use boughs_arena::{
    Best, CaseKey, Conditions, Contest, Contestant, Edition, Limit, MOST_GAMES, Measurement, News, Openings, Store,
    tables_here,
};
use boughs_lab::scale::{Mode, ScaleExperiment, ScalePlan, default_threads};
use boughs_pages::scale::files;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::asking;
use crate::error::error;
use crate::process::attach;
use crate::waiting::interruptible;

/// The time of a move without a limit.
const MOVE_TIME: Duration = Duration::from_millis(100);

/// The time of a case without a limit, as in the contest.
const CASE_TIME: Duration = Duration::from_secs(2);

/// The part of the time of a case that an agent leaves, as a divisor.
const MARGIN: u32 = 20;

/// A function of Python that is told how far an experiment has come.
struct Watcher {
    function: Option<Py<PyAny>>,
    stop: StopFlag,
    fault: Option<PyErr>,
}

impl Watcher {
    fn new(function: Option<Py<PyAny>>, stop: &StopFlag) -> Watcher {
        Watcher { function, stop: stop.clone(), fault: None }
    }

    /// Tells the number of parts that are done, and of all. An exception of the function ends the experiment.
    fn tell(&mut self, done: u64, all: Option<u64>) {
        if let (Some(function), None) = (&self.function, &self.fault) {
            let told = attach(|py| function.call1(py, (done, all)).map(drop));
            if let Err(fault) = told {
                self.fault = Some(fault);
                self.stop.raise();
            }
        }
    }
}

/// The limit of a move or a case.
fn limit(time: Option<f64>, iterations: Option<u64>, usual: Duration) -> PyResult<Limit> {
    match (time, iterations) {
        (Some(_), Some(_)) => Err(error("time and iterations are both limits; give one of them")),
        (_, Some(0)) => Err(error("iterations = 0 leaves nothing to search; give at least 1")),
        (_, Some(iterations)) => Ok(Limit::Playouts(iterations)),
        (None, None) => Ok(Limit::Time(usual)),
        (Some(time), None) => match asking::seconds("time", time)? {
            Duration::ZERO => Err(error("time = 0 leaves no time to move; give at least 0.001")),
            time => Ok(Limit::Time(time)),
        },
    }
}

/// Plays a match of two contestants, or a tournament.
#[pyfunction]
#[pyo3(signature = (
    kind, game, contestants, count, *, gauntlet=false, sprt=None, time=None, iterations=None, grace=None,
    openings="start", seed=0, concurrency=None, store=None, command="", progress=None
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub(crate) fn play_contest(
    py: Python<'_>,
    kind: &str,
    game: &str,
    contestants: Vec<String>,
    count: u64,
    gauntlet: bool,
    sprt: Option<(f64, f64)>,
    time: Option<f64>,
    iterations: Option<u64>,
    grace: Option<f64>,
    openings: &str,
    seed: u64,
    concurrency: Option<usize>,
    store: Option<PathBuf>,
    command: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let limit = limit(time, iterations, MOVE_TIME)?;
    let contestants = contestants.iter().map(|text| text.parse::<Contestant>().map_err(error));
    let contestants: Vec<Contestant> = contestants.collect::<PyResult<_>>()?;
    let number = contestants.len();
    let firsts = if gauntlet { 1 } else { number };
    let pairings = (0..firsts).flat_map(|first| (first + 1..number).map(move |second| [first, second])).collect();
    let grace = grace.map(|time| asking::seconds("grace", time)).transpose()?;
    let conditions = Conditions {
        game: boughs_games::in_match(game),
        contestants,
        pairings,
        limit,
        grace: grace.unwrap_or_else(|| limit.usual_grace(game)),
        openings: openings.parse::<Openings>().map_err(error)?,
        seed,
    };
    let sprt = sprt.map(|(elo0, elo1)| format!("{elo0},{elo1}").parse::<Sprt>().map_err(error)).transpose()?;
    let stop = StopFlag::default();
    let mut watcher = Watcher::new(progress, &stop);
    let play = || -> PyResult<Value> {
        let mut store = store.map(Store::open).transpose().map_err(error)?;
        let mut contest = Contest::new(conditions).map_err(error)?;
        if contest.players() > 2 && (sprt.is_some() || kind == "tournament") {
            return Err(error(format!(
                "ratings compare pairs of games, and {game} is for {} players; a match with a number of games compares \
                 two agents in it",
                contest.players()
            )));
        }
        if let Some(test) = sprt {
            contest = contest.ended_by(test);
        }
        if let Some(store) = &mut store {
            let replay = |conditions: &Conditions, number| conditions.replay_command("boughs", number);
            contest = contest.keep_in(store, kind, command, replay).map_err(error)?;
        }
        let games_a_round = Conditions::games_a_round(contest.players());
        let rounds = if kind == "match" { count.clamp(1, MOST_GAMES).div_ceil(games_a_round) } else { count };
        let all = sprt.is_none().then(|| contest.conditions().games(rounds, contest.players()));
        let tables = concurrency.unwrap_or_else(|| tables_here(contest.conditions())).max(1);
        let played = contest.play(rounds, tables, &stop, &mut |News { progress, .. }| {
            watcher.tell(progress.kept + progress.games, all);
            ControlFlow::Continue(())
        });
        let progress = played.map_err(error)?;
        let mut report = contest_report(&contest, sprt, gauntlet);
        report["kept"] = json!(progress.kept);
        report["played"] = json!(progress.games);
        report["seconds"] = json!(progress.took.as_secs_f64());
        drop(contest);
        if let Some(store) = store {
            store.close().map_err(error)?;
        }
        Ok(report)
    };
    let report = interruptible(py, &stop, play)?;
    watcher.fault.map_or(Ok(()), Err)?;
    Ok(report?.to_string())
}

/// The results of a contest.
fn contest_report(contest: &Contest<'_>, sprt: Option<Sprt>, gauntlet: bool) -> Value {
    let (conditions, scores) = (contest.conditions(), contest.standings());
    let meetings = conditions.pairings.iter().zip(scores).map(|(&[first, second], score)| {
        let test = sprt.map(|test| test.state(score.tally().pairs));
        json!({
            "first": first, "second": second, "strength": score.strength(), "sides": score.sides(),
            "rewards": [score.rewards()[0].estimate(), score.rewards()[1].estimate()],
            "difference": score.difference().estimate(), "plies": score.plies().value(),
            "unpaired": score.unpaired(), "duplicates": score.duplicates(), "sprt": test,
        })
    });
    let anchor = if gauntlet { Anchor::Contestant(0) } else { Anchor::Mean };
    let ratings = (contest.players() <= 2).then(|| Ratings::of(&conditions.cross_table(scores), anchor));
    json!({
        "game": conditions.game, "limit": conditions.limit.to_string(),
        "contestants": conditions.contestants.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "meetings": meetings.collect::<Vec<_>>(), "ratings": ratings, "changed_files": contest.changed_files(),
    })
}

/// Measures the growth of throughput with the number of threads.
#[pyfunction]
#[pyo3(signature = (
    game, *, threads=None, parallel=None, time=None, iterations=None, rounds=7, agent=None, seed=0, store=None,
    command="", progress=None
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub(crate) fn scale(
    py: Python<'_>,
    game: &str,
    threads: Option<Vec<usize>>,
    parallel: Option<Vec<String>>,
    time: Option<f64>,
    iterations: Option<u64>,
    rounds: u32,
    agent: Option<&str>,
    seed: u64,
    store: Option<PathBuf>,
    command: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let started = boughs_games::start(game).map_err(error)?;
    let mode = |name: &String| {
        let named = Mode::SEARCHES.into_iter().find(|mode| mode.name() == name);
        named.ok_or_else(|| error(format!("there is no kind '{name}'; there are shared, independent, batched")))
    };
    let modes = parallel.as_ref().map(|names| names.iter().map(mode).collect::<PyResult<Vec<_>>>()).transpose()?;
    let settings = match agent {
        None => default_agent(started.entry.name).settings().cloned().unwrap_or_default(),
        Some(text) => text.parse::<Settings>().map_err(error)?,
    };
    let mut threads = threads.unwrap_or_else(default_threads);
    if threads.iter().any(|&threads| !(1..=boughs::MAX_THREADS).contains(&threads)) {
        return Err(error(format!("a number of threads is from 1 to {}", boughs::MAX_THREADS)));
    }
    if !threads.contains(&1) {
        threads.insert(0, 1);
    }
    let time = time.map(|time| asking::seconds("time", time)).transpose()?;
    let time = time.or(iterations.is_none().then_some(Duration::from_secs(1)));
    let plan = ScalePlan {
        game: game.to_string(),
        settings: Settings { seed, ..settings },
        modes: modes.unwrap_or_else(|| Mode::SEARCHES.to_vec()),
        threads,
        time,
        iterations,
        rounds: rounds.max(1),
        command: command.to_string(),
    };
    let stop = StopFlag::default();
    let mut watcher = Watcher::new(progress, &stop);
    let measure = || -> PyResult<Value> {
        let mut experiment = ScaleExperiment::new(started.position, plan);
        let all = experiment.total_runs() as u64;
        while experiment.advance(&stop).map_err(error)? {
            watcher.tell(experiment.runs_done() as u64, Some(all));
        }
        let report = experiment.report();
        let mut value = serde_json::to_value(&report).map_err(error)?;
        let files = files(&report).map_err(error)?;
        let text = |name: &str| files.iter().find(|file| file.name == name).map(|file| file.text.clone());
        value["plot"] = json!(text("throughput.svg"));
        if let Some(path) = store {
            let mut store = Store::open(path).map_err(error)?;
            let [report_text, page] = ["scale.json", "scale.html"].map(|name| text(name).unwrap_or_default());
            let (kind, is_over) = ("scale".to_string(), experiment.next_task().is_none());
            let (game, command) = (report.game.clone(), report.command.clone());
            let measurement = Measurement { report: report_text, page, kind, game, command, is_over };
            store.add_measurement(&measurement).map_err(error)?;
            store.close().map_err(error)?;
        }
        Ok(value)
    };
    let report = interruptible(py, &stop, measure)?;
    watcher.fault.map_or(Ok(()), Err)?;
    Ok(report?.to_string())
}

/// Plays the cases of a contest and scores them.
#[pyfunction]
#[pyo3(signature = (
    game, *, agent=None, seeds=None, cases=None, time=None, iterations=None, margin=None, seed=0, concurrency=None,
    store=None, command="", progress=None
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub(crate) fn judge(
    py: Python<'_>,
    game: &str,
    agent: Option<&str>,
    seeds: Option<(u64, u64)>,
    cases: Option<PathBuf>,
    time: Option<f64>,
    iterations: Option<u64>,
    margin: Option<f64>,
    seed: u64,
    concurrency: Option<usize>,
    store: Option<PathBuf>,
    command: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    const GAME: &str = "ahc015";
    let name = boughs_games::start(game).map_err(error)?.entry.name;
    if name != GAME || game != GAME {
        return Err(error(format!("there are no cases of {game} to judge; the game that has some is {GAME}")));
    }
    let contestant = match agent {
        None => Contestant::Agent(default_agent(name)),
        Some(text) => text.parse::<Contestant>().map_err(error)?,
    };
    let contestant = match contestant {
        Contestant::Program(program) => Contestant::Program(program.compiled(Edition::E2024).map_err(error)?),
        Contestant::Agent(agent) => Contestant::Agent(agent.with_seed(seed)),
        odds => odds,
    };
    let limit = limit(time, iterations, CASE_TIME)?;
    let margin = match (limit, margin) {
        (Limit::Playouts(_), _) => Duration::ZERO,
        (Limit::Time(time), None) => time / MARGIN,
        (Limit::Time(time), Some(margin)) => {
            let margin = asking::seconds("margin", margin)?;
            if margin >= time {
                return Err(error("the margin leaves no time; it must be shorter than the time of a case"));
            }
            margin
        }
    };
    let cases = match (cases, seeds) {
        (Some(folder), _) => Cases::in_folder(&folder).map_err(error)?,
        (None, Some((from, to))) if from >= to => {
            return Err(error("seeds should be a range that is not empty, such as range(0, 20)"));
        }
        (None, seeds) => Cases::Seeds(seeds.map_or(0..100, |(from, to)| from..to)),
    };
    let threads = contestant.agent().map_or(1, |agent| if agent.threads() == 0 { usize::MAX } else { agent.threads() });
    let concurrency = concurrency.unwrap_or((boughs::run::cores() / threads).max(1)).max(1);
    let settings = JudgeSettings { limit, margin, seed, concurrency, kept: 0 };
    let stop = StopFlag::default();
    let mut watcher = Watcher::new(progress, &stop);
    let run = || -> PyResult<Value> {
        let mut store = store.map(Store::open).transpose().map_err(error)?;
        let (mut rows, mut fault) = (Vec::new(), None);
        judge_cases(&cases, &contestant, &settings, &stop, &mut |named, verdict| {
            let before = store.as_mut().map_or(Ok(None), |store| offer(store, &contestant, command, named, verdict));
            match before {
                Ok(before) => rows.push(case_row(named, verdict, before)),
                Err(error) => {
                    fault = Some(error);
                    return ControlFlow::Break(());
                }
            }
            watcher.tell(rows.len() as u64, Some(cases.len() as u64));
            ControlFlow::Continue(())
        })
        .map_err(error)?;
        if let Some(fault) = fault {
            return Err(error(fault));
        }
        if let Some(store) = store {
            store.close().map_err(error)?;
        }
        let scores: Vec<f64> = rows.iter().filter_map(|row| row["score"].as_f64()).collect();
        Ok(json!({
            "game": GAME, "contestant": contestant.to_string(), "limit": limit.to_string(), "cases": rows,
            "mean": Mean::of(&scores), "total": scores.iter().sum::<f64>(),
        }))
    };
    let report = interruptible(py, &stop, run)?;
    watcher.fault.map_or(Ok(()), Err)?;
    Ok(report?.to_string())
}

/// Keeps the score of a case if it is the best one. Returns the best one before.
fn offer(
    store: &mut Store,
    contestant: &Contestant,
    command: &str,
    named: &NamedCase,
    verdict: &CaseVerdict,
) -> Result<Option<f64>, boughs_arena::StoreError> {
    let key = CaseKey { game: "ahc015".to_string(), name: named.name.clone(), checksum: named.checksum() };
    let (contestant, command) = (contestant.to_string(), command.to_string());
    let best = Best { score: f64::from(verdict.score), contestant, command };
    let before = if verdict.fault.is_none() { store.offer_best(&key, &best)? } else { store.best(&key)? };
    Ok(before.map(|best| best.score))
}

fn case_row(named: &NamedCase, verdict: &CaseVerdict, best: Option<f64>) -> Value {
    json!({
        "case": named.name, "score": verdict.score, "best_before": best, "seconds": verdict.time.as_secs_f64(),
        "slowest_ms": verdict.slowest.as_secs_f64() * 1e3, "playouts": verdict.playouts,
        "fault": verdict.fault.as_ref().map(|fault| format!("it {fault}")),
    })
}

/// Learns weights for the features of a game by games against itself.
#[pyfunction]
#[pyo3(signature = (
    game, *, games=None, out=None, threads=None, seed=0, round=None, rate=None, slowing=None, decay=None, explore=None,
    positions=None, progress=None
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub(crate) fn learn(
    py: Python<'_>,
    game: &str,
    games: Option<u64>,
    out: Option<PathBuf>,
    threads: Option<usize>,
    seed: u64,
    round: Option<u64>,
    rate: Option<f64>,
    slowing: Option<f64>,
    decay: Option<f64>,
    explore: Option<f64>,
    positions: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let usual = Learning::default();
    let share = |name: &str, value: Option<f64>, usual: f64| match value.unwrap_or(usual) {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        value => Err(error(format!("{name} = {value} should be a number from 0 to 1"))),
    };
    let terms = LearningTerms {
        seed,
        round: round.unwrap_or(usual.round).clamp(1, 100_000),
        rate: share("rate", rate, usual.rate)?,
        slowing: slowing.unwrap_or(usual.slowing).clamp(1.0, 1e9),
        lambda: share("lambda_", decay, usual.lambda)?,
        explore: share("explore", explore, usual.explore)?,
        positions: positions.unwrap_or(usual.positions as u64).clamp(1, 10_000_000),
    };
    let nothing = Learned::nothing(game, terms)
        .ok_or_else(|| error(format!("'{game}' is no game that can be learned; there is {}", names().join(", "))))?;
    let learned = match out.as_deref().map(read_learned).transpose()?.flatten() {
        None => nothing,
        Some(before) => match nothing.differences(&before) {
            None => before,
            Some(differences) => {
                return Err(error(format!(
                    "the file was learned with other settings: {differences}; name another file, or use the settings \
                     that it has"
                )));
            }
        },
    };
    let (games, threads) = (games.unwrap_or(usual.games), threads.unwrap_or(usual.threads));
    let stop = StopFlag::default();
    let mut watcher = Watcher::new(progress, &stop);
    let run = || -> PyResult<Value> {
        let run = LearningRun::new(learned, games, threads).map_err(error)?;
        let Some(mut run) = run else { return Err(error("the game cannot be learned")) };
        while run.advance(&stop) {
            if let Some(out) = &out {
                write_learned(out, run.learned())?;
            }
            watcher.tell(run.learned().games, Some(games));
        }
        let learned = run.learned();
        let worth: Vec<[f64; 2]> = learned.features.iter().map(|feature| learned.worth(feature)).collect();
        let mut value = serde_json::to_value(learned).map_err(error)?;
        value["worth"] = json!(worth);
        Ok(value)
    };
    let report = interruptible(py, &stop, run)?;
    watcher.fault.map_or(Ok(()), Err)?;
    Ok(report?.to_string())
}

/// Reads the weights learned so far, if the file exists.
fn read_learned(path: &Path) -> PyResult<Option<Learned>> {
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|fault| {
            error(format!("'{}' holds nothing that was learned: {fault}; name another file", path.display()))
        }),
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(fault) => Err(fault.into()),
    }
}

/// Replaces the file in one step, so that a kill leaves the old weights or the new ones.
fn write_learned(path: &Path, learned: &Learned) -> PyResult<()> {
    let new = path.with_extension("new");
    let text = serde_json::to_string_pretty(learned).map_err(error)? + "\n";
    File::create(&new)?.write_all(text.as_bytes())?;
    Ok(std::fs::rename(new, path)?)
}

/// The path of UCB1 in the tree of a puzzle, and the explanation of every choice.
#[pyfunction]
pub(crate) fn replay_puzzle(text: &str) -> PyResult<(String, String)> {
    let puzzle = Puzzle::parse(text).map_err(error)?;
    Ok((puzzle.answer(), puzzle.explain().to_string()))
}

/// Checks the log of a search. Returns the game, the playouts and the nodes.
#[pyfunction]
pub(crate) fn replay_log(py: Python<'_>, path: PathBuf) -> PyResult<(String, u64, u64)> {
    let name = path.display().to_string();
    let log = Log::open(BufReader::new(File::open(&path)?)).map_err(|fault| error(format!("'{name}', {fault}")))?;
    let game = log.header().game.clone();
    let start = boughs_games::start(&game).map_err(|fault| error(format!("'{name}', {fault}")))?;
    let verified = interruptible(py, &StopFlag::default(), || log.verify(start.position.as_position()))?;
    let verified = verified.map_err(|fault| error(format!("'{name}', {fault}")))?;
    Ok((game, verified.playouts, verified.nodes))
}
