//! Sets of points of boards up to nine by nine.

use boughs::Rng;

use super::{Points, keys};

/// The largest size of the board.
const SIZE: usize = 9;
const STRIDE: u32 = SIZE as u32 + 1;
/// The number of bits that the largest board takes up.
const BITS: usize = SIZE * STRIDE as usize;

static KEYS: [[u64; BITS]; 2] = keys();

static NEIGHBOURS: [u128; BITS] = {
    let mut neighbours = [0; BITS];
    let mut point = 0;
    while point < BITS {
        let one = 1 << point;
        neighbours[point] = one << 1 | one >> 1 | one << STRIDE | one >> STRIDE;
        point += 1;
    }
    neighbours
};

/// From the lowest corner of a square of five points to its middle.
const TO_MIDDLE: u32 = 2 * STRIDE + 2;

impl Points for u128 {
    const NONE: u128 = 0;
    const MAX_SIZE: u8 = SIZE as u8;
    const NOWHERE: u16 = BITS as u16;
    const PASS: u16 = 127;
    const LOOKS_ONE_BY_ONE: bool = false;

    type OfPoints<T: Copy + std::fmt::Debug + Send + Sync> = [T; BITS];
    type IfOneByOne<T: Copy + std::fmt::Debug + Send + Sync> = [T; 0];
    type OfMoves<T: Copy + std::fmt::Debug + Send + Sync> = [T; 3 * SIZE * SIZE];
    type Marks = [u64; 32];

    #[inline]
    fn of_points<T: Copy + std::fmt::Debug + Send + Sync>(value: T) -> [T; BITS] {
        [value; BITS]
    }
    #[inline]
    fn if_one_by_one<T: Copy + std::fmt::Debug + Send + Sync>(_: T) -> [T; 0] {
        []
    }
    #[inline]
    fn no_marks() -> Self::Marks {
        [0; _]
    }
    #[inline]
    fn of_moves<T: Copy + std::fmt::Debug + Send + Sync>(value: T) -> [T; 3 * SIZE * SIZE] {
        [value; _]
    }

    #[inline]
    fn one(point: u16) -> u128 {
        1 << point
    }
    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn first(self) -> u16 {
        self.trailing_zeros() as u16
    }
    #[inline]
    fn without_first(self) -> u128 {
        self & self.wrapping_sub(1)
    }
    #[inline]
    fn up(self) -> u128 {
        self << STRIDE
    }
    #[inline]
    fn down(self) -> u128 {
        self >> STRIDE
    }
    #[inline]
    fn left(self) -> u128 {
        self >> 1
    }
    #[inline]
    fn right(self) -> u128 {
        self << 1
    }
    #[inline]
    fn neighbours(point: u16) -> u128 {
        NEIGHBOURS[usize::from(point)]
    }
    #[inline]
    fn beside(point: u16) -> [u16; 4] {
        [1, -1, STRIDE as i16, -(STRIDE as i16)].map(|step| point.wrapping_add_signed(step).min(Self::NOWHERE))
    }
    #[inline]
    fn corners(point: u16) -> [u16; 4] {
        Self::beside(point)
    }
    #[inline]
    fn two_beside(&self, others: &u128) -> Option<[u16; 2]> {
        let beside = self.next_to() & others;
        (!beside.at_most_one()).then(|| [beside.first(), beside.without_first().first()])
    }
    #[inline]
    fn insert(&mut self, point: u16) {
        *self |= 1 << point;
    }
    #[inline]
    fn remove(&mut self, point: u16) {
        *self &= !(1 << point);
    }
    #[inline]
    fn key(player: usize, point: u16) -> u64 {
        KEYS[player][usize::from(point)]
    }
    #[inline]
    fn square(self, middle: u16) -> u64 {
        (self << TO_MIDDLE >> middle) as u64
    }
    #[inline]
    fn of_square(square: u64, middle: u16) -> u128 {
        u128::from(square) << middle >> TO_MIDDLE
    }
    #[inline]
    fn pick(self, rng: &mut Rng) -> u16 {
        rng.pick_bit_wide(self) as u16
    }
}
