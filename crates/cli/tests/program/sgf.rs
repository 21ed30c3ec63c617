//! Games as SGF: written by matches, read by analyses and by GTP.

use crate::common::{boughs, json, ran, run, run_with_input};

#[test]
fn games_of_a_match_are_written_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let (path, store) = (path.to_str().unwrap(), folder.path().join("games.db"));
    let store = store.to_str().unwrap();
    let args =
        ["--games", "2", "--iterations", "20", "--openings", "random:2", "--sgf", path, "--store", store, "--json"];
    json(&ran(boughs().args(["match", "go:size=5,komi=2.5", "mcts:c=0.5", "flat"]).args(args)).expect());
    for number in 0..2 {
        let file = format!("{path}/game-{number}.sgf");
        let text = std::fs::read_to_string(&file).unwrap();
        let names = ["PB[mcts:c=0.5]PW[flat]", "PB[flat]PW[mcts:c=0.5]"][number];
        assert!(text.starts_with("(;FF[4]GM[1]") && text.contains("SZ[5]") && text.contains("KM[2.5]"), "{text}");
        assert!(text.contains(names), "{text}");
        let result = text.split("RE[").nth(1).unwrap().split(']').next().unwrap();
        let lines = ["final_score".to_string(), format!("loadsgf {file} 4"), "gogui-rules_side_to_move".to_string()];
        let lines = format!("loadsgf {file}\n{}\n{}", lines.join("\n"), "undo\n".repeat(4));
        let said = run_with_input("gtp go", lines).expect();
        assert_eq!(said, format!("=\n\n= {result}\n\n=\n\n= white\n\n=\n\n=\n\n=\n\n? cannot undo\n\n"), "{text}");
    }
}

#[test]
fn a_position_of_a_file_is_searched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hex.sgf");
    std::fs::write(&path, "(;GM[11]SZ[3];B[a1];W[b2])").unwrap();
    let file = path.to_str().unwrap();
    let args = ["--position-file", file, "--iterations", "200", "--json"];
    let searched = json(&ran(boughs().args(["analyze", "hex"]).args(args)).expect());
    let named = json(&run("analyze hex:size=3 --position a1b2 --iterations 200 --json").expect());
    assert_eq!(searched["children"], named["children"]);
    let sentence = ran(boughs().args(["analyze", "go"]).args(args)).expect_failure(2);
    assert!(sentence.ends_with("the file has the game GM[11], and go is GM[1]"), "{sentence}");
    let sentence = run("analyze go --position-file /does/not/exist.sgf").expect_failure(2);
    assert!(sentence.starts_with("'/does/not/exist.sgf': No such file"), "{sentence}");
    let said = run_with_input("gtp hex", "loadsgf /does/not/exist.sgf\nloadsgf\n").expect();
    assert!(
        said.starts_with("? cannot load file: '/does/not/exist.sgf'") && said.ends_with("? syntax error\n\n"),
        "{said}"
    );
}

#[test]
fn only_games_of_the_format_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["match", "connect4", "flat", "random", "--games", "2", "--sgf", folder.path().to_str().unwrap()];
    let sentence = ran(boughs().args(args)).expect_failure(2);
    assert!(sentence.starts_with("SGF is for go, hex and othello"), "{sentence}");
}
