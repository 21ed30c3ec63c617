//! `boughs check` tells the checks it made and counts sequences of moves.

use crate::common::{games, json, run};

#[test]
fn every_game_passes() {
    for game in games() {
        let text = run(&format!("check {game} --games 2")).expect();
        assert!(text.starts_with(&format!("{game} is as it should be: 2 random games")), "{text}");
    }
}

#[test]
fn perft_counts_every_depth_until_no_game_is_longer() {
    let text = run("check tictactoe --games 1 --perft 64").expect();
    let counts: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("perft"))
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    assert_eq!(counts, ["9", "72", "504", "3,024", "15,120", "54,720", "148,176", "200,448", "127,872", "0"]);
}

#[test]
fn json_says_the_same() {
    let found = json(&run("check connect4 --games 3 --seed 5 --perft 3 --json").expect());
    assert_eq!((&found["game"], &found["games"], found["fault"].is_null()), (&"connect4".into(), &3.into(), true));
    assert_eq!(found["perft"][2]["depth"], 3);
    assert_eq!(found["perft"][2]["sequences"], 343);
}

#[test]
fn recorded_games_come_out_or_their_first_difference_is_named() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../traces/fixtures");
    let [photosynthesis, green] = ["photosynthesis", "green-circle"].map(|name| format!("{fixtures}/{name}.jsonl.gz"));
    let text = run(&format!("check photosynthesis --traces {photosynthesis}")).expect();
    assert!(text.ends_with(": 9 games with 446 steps came out as recorded\n"), "{text}");
    let text = run(&format!("check green-circle --traces {green}")).expect();
    assert!(text.ends_with(": 9 games with 1127 steps came out as recorded\n"), "{text}");

    for (game, file) in [("photosynthesis", &green), ("green-circle", &photosynthesis)] {
        let sentence = run(&format!("check {game} --traces {file}")).expect_failure(2);
        assert!(sentence.contains("line 1 is not of such a recording ("), "{sentence}");
    }
    assert!(run("check photosynthesis --traces /dev/null").expect_failure(2).contains("there is nothing in the file"));
    let sentence = run(&format!("check hex --traces {green}")).expect_failure(2);
    assert!(sentence.contains("there are of photosynthesis and green-circle"), "{sentence}");
    assert!(run("check green-circle --traces /nowhere").expect_failure(2).contains("'/nowhere' cannot be read"));
}

#[test]
fn maps_come_out_as_recorded_or_are_named() {
    let boards = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/tests/photosynthesis_boards.csv");
    let text = run(&format!("check photosynthesis --boards {boards}")).expect();
    assert!(text.ends_with(": 48 maps came out as recorded\n"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let changed = folder.path().join("boards.csv");
    let recorded = std::fs::read_to_string(boards).unwrap();
    let line = recorded.lines().nth(1).unwrap();
    std::fs::write(&changed, recorded.replacen(line, &line.replacen(",3", ",2", 1), 1)).unwrap();
    let ran = run(&format!("check photosynthesis --boards {}", changed.display()));
    assert!(
        ran.code == Some(1) && ran.out.contains("line 2, the map of seed ") && ran.out.lines().count() == 1,
        "{ran:?}"
    );
    assert!(run(&format!("check hex --boards {boards}")).expect_failure(2).contains("no recorded maps of 'hex'"));
    let none = run(&format!("check green-circle --boards {boards}")).expect_failure(2);
    assert!(none.contains("no recorded maps of 'green-circle'; there are of photosynthesis"), "{none}");
}
