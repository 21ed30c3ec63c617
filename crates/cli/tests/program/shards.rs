//! Plans, their shards and their merging: what many machines result in is what one machine results in.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use boughs::checksum::Checksum;
use boughs_arena::{Clock, Store, StoredGame};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Ran, boughs, json, program, ran, run};
use crate::process::{Running, piped};

/// A folder in which commands run.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &str) -> Ran {
        ran(boughs().current_dir(self.0.path()).args(args.split_whitespace()))
    }

    fn start(&self, args: &str) -> Running {
        Running::start(piped(program().current_dir(self.0.path()).args(args.split_whitespace())))
    }

    /// Runs the shards of a plan from the last to the first, some of them with several units at a time.
    fn shards(&self, plan: &str, out: &str) -> u64 {
        let shards = json(&self.run(&format!("shard {plan} --id 0 --out {out} --json")).expect())["shards"].as_u64();
        let shards = shards.expect("a number of shards");
        for id in (1..shards).rev() {
            self.run(&format!("shard {plan} --id {id} --out {out} --concurrency {}", 1 + id % 3)).expect();
        }
        shards
    }

    /// All that a store has of contests, without dates and measured times.
    fn store(&self, name: &str) -> Vec<(String, Vec<StoredGame>)> {
        let store = Store::open(self.path(name)).expect("a store");
        let events = store.events().expect("events");
        let games = |event| -> Vec<StoredGame> {
            let games = store.games(event).map(|game| without_times(game.expect("a game")));
            games.collect()
        };
        events.iter().map(|event| (format!("{:?}", event.key), games(event.id))).collect()
    }
}

fn without_times(mut game: StoredGame) -> StoredGame {
    for clock in &mut game.record.clocks {
        *clock = Clock { total: Duration::ZERO, longest: Duration::ZERO, ..*clock };
    }
    game.record.began = 0.0;
    game.record.took = Duration::ZERO;
    game
}

/// JSON without what depends on the time or on the command line.
fn without_measured(mut value: Value) -> Value {
    fn clean(value: &mut Value) {
        const MEASURED: [&str; 11] = [
            "seconds",
            "overhead",
            "load",
            "tables",
            "command",
            "total_ms",
            "longest_ms",
            "slowest_ms",
            "slowest",
            "concurrency",
            "ms",
        ];
        match value {
            Value::Object(fields) => {
                MEASURED.iter().for_each(|name| _ = fields.remove(*name));
                fields.values_mut().for_each(clean);
            }
            Value::Array(values) => values.iter_mut().for_each(clean),
            _ => {}
        }
    }
    clean(&mut value);
    value
}

/// Checks that a contest by shards results in the store and the statistics of one machine. Returns the place of the
/// shards.
fn is_as_on_one_machine(command: &str, plan_only: &str) -> Place {
    let (many, one) = (Place::new(), Place::new());
    let alone = one.run(&format!("{command} --store games.db --concurrency 1 --json")).expect();
    many.run(&format!("{command} --plan plan.json {plan_only}")).expect();
    assert!(many.shards("plan.json", "shards") > 1, "{command}");
    let merged = many.run("merge shards --store games.db --json").expect();
    assert_eq!(without_measured(json(&merged)), without_measured(json(&alone)), "{command}");
    let expected: Vec<(String, Vec<StoredGame>)> = one.store("games.db");
    let expected = expected.into_iter().map(|(key, games)| (key.replace(" --concurrency 1 --json", ""), games));
    assert_eq!(many.store("games.db"), expected.collect::<Vec<_>>(), "{command}");
    // Merging again adds nothing.
    let mut again = json(&many.run("merge shards --store games.db --json").expect());
    let mut once = json(&alone);
    for report in [&mut again, &mut once] {
        report.as_object_mut().map(|report| report.remove("kept")).expect("a report");
    }
    assert_eq!(without_measured(again), without_measured(once), "{command}");
    assert_eq!(many.run(&format!("{command} --store games.db --json")).code, Some(0));
    assert_eq!(many.store("games.db").len(), 1, "the command of one machine goes on in the same event");
    many
}

#[test]
fn a_contest_in_shards_has_the_store_and_the_statistics_of_one_machine() {
    is_as_on_one_machine(
        "match connect4 mcts:c=0.7 flat --iterations 30 --games 13 --openings random:2-4",
        "--shard-size 5",
    );
    is_as_on_one_machine("match 2048 random random --iterations 5 --games 4", "--shard-size 3");
    is_as_on_one_machine("match nim mcts random --iterations 20 --games 6", "--shard-size 4");
    is_as_on_one_machine("match photosynthesis random random --iterations 1 --games 4", "--shard-size 1");
    is_as_on_one_machine("match goofspiel mcts random --iterations 20 --games 4", "--shard-size 3");
    is_as_on_one_machine("match pig mcts random --iterations 20 --games 6 --seed 3", "--shard-size 2");
    is_as_on_one_machine("tournament tictactoe mcts flat random --iterations 20 --rounds 3", "--shard-size 4");
    is_as_on_one_machine(
        "tournament tictactoe mcts flat random --gauntlet --iterations 9 --rounds 3",
        "--shard-size 5",
    );
}

#[test]
fn a_sequential_test_counts_games_in_the_order_of_their_numbers() {
    let command = "match tictactoe mcts:c=0.7 random --iterations 50 --games 200 --sprt 0,100";
    let place = is_as_on_one_machine(command, "--shard-size 20");
    let shards = 10;
    // Shards after the decision need not be there, and those before it do.
    let whole = json(&place.run("merge shards --json").expect());
    let counted = whole["games"]["wins"].as_u64().expect("wins") + whole["games"]["losses"].as_u64().expect("losses");
    assert!(counted < 150, "the test decides early: {whole}");
    fs::remove_file(place.path(&format!("shards/shard-{:06}.jsonl", shards - 1))).expect("a file");
    assert_eq!(without_measured(json(&place.run("merge shards --json").expect())), without_measured(whole));
    assert_eq!(place.run("merge shards --missing").expect(), "\n", "nothing that is needed");
    fs::remove_file(place.path("shards/shard-000000.jsonl")).expect("a file");
    assert_eq!(place.run("merge shards --missing").expect(), format!("0,{}\n", shards - 1));
    let refused = place.run("merge shards").expect_failure(2);
    assert!(refused.contains(&format!("missing: 2 of {shards} shards, 0,{}", shards - 1)), "{refused}");
}

#[test]
fn openings_of_a_file_are_part_of_the_plan() {
    let place = Place::new();
    fs::write(place.path("openings.txt"), "1 2\n3 4 5\n").expect("a file");
    let command = "match connect4 flat random --iterations 9 --games 6 --openings openings.txt";
    place.run(&format!("{command} --plan plan.json --shard-size 3")).expect();
    place.run(&format!("{command} --store one.db --concurrency 1")).expect();
    fs::remove_file(place.path("openings.txt")).expect("a file");
    place.shards("plan.json", "shards");
    place.run("merge shards --store many.db").expect();
    let games = |name| place.store(name).remove(0).1;
    assert_eq!(games("many.db"), games("one.db"), "with the command that plays each again");
}

#[test]
fn a_tuning_is_planned_stage_by_stage() {
    let (many, one) = (Place::new(), Place::new());
    let command = "tune connect4 mcts --param c=0.2..3:log --candidates 4 --rounds 3 --iterations 15 --sprt 0,60 \
                   --most-rounds 12 --store games.db";
    let mut stages = 0;
    loop {
        let planned = many.run(&format!("{command} --plan plan{stages}.json --shard-size 7 --json"));
        if planned.code == Some(1) {
            assert!(planned.err.contains("nothing is left to plan") && !many.path("plan3.json").exists());
            assert!(json(&planned.out)["confirmation"].is_object(), "the results: {}", planned.out);
            break;
        }
        planned.expect();
        many.shards(&format!("plan{stages}.json"), &format!("shards{stages}"));
        many.run(&format!("merge shards{stages} --store games.db")).expect();
        stages += 1;
    }
    assert_eq!(stages, 3, "two stages that halve, and the test of the best");
    let alone = one.run(&format!("{command} --concurrency 1 --json")).expect();
    let together = many.run(&format!("{command} --json")).expect();
    assert_eq!(without_measured(json(&together)), without_measured(json(&alone)));
    let strip = |(key, games): (String, Vec<StoredGame>)| {
        (key.replace(" --concurrency 1 --json", "").replace(" --json", ""), games)
    };
    let [many, one] = [many, one].map(|place| place.store("games.db").into_iter().map(strip).collect::<Vec<_>>());
    assert_eq!(many, one);
    let place = Place::new();
    let refused = place.run("tune connect4 mcts --param c=0.2..3 --plan p.json").expect_failure(2);
    assert!(refused.contains("--store"), "{refused}");
}

#[test]
fn cases_in_shards_have_the_scores_of_one_machine() {
    let place = Place::new();
    let command = "judge ahc015 --agent solution2 --seeds 3..9 --iterations 2000";
    place.run(&format!("{command} --plan plan.json --shard-size 4")).expect();
    place.shards("plan.json", "shards");
    let merged = json(&place.run("merge shards --store bests.db --json").expect());
    let alone = json(&place.run(&format!("{command} --json")).expect());
    assert_eq!(without_measured(merged), without_measured(alone));
    let again = json(&place.run(&format!("{command} --store bests.db --json")).expect());
    assert_eq!(again["compared"], 6, "the best scores are in the store");
}

#[test]
fn cases_of_files_are_part_of_the_plan() {
    let place = Place::new();
    fs::create_dir(place.path("cases")).expect("a folder");
    for name in ["a", "b", "c"] {
        let placements: String = (0..100).rev().map(|most| format!("{}\n", 1 + most / 2)).collect();
        let flavours = (0..100).map(|turn| (1 + (turn + name.len() + turn % 7) % 3).to_string()).collect::<Vec<_>>();
        fs::write(place.path(&format!("cases/{name}.txt")), flavours.join(" ") + "\n" + &placements).expect("a file");
    }
    let command = "judge ahc015 --agent solution1 --cases cases --iterations 100";
    let alone = json(&place.run(&format!("{command} --json")).expect());
    place.run(&format!("{command} --plan plan.json --shard-size 2")).expect();
    fs::remove_dir_all(place.path("cases")).expect("a folder");
    place.shards("plan.json", "shards");
    assert_eq!(without_measured(json(&place.run("merge shards --json").expect())), without_measured(alone));
}

#[test]
fn a_round_of_learning_in_shards_leads_to_the_same_weights() {
    let place = Place::new();
    let command = "learn green-circle --games 9 --round 6 --positions 50";
    let mut rounds = 0;
    loop {
        let planned = place.run(&format!("{command} --out many.json --plan plan{rounds}.json --shard-size 4"));
        if planned.code == Some(1) {
            break;
        }
        planned.expect();
        place.shards(&format!("plan{rounds}.json"), &format!("shards{rounds}"));
        place.run(&format!("merge shards{rounds} --out many.json")).expect();
        // Once more, as after a kill.
        place.run(&format!("merge shards{rounds} --out many.json")).expect();
        rounds += 1;
    }
    assert_eq!(rounds, 2);
    place.run(&format!("{command} --out one.json")).expect();
    let read = |name| fs::read_to_string(place.path(name)).expect("weights");
    assert_eq!(read("many.json"), read("one.json"));
    let refused = place.run("merge shards0 --out many.json").expect_failure(2);
    assert!(refused.contains("not what was learned before"), "{refused}");
}

#[test]
fn rounds_of_a_measurement_are_shards_of_a_whole_machine() {
    let place = Place::new();
    let plan = place.run("scale tictactoe --threads 1,2 --iterations 300 --rounds 2 --plan plan.json --json").expect();
    assert_eq!((&json(&plan)["cores"], &json(&plan)["shards"]), (&Value::Null, &Value::from(2)));
    for id in [1, 0] {
        place.run(&format!("shard plan.json --id {id} --out shards")).expect();
    }
    let report = json(&place.run("merge shards --out files --store games.db --json").expect());
    assert_eq!((&report["rounds_done"], report["runs"].as_array().map(Vec::len)), (&Value::from(2), Some(16)));
    assert!(place.path("files/scale.html").is_file() && place.path("games.db").is_file());
    let again = place.run("merge shards --out files --store games.db --json").expect();
    assert_eq!(json(&again)["rounds_done"], 2);
    assert_eq!(Store::open(place.path("games.db")).expect("a store").measurements().expect("a list").len(), 1);
    let refused = place.run("shard plan.json --id 0 --out shards --concurrency 2").expect_failure(2);
    assert!(refused.contains("for itself"), "{refused}");
    let refused = place.run("scale tictactoe --plan plan.json").expect_failure(2);
    assert!(refused.contains("--threads"), "{refused}");
}

#[test]
fn a_shard_that_does_not_fit_is_refused_in_a_sentence() {
    let place = Place::new();
    let command = "match tictactoe mcts random --iterations 20 --games 8 --plan plan.json --shard-size 4";
    place.run(command).expect();
    let refused = |args: &str, says: &[&str]| {
        let sentence = place.run(args).expect_failure(2);
        assert!(says.iter().all(|word| sentence.contains(word)), "{args}: {sentence}");
    };
    refused("merge shards", &["'shards' has no plan"]);
    refused("shard none.json --id 0 --out shards", &["none.json"]);
    refused("shard plan.json --id 2 --out shards", &["2 shards", "0 to 1"]);
    place.run("shard plan.json --id 0 --out shards").expect();
    refused(
        "merge shards --store none.db",
        &["missing: 1 of 2 shards, 1", "boughs shard shards/plan.json --id NUMBER --out shards"],
    );
    assert!(!place.path("none.db").exists(), "a store gets nothing before all is there");

    // Another program, another plan, a shard of another one, a file that is cut or changed.
    let text = fs::read_to_string(place.path("plan.json")).expect("a plan");
    let plan: Value = serde_json::from_str(&text).expect("JSON");
    let checksum = plan["program"]["checksum"].as_str().expect("a checksum");
    let other = text.replace(checksum, "0123456789abcdef");
    fs::write(place.path("other.json"), &other).expect("a file");
    refused("shard other.json --id 0 --out elsewhere", &["other.json", "0123456789abcdef", checksum]);
    fs::write(place.path("seed.json"), text.replace(r#""seed": 0"#, r#""seed": 1"#)).expect("a file");
    refused("shard seed.json --id 0 --out shards", &["'shards' has the shards of another plan"]);
    place.run("shard seed.json --id 1 --out seeds").expect();
    let file = |name: &str| place.path(name);
    fs::copy(file("seeds/shard-000001.jsonl"), file("shards/shard-000001.jsonl")).expect("a copy");
    refused("merge shards", &["shard 1 has the results of shard 1 of the plan", "run it again"]);
    let whole = fs::read_to_string(file("shards/shard-000000.jsonl")).expect("a shard");
    let swapped = {
        let mut lines: Vec<&str> = whole.lines().collect();
        lines.swap(1, 2);
        let mut checksum = Checksum::default();
        let [_, games @ .., _] = &lines[..] else { panic!("{whole}") };
        games.iter().for_each(|game| checksum.add(format!("{game}\n").as_bytes()));
        let foot = format!(r#"{{"lines":{},"checksum":"{:016x}"}}"#, games.len(), checksum.value());
        lines.pop();
        lines.join("\n") + "\n" + &foot + "\n"
    };
    for (number, (made, says)) in [
        (swapped, "does not have game 0 of the plan"),
        (whole.replace(checksum, "0123456789abcdef"), "was made by Boughs"),
        (whole[..whole.len() - 9].to_string(), "is cut"),
        (whole.replacen("\"rewards\":[", "\"rewards\":[0.25,", 1), "is damaged"),
        (String::new(), "is cut"),
    ]
    .into_iter()
    .enumerate()
    {
        fs::write(file("shards/shard-000000.jsonl"), made).expect("a file");
        refused("merge shards", &["shard 0", says]);
        assert_eq!(place.run("merge shards --missing").expect(), "0-1\n", "{number}");
        // Damaged results are made again.
        place.run("shard plan.json --id 0 --out shards").expect();
        assert!(
            json(&place.run("shard plan.json --id 0 --out shards --json").expect())["was_there"] == true,
            "{number}"
        );
    }
    #[cfg(unix)]
    {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        mknodat(CWD, file("shards/shard-000001.jsonl.pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
            .expect("a pipe");
        fs::rename(file("shards/shard-000001.jsonl.pipe"), file("shards/shard-000001.jsonl")).expect("a name");
        for args in ["merge shards", "merge shards --missing", "shard plan.json --id 1 --out shards"] {
            refused(args, &["shard-000001.jsonl' is no regular file; move it away"]);
        }
        fs::remove_file(file("shards/shard-000001.jsonl")).expect("a pipe");
    }
    place.run("shard plan.json --id 1 --out shards").expect();
    place.run("merge shards").expect();

    refused("match hex cmd:./no-such-bot random --plan p.json", &["no program './no-such-bot' here"]);
    refused("judge ahc015 --cmd ./no-such-bot --plan p.json", &["no program './no-such-bot' here"]);
    refused("match --referee cmd:./no-referee cmd:sh cmd:sh --plan p.json", &["no program './no-referee' here"]);
    refused("match hex mcts random --plan p.json --store games.db", &["--plan plays nothing", "--store"]);
    refused("match hex mcts random --plan p.json --sprt 0,9", &["--games"]);
    refused("match hex mcts random --shard-size 7", &["--plan"]);
    refused("match hex mcts random --plan p.json --shard-size 0", &["--shard-size"]);
    refused("match hex mcts random --plan nowhere/p.json", &["nowhere"]);
    refused("merge shards --out x", &["--out"]);
}

#[test]
fn a_file_of_a_contestant_has_the_content_that_it_had_when_the_plan_was_written() {
    let place = Place::new();
    place.run("learn green-circle --games 2 --round 2 --positions 9 --out w.json").expect();
    let command = "match green-circle foresight:weights=w.json random --games 2 --iterations 5";
    place.run(&format!("{command} --plan plan.json")).expect();
    let weights = fs::read_to_string(place.path("w.json")).expect("weights");
    for other in [Some(weights.replacen("0.", "1.", 1)), None] {
        match other {
            Some(other) => fs::write(place.path("w.json"), other).expect("a file"),
            None => fs::remove_file(place.path("w.json")).expect("a file"),
        }
        let refused = place.run("shard plan.json --id 0 --out shards").expect_failure(2);
        assert!(refused.contains("'w.json'") && refused.contains("another content"), "{refused}");
    }
    fs::write(place.path("w.json"), weights).expect("a file");
    place.run("shard plan.json --id 0 --out shards").expect();
}

/// The results of a shard without dates and measured times, by the name of each line's field.
fn results(path: &Path) -> Vec<BTreeMap<String, Value>> {
    let text = fs::read_to_string(path).expect("a shard");
    let lines: Vec<&str> = text.lines().collect();
    let games = lines[1..lines.len() - 1].iter().map(|line| {
        let mut game: BTreeMap<String, Value> = serde_json::from_str(line).expect("a game");
        ["began", "took", "clocks"].iter().for_each(|name| _ = game.remove(*name));
        game
    });
    games.collect()
}

#[test]
fn a_shard_that_is_killed_leaves_nothing_half_written() {
    let place = Place::new();
    let game =
        "match connect4 mcts flat --iterations 60 --games 12 --openings random:4 --plan plan.json --shard-size 12";
    place.run(game).expect();
    let begun = Instant::now();
    place.run("shard plan.json --id 0 --out whole").expect();
    let usual = begun.elapsed();
    let expected = results(&place.path("whole/shard-000000.jsonl"));
    assert_eq!(expected.len(), 12);
    const ROUNDS: usize = 24;
    let (mut complete, mut parts, mut random) = (0, 0, 7_u64);
    for round in 0..ROUNDS {
        let shard = place.start("shard plan.json --id 0 --out shards");
        if round % 2 == 0 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            sleep(usual.mul_f64(1.2 * (random >> 40) as f64 / (1 << 24) as f64));
        } else {
            // At the first sight of a file, which the process is about to write.
            let news = || fs::read_dir(place.path("shards")).into_iter().flatten().flatten().any(|file| is_new(&file));
            while !news() && !shard.has_ended() {}
        }
        shard.kill();
        let file = place.path("shards/shard-000000.jsonl");
        if file.exists() {
            assert_eq!(results(&file), expected);
            fs::remove_file(&file).expect("a file");
            complete += 1;
        }
        for part in fs::read_dir(place.path("shards")).into_iter().flatten().flatten().filter(is_new) {
            fs::remove_file(part.path()).expect("a part");
            parts += 1;
        }
    }
    assert!(parts > 0 && complete < ROUNDS, "{parts} were killed while they wrote, and {complete} after that");
    place.run("shard plan.json --id 0 --out shards").expect();
    assert_eq!(results(&place.path("shards/shard-000000.jsonl")), expected);
}

/// Returns true for a file of a shard, complete or not.
fn is_new(file: &fs::DirEntry) -> bool {
    file.file_name().to_string_lossy().contains("shard-")
}

#[test]
fn attempts_at_the_same_shard_leave_one_result() {
    let place = Place::new();
    place.run("match nim flat random --iterations 5 --games 4 --plan plan.json").expect();
    for _ in 0..5 {
        let attempts: Vec<_> = (0..8).map(|_| place.start("shard plan.json --id 0 --out shards")).collect();
        for attempt in attempts {
            let ended = attempt.finish();
            assert!(ended.status.success(), "{ended:?}");
        }
        place.run("merge shards").expect();
        let files: Vec<_> = fs::read_dir(place.path("shards")).expect("a folder").flatten().collect();
        assert_eq!(files.len(), 2, "the plan and one shard: {files:?}");
        fs::remove_dir_all(place.path("shards")).expect("a folder");
    }
}

#[test]
fn of_several_plans_for_one_folder_one_wins() {
    let place = Place::new();
    for seed in 0..4 {
        let command = format!("match nim flat random --iterations 5 --games 3 --seed {seed} --plan plan{seed}.json");
        place.run(&command).expect();
    }
    for _ in 0..8 {
        let attempts: Vec<_> =
            (0..4).map(|seed| place.start(&format!("shard plan{seed}.json --id 0 --out shards"))).collect();
        let ended: Vec<_> = attempts.into_iter().map(Running::finish).collect();
        assert_eq!(ended.iter().filter(|ended| ended.status.success()).count(), 1, "{ended:?}");
        place.run("merge shards").expect();
        fs::remove_dir_all(place.path("shards")).expect("a folder");
    }
}

#[test]
fn a_store_that_has_more_games_has_the_statistics_of_all() {
    let place = Place::new();
    let command = "match tictactoe mcts random --iterations 20";
    place.run(&format!("{command} --games 20 --store games.db")).expect();
    place.run(&format!("{command} --games 4 --plan plan.json --shard-size 3")).expect();
    place.shards("plan.json", "shards");
    let merged = json(&place.run("merge shards --store games.db --json").expect());
    let alone = json(&place.run(&format!("{command} --games 4 --store games.db --json")).expect());
    assert_eq!(without_measured(merged), without_measured(alone));
}

#[cfg(unix)]
#[test]
fn a_program_that_does_not_start_ends_a_merge_as_it_ends_a_match() {
    let place = Place::new();
    fs::write(place.path("bot.sh"), "exit 3\n").expect("a file");
    let command = "match connect4 cmd:sh!bot.sh random --games 8 --time 10ms";
    let run = |args: &str| {
        let words = args.split(' ').map(|word| word.replace('!', " "));
        ran(boughs().current_dir(place.0.path()).args(words))
    };
    let alone = run(command).expect_failure(2);
    run(&format!("{command} --plan plan.json --shard-size 2")).expect();
    for id in 0..4 {
        place.run(&format!("shard plan.json --id {id} --out shards")).expect();
    }
    assert_eq!(place.run("merge shards").expect_failure(2), alone);
}

#[test]
fn a_plan_takes_no_file_that_has_something_else() {
    let place = Place::new();
    place.run("match nim flat random --iterations 5 --games 3 --store games.db").expect();
    fs::write(place.path("openings.txt"), "1\n").expect("a file");
    for file in ["games.db", "openings.txt"] {
        let refused = place.run(&format!("match nim flat random --iterations 5 --games 3 --plan {file}"));
        let refused = refused.expect_failure(2);
        assert!(refused.contains(&format!("'{file}' has something else than a plan")), "{refused}");
    }
    for _ in 0..2 {
        place.run("match nim flat random --iterations 5 --games 3 --plan plan.json").expect();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_shard_keeps_nothing_and_says_so() {
    let place = Place::new();
    place.run("match go mcts mcts --time 10s --games 2 --plan plan.json").expect();
    let ended = crate::interrupt::interrupt(place.start("shard plan.json --id 0 --out shards"));
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted before the end of shard 0"), "{said}");
    assert!(!place.path("shards/shard-000000.jsonl").exists());
}

#[test]
fn commands_that_plan_name_the_file_and_the_shards() {
    let place = Place::new();
    let written = place.run("match nim flat random --iterations 9 --games 41 --plan plan.json").expect();
    for says in ["42 games in 3 shards, one core each", "boughs shard plan.json --id NUMBER --out DIR", "(0 to 2)"] {
        assert!(written.contains(says), "{written}");
    }
    assert!(run("shard --help").expect().contains("docs/CLUSTER.md"));
}

#[test]
fn the_rows_of_plan_shard_and_merge_in_the_page_of_commands_work_one_after_the_other() {
    let page = include_str!("../../../../docs/COMMANDS.md");
    let rows = page.lines().filter_map(|row| row.strip_prefix("| `")?.split_once('`'));
    let is_asked =
        |row: &&str| ["--plan plan.json", "shard plan.json", "merge shards"].iter().any(|it| row.contains(it));
    let rows: Vec<&str> = rows.map(|(row, _)| row).filter(is_asked).collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    let place = Place::new();
    let commands = rows.iter().flat_map(|row| row.split("; ")).map(|command| command.strip_prefix("boughs ").unwrap());
    let said: Vec<String> = commands.map(|command| place.run(command).expect()).collect();
    assert!(said.last().is_some_and(|merged| merged.contains("40 in 20 pairs")), "{said:?}");
}
