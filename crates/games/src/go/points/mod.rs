//! Sets of points of a board of Go, a bit a point.
//!
//! The rules work on all points at once, by shifts and by `and`, `or` and `xor` of sets. On boards up to nine by nine
//! a set is a number of 128 bits; on larger ones it is [`Large`].

use std::fmt::Debug;
use std::hash::Hash;
use std::iter;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Index, IndexMut, Not};

use boughs::Rng;

mod large;
mod small;

pub use large::Large;

/// A list of fixed length, so that positions are quick to copy.
pub trait List<T>: Clone + Debug + Send + Sync + Index<usize, Output = T> + IndexMut<usize> + AsRef<[T]> {}

impl<T: Clone + Debug + Send + Sync, const LENGTH: usize> List<T> for [T; LENGTH] {}

/// A set of points. [`next_to`](Points::next_to) and its like also set bits of points that are beside the board.
pub trait Points:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// No point.
    const NONE: Self;
    /// The largest size of the board.
    const MAX_SIZE: u8;
    /// Bits from one row to the next: one more than the widest board has, so that no row touches the end of another.
    const STRIDE: u16 = Self::MAX_SIZE as u16 + 1;
    /// The most moves of a game: three for each point of the largest board.
    const MOST_MOVES: usize = 3 * Self::MAX_SIZE as usize * Self::MAX_SIZE as usize;
    /// A place beside every board, which no set has.
    const NOWHERE: u16;
    /// The code of a pass.
    const PASS: u16;
    /// True if a board looks at points one by one and keeps two liberties of each chain, false if it works on all
    /// points at once.
    const LOOKS_ONE_BY_ONE: bool;

    /// A list with a value for each point.
    type OfPoints<T: Copy + Debug + Send + Sync>: List<T>;
    /// The same where points are looked at one by one, and otherwise an empty list.
    type IfOneByOne<T: Copy + Debug + Send + Sync>: List<T>;
    /// A list with a value for each move of a game.
    type OfMoves<T: Copy + Debug + Send + Sync>: List<T>;
    /// The words of the marks of a game's boards (`history.rs`).
    type Marks: List<u64>;

    /// A list with the same value for each point.
    fn of_points<T: Copy + Debug + Send + Sync>(value: T) -> Self::OfPoints<T>;
    /// The same for [`IfOneByOne`](Points::IfOneByOne).
    fn if_one_by_one<T: Copy + Debug + Send + Sync>(value: T) -> Self::IfOneByOne<T>;
    /// Words without a mark.
    fn no_marks() -> Self::Marks;
    /// A list with the same value for each move.
    fn of_moves<T: Copy + Debug + Send + Sync>(value: T) -> Self::OfMoves<T>;

    /// The set of one point.
    fn one(point: u16) -> Self;
    /// The number of points.
    fn count(self) -> u32;
    /// The lowest point.
    fn first(self) -> u16;
    /// The set without its lowest point.
    #[must_use]
    fn without_first(self) -> Self;
    /// The points one row up.
    #[must_use]
    fn up(self) -> Self;
    /// The points one row down.
    #[must_use]
    fn down(self) -> Self;
    /// The points one column to the left.
    #[must_use]
    fn left(self) -> Self;
    /// The points one column to the right.
    #[must_use]
    fn right(self) -> Self;
    /// The neighbours of a point, those beside the board included.
    fn neighbours(point: u16) -> Self;
    /// A random number for a stone of a player on a point.
    fn key(player: usize, point: u16) -> u64;
    /// The five by five points around a point, the lowest corner first and rows ten bits apart. Bits between the rows
    /// may be set.
    fn square(self, middle: u16) -> u64;
    /// The points of such a square around a point, none of which is outside of the board.
    fn of_square(square: u64, middle: u16) -> Self;
    /// Picks one of the points uniformly. There has to be one.
    fn pick(self, rng: &mut Rng) -> u16;

    /// Returns true if the set has no point.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Returns true if the set has a point.
    #[inline]
    fn has(self, point: u16) -> bool {
        !(self & Self::one(point)).is_empty()
    }

    /// The neighbours of a point one by one; those beside the board are [`NOWHERE`](Points::NOWHERE).
    fn beside(point: u16) -> [u16; 4];

    /// The points at the corners of a point, likewise.
    fn corners(point: u16) -> [u16; 4];

    /// The set without a point.
    #[inline]
    #[must_use]
    fn without(self, point: u16) -> Self {
        self & !Self::one(point)
    }

    /// All points above, below, left or right of these.
    #[inline]
    #[must_use]
    fn next_to(self) -> Self {
        self.right() | self.left() | self.up() | self.down()
    }

    /// Returns true if the set has no more than one point.
    #[inline]
    fn at_most_one(self) -> bool {
        self.without_first().is_empty()
    }

    /// Returns true if the points next to these have no more than one in common with others.
    #[inline]
    fn touches_at_most_one_of(self, others: Self) -> bool {
        (self.next_to() & others).at_most_one()
    }

    /// Two of the points next to these that are in another set too; `None` if there are not so many.
    fn two_beside(&self, others: &Self) -> Option<[u16; 2]>;

    /// Puts a point into the set.
    fn insert(&mut self, point: u16);

    /// Takes a point out of the set.
    fn remove(&mut self, point: u16);

    /// The points, lowest first.
    #[inline]
    fn each(mut self) -> impl Iterator<Item = u16> {
        iter::from_fn(move || {
            if self.is_empty() {
                return None;
            }
            let point = self.first();
            self = self.without_first();
            Some(point)
        })
    }

    /// The point in a row and column counted from 0: the number of its bit.
    fn point(row: u8, column: u8) -> u16 {
        u16::from(row) * Self::STRIDE + u16::from(column)
    }

    /// The row and column of a point.
    fn row_and_column(point: u16) -> (u8, u8) {
        ((point / Self::STRIDE) as u8, (point % Self::STRIDE) as u8)
    }
}

/// A random number for each stone of each player: the outputs of splitmix64 (Steele, Lea and Flood 2014).
const fn keys<const POINTS: usize>() -> [[u64; POINTS]; 2] {
    let mut keys = [[0; POINTS]; 2];
    let mut i = 0;
    while i < 2 * POINTS {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(i as u64 + 1);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[i / POINTS][i % POINTS] = word ^ (word >> 31);
        i += 1;
    }
    keys
}
