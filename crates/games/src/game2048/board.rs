//! The board as one number, and slides of its tiles.
//!
//! A cell is four bits, the exponent of its tile or 0 if it is empty, and a row is sixteen bits. A table maps each row
//! to the row after its tiles have slid to the low end; the other directions turn the board first.

use std::sync::LazyLock;

/// A direction in which tiles slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Slide to the top row.
    Up,
    /// Slide to the bottom row.
    Down,
    /// Slide to the left column.
    Left,
    /// Slide to the right column.
    Right,
}

/// The exponent of the largest tile, 32768.
const LARGEST: u16 = 15;

/// The lowest bit of each cell, a1 lowest, then b1.
pub(super) const CELLS: u64 = 0x1111_1111_1111_1111;
const LOW_CELL_OF_BYTES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
/// The lowest bit of each cell that has one to its right.
const HAS_RIGHT: u64 = 0x0111_0111_0111_0111;
/// The lowest bit of each cell that has one below it.
const HAS_BELOW: u64 = 0x0000_1111_1111_1111;

/// Each row after its tiles have slid to its low end, which is the left.
static SLID: LazyLock<Box<[u16; 1 << 16]>> = LazyLock::new(|| {
    let mut table = Box::new([0; 1 << 16]);
    (0..=u16::MAX).zip(table.iter_mut()).for_each(|(row, slid)| *slid = slide_row(row));
    table
});

fn slide_row(row: u16) -> u16 {
    let (mut slid, mut length, mut can_merge) = ([0; 4], 0, false);
    for tile in [0, 4, 8, 12].map(|shift| row >> shift & 15).into_iter().filter(|&tile| tile != 0) {
        if can_merge && tile == slid[length - 1] && tile < LARGEST {
            slid[length - 1] += 1;
            can_merge = false;
        } else {
            slid[length] = tile;
            length += 1;
            can_merge = true;
        }
    }
    slid[0] | slid[1] << 4 | slid[2] << 8 | slid[3] << 12
}

#[inline]
fn slide_left(board: u64) -> u64 {
    let table: &[u16; 1 << 16] = &SLID;
    let row = |shift: u32| u64::from(table[usize::from((board >> shift) as u16)]) << shift;
    row(0) | row(16) | row(32) | row(48)
}

/// Turns the board upside down: left becomes right, and the top becomes the bottom.
#[inline]
fn half_turn(board: u64) -> u64 {
    let bytes = board.swap_bytes();
    (bytes & LOW_CELL_OF_BYTES) << 4 | bytes >> 4 & LOW_CELL_OF_BYTES
}

/// Swaps rows and columns: the cells on both sides of the diagonal of each block of four, then the blocks.
#[inline]
pub(super) fn transpose(board: u64) -> u64 {
    let swap = |board: u64, mask: u64, shift: u32| {
        let differences = (board ^ board >> shift) & mask;
        board ^ differences ^ differences << shift
    };
    swap(swap(board, 0x0000_f0f0_0000_f0f0, 12), 0x0000_0000_ff00_ff00, 24)
}

#[inline]
pub(super) fn slide(board: u64, direction: Direction) -> u64 {
    match direction {
        Direction::Left => slide_left(board),
        Direction::Right => half_turn(slide_left(half_turn(board))),
        Direction::Up => transpose(slide_left(transpose(board))),
        Direction::Down => half_turn(transpose(slide_left(transpose(half_turn(board))))),
    }
}

/// The lowest bit of each cell that has any bit set.
#[inline]
pub(super) fn occupied(board: u64) -> u64 {
    (board | board >> 1 | board >> 2 | board >> 3) & CELLS
}

/// The directions in which some tile can move: into an empty cell or an equal tile beside it.
#[inline]
pub(super) fn slides(board: u64) -> u8 {
    let tiles = occupied(board);
    let can_merge = tiles & !(board & board >> 1 & board >> 2 & board >> 3);
    let along = |shift: u32, has_next: u64| {
        let (here, next) = (tiles, tiles >> shift);
        let merges = can_merge & !occupied(board ^ board >> shift);
        [(next & !here | merges) & has_next != 0, (here & !next | merges) & has_next != 0].map(u8::from)
    };
    let ([left, right], [up, down]) = (along(4, HAS_RIGHT), along(16, HAS_BELOW));
    up | down << 1 | left << 2 | right << 3
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use boughs::Rng;

    const DIRECTIONS: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The board of these exponents, row by row.
    fn board_of(cells: [u64; 16]) -> u64 {
        cells.iter().rev().fold(0, |board, cell| board << 4 | cell)
    }

    pub(in crate::game2048) fn cells_of(board: u64) -> [u64; 16] {
        std::array::from_fn(|cell| board >> (4 * cell) & 15)
    }

    /// Returns the cells after a slide and its score, computed tile by tile.
    pub(in crate::game2048) fn slide_by_hand(cells: [u64; 16], direction: Direction) -> ([u64; 16], u32) {
        let (mut slid, mut score) = ([0; 16], 0);
        for line in 0..4 {
            // Counted from the side to which the tiles slide.
            let place = |step: usize| match direction {
                Direction::Left => 4 * line + step,
                Direction::Right => 4 * line + 3 - step,
                Direction::Up => 4 * step + line,
                Direction::Down => 4 * (3 - step) + line,
            };
            let mut tiles: Vec<u64> = (0..4).map(|step| cells[place(step)]).filter(|&tile| tile > 0).collect();
            let mut step = 0;
            while step + 1 < tiles.len() {
                if tiles[step] == tiles[step + 1] && tiles[step] < 15 {
                    tiles[step] += 1;
                    tiles.remove(step + 1);
                    score += 1 << tiles[step];
                }
                step += 1;
            }
            tiles.iter().enumerate().for_each(|(step, &tile)| slid[place(step)] = tile);
        }
        (slid, score)
    }

    #[test]
    fn a_tile_merges_once_in_a_slide_and_the_farther_pair_first() {
        for (row, slid) in [
            ([1, 1, 1, 1], [2, 2, 0, 0]),
            ([1, 1, 1, 0], [2, 1, 0, 0]),
            ([2, 1, 1, 0], [2, 2, 0, 0]),
            ([0, 3, 0, 3], [4, 0, 0, 0]),
            ([1, 2, 1, 2], [1, 2, 1, 2]),
            ([15, 15, 14, 14], [15, 15, 15, 0]),
        ] {
            let number = |cells: [u16; 4]| cells.iter().rev().fold(0, |row, cell| row << 4 | cell);
            assert_eq!(slide_row(number(row)), number(slid), "{row:?}");
        }
    }

    #[test]
    fn slides_go_as_by_hand_in_every_direction_and_are_legal_where_they_move_a_tile() {
        let mut rng = Rng::new(1, 0);
        for round in 0..20_000 {
            // Few kinds of tiles have many equal neighbours, and the last kinds do not merge.
            let (kinds, last) = (2 + round % 15, round % 2 * 15);
            let cells = std::array::from_fn(|_| (u64::from(rng.below(kinds))).abs_diff(u64::from(last)));
            for (direction, number) in DIRECTIONS.into_iter().zip(0..) {
                let (slid, _) = slide_by_hand(cells, direction);
                assert_eq!(cells_of(slide(board_of(cells), direction)), slid, "{direction:?} of {cells:?}");
                assert_eq!(slides(board_of(cells)) >> number & 1 == 1, slid != cells, "{direction:?} of {cells:?}");
            }
        }
    }
}
