//! Tests of the rules of Go.

use super::*;
use boughs::notation::{find_move, legal_moves, play_moves};

fn after(size: u8, moves: &str) -> Go {
    let mut game = Go::new(size, 14).expect("a size within the range");
    play_moves(&mut game, moves).expect(moves);
    game
}

/// The board of a picture: rows from the top, separated by spaces, with X for the player to move and O for the other.
pub(super) fn drawn(picture: &str) -> Board<u128> {
    let rows: Vec<&str> = picture.split(' ').rev().collect();
    let mut board = Board::<u128>::new(rows.len() as u8);
    for (row, letters) in rows.iter().enumerate() {
        for (column, letter) in letters.chars().enumerate() {
            let at = u128::point(row as u8, column as u8);
            match letter {
                'X' => {
                    board.place(at);
                    board.pass();
                }
                'O' => {
                    board.pass();
                    board.place(at);
                }
                _ => {}
            }
        }
    }
    let stones = picture.chars().filter(|letter| "XO".contains(*letter)).count();
    assert_eq!((board.mine | board.theirs).count() as usize, stones, "captured while drawn: {picture}");
    board
}

/// The point of a text such as a1.
pub(super) fn set(text: &str) -> u16 {
    let column = (0..u128::MAX_SIZE).find(|&column| text.starts_with(letter(column))).expect(text);
    u128::point(text[1..].parse::<u8>().expect(text) - 1, column)
}

/// The texts of points.
pub(super) fn points(points: u128) -> String {
    points.each().map(|point| Go::default().action_text(Move::on(point))).collect::<Vec<_>>().join(" ")
}

/// Plays random games on boards of some sizes and shows every position with the point of the last move.
pub(super) fn random_games(sizes: &[u8], games: u64, mut see: impl FnMut(&Go, Option<u16>)) {
    for (&size, stream) in sizes.iter().flat_map(|size| (0..games).map(move |stream| (size, stream))) {
        let (mut game, mut rng) = (Go::new(size, 14).expect("a size"), Rng::new(1, stream));
        while game.turn() != Turn::Over {
            see(&game, (!game.last.is_pass()).then_some(game.last.point));
            let action = game.random_action(&mut rng, &mut Vec::new()).expect("a move or a pass");
            game.apply(action);
        }
    }
}

fn is_legal(game: &Go, text: &str) -> bool {
    find_move(game, text).is_some()
}

#[test]
fn a_chain_without_liberties_is_captured() {
    let game = after(4, "a2 a1 b2 b1");
    assert_eq!(game.board(), "  a b c d\n4 . . . .\n3 . . . .\n2 X X . .\n1 O O . .\n");
    let game = after(4, "a2 a1 b2 b1 c1");
    assert_eq!(game.board(), "  a b c d\n4 . . . .\n3 . . . .\n2 X X . .\n1 . . X .\n");
}

#[test]
fn a_ko_is_not_retaken_at_once() {
    let mut game = after(5, "b1 c1 a2 d2 b3 c3 c2 b2");
    assert_eq!(game.board(), "  a b c d e\n5 . . . . .\n4 . . . . .\n3 . X O . .\n2 X O . O .\n1 . X O . .\n");
    assert!(!is_legal(&game, "c2"));
    play_moves(&mut game, "e5 e4 c2").expect("allowed after an exchange elsewhere");
}

#[test]
fn a_stone_needs_a_liberty_unless_it_captures() {
    assert!(!is_legal(&after(3, "b1 c3 a2"), "a1"));
    assert!(!is_legal(&after(3, "b1 c1 a2 b2 c3 a3"), "a1"));
    assert!(is_legal(&after(3, "b1 c1 a2 b2 c3 a3 pass"), "a1"));
}

#[test]
fn two_passes_in_a_row_end_the_game_and_komi_decides_or_draws() {
    let rewards = |half_points, moves: &str| {
        let mut game = Go::new(3, half_points).expect("a size");
        play_moves(&mut game, moves).expect(moves);
        assert_eq!(game.turn(), Turn::Over);
        [game.reward(0), game.reward(1)]
    };
    assert_eq!(rewards(17, "b2 pass pass"), [1.0, 0.0]);
    assert_eq!(rewards(18, "b2 pass pass"), [0.5, 0.5]);
    assert_eq!(rewards(19, "b2 pass pass"), [0.0, 1.0]);
    assert_eq!(rewards(0, "pass pass"), [0.5, 0.5]);
    assert_eq!(after(3, "pass b2 pass").turn(), Turn::Player(1));
}

#[test]
fn empty_points_count_for_who_alone_reaches_them() {
    let game = after(5, "b1 d1 b2 d2 b3 d3 b4 d4 b5 d5");
    assert_eq!((game.area(), game.turn()), ([10, 10], Turn::Player(0)));
    let mut game = game;
    play_moves(&mut game, "c1").expect("an empty point");
    assert_eq!(game.area(), [11, 10]);
}

#[test]
fn playouts_pass_only_when_nothing_but_own_eyes_is_left() {
    let mut game = after(3, "a2 pass b1 pass b2 pass b3 pass");
    let playout = |game: &Go| {
        let mut actions = Vec::new();
        game.playout_actions(&mut actions);
        actions.into_iter().map(|action| game.action_text(action)).collect::<Vec<_>>()
    };
    assert_eq!(playout(&game), ["c1", "c2", "c3"]);
    play_moves(&mut game, "c2 pass").expect("legal moves");
    assert_eq!(playout(&game), ["pass"]);
    assert_eq!(game.random_action(&mut Rng::new(1, 0), &mut Vec::new()), Some(Move::pass()));
    assert_eq!(legal_moves(&game).len(), 5);
}

#[test]
fn sizes_are_from_2_to_9() {
    assert!([0, 1, 10, 255].iter().all(|&size| Go::new(size, 14).is_none()));
    assert!((2..=9).all(|size| Go::new(size, 14).is_some()));
}

#[test]
fn sets_of_both_kinds_agree_on_every_point_of_random_games() {
    fn same(small: u128, large: Large) -> bool {
        let name = |(row, column): (u8, u8)| format!("{}{row}", letter(column));
        let small = small.each().map(|point| name(u128::row_and_column(point)));
        small.eq(large.each().map(|point| name(Large::row_and_column(point))))
    }
    for stream in 0..10 {
        let (mut small, mut rng) = (Go::new(9, 14).expect("a size"), Rng::new(8, stream));
        let mut large = LargeGo::large(9, 14).expect("a size");
        while small.turn() != Turn::Over {
            let (a, b) = (&small.board, &large.board);
            let text = Game::board(&small);
            assert_eq!(text, Game::board(&large));
            assert!(same(a.playable(), b.playable()) && same(a.atari, b.atari), "\n{text}");
            assert!(same(small.candidates(), large.candidates()) && same(a.captures(), b.captures()), "\n{text}");
            let one_by_one = b.empty().each().filter(|&point| b.is_candidate(point));
            assert!(one_by_one.eq(large.candidates().each()), "\n{text}");
            if !small.last.is_pass() {
                let (last, same_last) = (small.last.point, large.last.point);
                assert!(same(a.rescues(last), b.rescues(same_last)), "\n{text}");
                assert!(same(a.capture_of(last), b.capture_of(same_last)), "\n{text}");
                assert!(same(a.vital_points(last), b.vital_points(same_last)), "\n{text}");
                let patterns = b.patterns_around(same_last, b.empty());
                assert!(same(a.patterns_around(last, a.empty()), patterns), "\n{text}");
            }
            let action = small.random_action(&mut rng, &mut Vec::new()).expect("a move or a pass");
            let name = small.action_text(action);
            large.apply(find_move(&large, &name).expect("the same move"));
            small.apply(action);
        }
        assert_eq!((small.area(), large.turn()), (large.area(), Turn::Over));
    }
}

#[test]
fn a_large_board_keeps_what_can_be_counted_anew() {
    for (size, stream) in [(13, 1), (19, 2), (19, 3)] {
        let (mut game, mut rng) = (LargeGo::large(size, 14).expect("a size"), Rng::new(9, stream));
        while game.turn() != Turn::Over {
            let board = &game.board;
            let stones = board.mine | board.theirs;
            let empty = board.points & !stones;
            assert!(board.empty() == empty && board.random_empties() == empty, "\n{}", Game::board(&game));
            let (mut left, mut atari) = (stones, Large::NONE);
            while let Some(chain) = board.take_chain(&mut left) {
                if (chain.next_to() & empty).count() == 1 {
                    atari |= chain;
                }
            }
            assert_eq!(board.atari, atari, "\n{}", Game::board(&game));
            let candidates = empty.each().filter(|&point| board.is_candidate(point));
            assert!(candidates.eq(game.candidates().each()), "\n{}", Game::board(&game));
            let action = game.random_action(&mut rng, &mut Vec::new()).expect("a move or a pass");
            game.apply(action);
        }
    }
}
