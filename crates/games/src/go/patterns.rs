//! The shapes of three by three points in which MoGo answers the last move: hane around a stone, cuts, and moves at the
//! edge (Gelly, Wang, Munos and Teytaud 2006, "Modification of UCT with Patterns in Monte-Carlo Go", section 3.2).
//!
//! Every neighbourhood of a point is a number of 16 bits: two for each of the eight points around it. A table, made by
//! the compiler from the patterns, has one bit for each number.

use super::board::Board;
use super::points::Points;

/// The player who may play the middle of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mover {
    Either,
    /// The player with the stones X.
    X,
}

/// The patterns, row by row, with the move in the middle. X and O are stones of two players, `.` is an empty point, `x`
/// anything but X, `o` anything but O, `?` anything, and `#` is outside of the board, which `x`, `o` and `?` may be
/// too.
const PATTERNS: [(Mover, &[u8; 11]); 12] = [
    // Hane: around the head of a stone, with a stone of the own colour behind.
    (Mover::Either, b"XOX/.*./???"),
    (Mover::Either, b"XO./.*./?.?"),
    (Mover::Either, b"XO?/X*./x.?"),
    (Mover::X, b"XOO/.*./?.?"),
    // Cuts between two stones, and connections there.
    (Mover::Either, b"XO?/O*o/?o?"),
    (Mover::Either, b"XO?/O*X/???"),
    (Mover::Either, b"?O?/X*X/xxx"),
    // At the edge.
    (Mover::Either, b"X.?/O*?/###"),
    (Mover::Either, b"OX?/X*O/###"),
    (Mover::X, b"?X?/x*O/###"),
    (Mover::X, b"?XO/x*x/###"),
    (Mover::X, b"?OX/X*O/###"),
];

/// The number of points around a point.
const CELLS: usize = 8;

/// The states of one cell as sets, so that a pattern may allow several: no stone, a stone of the player to move, one of
/// the other, and outside of the board.
const EMPTY: u8 = 1;
const MINE: u8 = 2;
const THEIRS: u8 = 4;
const OUTSIDE: u8 = 8;

const QUARTER_TURN: [usize; CELLS] = [5, 3, 0, 6, 1, 7, 4, 2];
const MIRROR: [usize; CELLS] = [2, 1, 0, 4, 3, 7, 6, 5];

/// The number of words with a bit for each neighbourhood.
const WORDS: usize = (1 << (2 * CELLS)) / 64;

/// One bit for each neighbourhood: bit k of its number is set if cell k has a stone of the player to move, bit 8 + k if
/// it has one of the other, and both outside of the board.
static TABLE: [u64; WORDS] = {
    let mut table = [0; WORDS];
    let mut i = 0;
    while i < PATTERNS.len() {
        let (mover, text) = PATTERNS[i];
        mark_all_directions(&mut table, cells_of(text, MINE, THEIRS));
        if matches!(mover, Mover::Either) {
            mark_all_directions(&mut table, cells_of(text, THEIRS, MINE));
        }
        i += 1;
    }
    table
};

/// The states that each cell of a pattern allows.
const fn cells_of(text: &[u8; 11], x: u8, o: u8) -> [u8; CELLS] {
    let (mut cells, mut cell, mut i) = ([0; CELLS], 0, 0);
    while i < text.len() {
        if text[i] != b'/' && text[i] != b'*' {
            cells[cell] = match text[i] {
                b'.' => EMPTY,
                b'X' => x,
                b'O' => o,
                b'x' => EMPTY | o | OUTSIDE,
                b'o' => EMPTY | x | OUTSIDE,
                b'#' => OUTSIDE,
                _ => EMPTY | x | o | OUTSIDE,
            };
            cell += 1;
        }
        i += 1;
    }
    cells
}

/// Marks the neighbourhoods of a pattern, turned and mirrored in all eight ways.
const fn mark_all_directions(table: &mut [u64], mut cells: [u8; CELLS]) {
    let mut direction = 0;
    while direction < 8 {
        mark(table, &cells, 0, 0);
        cells = moved(cells, &QUARTER_TURN);
        if direction == 3 {
            cells = moved(cells, &MIRROR);
        }
        direction += 1;
    }
}

const fn moved(cells: [u8; CELLS], from: &[usize; CELLS]) -> [u8; CELLS] {
    let (mut moved, mut cell) = (cells, 0);
    while cell < CELLS {
        moved[cell] = cells[from[cell]];
        cell += 1;
    }
    moved
}

/// Marks every neighbourhood that begins with the bits of `number` and whose cells from `cell` on are allowed.
const fn mark(table: &mut [u64], cells: &[u8; CELLS], cell: usize, number: usize) {
    if cell == CELLS {
        table[number / 64] |= 1 << (number % 64);
        return;
    }
    let (mine, theirs) = (1 << cell, 1 << (CELLS + cell));
    if cells[cell] & EMPTY != 0 {
        mark(table, cells, cell + 1, number);
    }
    if cells[cell] & MINE != 0 {
        mark(table, cells, cell + 1, number | mine);
    }
    if cells[cell] & THEIRS != 0 {
        mark(table, cells, cell + 1, number | theirs);
    }
    if cells[cell] & OUTSIDE != 0 {
        mark(table, cells, cell + 1, number | mine | theirs);
    }
}

/// Bits from one row of a square to the next.
const STRIDE: usize = 10;

/// The number of bits from the lowest corner of a square of three points to its middle.
const TO_MIDDLE: usize = STRIDE + 1;

/// The cells around the middle of a square of three points.
const AROUND: u64 = 7 | 5 << STRIDE | 7 << (2 * STRIDE);

impl<P: Points> Board<P> {
    /// Those of some points next to `last`, corners included, whose neighbourhood is a pattern.
    #[inline]
    pub(super) fn patterns_around(&self, last: u16, among: P) -> P {
        // Squares of five points hold the neighbourhoods of all points next to the last move. Bits outside of the board
        // are 0 in all sets.
        let square = |points: P| points.square(last);
        let mut left = square(among) & AROUND << TO_MIDDLE;
        if left == 0 {
            return P::NONE;
        }
        let outside = !square(self.points);
        let [mine, theirs] = self.stones().map(|stones| square(stones) | outside);
        let mut found = 0;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            let [mine, theirs] = [mine, theirs].map(|square| square >> (at - TO_MIDDLE) & AROUND);
            found |= u64::from(is_pattern(mine, theirs)) << at;
        }
        P::of_square(found, last)
    }
}

/// Looks up the neighbourhood with these stones, which are squares of three points without their middle.
#[inline]
fn is_pattern(mine: u64, theirs: u64) -> bool {
    let both = mine | theirs << 32;
    let halves = both & (7 | 7 << 32)
        | both >> (STRIDE - 3) & (8 | 8 << 32)
        | both >> (STRIDE - 2) & (16 | 16 << 32)
        | both >> (2 * STRIDE - 5) & (0xe0 | 0xe0 << 32);
    let number = (halves | halves >> (32 - CELLS)) as usize & 0xffff;
    TABLE[number / 64] >> (number % 64) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::tests::{drawn, points, random_games, set};

    /// A point after a turn or a mirroring around the middle.
    type Turned = fn(i32, i32) -> (i32, i32);

    /// The eight pictures that come from turning and mirroring one.
    fn all_directions(picture: &str) -> Vec<String> {
        let mut rows: Vec<Vec<char>> = picture.split(' ').map(|row| row.chars().collect()).collect();
        let mut pictures = Vec::new();
        for _ in 0..2 {
            for _ in 0..4 {
                rows = (0..rows.len()).map(|i| rows.iter().rev().map(|row| row[i]).collect()).collect();
                pictures.push(rows.iter().map(String::from_iter).collect::<Vec<_>>().join(" "));
            }
            rows.reverse();
        }
        pictures
    }

    /// Returns true if the point `*` of a picture is a pattern next to the last move, wherever that was.
    fn is_answer(picture: &str) -> bool {
        let board = drawn(&picture.replace('*', "."));
        let rows: Vec<&str> = picture.split(' ').collect();
        let found = |row: &str| row.find('*');
        let row = rows.iter().rev().position(|row| found(row).is_some()).expect("a star");
        let column = found(rows[rows.len() - 1 - row]).expect("a star");
        let star = u128::point(row as u8, column as u8);
        let answers = (board.mine | board.theirs).each().filter(|&last| {
            let (r, c) = u128::row_and_column(last);
            usize::from(r).abs_diff(row) <= 1 && usize::from(c).abs_diff(column) <= 1
        });
        let answers: Vec<u128> = answers.map(|last| board.patterns_around(last, u128::one(star))).collect();
        assert!(answers.windows(2).all(|two| two[0] == two[1]), "{picture}");
        answers.first().is_some_and(|&found| found == u128::one(star))
    }

    fn swap(letter: char) -> char {
        match letter {
            'X' => 'O',
            'O' => 'X',
            other => other,
        }
    }

    fn swapped(picture: &str) -> String {
        picture.chars().map(swap).collect()
    }

    #[test]
    fn patterns_match_in_all_directions_and_for_both_players() {
        let both = [
            "..... .XOX. ..*.. ..... .....",
            "..... .XO.. ..*.. ..... .....",
            "..... .XO.. .X*.. ..... .....",
            "..... .XO.. .O*.. ..... .....",
            "..... .XO.. .O*X. ..O.. .....",
            "..... ..O.. .X*X. ..... .....",
            "..... ..... ..... .X... .O*..",
            "..... ..... ..... .OX.. .X*O.",
        ];
        for picture in both.iter().flat_map(|picture| all_directions(picture)) {
            assert!(is_answer(&picture), "{picture}");
            assert!(is_answer(&swapped(&picture)), "{picture} with swapped colours");
        }
    }

    #[test]
    fn some_patterns_are_for_one_player_only() {
        let mine = ["..... .XOO. ..*.. ..... .....", "..... ..... ..... ..X.. ..*O."];
        for picture in mine.iter().flat_map(|picture| all_directions(picture)) {
            assert!(is_answer(&picture), "{picture}");
            assert!(!is_answer(&swapped(&picture)), "{picture} with swapped colours");
        }
    }

    #[test]
    fn other_shapes_are_no_patterns() {
        let others = [
            "..... ..O.. ..*.. ..... .....",
            "..... .OOO. ..*.. ..... .....",
            "..... .XXX. ..*.. ..... .....",
            "..... .XO.. .O*O. ..... .....",
            "..... ..O.. .X*X. ..X.. .....",
            "..... ..... ..... .XX.. .X*..",
        ];
        for picture in others.iter().flat_map(|picture| all_directions(picture)) {
            assert!(!is_answer(&picture), "{picture}");
        }
    }

    #[test]
    fn only_the_given_points_next_to_the_last_move_are_looked_at() {
        let board = drawn("..... .XOX. ..... ..XOX .....");
        assert_eq!(points(board.patterns_around(set("c4"), board.empty())), "b3 c3 d3 b5 c5 d5");
        assert_eq!(points(board.patterns_around(set("c4"), board.empty() & !u128::one(set("c3")))), "b3 d3 b5 c5 d5");
    }

    /// Matches text and board cell by cell.
    fn is_pattern_by_text(board: &Board<u128>, at: u16) -> bool {
        let (row, column) = u128::row_and_column(at);
        let state = |row: i32, column: i32| {
            let is_inside = (0..9).contains(&row) && (0..9).contains(&column);
            let here = if is_inside { u128::one(u128::point(row as u8, column as u8)) } else { 0 };
            match (here & board.points != 0, here & board.mine != 0, here & board.theirs != 0) {
                (false, ..) => '#',
                (_, true, _) => 'X',
                (_, _, true) => 'O',
                _ => '.',
            }
        };
        let turns: [Turned; 8] = [
            |r, c| (r, c),
            |r, c| (-r, c),
            |r, c| (r, -c),
            |r, c| (-r, -c),
            |r, c| (c, r),
            |r, c| (-c, r),
            |r, c| (c, -r),
            |r, c| (-c, -r),
        ];
        let fits = |text: &[u8; 11], turn: Turned, is_swapped: bool| {
            text.iter().enumerate().all(|(i, &letter)| {
                let (r, c) = turn(i as i32 / 4 - 1, i as i32 % 4 - 1);
                let state = state(i32::from(row) + r, i32::from(column) + c);
                let state = if is_swapped { swap(state) } else { state };
                match letter {
                    b'?' | b'/' | b'*' => true,
                    b'x' => state != 'X',
                    b'o' => state != 'O',
                    letter => state == char::from(letter),
                }
            })
        };
        PATTERNS.iter().any(|&(mover, text)| {
            turns.iter().any(|&turn| fits(text, turn, false) || mover == Mover::Either && fits(text, turn, true))
        })
    }

    #[test]
    fn the_table_agrees_with_the_texts_in_random_games() {
        let mut seen = [0; 2];
        random_games(&[3, 5, 9], 4, |game, last| {
            let Some(last) = last else { return };
            let (row, column) = u128::row_and_column(last);
            let found = game.board.patterns_around(last, game.board.empty());
            for at in game.board.empty().each() {
                let (r, c) = u128::row_and_column(at);
                let expected = r.abs_diff(row) <= 1 && c.abs_diff(column) <= 1 && is_pattern_by_text(&game.board, at);
                assert_eq!(found & u128::one(at) != 0, expected, "{at} after {last} on\n{:?}", game.board.stones());
                seen[usize::from(expected)] += 1;
            }
        });
        assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
    }
}
