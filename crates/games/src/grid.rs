//! Boards whose moves are single points of a grid, as programs know them that draw boards by GTP and know no rules.

/// A point of a grid: its column and its row, counted from 0 at the left and at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The column.
    pub column: u8,
    /// The row.
    pub row: u8,
}

/// The content of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Empty,
    /// A stone of a player.
    Stone(usize),
    /// The point is outside of the board.
    Outside,
}

/// The names of the points of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Rows counted from the bottom, columns without the letter i, as in Go.
    Go,
    /// Rows counted from the bottom, columns with the letter i.
    FromBottom,
    /// Rows counted from the top, columns with the letter i, as in Hex and Othello.
    FromTop,
}

/// A board that is a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of columns.
    pub columns: u8,
    /// The number of rows.
    pub rows: u8,
    /// True if a point also has neighbours up right and down left of it.
    pub is_hexagonal: bool,
    /// The names of the points.
    pub names: Names,
    /// The points, row by row from the top.
    pub points: Vec<Content>,
}

impl Grid {
    /// A grid whose points have the contents that a function gives.
    pub fn new(columns: u8, rows: u8, names: Names, content: impl Fn(Place) -> Content) -> Grid {
        let grid = Grid { columns, rows, is_hexagonal: false, names, points: Vec::new() };
        Grid { points: grid.places().map(content).collect(), ..grid }
    }

    /// All places, row by row from the top.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (columns, rows) = (self.columns, self.rows);
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Place { column, row }))
    }

    /// The same grid with six neighbours a point.
    #[must_use]
    pub fn hexagonal(self) -> Grid {
        Grid { is_hexagonal: true, ..self }
    }

    /// The name of a point, such as `A1`.
    pub fn name(&self, place: Place) -> String {
        let Place { column, row } = place;
        let number = if self.names == Names::FromTop { row + 1 } else { self.rows - row };
        format!("{}{number}", self.letter(column))
    }

    fn letter(&self, column: u8) -> char {
        let skipped = u8::from(self.names == Names::Go && column >= b'i' - b'a');
        char::from(b'A' + column + skipped)
    }

    /// The point with a name, in upper or lower case.
    ///
    /// ```
    /// use boughs_games::{Content, Grid, Names, Place};
    ///
    /// let grid = Grid::new(19, 19, Names::Go, |_| Content::Empty);
    /// assert_eq!(grid.place("Q16"), Some(Place { column: 15, row: 3 }));
    /// assert_eq!(grid.name(Place { column: 8, row: 18 }), "J1");
    /// assert_eq!((grid.place("i5"), grid.place("a20"), grid.place("a")), (None, None, None));
    /// ```
    pub fn place(&self, name: &str) -> Option<Place> {
        let mut characters = name.chars();
        let letter = characters.next()?.to_ascii_uppercase();
        let column = (0..self.columns).find(|&column| self.letter(column) == letter)?;
        let digits = characters.as_str();
        if digits.starts_with('0') || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let number: u8 = digits.parse().ok().filter(|number| (1..=self.rows).contains(number))?;
        let row = if self.names == Names::FromTop { number - 1 } else { self.rows - number };
        Some(Place { column, row })
    }
}
