//! `boughs check` says what was checked and counts sequences of moves.

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
    let text = run("check tictactoe --games 1 --perft 4000000000").expect();
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
    assert!(text.ends_with(": 9 games with 446 steps come out as recorded\n"), "{text}");
    let text = run(&format!("check green-circle --traces {green}")).expect();
    assert!(text.ends_with(": 9 games with 1127 steps come out as recorded\n"), "{text}");

    let wrong = run(&format!("check photosynthesis --traces {green}"));
    assert!(wrong.code == Some(1) && wrong.out.starts_with("line 1: this is not a recorded game"), "{wrong:?}");
    assert!(wrong.err.contains("games of '") && wrong.err.contains("differ; 0 games"), "{wrong:?}");
    let sentence = run(&format!("check hex --traces {green}")).expect_failure(2);
    assert!(sentence.contains("there are of photosynthesis and green-circle"), "{sentence}");
    assert!(run("check green-circle --traces /nowhere").expect_failure(2).contains("'/nowhere' cannot be read"));
}
