//! `boughs scale --strength` plays games, keeps them, and leaves files that can be read elsewhere.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::common::{Ran, json, run};

/// Six lines of games: two threads at equal playouts, one and four workers, and a yardstick of four.
const SMALL: &str = "tictactoe --iterations 20 --threads 2 --parallel shared --workers 1,4 --loss wu";

/// Plays into a folder.
fn strength(args: &str, out: &Path) -> Ran {
    run(&format!("scale {args} --strength --concurrency 1 --out {}", out.display()))
}

#[test]
fn the_same_command_plays_nothing_twice_and_more_games_only_what_is_missing() {
    let place = tempdir().unwrap();
    let found = |games: u64| json(&strength(&format!("{SMALL} --games {games} --json"), place.path()).expect());
    let (first, again, more) = (found(4), found(4), found(6));
    let played = [&first, &again, &more].map(|report| report["played"].as_u64().unwrap());
    assert_eq!(played, [7 * 4, 0, 7 * 2]);
    assert_eq!(first["lines"], again["lines"]);
    let games = |line: &Value| ["wins", "draws", "losses"].map(|end| line["games"][end].as_u64().unwrap());
    let lines = more["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 8);
    assert!(lines.iter().all(|line| [0, 6].contains(&games(line).iter().sum::<u64>())), "{more}");
}

#[test]
fn a_measurement_leaves_tables_plots_and_the_games() {
    let place = tempdir().unwrap();
    let text = strength(&format!("{SMALL} --games 3"), place.path()).expect();
    assert!(text.contains("--games 3 plays 4 games, because they come in whole pairs"), "{text}");
    for word in ["equal playouts", "Logical workers", "yardstick", "WU-UCT", "win rate", "needs", "games more", "±"] {
        assert!(text.contains(word), "no '{word}' in {text}");
    }
    let read = |name: &str| fs::read_to_string(place.path().join(name)).unwrap();
    assert_eq!(read("strength.csv").lines().count(), 9);
    assert_eq!(json(&read("strength.json"))["lines"].as_array().map(Vec::len), Some(8));
    let page = read("strength.html");
    assert_eq!(page.matches("<svg").count(), 2 * 4, "each plot for a wide and for a narrow page");
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("://") && !page.contains("<script"));
    for name in ["price-win-rate.svg", "price-speed-up.svg", "workers-win-rate.svg", "workers-speed-up.svg"] {
        assert!(text.contains(name) && read(name).starts_with("<svg"), "{name}");
    }
    assert!(place.path().join("games.db").exists());
}

#[test]
fn equal_time_is_a_table_of_its_own() {
    let place = tempdir().unwrap();
    let args = "tictactoe --time 1ms --threads 1 --parallel batched --games 2 --json";
    let found = json(&strength(args, place.path()).expect());
    let kinds: Vec<&str> =
        found["lines"].as_array().unwrap().iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["gain", "yardstick", "yardstick", "yardstick"]);
}

#[test]
fn ranks_alone_are_measured_without_threads_and_workers() {
    let place = tempdir().unwrap();
    let args = "tictactoe --ranks 1,4 --games 2";
    let kinds = |args: &str| -> Vec<(String, u64)> {
        let found = json(&strength(&format!("{args} --json"), place.path()).expect());
        let lines = found["lines"].as_array().unwrap();
        let kind = |line: &Value| (line["kind"].as_str().unwrap().to_string(), line["size"].as_f64().unwrap() as u64);
        lines.iter().map(kind).collect()
    };
    let all = |all: &[(&str, u64)]| all.iter().map(|&(kind, size)| (kind.to_string(), size)).collect::<Vec<_>>();
    let curve = [("yardstick", 0), ("yardstick", 1), ("yardstick", 2), ("yardstick", 4)];
    let alone = [[("ranks", 1), ("ranks", 4)].as_slice(), &curve].concat();
    assert_eq!(kinds(&format!("{args} --iterations 20")), all(&alone));
    // Workers, and the eighth and the quarter that may be as strong as they are.
    let more = [[("workers", 1)].as_slice(), &alone[..2], &[("yardstick", 0); 2], &curve].concat();
    assert_eq!(kinds(&format!("{args} --iterations 20 --workers 1")), all(&more));
    let text = strength(&format!("{args} --iterations 20"), place.path()).expect();
    for words in ["Ranks at equal playouts", "speed-up", "each rank makes as many playouts", "ranks-speed-up.svg"] {
        assert!(text.contains(words), "no '{words}' in {text}");
    }
    assert!(!text.contains("price") && fs::read_to_string(place.path().join("ranks-win-rate.svg")).is_ok());
}

#[test]
fn faults_take_one_sentence() {
    let place = tempdir().unwrap();
    for (args, says) in [
        ("nim:players=3", "name a game for two"),
        ("tictactoe --iterations 0", "at least one playout"),
        ("tictactoe --loss some", "wu or a whole number"),
        ("tictactoe --workers 0", "from 1 to 65536"),
        ("tictactoe --ranks 0", "from 1 to 4096"),
        ("tictactoe --ranks 2 --time 1ms", "give --iterations in place of --time"),
        ("tictactoe --ranks 2 --time 1ms --threads 2", "give --iterations in place of --time"),
        ("tictactoe --ranks 2 --time 1ms --iterations 9", "or both with --threads"),
    ] {
        let sentence = strength(args, place.path()).expect_failure(2);
        assert!(sentence.contains(says), "{args}: {sentence}");
    }
    for args in ["--games 4", "--ranks 4"] {
        let sentence = run(&format!("scale tictactoe {args} --out {}", place.path().display())).expect_failure(2);
        assert!(sentence.contains("--strength"), "{sentence}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_measurement_keeps_its_games() {
    use crate::common::start;
    use crate::interrupt::interrupt_when;
    let place = tempdir().unwrap();
    let out = place.path().display();
    let child = start(&format!("scale {SMALL} --strength --games 1000000 --json --out {out}"));
    let log = place.path().join("games.db-wal");
    let output = interrupt_when(child, |_| fs::metadata(&log).is_ok_and(|log| log.len() > 200_000));
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let found = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(found["interrupted"], true);
    assert!(found["played"].as_u64() > Some(0) && place.path().join("strength.html").exists());
}
