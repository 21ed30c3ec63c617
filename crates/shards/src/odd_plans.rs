//! Plans and results that no program writes: each is refused in a sentence, or does what it says, and nothing panics.

use std::time::Duration;

use boughs::{Settings, StopFlag};
use boughs_agents::learn::{Learned, Learning, LearningTerms};
use boughs_arena::judge::{Cases, JudgeSettings};
use boughs_arena::{Limit, Store};
use boughs_lab::scale::{Mode, ScalePlan};
use serde_json::{Value, json};

use crate::job::tests::games;
use crate::{CasesJob, Job, LearnJob, Plan, PlanError, ScaleJob, ShardFolder, run};

/// A plan of each kind.
fn plans() -> Vec<Plan> {
    let settings =
        JudgeSettings { limit: Limit::Playouts(50), margin: Duration::ZERO, seed: 1, concurrency: 1, kept: 0 };
    let contestant = "solution1".parse().expect("an agent");
    let scale = ScalePlan {
        game: "tictactoe".into(),
        settings: Settings { memory: 1 << 20, ..Settings::default() },
        modes: vec![Mode::Shared],
        threads: vec![1],
        time: None,
        iterations: Some(50),
        rounds: 2,
        command: String::new(),
    };
    let learning = Learning { round: 2, positions: 9, ..Learning::default() };
    let learned = Learned::nothing("green-circle", LearningTerms::of(&learning)).expect("a game");
    let jobs = [
        Job::Games(games(4)),
        Job::Cases(CasesJob::new("ahc015", &contestant, &Cases::Seeds(0..4), &settings).expect("a job")),
        Job::Scale(ScaleJob::new(&scale)),
        Job::Learn(LearnJob { learned, games: 2 }),
    ];
    jobs.map(|job| Plan::new(vec!["boughs match".into()], 2, job).expect("a plan")).into()
}

/// The results of the first two shards of a plan.
fn shards(plan: &Plan) -> Result<Vec<String>, PlanError> {
    let run = |shard| Ok(run(plan, shard, 1, &StopFlag::default(), &mut |_| {})?.expect("no stop"));
    (0..plan.shards().min(2)).map(run).collect()
}

/// Puts the results of shards together. Shards are needed exactly where this fails.
fn merge(plan: &Plan, shards: &[String]) -> Result<(), PlanError> {
    let place = tempfile::tempdir().expect("a folder");
    let folder = ShardFolder::of(place.path(), plan.clone())?;
    for (shard, text) in (0..).zip(shards) {
        folder.put(shard, text)?;
    }
    let needed = folder.needed()?;
    let merged = match &plan.job {
        Job::Games(job) => {
            let mut store = Store::in_memory()?;
            job.merge(&folder, &mut store, "", |_, _| String::new(), &mut |_| {}).map(drop)
        }
        Job::Cases(job) => job.merge(&folder).map(drop),
        Job::Scale(job) => job.merge(&folder, String::new()).map(drop),
        Job::Learn(job) => job.merge(&folder).map(drop),
    };
    assert_eq!(needed.is_empty(), merged.is_ok(), "{needed:?}, {merged:?}");
    merged
}

fn odd_values() -> [Value; 11] {
    [
        Value::Null,
        json!(-1),
        json!(0),
        json!(9),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!([]),
        json!([[0, 0]]),
        json!([9, 2]),
        json!({"listed": {"lines": []}}),
    ]
}

/// The places of all values in a value.
fn places(value: &Value) -> Vec<String> {
    let below =
        |name: &str, value: &Value| places(value).into_iter().map(move |path| format!("/{name}{path}")).collect();
    let below: Vec<Vec<String>> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| below(name, value)).collect(),
        Value::Array(values) => {
            values.iter().take(3).enumerate().map(|(at, value)| below(&at.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    below.into_iter().flatten().chain([String::new()]).collect()
}

#[test]
fn no_plan_panics() {
    let mut refused = 0;
    for plan in plans() {
        assert_eq!(shards(&plan).and_then(|texts| merge(&plan, &texts)), Ok(()));
        let whole: Value = serde_json::from_str(&plan.text()).expect("JSON");
        let paths = places(&whole["job"]).into_iter().map(|path| format!("/job{path}"));
        for path in paths.chain(["/shard_size".to_string()]) {
            for odd in odd_values() {
                // A search of so many playouts would not end, and is what the plan asks for.
                if odd == json!(u64::MAX) && ["/playouts", "/iterations"].iter().any(|name| path.ends_with(name)) {
                    continue;
                }
                let mut plan = whole.clone();
                *plan.pointer_mut(&path).expect("a place") = odd;
                let read = Plan::read(&plan.to_string());
                let done = read.and_then(|plan| merge(&plan, &shards(&plan)?));
                refused += usize::from(done.is_err());
            }
        }
    }
    assert!(refused > 300, "{refused}");
}

#[test]
fn no_result_of_a_shard_panics() {
    let mut refused = 0;
    for plan in plans() {
        let texts = shards(&plan).expect("results");
        let mut lines: Vec<String> = texts[0].lines().map(str::to_string).collect();
        let head = lines.remove(0);
        lines.pop();
        let line: Value = serde_json::from_str(&lines[0]).expect("JSON");
        for path in places(&line) {
            for odd in odd_values().into_iter().chain([json!({"forfeit": [[9, "flooded"]]}), json!(1_000_000_000)]) {
                let mut line = line.clone();
                *line.pointer_mut(&path).expect("a place") = odd;
                lines[0] = line.to_string();
                let changed = [&[crate::shard::text(&head, &lines)], &texts[1..]].concat();
                refused += usize::from(merge(&plan, &changed).is_err());
            }
        }
    }
    assert!(refused > 100, "{refused}");
}
