//! The cells of a Hex board, and the list of the empty ones that random moves are picked from.

use boughs::Action;

use super::MAX_SIZE;

/// A cell of the board: its column in the five low bits, its row above them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u16);

impl Cell {
    pub(super) fn new(row: u8, column: u8) -> Cell {
        Cell(u16::from(row) << 5 | u16::from(column))
    }

    #[inline]
    pub(super) fn row(self) -> usize {
        usize::from(self.0 >> 5)
    }

    #[inline]
    pub(super) fn column(self) -> usize {
        usize::from(self.0 & 31)
    }

    /// The neighbour in a direction from 0 to 5: left, up, up right, right, down, down left, so that each touches the
    /// next one, and the last one the first.
    #[inline]
    pub(super) fn neighbour(self, direction: u32) -> Cell {
        const STEPS: [i16; 6] = [-1, -32, -31, 1, 32, 31];
        Cell(self.0.wrapping_add_signed(STEPS[direction as usize]))
    }

    #[inline]
    fn index(self) -> usize {
        self.row() * MAX_SIZE + self.column()
    }
}

impl Action for Cell {
    const MAX_CODE: u32 = (MAX_SIZE as u32 - 1) << 5 | (MAX_SIZE as u32 - 1);

    #[inline]
    fn code(self) -> u32 {
        u32::from(self.0)
    }
    #[inline]
    fn from_code(code: u32) -> Cell {
        Cell(code as u16)
    }
}

/// The empty cells in any order, so that a random one is picked by its number; and the place of each cell in that
/// order, so that a cell is removed at once.
#[derive(Clone, Debug)]
pub(super) struct Empty {
    cells: [Cell; MAX_SIZE * MAX_SIZE],
    places: [u16; MAX_SIZE * MAX_SIZE],
    count: u16,
}

impl Empty {
    pub(super) fn new(size: u8) -> Empty {
        let mut empty = Empty { cells: [Cell(0); _], places: [0; _], count: u16::from(size) * u16::from(size) };
        let cells = (0..size).flat_map(|row| (0..size).map(move |column| Cell::new(row, column)));
        for (place, cell) in cells.enumerate() {
            empty.cells[place] = cell;
            empty.places[cell.index()] = place as u16;
        }
        empty
    }

    #[inline]
    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells[..usize::from(self.count)]
    }

    /// Removes a cell and puts the last one into its place.
    #[inline]
    pub(super) fn remove(&mut self, cell: Cell) {
        self.count -= 1;
        let (place, last) = (self.places[cell.index()], self.cells[usize::from(self.count)]);
        self.cells[usize::from(place)] = last;
        self.places[last.index()] = place;
    }
}
