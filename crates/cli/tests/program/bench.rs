//! `boughs bench` has a checksum that repeats, and speeds.

use crate::common::{games, json, run};

#[test]
fn all_games_have_a_line_and_one_checksum() {
    let found = json(&run("bench --iterations 100 --rounds 1 --json").expect());
    let listed: Vec<&str> =
        found["games"].as_array().expect("a list").iter().filter_map(|line| line["game"].as_str()).collect();
    assert_eq!(listed, games());
    assert_eq!(found["checksum"], json(&run("bench --iterations 100 --rounds 1 --json").expect())["checksum"]);
    assert_ne!(found["checksum"], json(&run("bench --iterations 101 --rounds 1 --json").expect())["checksum"]);
}

#[test]
fn one_game_can_be_measured() {
    let text = run("bench tictactoe --iterations 500").expect();
    for part in ["playouts/s", "roof", "share", "bytes/playout", "release ms", "return ms", "medians of 3", "checksum "]
    {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
    let found = json(&run("bench connect4 --iterations 500 --json").expect());
    for key in ["playouts_per_second", "roof", "share", "bytes_per_playout"] {
        assert!(found["games"][0][key].as_f64().is_some_and(|value| value > 0.0), "{key} in {found}");
    }
}

#[test]
fn threads_in_one_tree_have_no_checksum_but_batches_have() {
    let checksum = |args: &str| {
        json(&run(&format!("bench tictactoe --iterations 200 --json {args}")).expect())["checksum"].clone()
    };
    assert!(checksum("--threads 2").is_null());
    assert!(run("bench tictactoe --iterations 200 --threads 2").expect().contains("no checksum"));
    let batched = checksum("--agent mcts:parallel=batched");
    assert!(batched.is_string());
    assert_eq!(checksum("--agent mcts:parallel=batched --threads 2"), batched);
}
