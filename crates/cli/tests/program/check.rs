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
