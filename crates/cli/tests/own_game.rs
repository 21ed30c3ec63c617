//! A user's own game gets the whole program: the example `stones` is a crate's `main.rs` with one game of its own. The
//! example `oddities` has games that only these tests need.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;

/// The program of an example, which cargo builds with the tests of the package.
fn program(example: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_boughs")).parent().unwrap().join("examples");
    let program = folder.join(format!("{example}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "build it with: cargo build -p boughs-cli --examples");
    program
}

fn command(example: &str, args: &str) -> Command {
    let mut command = Command::new(program(example));
    command.timeout(Duration::from_secs(300)).args(args.split_whitespace());
    command
}

fn stones(args: &str) -> Command {
    command("stones", args)
}

/// Runs the program, which must not fail, and returns its standard output.
fn run(args: &str, input: &str) -> String {
    output(stones(args).write_stdin(input))
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &str) -> Value {
    serde_json::from_str(&run(args, "")).unwrap()
}

#[test]
fn it_is_listed_under_the_name_of_the_program() {
    assert!(run("games", "").contains("stones\n  take one to three stones in turn"));
    let help = run("analyze --help", "");
    assert!(help.contains("green-circle, stones"), "{help}");
    assert!(help.contains("Usage: stones analyze") && help.contains("'stones agents'"), "{help}");
    assert!(!help.contains("boughs "), "{help}");
}

#[test]
fn it_is_analyzed() {
    // A player who leaves a multiple of four wins, so of 6 stones 2 are taken.
    let report = json("analyze stones:stones=9 --position 3 --iterations 20000 --agent mcts:solver=on --json");
    assert_eq!(report["best"], "2", "{report}");
    let text = run("analyze stones --iterations 500 --tree 1", "");
    assert!(text.starts_with("21 stones\n") && text.contains("win rate"), "{text}");
}

#[test]
fn it_is_played_against_a_person() {
    let text = run("play stones:stones=4 --iterations 2000", "1\n");
    assert!(text.contains("engine plays 3") && text.ends_with("the engine wins\n"), "{text}");
}

#[test]
fn matches_tournaments_and_tuning_play_it() {
    let report = json("match stones mcts flat --iterations 100 --games 8 --openings random:2 --json");
    assert_eq!(report["game"], "stones");
    assert!(report["command"].as_str().unwrap().starts_with("stones match stones mcts flat"), "{report}");
    let report = json("tournament stones mcts flat random --iterations 50 --rounds 2 --openings random:2 --json");
    assert_eq!(report["contestants"].as_array().map(Vec::len), Some(3));
    let report = json("tune stones mcts --param c=0.5|2 --iterations 20 --rounds 2 --most-rounds 4 --json");
    assert!(!report["tried"].as_array().unwrap().is_empty(), "{report}");
}

#[test]
fn a_page_shows_its_games() {
    let place = tempfile::tempdir().unwrap();
    let page = place.path().join("page.html");
    run(&format!("match stones mcts flat --iterations 20 --games 2 --html {}", page.display()), "");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("stones") && page.contains("21 stones"), "{page}");
}

#[test]
fn a_bot_answers_by_the_plain_lines() {
    let answers = run("bot stones:stones=7", "game stones\nplayouts 3000\nready\nmoves\ngo\nend\n");
    assert_eq!(answers, "ready\n3\n", "four stones are left");
}

#[test]
fn its_rules_are_checked() {
    let text = run("check stones --games 20 --perft 3", "");
    assert!(text.starts_with("stones is as it should be") && text.contains(" 27  "), "{text}");
}

#[test]
fn its_scaling_and_its_strength_are_measured() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().display();
    let text = run(&format!("scale stones --threads 1,2 --iterations 200 --rounds 2 --out {folder}"), "");
    assert!(text.contains("speed-up") && place.path().join("scale.html").exists(), "{text}");
    let args = "--strength --games 2 --iterations 50 --threads 1 --parallel shared --workers 1 --loss 1";
    run(&format!("scale stones {args} --out {folder}"), "");
    assert!(place.path().join("strength.html").exists() && place.path().join("games.db").exists());
}

#[test]
fn it_is_benched_and_stressed() {
    assert_eq!(json("bench stones --iterations 100 --rounds 1 --json")["games"][0]["game"], "stones");
    assert!(run("stress stones --time 5ms --moves 5 --memory 16M", "").contains("overrun"));
}

#[test]
fn a_recorded_search_is_replayed() {
    let place = tempfile::tempdir().unwrap();
    let log = place.path().join("log");
    run(&format!("analyze stones --iterations 300 --record {}", log.display()), "");
    let text = run(&format!("replay --log {}", log.display()), "");
    assert!(text.contains("300 playouts of stones followed the rules"), "{text}");
}

#[test]
fn its_faults_are_told_under_the_name_of_the_program() {
    let output = stones("analyze stones:stones=0").output().unwrap();
    let fault = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(fault.starts_with("stones: ") && fault.contains("stones must be a number from 1 to 200"), "{fault}");
}

/// Plays the game in which the last of the players decides if all share, and returns the output.
fn share(args: &str, input: &str) -> String {
    let output = command("oddities", &format!("play {args} --iterations 200")).write_stdin(input).output().unwrap();
    assert!(output.status.success(), "{args}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_game_for_one_is_played_by_the_person_or_by_the_engine() {
    let own = share("sharing:players=1", "0\n");
    assert!(own.ends_with("player 1 gets 100.0 %\n") && !own.contains("engine plays "), "{own}");
    let alone = share("sharing:players=1 --first engine", "");
    assert!(alone.contains("engine plays ") && alone.ends_with("player 1 gets 100.0 %\n"), "{alone}");
}

#[test]
fn the_engine_plays_all_the_others() {
    let shown = share("sharing:players=3 --first engine", "1\n");
    assert!(shown.contains("player 1 plays ") && shown.contains("player 3 plays 0 "), "{shown}");
    assert!(shown.ends_with("player 1 gets 0.0 %\nplayer 2 gets 0.0 %\nplayer 3 gets 100.0 %\n"), "{shown}");
}

#[test]
fn there_is_nothing_to_take_back_at_first() {
    let shown = share("sharing", "undo\n1\n");
    assert!(shown.contains("no move of yours") && shown.ends_with("the engine wins\n"), "{shown}");
}

#[test]
fn a_broken_promise_is_a_failed_check_that_names_the_moves() {
    let sentence = "after 7: player 0's reward is 2, outside 0..=1";
    let output = command("oddities", "check generous --games 3 --perft 2 --seed 1").output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("oddities: generous is wrong {sentence}\n"));
    let output = command("oddities", "check generous --json").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(r#""fault":{"moves":"7","what":"player 0's reward is 2"#), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_search_goes_by_the_evaluator_of_an_own_game() {
    let analyze = |args: &str| command("oddities", &format!("analyze {args} --iterations 50")).output().unwrap();
    let [with, without] = ["eval=on,memory=1M", "memory=1M"].map(|keys| analyze(&format!("row --agent mcts:{keys}")));
    assert!(with.status.success() && with.stdout != without.stdout, "{with:?}");
    let text = String::from_utf8(analyze("sharing --agent mcts:eval=on").stderr).unwrap();
    assert!(text.contains("this game brings no evaluator, and eval=on needs one"), "{text}");
}

#[test]
fn a_network_is_learned_of_a_board_that_the_game_declares() {
    let place = tempfile::tempdir().unwrap();
    let learn = |example: &str, game: &str| {
        let args = format!("learn {game} --games 256 --out {}/{game}.net", place.path().display());
        command(example, &args).output().unwrap()
    };
    let learned = learn("oddities", "row");
    assert!(learned.status.success(), "{learned:?}");
    let agent = format!("mcts:policy=puct,net={}/row.net", place.path().display());
    let text = output(&mut command("oddities", &format!("analyze row --agent {agent} --iterations 50")));
    assert!(text.contains("win rate"), "{text}");
    let refused = learn("stones", "stones");
    assert_eq!(refused.status.code(), Some(2));
    let sentence = "stones: stones: this game has no board of cells, so it has no networks; a game of your own has \
                    one by NamedGame::grid, or by cells_shape and cells\n";
    assert_eq!(String::from_utf8(refused.stderr).unwrap(), sentence);
}
