//! The four ways to tilt the box.

/// A way to tilt the box: all candies slide to this side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tilt {
    /// Tilt to the front, row 0.
    Front,
    /// Tilt to the back, row 9.
    Back,
    /// Tilt to the left, column 0.
    Left,
    /// Tilt to the right, column 9.
    Right,
}

impl Tilt {
    /// All of them, in the order of their [`index`](Tilt::index).
    pub const ALL: [Tilt; 4] = [Tilt::Front, Tilt::Back, Tilt::Left, Tilt::Right];

    /// The place of the tilt in [`ALL`](Tilt::ALL).
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter of the tilt in the contest.
    pub fn letter(self) -> char {
        ['F', 'B', 'L', 'R'][self.index()]
    }

    /// The tilt with this letter.
    pub fn of_letter(letter: char) -> Option<Tilt> {
        Tilt::ALL.into_iter().find(|tilt| tilt.letter() == letter)
    }

    /// The tilt to the other end.
    #[inline]
    pub fn opposite(self) -> Tilt {
        Tilt::ALL[self.index() ^ 1]
    }

    /// Returns true if candies slide along columns.
    #[inline]
    pub fn is_vertical(self) -> bool {
        self.index() < 2
    }

    /// Returns true if candies slide to the rows or columns with high numbers.
    #[inline]
    pub fn is_high(self) -> bool {
        self.index() % 2 == 1
    }
}
