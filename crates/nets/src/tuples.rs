//! The tuples of a network.

use std::collections::HashSet;

use boughs::Rng;
use boughs_games::CellsShape;

/// The most contents of a usual tuple, and its most cells: nine cells of three kinds have 19,683, and eight of four
/// kinds as many as may be.
const MOST_CONTENTS: u64 = 1 << 16;
const MOST_LENGTH: usize = 9;

/// The most walks of a text: each is compared with all before.
const MOST_WALKS: usize = 1_000;

/// The cells of each tuple of a network, and the number of stages of a game in which tuples have weights of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuples {
    pub(crate) shape: CellsShape,
    pub(crate) cells: Vec<Vec<usize>>,
    pub(crate) stages: usize,
}

impl Tuples {
    /// Tuples of these cells, which are counted row by row from the top. `None` if there are none, or a cell is not
    /// on the board, stands twice in a tuple, or a tuple is empty.
    pub fn new(shape: CellsShape, cells: Vec<Vec<usize>>) -> Option<Tuples> {
        let is_tuple = |tuple: &Vec<usize>| {
            let is_new = |(place, cell)| !tuple[..place].contains(cell);
            !tuple.is_empty() && tuple.iter().all(|&cell| cell < shape.cells()) && tuple.iter().enumerate().all(is_new)
        };
        (!cells.is_empty() && cells.iter().all(is_tuple)).then(|| Tuples::of(shape, cells))
    }

    /// Tuples of one stage.
    fn of(shape: CellsShape, cells: Vec<Vec<usize>>) -> Tuples {
        Tuples { shape, cells, stages: 1 }
    }

    /// The number of stages.
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// The same tuples with weights of their own in each of some stages: a board is in the first one of four if at most
    /// a quarter of its cells are filled.
    #[must_use]
    pub fn in_stages(self, stages: usize) -> Tuples {
        Tuples { stages, ..self }
    }

    /// The board.
    pub fn shape(&self) -> CellsShape {
        self.shape
    }

    /// The tuples that suit a board without knowledge of its game. On a square of 4 by 4 cells of many kinds they are
    /// the four of Yeh et al. (2016) for 2048. Else they are walks of at most nine cells, of fewer where there are more
    /// kinds, because a weight stands for each content: seven tuples for every five cells, and at most 100.
    pub fn usual(shape: CellsShape, rng: &mut Rng) -> Tuples {
        if (shape.columns, shape.rows) == (4, 4) && shape.kinds > 9 {
            let hooks = vec![vec![0, 1, 2, 3, 4, 5], vec![4, 5, 6, 7, 8, 9]];
            return Tuples::rectangles(shape, 3, 2).and(Tuples::of(shape, hooks));
        }
        let most = (1..).take_while(|&length| (shape.kinds as u64).saturating_pow(length) <= MOST_CONTENTS).last();
        let length = (most.unwrap_or(1) as usize).min(MOST_LENGTH).min(shape.cells());
        Tuples::walks(shape, (shape.cells() * 7 / 5).clamp(4, 100), length, rng)
    }

    /// The tuples of a text, several of which are joined by `+`: `usual`, `lines` for [`lines`](Tuples::lines),
    /// `diagonals`, `rectangles:3x2`, `walks:70x8` for 70 walks of 8 cells, or the numbers of cells such as `0-1-2-6`.
    ///
    /// # Errors
    /// One sentence about the part at fault.
    pub fn read(shape: CellsShape, text: &str, rng: &mut Rng) -> Result<Tuples, String> {
        let mut all = Tuples::of(shape, Vec::new());
        for part in text.split('+') {
            let (name, rest) = part.split_once(':').unwrap_or((part, ""));
            let pair = || {
                let (first, second) = rest.split_once('x')?;
                Some((first.parse::<usize>().ok()?, second.parse::<usize>().ok()?))
            };
            let tuples = match (name, pair()) {
                ("usual", None) if rest.is_empty() => Some(Tuples::usual(shape, rng)),
                ("lines", None) if rest.is_empty() => Some(Tuples::lines(shape)),
                ("diagonals", None) if rest.is_empty() => Some(Tuples::diagonals(shape)),
                ("rectangles", Some((columns, rows))) => Some(Tuples::rectangles(shape, columns, rows)),
                ("walks", Some((count @ 1..=MOST_WALKS, length @ 1..))) => {
                    Some(Tuples::walks(shape, count, length, rng))
                }
                _ => part
                    .split('-')
                    .map(|cell| cell.parse().ok())
                    .collect::<Option<Vec<usize>>>()
                    .and_then(|cells| Tuples::new(shape, vec![cells])),
            };
            let tuples = tuples.filter(|tuples| tuples.cells.iter().all(|tuple| !tuple.is_empty()));
            let Some(tuples) = tuples.filter(|tuples| !tuples.cells.is_empty()) else {
                let last = shape.cells() - 1;
                return Err(format!(
                    "'{part}' is no tuple of this board; write usual, lines, diagonals, rectangles:2x3, walks:40x6, \
                     or cells from 0 to {last} such as 0-1, and join several by +"
                ));
            };
            all = all.and(tuples);
        }
        Ok(all)
    }

    /// All rows and columns.
    pub fn lines(shape: CellsShape) -> Tuples {
        let (columns, rows) = (shape.columns, shape.rows);
        let row = |row: usize| (0..columns).map(|column| row * columns + column).collect();
        let column = |column: usize| (0..rows).map(|row| row * columns + column).collect();
        Tuples::of(shape, (0..rows).map(row).chain((0..columns).map(column)).collect()).distinct()
    }

    /// All diagonals of at least four cells.
    pub fn diagonals(shape: CellsShape) -> Tuples {
        let (columns, rows) = (shape.columns as i64, shape.rows as i64);
        let falling = |first: i64| -> Vec<(i64, i64)> {
            let on_board = |&(column, _): &(i64, i64)| (0..columns).contains(&column);
            (0..rows).map(|row| (first + row, row)).filter(on_board).collect()
        };
        let all = (1 - rows..columns).map(falling).filter(|diagonal| diagonal.len() >= 4).flat_map(|diagonal| {
            let rising = diagonal.iter().map(|&(column, row)| (columns - 1 - column, row)).collect();
            [diagonal, rising]
        });
        let cell = |(column, row): (i64, i64)| (row * columns + column) as usize;
        let cells = all.map(|diagonal: Vec<(i64, i64)>| diagonal.into_iter().map(cell).collect()).collect();
        Tuples::of(shape, cells).distinct()
    }

    /// All rectangles of so many columns and rows.
    pub fn rectangles(shape: CellsShape, columns: usize, rows: usize) -> Tuples {
        let mut cells = Vec::new();
        for top in 0..(shape.rows + 1).saturating_sub(rows) {
            for left in 0..(shape.columns + 1).saturating_sub(columns) {
                let places = (top..top + rows).flat_map(|row| (left..left + columns).map(move |column| (column, row)));
                cells.push(places.map(|(column, row)| row * shape.columns + column).collect());
            }
        }
        Tuples::of(shape, cells).distinct()
    }

    /// As many tuples of as many cells, each of which a random walk visits that goes from a cell to one of its eight
    /// neighbours. There are fewer where the board has no more.
    pub fn walks(shape: CellsShape, count: usize, length: usize, rng: &mut Rng) -> Tuples {
        const TRIES: usize = 1_000;
        let mut set = DistinctTuples::of(shape);
        let mut left = TRIES;
        while set.kept.len() < count && left > 0 {
            let is_new = set.add(walk(shape, length.min(shape.cells()), rng));
            left = if is_new { TRIES } else { left - 1 };
        }
        Tuples::of(shape, set.kept)
    }

    /// These tuples and those of another network of the same board.
    #[must_use]
    pub fn and(mut self, others: Tuples) -> Tuples {
        self.cells.extend(others.cells);
        self.distinct()
    }

    /// The tuples without those that a symmetry makes of an earlier one.
    fn distinct(self) -> Tuples {
        let mut set = DistinctTuples::of(self.shape);
        self.cells.into_iter().for_each(|tuple| _ = set.add(tuple));
        Tuples { cells: set.kept, ..self }
    }

    /// The number of weights of one player in one stage; `None` if they cannot be counted by 32 bits.
    pub fn weights(&self) -> Option<u32> {
        let of = |tuple: &Vec<usize>| (self.shape.kinds as u32).checked_pow(tuple.len() as u32);
        self.cells.iter().try_fold(0u32, |sum, tuple| sum.checked_add(of(tuple)?))
    }
}

/// Tuples of which no two are images of each other.
struct DistinctTuples {
    permutations: Vec<Vec<usize>>,
    kept: Vec<Vec<usize>>,
    /// The cells of all images, in order of their numbers.
    images: HashSet<Vec<usize>>,
}

impl DistinctTuples {
    fn of(shape: CellsShape) -> DistinctTuples {
        DistinctTuples { permutations: shape.permutations(), kept: Vec::new(), images: HashSet::new() }
    }

    /// Adds a tuple. Returns false if it is there already.
    fn add(&mut self, tuple: Vec<usize>) -> bool {
        let sorted = |to: &Vec<usize>| {
            let mut cells: Vec<usize> = tuple.iter().map(|&cell| to[cell]).collect();
            cells.sort_unstable();
            cells
        };
        let images: Vec<Vec<usize>> = self.permutations.iter().map(sorted).collect();
        if self.images.contains(&images[0]) {
            return false;
        }
        self.images.extend(images);
        self.kept.push(tuple);
        true
    }
}

/// The cells that a random walk visits, in order of their numbers.
fn walk(shape: CellsShape, length: usize, rng: &mut Rng) -> Vec<usize> {
    let (columns, rows) = (shape.columns as i64, shape.rows as i64);
    let mut cell = rng.below(shape.cells() as u32) as i64;
    let mut walk = vec![cell as usize];
    while walk.len() < length {
        let (column, row) =
            (cell % columns + i64::from(rng.below(3)) - 1, cell / columns + i64::from(rng.below(3)) - 1);
        if !(0..columns).contains(&column) || !(0..rows).contains(&row) {
            continue;
        }
        cell = row * columns + column;
        if !walk.contains(&(cell as usize)) {
            walk.push(cell as usize);
        }
    }
    walk.sort_unstable();
    walk
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs_games::{Colours, Symmetries};

    const SQUARE: CellsShape =
        CellsShape { columns: 4, rows: 4, kinds: 16, symmetries: Symmetries::Square, colours: Colours::Differ };
    const CONNECT4: CellsShape =
        CellsShape { columns: 7, rows: 6, kinds: 3, symmetries: Symmetries::LeftRight, colours: Colours::Differ };

    #[test]
    fn lines_and_rectangles_stand_once_for_all_their_images() {
        assert_eq!(Tuples::lines(SQUARE).cells, [vec![0, 1, 2, 3], vec![4, 5, 6, 7]]);
        assert_eq!(Tuples::lines(CONNECT4).cells.len(), 6 + 4);
        assert_eq!(Tuples::diagonals(SQUARE).cells, [vec![0, 5, 10, 15]]);
        assert_eq!(Tuples::diagonals(CONNECT4).cells.len(), 6);
        assert_eq!(Tuples::rectangles(SQUARE, 2, 2).cells.len(), 3);
        assert_eq!(Tuples::rectangles(SQUARE, 3, 2).cells, [vec![0, 1, 2, 4, 5, 6], vec![4, 5, 6, 8, 9, 10]]);
        assert_eq!(Tuples::rectangles(SQUARE, 5, 1).cells.len(), 0);
        assert_eq!(Tuples::rectangles(CONNECT4, 4, 2).cells.len(), 2 * 5);
        assert_eq!(Tuples::lines(SQUARE).and(Tuples::lines(SQUARE)), Tuples::lines(SQUARE));
        assert_eq!(Tuples::lines(SQUARE).weights(), Some(2 * 65_536));
        assert_eq!(Tuples::rectangles(SQUARE, 4, 4).weights(), None);
    }

    #[test]
    fn walks_have_neighbours_and_differ() {
        let mut rng = Rng::new(1, 0);
        let tuples = Tuples::walks(CONNECT4, 50, 8, &mut rng);
        assert_eq!((tuples.cells.len(), tuples.clone().distinct()), (50, tuples.clone()));
        for cells in &tuples.cells {
            assert_eq!(cells.len(), 8);
            let is_near = |a: usize, b: usize| (a % 7).abs_diff(b % 7) <= 1 && (a / 7).abs_diff(b / 7) <= 1;
            assert!(cells.iter().all(|&cell| cells.iter().any(|&other| other != cell && is_near(cell, other))));
        }
        assert_eq!(tuples, Tuples::walks(CONNECT4, 50, 8, &mut Rng::new(1, 0)));
        // A board of two cells has one pair.
        let small = CellsShape { columns: 2, rows: 1, ..CONNECT4 };
        assert_eq!(Tuples::walks(small, 5, 8, &mut rng).cells, [vec![0, 1]]);
    }

    #[test]
    fn tuples_are_read_from_a_text() {
        let read = |text: &str| Tuples::read(SQUARE, text, &mut Rng::new(1, 0));
        assert_eq!(read("lines"), Ok(Tuples::lines(SQUARE)));
        assert_eq!(read("lines+rectangles:2x2+0-5"), {
            let pair = Tuples::new(SQUARE, vec![vec![0, 5]]).unwrap();
            Ok(Tuples::lines(SQUARE).and(Tuples::rectangles(SQUARE, 2, 2)).and(pair))
        });
        assert_eq!(read("walks:5x3"), Ok(Tuples::walks(SQUARE, 5, 3, &mut Rng::new(1, 0))));
        assert_eq!(read("usual").unwrap().cells.len(), 4);
        let connect4 = Tuples::read(CONNECT4, "usual", &mut Rng::new(1, 0)).unwrap();
        assert_eq!((connect4.cells.len(), connect4.cells[0].len()), (58, 9));
        for text in ["", "+", "lines:2", "rectangles", "rectangles:5x1", "rectangles:0x2", "walks:0x3", "walks:5x0"]
            .into_iter()
            .chain(["walks:2000x3", "0-16", "3-3", "-1", "diagonals:3", "circles", "lines+usual:3"])
        {
            let fault = read(text).unwrap_err();
            assert!(fault.contains("cells from 0 to 15"), "{text} {fault}");
        }
    }

    #[test]
    fn tuples_are_cells_of_the_board_that_differ() {
        assert!(Tuples::new(SQUARE, vec![vec![0, 15]]).is_some());
        for cells in [vec![16], vec![3, 3], vec![]] {
            assert_eq!(Tuples::new(SQUARE, vec![cells]), None);
        }
        assert_eq!(Tuples::new(SQUARE, Vec::new()), None);
    }
}
