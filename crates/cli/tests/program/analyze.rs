//! `boughs analyze` says which move is best, to people and to programs.

use std::time::Instant;

use boughs_games::{GameEntry, entries};

use crate::common::{json, ran, run};
use crate::process::PATIENCE;

const KEYS: [&str; 20] = [
    "version",
    "game",
    "position",
    "agent",
    "settings",
    "seed",
    "threads",
    "limits",
    "best",
    "children",
    "pv",
    "iterations",
    "inherited",
    "playouts_per_second",
    "depth",
    "bytes",
    "seconds",
    "stop",
    "remark",
    "warnings",
];

#[test]
fn every_game_is_analyzed() {
    for GameEntry { name, bench: [first, ..], .. } in entries() {
        // Moves may stand together, and arguments with spaces cannot be written here.
        let position = format!("--position={}", first.replace(' ', ""));
        let text = run(&format!("analyze {name} {position} --iterations 300 --no-early-stop")).expect();
        let worth = if ["2048", "ahc015", "kuhn"].contains(name) { "score" } else { "win rate" };
        for part in ["move", "playouts", worth, "best", "line", "a second", "depth", "memory", "iterations"] {
            assert!(text.contains(part), "{name}: no '{part}' in {text}");
        }
    }
}

#[test]
fn the_board_stands_above_what_is_said_of_it() {
    let text = run("analyze tictactoe --position 51 --iterations 100").expect();
    let board = text.lines().take_while(|line| !line.contains("playouts")).collect::<Vec<_>>().join("\n");
    assert!(board.to_lowercase().contains('x') && board.to_lowercase().contains('o'), "{text}");
    let text = run("analyze pig --position roll --iterations 100").expect();
    assert!(text.contains("what chance may do: 1 2 3 4 5 6\n"), "{text}");
}

#[test]
fn a_win_in_one_is_found_and_noted() {
    let text = run("analyze connect4 --position 112233 --iterations 2000").expect();
    assert!(text.contains("best      4, wins for certain"), "{text}");
    assert!(text.lines().any(|line| line.starts_with(" 4 ") && line.ends_with("wins for certain")), "{text}");
}

#[test]
fn json_has_exactly_its_keys() {
    let found = json(&run("analyze connect4 --position 112233 --iterations 500 --json").expect());
    let keys = |value: &serde_json::Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let mut expected = KEYS;
    expected.sort_unstable();
    assert_eq!(keys(&found), expected);
    let children = found["children"].as_array().expect("a list");
    assert_eq!(children.len(), 7);
    for child in children {
        // The move that wins ends the game, so nothing is expected after it.
        let is_win = child["action"] == "4";
        let own: &[&str] = if is_win { &["action"] } else { &["action", "line"] };
        assert_eq!(keys(child), [own, &["mean", "playouts", "proven"]].concat());
        assert_eq!(child["proven"] == 1.0, is_win);
    }
    assert_eq!((&found["best"], &found["pv"][0], &found["stop"]), (&"4".into(), &"4".into(), &"decided".into()));
}

#[test]
fn json_says_which_question_it_answers() {
    let line = "analyze hex:size=5 --position b2c3 --agent mcts:c=1.2 --threads 2 --seed 9 --iterations 300 --json";
    let found = json(&run(line).expect());
    for (key, value) in [("game", "hex:size=5"), ("position", "b2 c3"), ("agent", "mcts:c=1.2,threads=2")] {
        assert_eq!(found[key], value, "{found}");
    }
    assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&found["seed"], &found["threads"]), (&9.into(), &2.into()));
    assert_eq!(found["limits"], serde_json::json!({ "time": null, "iterations": 300, "early_stop": true }));
    let settings = found["settings"].as_object().expect("an object");
    assert!(settings["c"] == "1.2" && settings["loss"].is_string() && settings["memory"].is_string(), "{found}");
    let found = json(&run("analyze connect4 --agent flat --no-early-stop --time 5ms --threads 0 --json").expect());
    assert_eq!(found["threads"], boughs::run::cores());
    assert_eq!(found["limits"], serde_json::json!({ "time": 0.005, "iterations": null, "early_stop": false }));
}

#[test]
fn a_search_that_makes_fewer_playouts_says_why_and_how_to_get_all() {
    let line = "analyze connect4 --agent mcts --iterations 3000";
    let found = json(&run(&format!("{line} --json")).expect());
    assert!(found["stop"] == "decided" && found["iterations"].as_u64() < Some(3_000), "{found}");
    assert!(found["remark"].as_str().is_some_and(|remark| remark.contains("--no-early-stop")), "{found}");
    assert!(run(line).expect().contains("--no-early-stop"));
    let found = json(&run(&format!("{line} --no-early-stop --json")).expect());
    assert_eq!((&found["iterations"], &found["remark"]), (&3_000.into(), &serde_json::Value::Null));
}

#[test]
fn every_agent_gives_the_same_kind_of_report() {
    // Matching pennies goes with all of them but expectimax, which needs moves one after the other.
    let report = |agent: &str| {
        let game = if agent == "expectimax" { "pig" } else { "matrix" };
        json(&run(&format!("analyze {game} --agent {agent} --iterations 200 --json")).expect())
    };
    let keys = |report: &serde_json::Value| report.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let mcts = keys(&report("mcts"));
    for agent in boughs_agents::AgentSpec::list().into_iter().filter(|agent| agent.game.is_none()) {
        let found = report(agent.name);
        assert_eq!(keys(&found), mcts, "{}", agent.name);
        // Each of four ranks makes the playouts of the limit.
        let most = if agent.name == "ranks" { 800 } else { 200 };
        assert!(found["best"].is_string() && found["iterations"].as_u64() <= Some(most), "{found}");
    }
    let text = run("analyze othello --agent flat:threads=2 --iterations 500").expect();
    assert!(text.contains("depth     1") && text.contains("ended by  iterations"), "{text}");
}

#[test]
fn the_time_to_read_a_network_does_not_count() {
    let search = "analyze breakthrough --agent mcts:policy=puct,net=built-in --json";
    let begun = Instant::now();
    run(&format!("{search} --iterations 1")).expect();
    // To read it takes longer than this search, also on a busy machine, which may take one search's time away.
    let time = (begun.elapsed() / 4).as_millis();
    let has_playouts = |_| json(&run(&format!("{search} --time {time}ms")).expect())["iterations"].as_u64() > Some(0);
    assert!((0..5).any(has_playouts));
}

#[test]
fn one_thread_finds_the_same_every_time() {
    let timeless = || {
        let mut found = json(&run("analyze othello --iterations 400 --seed 7 --json").expect());
        for key in ["seconds", "playouts_per_second"] {
            found[key] = 0.into();
        }
        found
    };
    assert_eq!(timeless(), timeless());
}

#[test]
fn other_seeds_find_other_numbers() {
    let children = |seed: u32| {
        json(&run(&format!("analyze connect4 --iterations 400 --seed {seed} --json")).expect())["children"].clone()
    };
    assert_ne!(children(1), children(2));
}

#[test]
fn whichever_limit_comes_first_ends_the_search() {
    let stop =
        |args: &str| json(&run(&format!("analyze connect4 --no-early-stop --json {args}")).expect())["stop"].clone();
    assert_eq!(stop("--time 1h --iterations 100"), "iterations");
    assert_eq!(stop("--time 50ms --iterations 18446744073709551615"), "time");
    assert_eq!(stop("--iterations 0"), "iterations");
}

#[test]
fn arguments_override_the_agent() {
    let warnings = |args: &str| {
        json(&run(&format!("analyze connect4 --iterations 3000 --json {args}")).expect())["warnings"].to_string()
    };
    assert!(warnings("--threads 900").contains("900 threads share"));
    assert!(!warnings("--agent mcts:threads=900 --threads 1").contains("threads"));
    assert_eq!(warnings("--threads 0"), "[]");
    assert!(warnings("--memory 10K").contains("used up its memory"));
    assert!(!warnings("--agent mcts:memory=10K --memory 64M").contains("memory"));
}

#[test]
fn a_finished_game_has_no_best_move() {
    let text = run("analyze connect4 --position 1212121").expect();
    assert!(text.contains("none: the game is over"), "{text}");
    assert_eq!(json(&run("analyze connect4 --position 1212121 --json").expect())["best"], serde_json::Value::Null);
}

#[test]
fn many_moves_are_summed_up() {
    let text = run("analyze hex --iterations 500 --no-early-stop").expect();
    assert!(text.contains("and 101 more moves with "), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn by_default_a_search_takes_no_more_memory_than_the_process_may_have() {
    // Under a limit on addresses, in KiB, below the gibibyte that is taken otherwise.
    let program = env!("CARGO_BIN_EXE_boughs");
    for (limit, line) in [
        (600_000, "analyze connect4 --iterations 200 --json"),
        (200_000, "analyze connect4 --iterations 200 --json"),
        (200_000, "analyze connect4 --threads 2 --memory 1G --iterations 200 --json"),
        (120_000, "match connect4 mcts mcts:threads=2 --games 4 --concurrency 1 --iterations 50"),
        (170_000, "match connect4 mcts mcts:threads=2 --games 4 --concurrency 1 --iterations 50"),
        (180_000, "match connect4 mcts mcts:threads=2 --games 4 --concurrency 1 --iterations 50"),
        (200_000, "match connect4 mcts mcts:threads=2 --games 4 --concurrency 1 --iterations 50"),
        (240_000, "match connect4 mcts mcts:threads=2 --games 4 --concurrency 1 --iterations 50"),
        (320_000, "match connect4 mcts mcts:threads=2 --games 4 --concurrency 1 --iterations 50"),
        (1_500_000, "analyze connect4 --threads 64 --iterations 5000 --no-early-stop"),
        (1_500_000, "analyze connect4 --agent mcts:threads=64,parallel=independent --iterations 5000"),
        (1_500_000, "analyze connect4 --agent mcts:threads=64,parallel=batched --iterations 5000"),
        (1_500_000, "analyze connect4 --agent flat:threads=64 --iterations 5000"),
    ] {
        let script = format!("ulimit -v {limit} && exec '{program}' {line}");
        let ran = ran(assert_cmd::Command::new("sh").timeout(PATIENCE).args(["-c", &script]));
        assert_eq!(ran.code, Some(0), "{limit}: {line}: {}", ran.err);
    }
    let script = format!("ulimit -v 200000 && exec '{program}' analyze connect4 --memory 1G --iterations 200");
    let text = ran(assert_cmd::Command::new("sh").timeout(PATIENCE).args(["-c", &script])).out;
    assert!(text.contains("the system gives no 1024 MiB of memory, so the tree has"), "{text}");
}

#[cfg(not(feature = "mpi"))]
#[test]
fn without_mpi_the_program_says_how_to_build_it_with_mpi() {
    for command in ["analyze connect4", "bot connect4", "gtp go"] {
        let fault = run(&format!("{command} --mpi")).expect_failure(2);
        assert!(fault.contains("cargo build --release --features mpi") && fault.contains("docs/CLUSTER.md"), "{fault}");
    }
}

#[test]
fn values_by_an_evaluation_are_not_called_win_rates() {
    for agent in ["exhaustive", "expectimax:depth=2"] {
        let line = format!("analyze othello --agent {agent}");
        let text = run(&line).expect();
        assert!(text.contains("value") && !text.contains("win rate") && !text.contains(" %\n"), "{text}");
        let found = json(&run(&format!("{line} --json")).expect());
        let first = &found["children"][0];
        assert!(first["value"].is_f64() && first["mean"].is_null() && first["action"] == found["best"], "{found}");
    }
    let text = run("analyze photosynthesis --agent greedy").expect();
    assert!(text.contains("without a playout") && !text.contains("0.0 %"), "{text}");
}

#[test]
fn a_search_that_does_not_fit_the_game_says_so() {
    for (line, part) in [
        ("analyze matrix --agent mcts:tree=plain --iterations 300", "choose at the same time"),
        ("analyze connect4 --agent beam --iterations 300", "hold for that draw alone"),
        ("analyze connect4 --agent expectimax:depth=2", "this search tells no moves apart"),
    ] {
        let text = run(line).expect();
        assert!(text.contains("warning") && text.contains(part), "{line}: {text}");
    }
    for line in ["analyze matrix --iterations 300", "analyze ahc015 --agent beam --iterations 300"] {
        let text = run(line).expect();
        assert!(!text.contains("choose at the same time") && !text.contains("that draw alone"), "{line}: {text}");
    }
    // Another move has most playouts, and the move to play stands first.
    let found = json(&run("analyze othello --agent beam --iterations 100 --json").expect());
    let children = found["children"].as_array().unwrap();
    let playouts = |child: &serde_json::Value| child["playouts"].as_u64();
    assert_eq!(children[0]["action"], found["best"], "{found}");
    assert!(children.iter().any(|child| playouts(child) > playouts(&children[0])), "{found}");
}
