//! `boughs bot`.

use std::time::Duration;

use boughs_games::ahc015::Case;

use crate::common::{run, run_with_input, start};

#[test]
fn a_bot_plays_a_game_in_lines_and_keeps_its_tree() {
    let mut bot = start("bot tictactoe --seed 1");
    let mut ask = |lines: &str| {
        bot.write(lines);
        bot.line()
    };
    assert_eq!(ask("game tictactoe\nseat 1 of 2\nplayouts 3000\nnews for later\nready\n"), "ready");
    assert_eq!(ask("moves 1 5 2\nlegal 3 4 6 7 8 9\ngo\n"), "3", "two in a row have to be met");
    assert_eq!(ask("moves 1 5 2 3 4\ngo\n"), "7", "and the diagonal wins");
    assert_eq!(ask("time 300\nmoves 1 4 2 5\ngo\n"), "3", "another game is another game");
    bot.say("end 1 0");
    let out = bot.finish();
    assert!(out.status.success());
    let notes = String::from_utf8(out.stderr).unwrap();
    assert!(notes.starts_with("[PDATA] rollouts = 3000\n"), "{notes}");
}

#[test]
fn a_bot_with_less_time_than_its_usual_margin_answers_after_a_search() {
    let ran = run_with_input("bot connect4", format!("ready\ntime 2\n{}end 1\n", "moves\ngo\n".repeat(40)));
    let notes: Vec<&str> = ran.err.lines().collect();
    assert!(ran.code == Some(0) && notes.len() == 40, "{ran:?}");
    // A machine may be too busy for some of them, and not for all.
    assert!(notes.iter().any(|&note| note != "[PDATA] rollouts = 0"), "{ran:?}");
}

#[test]
fn what_a_bot_cannot_follow_it_names() {
    for (lines, says) in [
        ("moves 9 9\ngo\n", "'9' is not a legal move after '9'"),
        ("time soon\n", "should be a number of milliseconds"),
        ("playouts 0\n", "should be a whole number, 1 or more"),
        ("moves 1 4 2 5 3\ngo\n", "a move was asked for where there is none"),
        ("game hex:size=3\nready\n", "start it by 'boughs bot hex:size=3'"),
    ] {
        let sentence = run_with_input("bot tictactoe", lines).expect_failure(2);
        assert!(sentence.contains(says), "{lines}: {sentence}");
    }
    let sentence = run_with_input("bot hex:size=4", "game hex:size=3\nready\n").expect_failure(2);
    assert!(sentence.contains("the referee plays hex:size=3, and this bot another game or size"), "{sentence}");
    assert_eq!(run_with_input("bot hex:size=11", "game hex\nready\n").expect(), "ready\n");
    assert_eq!(run_with_input("bot hex", "game a-game-of-the-referee\nready\n").expect(), "ready\n");
    assert!(run("bot kuhn").expect_failure(2).contains("in secret"));
}

#[test]
fn a_case_of_ahc015_is_answered_with_a_hundred_tilts_in_the_time_there_is() {
    let case = Case::generate(11);
    for args in ["--agent solution2 --time 0s", "--agent flat --time 300ms", "--time 50ms --threads 2"] {
        let mut bot = start(&format!("bot ahc015 {args}"));
        bot.write(&case.to_string());
        let tilts: Vec<String> = (0..100).map(|_| bot.line()).collect();
        assert!(tilts.iter().all(|tilt| ["F", "B", "L", "R"].contains(&tilt.as_str())), "{args}: {tilts:?}");
        // It is processor time, which a busy machine does not make longer.
        assert!(bot.worked() < Duration::from_millis(1_500), "{args}: {:?}", bot.worked());
        let out = bot.finish();
        assert!(out.status.success() && out.stdout.is_empty(), "{args}: {out:?}");
        let notes = String::from_utf8(out.stderr).unwrap();
        assert_eq!(notes.lines().filter(|line| line.starts_with("[PDATA] rollouts = ")).count(), 100);
    }
}

#[test]
fn what_a_bot_is_told_of_a_case_is_checked() {
    let good = Case::generate(11).to_string();
    let flavours = good.lines().next().unwrap();
    for (lines, code, says) in [
        (String::new(), 2, "the first line should have 100 flavours, and has 0 words"),
        ("1 2 3\n".to_string(), 2, "and has 3 words"),
        (flavours.replacen(['1', '2', '3'], "4", 1), 2, "a flavour should be 1, 2 or 3, not '4'"),
        (format!("{flavours}\n101\n"), 2, "line 2 should be a number from 1 to 100, an empty cell, not '101'"),
        (format!("{flavours}\n-1\n"), 2, "not '-1'"),
        (format!("{flavours}\nx\n"), 2, "not 'x'"),
        (format!("{flavours}\n"), 2, "the input ended after 0 of 100 candies"),
    ] {
        let sentence = run_with_input("bot ahc015 --agent solution2", lines).expect_failure(code);
        assert!(sentence.contains(says), "{sentence}");
    }
    let half: String = good.lines().take(51).map(|line| line.to_string() + "\n").collect();
    let ran = run_with_input("bot ahc015 --agent solution2", half);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(2), 50));
    assert!(ran.err.ends_with("boughs: the input ended after 50 of 100 candies; each is a line with its empty cell\n"));
}

#[test]
fn a_game_of_a_contest_is_also_played_by_the_plain_lines() {
    let lines = "game ahc015\ntime 90\nready\nmoves 3\ngo\nend 1\n";
    let ran = run_with_input("bot ahc015 --agent candy", lines);
    assert!(ran.code == Some(0) && !ran.err.contains("rollouts = 0\n"), "the margin is that of the lines: {ran:?}");
    let ran = run_with_input("bot ahc015 --agent solution2", "game ahc015\nplayouts 5\nready\nmoves 3\ngo\nend 1\n");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines.len() == 2 && lines[0] == "ready" && "FBLR".contains(lines[1]), "{ran:?}");
}
