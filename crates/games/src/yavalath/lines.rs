//! The cells of a hexagonal board as bits, and the lines that stones make on it.
//!
//! A row of the board takes twelve bits, more than the longest row has cells. All rows begin in the same column, so the
//! cells of a column stand below each other, and the board is the hexagon in the middle of a rhombus. A line runs along
//! a row, down a column, or down and one to the left, always the same number of bits from cell to cell. Every line that
//! leaves the board meets a bit that is no cell.

pub(super) const STRIDE: u8 = 12;
/// The cells along a side of the largest board.
pub(super) const MOST_SIZE: u8 = 6;

/// The number of bits from one cell of a line to the next, for each direction.
const STEPS: [u32; 3] = [1, STRIDE as u32, STRIDE as u32 - 1];

/// The first and the last column of a row.
pub(super) const fn ends(size: u8, row: u8) -> (u8, u8) {
    let first = (size - 1).saturating_sub(row);
    let last = 3 * size - 3 - row;
    (first, if last < 2 * size - 2 { last } else { 2 * size - 2 })
}

/// All cells of a board with this many along each side.
pub(super) const fn board(size: u8) -> u128 {
    let (mut cells, mut row) = (0, 0);
    while row < 2 * size - 1 {
        let (first, last) = ends(size, row);
        cells |= ((1 << (last - first + 1)) - 1) << (row * STRIDE + first);
        row += 1;
    }
    cells
}

/// The best line that stones make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// No more than two in a line.
    Short,
    /// Three in a line, and nowhere four.
    Three,
    /// Four in a line, or more.
    Four,
}

/// The longest line that these stones make.
#[inline]
pub(super) fn longest(stones: u128) -> Line {
    let threes = STEPS.map(|step| stones & stones >> step & stones >> (2 * step));
    if threes == [0; 3] {
        return Line::Short;
    }
    let is_four = |(threes, step): (u128, u32)| threes & threes >> step != 0;
    if threes.into_iter().zip(STEPS).any(is_four) { Line::Four } else { Line::Three }
}

/// The bits on which one stone more would make four in a line.
#[inline]
pub(super) fn completions(stones: u128) -> u128 {
    let along = |step: u32| {
        let [after, second, third] = [1, 2, 3].map(|cells| stones >> (cells * step));
        let [before, second_before, third_before] = [1, 2, 3].map(|cells| stones << (cells * step));
        after & second & (third | before) | before & second_before & (third_before | after)
    };
    along(STEPS[0]) | along(STEPS[1]) | along(STEPS[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::Rng;

    /// The longest line, cell by cell from every cell in every direction.
    fn longest_by_counting(stones: u128, size: u8) -> Line {
        let has = |row: i32, column: i32| {
            (0..2 * i32::from(size) - 1).contains(&row)
                && (ends(size, row as u8).0..=ends(size, row as u8).1).contains(&(column.max(0) as u8))
                && column >= 0
                && stones >> (row * 12 + column) & 1 == 1
        };
        let length = |row: i32, column: i32, (down, right): (i32, i32)| {
            (0..).take_while(|step| has(row + step * down, column + step * right)).count()
        };
        let starts = (0..11).flat_map(|row| (0..11).map(move |column| (row, column)));
        let lengths = starts.flat_map(|(row, column)| [(0, 1), (1, 0), (1, -1)].map(|way| length(row, column, way)));
        match lengths.max() {
            Some(4..) => Line::Four,
            Some(3) => Line::Three,
            _ => Line::Short,
        }
    }

    /// A random set of cells, sometimes few and sometimes many.
    fn some(rng: &mut Rng, size: u8) -> u128 {
        let mut word = || u128::from(rng.bits()) << 64 | u128::from(rng.bits());
        let (first, second, third) = (word(), word(), word());
        board(size) & first & if first & 1 == 0 { second } else { second & third | second & !third << 1 }
    }

    #[test]
    fn boards_have_as_many_cells_as_hexagons_have() {
        for (size, cells) in [(3, 19), (4, 37), (5, 61), (6, 91)] {
            assert_eq!(board(size).count_ones(), cells);
        }
    }

    #[test]
    fn lines_are_found_everywhere_and_never_run_around_an_edge() {
        let mut rng = Rng::new(1, 0);
        let mut found = [0; 3];
        for round in 0..20_000 {
            let size = 3 + (round % 4) as u8;
            let stones = some(&mut rng, size);
            let line = longest(stones);
            assert_eq!(line, longest_by_counting(stones, size), "{stones:#x}, size {size}");
            found[line as usize] += 1;
        }
        assert!(found.iter().all(|&count| count > 1_000), "{found:?}");
    }

    #[test]
    fn completions_are_the_cells_where_one_stone_more_makes_four() {
        let mut rng = Rng::new(2, 0);
        for round in 0..1_000 {
            let size = 3 + (round % 4) as u8;
            let stones = some(&mut rng, size);
            if longest(stones) == Line::Four {
                continue;
            }
            for cell in (0..128).map(|bit| 1 << bit).filter(|cell| board(size) & !stones & cell != 0) {
                let makes_four = longest(stones | cell) == Line::Four;
                assert_eq!(completions(stones) & cell != 0, makes_four, "{stones:#x} and {cell:#x}, size {size}");
            }
        }
    }
}
