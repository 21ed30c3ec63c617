//! The program as a whole, with tiny searches.

use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;

fn compare(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boughs-compare"));
    command.timeout(Duration::from_secs(300)).args(args.split(' '));
    command
}

#[test]
fn every_engine_has_its_rows_on_paper_and_in_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("all.json");
    let output = compare("--iterations 400 --case connect4:1,othello:1 --rounds 2 --json").arg(&file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("connect4:400\n") && text.contains("othello:400\n"), "{text}");

    let json: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    // Six engines and the roof; all but one of them have threads.
    assert_eq!(json["runs"].as_array().map(Vec::len), Some(2 * 2 * (7 + 6)));
    assert_eq!((&json["rounds_done"], &json["failures"]), (&2.into(), &Value::Array(Vec::new())));
    assert!(json["machine"]["cores"].as_u64() > Some(0) && json["command"][1] == "--iterations");
    for summary in json["summaries"].as_array().unwrap() {
        let rows = summary["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 7 + 6);
        for row in rows.iter().filter(|row| row["role"] != "roof") {
            assert!(row["of_roof"]["median"].as_f64() > Some(0.0) && row["games"].as_f64() >= Some(0.9), "{row}");
        }
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "only the file is left");
}

#[test]
fn another_build_has_rows_with_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("all.json");
    let against = format!("--against before={}", env!("CARGO_BIN_EXE_boughs-compare"));
    let cases = "connect4:400,hex:20,go:20,breakthrough:20";
    let mut command = compare(&format!("{against} --only boughs --threads 1,2 --case {cases} --rounds 2 --json"));
    let output = command.arg(&file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("of other") && text.contains("\nbefore         boughs as "), "{text}");

    let json: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(json["summaries"].as_array().map(Vec::len), Some(4));
    for summary in json["summaries"].as_array().unwrap() {
        let rows: Vec<&Value> = summary["rows"].as_array().unwrap().iter().collect();
        let names: Vec<_> =
            rows.iter().map(|row| (row["engine"].as_str().unwrap(), row["threads"].as_u64().unwrap())).collect();
        assert_eq!(names, [1, 2].map(|n| ["roof", "boughs", "before"].map(|name| (name, n))).concat());
        for row in rows.iter().filter(|row| row["role"] != "roof") {
            assert!(row["of_other"]["median"].as_f64() > Some(0.0), "{row}");
            assert_eq!(row["runs"], 2);
        }
    }
}

#[test]
fn a_program_of_another_kind_is_found_out_before_anything_runs() {
    let tests = std::env::current_exe().expect("the program of these tests");
    let output = compare("--only boughs --against").arg(format!("before={}", tests.display())).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{said}");
    assert!(said.contains("--against, before cannot run connect4: exit status: "), "{said}");
}

#[test]
fn what_is_wrong_is_said_before_anything_runs() {
    for (args, words) in [
        ("--only stockfish", "there is no engine 'stockfish'; the engines are roof, boughs"),
        ("--case chess:1k", "'chess' is not compared; the games are connect4, othello, hex, go, breakthrough"),
        ("--case connect4", "such as connect4:500k"),
        ("--against boughs=Cargo.toml", "'boughs' is the name of another engine"),
        ("--threads 0", "1..=1024"),
        ("--rounds 0", "--rounds"),
        ("--json /nowhere/at/all.json", "/nowhere/at/all.json cannot be written"),
    ] {
        let output = compare(args).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{args}: {said}");
        assert!(said.contains(words), "{args}: {said}");
    }
}

#[test]
fn help_has_an_example() {
    let output = compare("--help").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("cargo run --release -p boughs-compare") && text.contains("minimax"), "{text}");
    assert!(text.contains("--against d335818=") && text.contains("git worktree add"), "{text}");
    assert!(!text.contains("--run ") && !text.contains("--count"), "{text}");
}
