//! KataGo's analysis engine: queries and answers as lines of JSON, many positions at a time.

mod answer;
mod jobs;
mod position;
mod query;

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use boughs::{Agent, Budget, Report, StopFlag};
use boughs_agents::AgentSpec;
use boughs_games::StartedGame;
use crossbeam::channel::{Receiver, RecvTimeoutError, bounded};
use serde_json::{Value, json};

use self::answer::answer;
use self::jobs::{Job, Jobs};
use self::position::Positions;
use self::query::{Action, BadRequest, Query, Request};
use super::events::Events;
use super::game_spec::GameSpec;
use crate::failure::Failure;
use crate::output::{check_open, print_json};

/// The settings of the command line.
pub(crate) struct AnalysisSettings {
    pub(crate) spec: String,
    pub(crate) agent: AgentSpec,
    /// The number of positions that are searched at a time.
    pub(crate) positions: usize,
    /// The playouts of a position whose query names none.
    pub(crate) visits: u64,
}

/// The most turns of a query.
const MOST_TURNS: usize = 10_000;

/// The time between two looks at the reader of standard output.
const LOOK: Duration = Duration::from_secs(1);

/// Answers queries until the input ends and all are done.
pub(crate) fn play(started: &StartedGame, settings: &AnalysisSettings) -> Result<(), Failure> {
    if !started.is_open_and_for_two() {
        return Err(Failure::new(format!(
            "the analysis engine is for two players who see everything and have no luck, and {} is another kind of \
             game; try go, hex, othello, connect4 or breakthrough",
            started.entry.name
        )));
    }
    // An agent that does not go with the game is a fault here, before any query.
    settings.agent.build(&*started.position)?;
    let spec = GameSpec::of(&settings.spec);
    let jobs = Jobs::default();
    let mut events = Events::standard()?;
    let (fail, failed) = bounded::<Failure>(1);
    let end = |failure: Failure| {
        // The first failure is told, and no other has to wait.
        let _ = fail.try_send(failure);
        jobs.end(|_, _| true);
    };
    let answered = thread::scope(|scope| {
        let (working, works) = bounded::<()>(0);
        let (jobs, end) = (&jobs, &end);
        for _ in 0..settings.positions {
            let working = working.clone();
            scope.spawn(move || {
                work(jobs, &settings.agent).unwrap_or_else(end);
                drop(working);
            });
        }
        drop(working);
        scope.spawn(move || watch_output(&works).unwrap_or_else(end));
        let read = (|| {
            while let Some(line) = events.next_or_failure(&failed)? {
                if !line.trim().is_empty() {
                    obey(&line, &spec, settings, jobs)?;
                }
            }
            Ok(())
        })();
        if read.is_err() {
            jobs.end(|_, _| true);
        }
        jobs.close();
        read
    });
    // What waited is answered before a fault of the input is told.
    answered.and_then(|()| failed.try_recv().map_or(Ok(()), Err)).and_then(|()| events.fault())
}

/// Does what a line says.
fn obey(line: &str, spec: &GameSpec, settings: &AnalysisSettings, jobs: &Jobs) -> Result<(), Failure> {
    match query::read(line) {
        Ok(Request::Query(query)) => match jobs_of(&query, spec, settings.visits) {
            Ok(found) => {
                found.into_iter().for_each(|(priority, job)| jobs.add(priority, job));
                Ok(())
            }
            Err((field, why)) => say(&json!({"id": query.id, "error": why, "field": field})),
        },
        Ok(Request::Action(action)) => act(action, jobs),
        Err(BadRequest { id, field, why }) => {
            let mut answer = json!({"error": why});
            let named = [("id", id), ("field", field.map(str::to_string))];
            named.into_iter().filter_map(|(name, text)| Some((name, text?))).for_each(|(name, text)| {
                answer[name] = json!(text);
            });
            say(&answer)
        }
    }
}

/// The jobs of a query, with their priorities.
fn jobs_of(query: &Query, spec: &GameSpec, visits: u64) -> Result<Vec<(i64, Job)>, (&'static str, String)> {
    let positions = Positions::of(query, spec)?;
    let turns = query.analyze_turns.clone().unwrap_or_else(|| vec![positions.last()]);
    if turns.len() > MOST_TURNS {
        return Err(("analyzeTurns", format!("there are more than {MOST_TURNS} turns")));
    }
    if let Some(priorities) = &query.priorities
        && priorities.len() != turns.len()
    {
        return Err(("priorities", "there have to be as many priorities as turns".to_string()));
    }
    let visits = query.max_visits.unwrap_or(visits);
    let job = |(number, turn): (usize, usize)| {
        let actions = positions.at(turn);
        let actions = actions.ok_or_else(|| ("analyzeTurns", format!("there is no turn {turn}")))?.to_vec();
        let priority = query.priorities.as_ref().map_or(query.priority, |priorities| priorities[number]);
        let (id, start) = (query.id.clone(), positions.start.clone());
        let (every, includes_visits) = (query.report_during_search_every, query.includes_visits);
        Ok((priority, Job { id, turn, start, actions, visits, every, includes_visits }))
    };
    // A turn that is named twice is analysed once.
    let mut seen = BTreeSet::new();
    turns.into_iter().enumerate().filter(|(_, turn)| seen.insert(*turn)).map(job).collect()
}

/// Does an action and repeats its line.
fn act(action: Action, jobs: &Jobs) -> Result<(), Failure> {
    let Action { id, name, of, turns, mut line } = action;
    let ended = match (name.as_str(), of) {
        ("query_version", _) => {
            line["version"] = json!(env!("CARGO_PKG_VERSION"));
            line["git_hash"] = json!("");
            Vec::new()
        }
        ("query_models", _) => {
            line["models"] = json!([]);
            Vec::new()
        }
        ("clear_cache", _) => Vec::new(),
        ("terminate", Some(of)) => {
            jobs.end(|id, turn| id == of && turns.as_ref().is_none_or(|turns| turns.contains(&turn)))
        }
        ("terminate", None) => {
            return say(
                &json!({"id": id, "error": "'terminateId' should be the id of a query", "field": "terminateId"}),
            );
        }
        ("terminate_all", _) => jobs.end(|_, turn| turns.as_ref().is_none_or(|turns| turns.contains(&turn))),
        _ => return say(&json!({"id": id, "error": format!("'{name}' is no action"), "field": "action"})),
    };
    for job in &ended {
        say(&no_results(job))?;
    }
    say(&line)
}

/// The answer for a position that was not searched before its end.
fn no_results(job: &Job) -> Value {
    json!({"id": job.id, "isDuringSearch": false, "noResults": true, "turnNumber": job.turn})
}

/// Looks at standard output until no thread works, because a long search writes nothing for long.
fn watch_output(works: &Receiver<()>) -> Result<(), Failure> {
    while works.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        check_open()?;
    }
    Ok(())
}

/// Searches one position after the other.
fn work(jobs: &Jobs, spec: &AgentSpec) -> Result<(), Failure> {
    let mut agent = None;
    while let Some((number, job, stop)) = jobs.next() {
        let said = search(&job, spec, &mut agent, stop).and_then(|answer| say(&answer));
        jobs.done(number);
        said?;
    }
    Ok(())
}

/// Searches a position, and returns the answer. The agent of the position before is taken again if it can be.
fn search(job: &Job, spec: &AgentSpec, last: &mut Option<Box<dyn Agent>>, stop: StopFlag) -> Result<Value, Failure> {
    let mut position = job.start.position.clone();
    job.actions.iter().for_each(|&action| position.apply(action));
    let again = last.take().and_then(|mut agent| agent.begin(&*position, spec.seed()).is_ok().then_some(agent));
    let agent = match again.map_or_else(|| spec.build(&*position), Ok) {
        Ok(agent) => last.insert(agent),
        Err(error) => return Ok(json!({"id": job.id, "turnNumber": job.turn, "error": error.to_string()})),
    };
    let begun = std::time::Instant::now();
    let (mut told, mut said) = (0.0, Ok(()));
    let mut see = |report: &Report| {
        let now = begun.elapsed().as_secs_f64();
        let is_due = job.every.is_some_and(|every| now - told >= every);
        if is_due && said.is_ok() && !report.children.is_empty() {
            told = now;
            said = say(&answer(job, &*position, report, true));
            if said.is_err() {
                stop.raise();
            }
        }
    };
    let budget = Budget::iterations(job.visits).early_stop(false).or_stopped_by(stop.clone());
    let searched = agent.search(budget, &mut see);
    said?;
    match searched {
        Ok(report) if stop.is_raised() && report.iterations == 0 => Ok(no_results(job)),
        Ok(report) => Ok(answer(job, &*position, &report, false)),
        Err(error) => Ok(json!({"id": job.id, "turnNumber": job.turn, "error": error.to_string()})),
    }
}

/// Writes a line.
fn say(line: &Value) -> Result<(), Failure> {
    print_json(line)
}
