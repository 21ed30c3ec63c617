//! Matches and tournaments.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use boughs::StopFlag;
use boughs_arena::statistics::{Anchor, Ratings, Sprt};
use boughs_arena::{Conditions, Contest, Contestant, MOST_GAMES, News, Openings, Progress, Store, tables_here};
use boughs_shards::{ContestKind, GamesJob, Job};
use pyo3::prelude::*;
use serde_json::{Value, json};

use super::{Watcher, limit};
use crate::asking::{self, Whole};
use crate::error::error;
use crate::shards::PlanFile;
use crate::waiting::interruptible;

/// The time of a move without a limit.
const MOVE_TIME: Duration = Duration::from_millis(100);

/// Plays a match of two contestants, or a tournament.
#[pyfunction]
#[pyo3(signature = (
    kind, game, contestants, count, *, gauntlet=false, sprt=None, time=None, iterations=None, grace=None,
    openings="start", seed=Whole::ZERO, concurrency=None, store=None, command="", progress=None, plan=None
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub(crate) fn play_contest(
    py: Python<'_>,
    kind: &str,
    game: &str,
    contestants: Vec<String>,
    count: Whole,
    gauntlet: bool,
    sprt: Option<(f64, f64)>,
    time: Option<f64>,
    iterations: Option<Whole>,
    grace: Option<f64>,
    openings: &str,
    seed: Whole,
    concurrency: Option<Whole>,
    store: Option<PathBuf>,
    command: &str,
    progress: Option<Py<PyAny>>,
    plan: Option<PlanFile>,
) -> PyResult<String> {
    let what = if kind == "match" { "games" } else { "rounds" };
    let (count, seed) = (asking::within(what, count.named(what)?, 1..=u64::MAX)?, seed.named("seed")?);
    let concurrency = asking::concurrency(concurrency.as_ref())?;
    let limit = limit(time, iterations.as_ref(), MOVE_TIME)?;
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
        let games_a_round = Conditions::games_a_round(contest.players());
        let rounds = if kind == "match" { count.min(MOST_GAMES).div_ceil(games_a_round) } else { count };
        let games = contest.conditions().games(rounds, contest.players());
        if let Some(plan) = plan {
            let kind = if kind == "match" { ContestKind::Match } else { ContestKind::Tournament };
            let job = GamesJob::new(kind, contest.conditions(), games, sprt, gauntlet).map_err(error)?;
            return plan.write(command, Job::Games(job));
        }
        if let Some(test) = sprt {
            contest = contest.ended_by(test);
        }
        if let Some(store) = &mut store {
            contest = contest.keep_in(store, kind, command, replay_command).map_err(error)?;
        }
        let all = sprt.is_none().then_some(games);
        let tables = concurrency.unwrap_or_else(|| tables_here(contest.conditions()));
        let played = contest.play(rounds, tables, &stop, &mut |News { progress, .. }| {
            watcher.tell(progress.kept + progress.games, all);
            ControlFlow::Continue(())
        });
        let report = contest_report(&contest, &played.map_err(error)?, sprt, gauntlet);
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

/// The command line that plays a game of a match again.
pub(crate) fn replay_command(conditions: &Conditions, number: u64) -> String {
    conditions.replay_command("boughs", number)
}

/// The results of a contest.
pub(crate) fn contest_report(contest: &Contest<'_>, progress: &Progress, sprt: Option<Sprt>, gauntlet: bool) -> Value {
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
        "kept": progress.kept, "played": progress.games, "seconds": progress.took.as_secs_f64(),
    })
}
