//! Score of a box: the squares of its connected groups of one flavour.

use super::board::{Board, STRIDE};

/// The score of a box with one group for each flavour.
pub const MOST: u32 = 1_000_000;

/// The sum of n^2 over the connected groups of n candies of one flavour.
#[inline(always)]
pub fn squares(board: &Board) -> u32 {
    board.masks().into_iter().map(squares_of).sum()
}

/// The sum of squares of one flavour.
#[inline(always)]
fn squares_of(mask: u128) -> u32 {
    let alone = mask & !around(mask);
    let mut sum = alone.count_ones();
    let mut rest = mask & !alone;
    while rest != 0 {
        let group = group_of(rest & rest.wrapping_neg(), rest);
        rest &= !group;
        sum += group.count_ones().pow(2);
    }
    sum
}

/// The neighbours of cells, and some bits that are no cells.
#[inline(always)]
fn around(cells: u128) -> u128 {
    cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE
}

/// All cells of a mask that are connected with these cells.
#[inline(always)]
fn group_of(cells: u128, mask: u128) -> u128 {
    let mut group = cells;
    loop {
        // A carry runs up a stack as far as the mask goes.
        let up = mask & !mask.wrapping_add(group);
        let grown = (group | up | around(group | up)) & mask;
        if grown == group {
            return group;
        }
        group = grown;
    }
}

/// The contest's score of a box, given the numbers of candies of each flavour in the whole case.
#[inline]
pub fn score(board: &Board, counts: [u32; 3]) -> u32 {
    scaled(squares(board), counts)
}

/// The contest's score of a sum of squares.
#[inline]
pub fn scaled(squares: u32, counts: [u32; 3]) -> u32 {
    let best: u32 = counts.into_iter().map(|count| count * count).sum();
    let rounded = (u64::from(MOST) * u64::from(squares) * 2 + u64::from(best)) / (2 * u64::from(best.max(1)));
    rounded as u32
}
