//! The board: 37 cells in a hexagon, as bits of a word.
//!
//! A cell at the cube coordinates (x, y, z) is bit `8 (x + 3) + (y + 3)`. One step in a direction is then the same
//! rotation of the word for every cell, and a step off the board lands on a bit that is no cell. The official referee
//! knows cells by another number, their index along a spiral from the centre.

/// The number of cells.
pub const CELLS: usize = 37;
/// All cells.
pub const BOARD: u64 = {
    let (mut board, mut index) = (0, 0);
    while index < CELLS {
        board |= 1 << PLACES[index];
        index += 1;
    }
    board
};
/// The number of directions. The sun shines in each of them in turn.
pub const DIRECTIONS: usize = 6;
/// The largest tree, which is also the longest shadow and the widest throw of a seed.
pub const TALL: usize = 3;

/// A cell of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell(u8);

const RADIUS: i8 = 3;
/// The change of x and y by a step in each direction, counter-clockwise from the right.
const STEPS: [(i8, i8); DIRECTIONS] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];
/// The bit of each cell in the order of the spiral.
const PLACES: [u8; CELLS] = {
    let mut places = [place(0, 0); CELLS];
    let (mut index, mut ring) = (1, 1);
    while ring <= RADIUS {
        let (mut x, mut y) = (ring, -ring);
        let mut side = 0;
        while side < DIRECTIONS {
            let step = STEPS[(side + 2) % DIRECTIONS];
            let mut walked = 0;
            while walked < ring {
                places[index] = place(x, y);
                index += 1;
                (x, y) = (x + step.0, y + step.1);
                walked += 1;
            }
            side += 1;
        }
        ring += 1;
    }
    places
};
/// The index of each bit that is a cell.
const INDICES: [u8; 64] = {
    let (mut indices, mut index) = ([u8::MAX; 64], 0);
    while index < CELLS {
        indices[PLACES[index] as usize] = index as u8;
        index += 1;
    }
    indices
};
/// The cells within each distance of each bit that is a cell.
static RANGES: [[u64; 64]; TALL + 1] = {
    let (mut ranges, mut distance) = ([[0; 64]; TALL + 1], 0);
    while distance <= TALL {
        let mut from = 0;
        while from < 64 {
            let mut to = 0;
            while to < 64 {
                if BOARD >> from & BOARD >> to & 1 == 1 && distance_between(from as u8, to as u8) as usize <= distance {
                    ranges[distance][from] |= 1 << to;
                }
                to += 1;
            }
            from += 1;
        }
        distance += 1;
    }
    ranges
};

const fn place(x: i8, y: i8) -> u8 {
    (8 * (x + RADIUS) + y + RADIUS) as u8
}

const fn distance_between(from: u8, to: u8) -> u8 {
    let (dx, dy) = (to as i8 / 8 - from as i8 / 8, to as i8 % 8 - from as i8 % 8);
    let (x, y, z) = (dx.unsigned_abs(), dy.unsigned_abs(), (dx + dy).unsigned_abs());
    (x + y + z) / 2
}

impl Cell {
    /// The cell in the middle.
    pub const CENTRE: Cell = Cell(PLACES[0]);

    /// All cells in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        PLACES.into_iter().map(Cell)
    }

    /// The cell with an index, if it is one of the 37.
    pub fn new(index: u32) -> Option<Cell> {
        PLACES.get(index as usize).copied().map(Cell)
    }

    /// The cell of a bit, which must be one of [`BOARD`].
    #[inline]
    pub fn of_bit(bit: u32) -> Cell {
        Cell(bit as u8 & 63)
    }

    /// The place of the cell's bit.
    #[inline]
    pub(super) fn place(self) -> u32 {
        u32::from(self.0)
    }

    /// The index by which the official referee knows the cell.
    #[inline]
    pub fn index(self) -> u32 {
        u32::from(INDICES[usize::from(self.0)])
    }

    /// The set of this cell alone.
    #[inline]
    pub fn bit(self) -> u64 {
        1 << self.0
    }

    /// The coordinates x and y of the cell; z makes their sum 0.
    pub fn coordinates(self) -> (i32, i32) {
        (i32::from(self.0 / 8) - i32::from(RADIUS), i32::from(self.0 % 8) - i32::from(RADIUS))
    }

    /// The cell on the other side of the centre.
    pub fn opposite(self) -> Cell {
        Cell(2 * Cell::CENTRE.0 - self.0)
    }

    /// The neighbour of the cell in a direction, if there is one.
    pub fn neighbour(self, direction: usize) -> Option<Cell> {
        cells(step(self.bit(), direction)).next()
    }

    /// The cells at most `distance` away, the cell itself among them; `distance` is at most 3.
    #[inline]
    pub fn within(self, distance: usize) -> u64 {
        RANGES[distance & 3][usize::from(self.0)]
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cell({})", self.index())
    }
}

/// The cells of a set: by x, those with the same x by y.
#[inline]
pub fn cells(set: u64) -> impl Iterator<Item = Cell> {
    let mut rest = set & BOARD;
    std::iter::from_fn(move || {
        let cell = (rest != 0).then(|| Cell(rest.trailing_zeros() as u8));
        rest &= rest.wrapping_sub(1);
        cell
    })
}

/// The cells of a set in the order of their indices.
pub fn in_spiral(set: u64) -> impl Iterator<Item = Cell> {
    Cell::all().filter(move |cell| set & cell.bit() != 0)
}

/// The cells one step in a direction from those of a set.
#[inline]
pub fn step(set: u64, direction: usize) -> u64 {
    const ROTATIONS: [u32; 8] = {
        let (mut rotations, mut direction) = ([0; 8], 0);
        while direction < DIRECTIONS {
            let (dx, dy) = STEPS[direction];
            rotations[direction] = (64 + 8 * dx as i32 + dy as i32) as u32 % 64;
            direction += 1;
        }
        rotations
    };
    set.rotate_left(ROTATIONS[direction & 7]) & BOARD
}

/// The cells of a set and all their neighbours.
#[inline]
pub fn widened(set: u64) -> u64 {
    let mut wide = set;
    for (dx, dy) in STEPS {
        wide |= set.rotate_left((64 + 8 * i32::from(dx) + i32::from(dy)) as u32 % 64);
    }
    wide & BOARD
}

/// The cells straight ahead of a cell of the set in any direction, as far as the longest shadow falls.
#[inline]
pub fn rays(set: u64) -> u64 {
    let along = |direction| {
        let first = step(set, direction);
        let second = step(first, direction);
        first | second | step(second, direction)
    };
    (0..DIRECTIONS).fold(0, |all, direction| all | along(direction))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(index: u32) -> Cell {
        Cell::new(index).expect("a cell")
    }

    #[test]
    fn cells_are_numbered_along_a_spiral() {
        let coordinates = |index| cell(index).coordinates();
        assert_eq!((coordinates(0), coordinates(1), coordinates(2)), ((0, 0), (1, -1), (1, 0)));
        assert_eq!((coordinates(8), coordinates(19), coordinates(28)), ((2, -1), (3, -3), (-3, 3)));
        assert_eq!((coordinates(18), coordinates(35), coordinates(36)), ((1, -2), (1, -3), (2, -3)));
        assert!(Cell::all().map(Cell::index).eq(0..37));
        assert_eq!((Cell::new(37), BOARD.count_ones()), (None, 37));
    }

    #[test]
    fn neighbours_lie_counter_clockwise_from_the_right() {
        let around =
            |index| [0, 1, 2, 3, 4, 5].map(|side| cell(index).neighbour(side).map_or(-1, |at| at.index() as i32));
        assert_eq!(around(0), [1, 2, 3, 4, 5, 6]);
        assert_eq!(around(8), [20, 21, 9, 2, 1, 7]);
        assert_eq!(around(18), [36, 7, 1, 6, 17, 35]);
        assert_eq!(around(22), [-1, -1, -1, 23, 9, 21]);
        assert_eq!(around(29), [14, 13, 28, -1, -1, 30]);
        assert_eq!(around(36), [-1, 19, 7, 18, 35, -1]);
    }

    #[test]
    fn cells_lie_opposite_each_other() {
        let opposite = |index| cell(index).opposite().index();
        assert_eq!([0, 1, 8, 19, 22, 36].map(opposite), [0, 4, 14, 28, 31, 27]);
    }

    #[test]
    fn what_is_within_a_distance_is_what_so_many_steps_reach() {
        for from in Cell::all() {
            let mut reached = from.bit();
            for distance in 0..=TALL {
                assert_eq!(from.within(distance), reached, "{from:?} {distance}");
                reached = widened(reached);
            }
        }
        assert_eq!([0, 1, 2, 3].map(|distance| cell(0).within(distance).count_ones()), [1, 7, 19, 37]);
    }

    #[test]
    fn rays_go_three_steps_in_every_direction() {
        for from in Cell::all() {
            let mut expected = 0;
            for direction in 0..DIRECTIONS {
                let mut at = from.neighbour(direction);
                for _ in 0..TALL {
                    expected |= at.map_or(0, Cell::bit);
                    at = at.and_then(|at| at.neighbour(direction));
                }
            }
            assert_eq!(rays(from.bit()), expected, "{from:?}");
        }
        assert_eq!(rays(cell(0).bit()).count_ones(), 18);
    }
}
