//! `boughs play` lets a person play the engine, with a keyboard or a pipe.

use crate::common::{games, run_with_input};

#[test]
fn every_game_can_be_played_through_a_pipe() {
    for game in games() {
        for first in ["me", "engine"] {
            // In a game for one player the engine plays alone.
            if ["2048", "ahc015"].contains(&game) && first == "engine" {
                continue;
            }
            let args = format!("play {game} --iterations 50 --first {first}");
            let text = run_with_input(&args, "moves\nhint\nhelp\nno-move\nundo\nquit\n").expect();
            for part in ["hint: ", "what the engine would do", "'no-move' is not a legal move", "no move of yours"] {
                assert!(text.contains(part), "{game}: no '{part}' in {text}");
            }
            // What is chosen in secret is not told.
            let moved = ["engine plays ", "player 1 plays ", "engine has chosen"];
            let has_played = moved.iter().any(|moved| text.contains(moved));
            assert_eq!(has_played, first == "engine", "{text}");
        }
    }
}

#[test]
fn a_game_goes_to_its_end() {
    // After any answer of the engine, some of these are legal at the person's turn.
    let moves = "1\n2\n3\n4\n5\n6\n7\n8\n9\n".repeat(2);
    let text = run_with_input("play tictactoe --iterations 500", moves).expect();
    assert!(text.ends_with("a draw\n") || text.ends_with("the engine wins\n"), "{text}");
}

#[test]
fn the_person_can_win() {
    // An engine without a playout takes the first legal move.
    let text = run_with_input("play connect4 --iterations 0", "2\n2\n2\n2\n").expect();
    assert!(text.ends_with("you win\n"), "{text}");
}

#[test]
fn undo_takes_back_a_whole_round() {
    let text = run_with_input("play connect4 --iterations 100", "4\nundo\n").expect();
    let empty = format!("{} 1 2 3 4 5 6 7\n", " . . . . . . .\n".repeat(6));
    assert_eq!(text.matches(&empty).count(), 2, "{text}");
    assert!(text.ends_with(&empty), "{text}");
}

#[test]
fn the_end_of_input_and_a_wrong_line_are_no_failure() {
    run_with_input("play connect4 --iterations 10", "").expect();
    let text = run_with_input("play connect4 --iterations 10", b"\xff\xfe\n\n  4  \n44\n".to_vec()).expect();
    assert!(text.contains("is not a legal move here") && text.contains("engine plays "), "{text}");
    assert!(text.contains("'44' is 2 moves, and one is wanted"), "{text}");
    // Only a referee does that.
    let text = run_with_input("play photosynthesis:seed=7 --iterations 10", "disqualified\n").expect();
    assert!(text.contains("'disqualified' is not a legal move here"), "{text}");
}

#[test]
fn a_clock_is_for_the_whole_game() {
    let text = run_with_input("play connect4 --clock 500ms", "4\n4\n4\n").expect();
    assert!(text.contains("engine plays ") && !text.contains("used up"), "{text}");
    let text = run_with_input("play connect4 --clock 0s", "4\n").expect();
    assert!(text.contains("the engine has used up its clock"), "{text}");
}

#[test]
fn an_endless_line_is_refused() {
    let ran = run_with_input("play connect4 --iterations 10", "4".repeat(100_000));
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("has more than 4096 bytes"), "{ran:?}");
}
