//! Tests of the rules of Yavalath.

use super::*;
use boughs::notation::{legal_moves, play_moves};

fn after(size: u8, players: usize, moves: &str) -> Yavalath {
    let mut game = Yavalath::new(size, players).expect("a board");
    play_moves(&mut game, moves).expect(moves);
    game
}

fn rewards(game: &Yavalath) -> Vec<f64> {
    assert_eq!(game.turn(), Turn::Over, "\n{}", game.board());
    (0..game.players()).map(|player| game.reward(player)).collect()
}

fn texts(game: &Yavalath) -> Vec<String> {
    legal_moves(game).into_iter().map(|(_, text)| text).collect()
}

#[test]
fn four_in_a_line_win_in_every_direction() {
    // Along a row, down to the right, and down to the left, each filled in the middle.
    for moves in ["e4 a1 e5 a2 e7 a4 e6", "c3 a1 d4 a2 f5 a4 e5", "c5 a1 d5 a2 f4 a4 e5"] {
        assert_eq!(rewards(&after(5, 2, moves)), [1.0, 0.0], "{moves}");
    }
}

#[test]
fn three_in_a_line_lose() {
    for moves in ["e4 a1 e5 a2 e6", "c3 a1 d4 a2 e5", "c5 a1 d5 a2 e5"] {
        assert_eq!(rewards(&after(5, 2, moves)), [0.0, 1.0], "{moves}");
    }
    assert_eq!(rewards(&after(5, 2, "a1 e4 a2 e5 a4 e6")), [1.0, 0.0]);
}

#[test]
fn a_stone_that_makes_three_and_four_wins() {
    let game = after(5, 2, "e4 a1 e5 a2 e7 a4 c4 a5 d5 b1 e6");
    assert_eq!(rewards(&game), [1.0, 0.0], "\n{}", game.board());
}

#[test]
fn five_in_a_line_win_too() {
    assert_eq!(rewards(&after(5, 2, "e3 a1 e4 a2 e6 a4 e7 a5 e5")), [1.0, 0.0]);
}

#[test]
fn of_three_players_who_makes_three_is_out_and_the_others_play_on() {
    let mut game = after(5, 3, "e4 a1 i1 e5 a2 i2 e6");
    assert_eq!(game.turn(), Turn::Player(1));
    play_moves(&mut game, "c1 c3").expect("two stones");
    assert_eq!(game.turn(), Turn::Player(1), "the first is passed over");
    assert!(game.board().ends_with("X is out\n"));
}

#[test]
fn the_last_player_who_is_not_out_wins() {
    assert_eq!(rewards(&after(5, 3, "e4 a1 i1 e5 a2 i2 e6 a3")), [0.0, 0.0, 1.0]);
    assert_eq!(rewards(&after(5, 3, "e4 a1 i1 e5 a2 i2 e6 c1 i3")), [0.0, 1.0, 0.0]);
}

#[test]
fn of_three_players_each_stops_the_next_one_from_winning() {
    // The second player threatens to fill a3.
    let game = after(5, 3, "e1 a1 i1 e3 a2 i3 e6 a4 i5");
    assert_eq!(texts(&game), ["a3"]);
    assert_eq!(legal_moves(&after(5, 2, "e1 a1 e3 a2 e6 a4")).len(), 61 - 6, "of two players neither has to");
}

/// The first player can make four on e2 and on e5, the second on a3, and the third is to move.
const THREATS: &str = "e1 a1 i1 e3 a2 i3 e6 c1 c3 e4 a4";

#[test]
fn who_cannot_stop_the_next_player_may_go_anywhere() {
    assert_eq!(texts(&after(5, 3, THREATS)).len(), 61 - 11);
}

#[test]
fn a_player_may_win_instead_of_stopping_another() {
    let mut game = after(5, 3, THREATS);
    play_moves(&mut game, "i5").expect("an empty cell");
    assert_eq!(texts(&game), ["a3", "e2", "e5"]);
}

#[test]
fn a_full_board_is_shared_by_all_who_are_not_out() {
    let two = "b4 a1 b3 a3 c2 d2 c5 e3 d1 d4 d3 e2 c3 c1 e1 b2 a2 c4 b1";
    assert_eq!(rewards(&after(3, 2, two)), [0.5, 0.5]);
    let three = "c5 b4 d3 d2 c3 c4 e1 d4 e3 d1 e2 c1 b2 c2 a3 a1 b1 a2 b3";
    assert_eq!(rewards(&after(3, 3, three)), [1.0 / 3.0; 3]);
    let without_third = "a3 d1 c2 a1 d2 e5 c6 b2 g3 c1 a4 a2 c5 c4 b4 e1 d4 f5 d3 f2 e6 e3 f1 b3 c3 d5 f3 d6 g1 \
                         e2 f4 b1 g2 g4 d7 e4 b5";
    assert_eq!(rewards(&after(4, 3, without_third)), [0.5, 0.5, 0.0]);
}

#[test]
fn random_actions_end_with_the_board() {
    let full = after(3, 2, "b4 a1 b3 a3 c2 d2 c5 e3 d1 d4 d3 e2 c3 c1 e1 b2 a2 c4 b1");
    assert_eq!(full.random_action(&mut Rng::new(1, 0), &mut Vec::new()), None);
}

#[test]
fn the_board_is_a_hexagon() {
    let expected = "  a X . .\n b . . . .\nc . . O . .\n d . . . .\n  e . . X\n";
    assert_eq!(after(3, 2, "a1 c3 e3").board(), expected);
}

#[test]
fn boards_have_three_to_six_cells_a_side_and_two_or_three_players() {
    assert!([(2, 2), (7, 2), (5, 1), (5, 4)].iter().all(|&(size, players)| Yavalath::new(size, players).is_none()));
    assert!((3..=6).all(|size| (2..=3).all(|players| Yavalath::new(size, players).is_some())));
}
