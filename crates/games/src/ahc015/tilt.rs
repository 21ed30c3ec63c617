//! The four ways to tilt the box.

/// A way to tilt the box: all candies slide to this side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tilt {
    /// To the front, row 0.
    Front,
    /// To the back, row 9.
    Back,
    /// To the left, column 0.
    Left,
    /// To the right, column 9.
    Right,
}

impl Tilt {
    /// All of them, in the order of their [`index`](Tilt::index).
    pub const ALL: [Tilt; 4] = [Tilt::Front, Tilt::Back, Tilt::Left, Tilt::Right];

    /// Its place in [`ALL`](Tilt::ALL).
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter the contest writes it with.
    pub fn letter(self) -> char {
        ['F', 'B', 'L', 'R'][self.index()]
    }

    /// The tilt that the contest writes with this letter.
    pub fn of_letter(letter: char) -> Option<Tilt> {
        Tilt::ALL.into_iter().find(|tilt| tilt.letter() == letter)
    }

    /// To the other end.
    #[inline]
    pub fn opposite(self) -> Tilt {
        Tilt::ALL[self.index() ^ 1]
    }

    /// Whether candies slide along columns.
    #[inline]
    pub fn is_vertical(self) -> bool {
        self.index() < 2
    }

    /// Whether candies slide to where rows or columns have high numbers.
    #[inline]
    pub fn is_high(self) -> bool {
        self.index() % 2 == 1
    }
}
