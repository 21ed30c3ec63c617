//! `boughs bot`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::common::{run, run_with_input};

#[test]
fn a_bot_plays_a_game_in_lines_and_keeps_its_tree() {
    let mut bot = Command::new(env!("CARGO_BIN_EXE_boughs"))
        .args(["bot", "tictactoe", "--seed", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (bot.stdin.take().unwrap(), BufReader::new(bot.stdout.take().unwrap()));
    let mut ask = |lines: &str| {
        input.write_all(lines.as_bytes()).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        answer.trim().to_string()
    };
    assert_eq!(ask("game tictactoe\nseat 1 of 2\nplayouts 3000\nnews for later\nready\n"), "ready");
    assert_eq!(ask("moves 1 5 2\nlegal 3 4 6 7 8 9\ngo\n"), "3", "two in a row have to be met");
    assert_eq!(ask("moves 1 5 2 3 4\ngo\n"), "7", "and the diagonal wins");
    assert_eq!(ask("time 300\nmoves 1 4 2 5\ngo\n"), "3", "another game is another game");
    input_ends(input);
    let out = bot.wait_with_output().unwrap();
    assert!(out.status.success());
    let notes = String::from_utf8(out.stderr).unwrap();
    assert!(notes.starts_with("[PDATA] rollouts = 3000\n"), "{notes}");
}

fn input_ends(mut input: impl Write) {
    input.write_all(b"end 1 0\n").unwrap();
}

#[test]
fn what_a_bot_cannot_follow_it_names() {
    for (lines, says) in [
        ("moves 9 9\ngo\n", "'9' is not a legal move after '9'"),
        ("time soon\n", "should be a number of milliseconds"),
        ("playouts 0\n", "should be a whole number, 1 or more"),
        ("moves 1 4 2 5 3\ngo\n", "a move was asked for where there is none"),
    ] {
        let sentence = run_with_input("bot tictactoe", lines).expect_failure(2);
        assert!(sentence.contains(says), "{lines}: {sentence}");
    }
    assert!(run("bot kuhn").expect_failure(2).contains("in secret"));
}
