//! `--html`: the page of a match has its numbers and every game, and loads nothing.

use std::fs;

use tempfile::tempdir;

use crate::common::run;

#[test]
fn the_page_has_every_game_and_needs_nothing_else() {
    let folder = tempdir().unwrap();
    for command in ["match tictactoe mcts flat --games 6", "tournament tictactoe mcts flat mcts:c=3 --rounds 2"] {
        let page = folder.path().join("page.html");
        run(&format!("{command} --iterations 20 --openings random:2 --html {}", page.display())).expect();
        let text = fs::read_to_string(&page).unwrap();
        assert!(text.starts_with("<!DOCTYPE html>") && text.trim_end().ends_with("</html>"), "{command}");
        assert!(text.contains("boughs ") && text.contains("mcts") && text.contains("flat"), "{command}");
        for loads in ["src=\"http", "href=\"http", "url(http", "@import"] {
            assert!(!text.contains(loads), "{command}: {loads}");
        }
    }
}

#[test]
fn a_page_that_cannot_be_written_is_noticed_before_the_first_game() {
    let folder = tempdir().unwrap();
    let sentence = run(&format!("match tictactoe mcts flat --games 1000000 --html {}", folder.path().display()));
    assert!(sentence.expect_failure(2).contains("cannot be written: it is a folder"));
}
