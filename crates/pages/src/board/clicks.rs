//! The cells that a move touches, so that a person makes moves by clicking cells. They follow from the texts of the
//! boards before and after a move, so a game of your own with a grid can be clicked without saying anything more.

use super::shape::Shape;

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content<'a> {
    /// Nothing, or what is no piece.
    Empty,
    /// A piece with the whole word of its cell.
    Piece { is_own: bool, word: &'a str },
}

/// The seat of a piece, by its letter on the boards of all games.
fn seat_of(letter: char) -> Option<usize> {
    match letter.to_ascii_uppercase() {
        'X' | 'W' => Some(0),
        'O' | 'B' => Some(1),
        'Y' => Some(2),
        _ => None,
    }
}

/// The indices of the cells that a move of a seat touches, in the order in which they are clicked: where the piece
/// comes from, if it moves, and then where it goes. Empty for a move that changes no cell of the board.
///
/// Names of cells in the text of the move come first, because a move may be secret at first and change nothing.
pub(crate) fn cells_of(shape: &Shape, text: &str, before: &str, after: &str, mover: Option<usize>) -> Vec<usize> {
    let words = text.split(|sign: char| !sign.is_alphanumeric());
    let named = words.filter_map(|word| shape.names.iter().position(|name| name == word));
    let named: Vec<usize> = named.collect();
    if !named.is_empty() || before.len() != after.len() {
        return named;
    }
    let (mut placed, mut captured, mut left, mut altered) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, place) in shape.cells.iter().enumerate() {
        let content = |board| Content::of(word(board, place.at, place.length), mover);
        match (content(before), content(after)) {
            (Content::Empty, Content::Piece { is_own: true, .. }) => placed.push(index),
            (Content::Piece { is_own: false, .. }, Content::Piece { is_own: true, .. }) => captured.push(index),
            (Content::Piece { is_own: true, .. }, Content::Empty) => left.push(index),
            (Content::Piece { is_own: true, word: was }, Content::Piece { is_own: true, word: is }) if was != is => {
                altered.push(index);
            }
            _ => {}
        }
    }
    let to = if placed.is_empty() { captured } else { placed };
    let from = if left.is_empty() { altered } else { left };
    from.into_iter().chain(to).collect()
}

/// A word of a board, without the shade of its cell.
fn word(board: &str, at: usize, length: usize) -> &str {
    let word = board.get(at..(at + length).min(board.len())).unwrap_or_default();
    word.split(['/', ' ', '\n', '|']).next().unwrap_or_default()
}

impl Content<'_> {
    fn of(word: &str, mover: Option<usize>) -> Content<'_> {
        match word.chars().next() {
            Some(sign) if sign.is_ascii_alphabetic() => {
                // Where letters are no seats, every piece may be the mover's.
                let is_own = mover.is_none() || seat_of(sign).is_none_or(|seat| Some(seat) == mover);
                Content::Piece { is_own, word }
            }
            _ => Content::Empty,
        }
    }
}

#[cfg(test)]
mod tests {
    use boughs::Turn;
    use boughs_games::start;

    use super::*;

    /// The text of every legal move of a position with the places of its cells.
    fn cells(game: &str, moves: &str) -> Vec<(String, Vec<usize>)> {
        let started = start(game).unwrap();
        let mut position = started.position;
        position.play_moves(moves).unwrap();
        let before = position.board();
        let shape = Shape::of_game(Some(started.entry), &[&before]).unwrap();
        let mover = match position.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        };
        let touched = |action, text: &str| {
            let mut after = position.clone();
            after.apply(action);
            cells_of(&shape, text, &before, &after.board(), mover)
        };
        position.legal_moves().into_iter().map(|(action, text)| (text.clone(), touched(action, &text))).collect()
    }

    fn of_move(game: &str, moves: &str, text: &str) -> Vec<usize> {
        cells(game, moves).into_iter().find(|(other, _)| other == text).unwrap().1
    }

    #[test]
    fn a_stone_is_one_cell_even_if_others_are_turned_or_taken() {
        assert_eq!(of_move("tictactoe", "5", "1"), [0]);
        assert_eq!(of_move("connect4", "4", "4").len(), 1);
        assert_eq!(of_move("othello", "", "d3"), [19]);
        // White's stone in the corner is captured.
        assert_eq!(of_move("go:size=3", "b1 a1", "a2"), [3]);
        assert_eq!(of_move("hex:size=3", "", "b2"), [4]);
    }

    #[test]
    fn a_piece_that_moves_has_the_cell_it_leaves_first() {
        assert_eq!(of_move("breakthrough", "", "a2a3"), [48, 40]);
    }

    #[test]
    fn names_in_a_move_are_its_cells_before_the_board_changes() {
        let all = cells("photosynthesis:seed=1", "");
        let seed = all.iter().find(|(text, _)| text.starts_with("seed"));
        assert_eq!(seed.unwrap().1.len(), 2, "{all:?}");
        assert!(all.iter().all(|(text, cells)| (text == "wait") == cells.is_empty()), "{all:?}");
    }

    #[test]
    fn moves_on_a_board_differ_in_their_cells() {
        for game in ["tictactoe", "connect4", "othello", "hex:size=5", "breakthrough", "go:size=5", "yavalath:size=3"] {
            let mut all = cells(game, "");
            all.retain(|(text, _)| text != "pass" && text != "swap");
            assert!(all.iter().all(|(_, cells)| !cells.is_empty()), "{game}: {all:?}");
            let moves = all.len();
            all.sort_by(|(_, one), (_, other)| one.cmp(other));
            all.dedup_by(|(_, one), (_, other)| one == other);
            assert_eq!(all.len(), moves, "{game}");
        }
    }
}
