//! Sets of points of boards up to nineteen by nineteen.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use boughs::Rng;

use super::{Points, keys};

/// The largest size of the board.
const SIZE: usize = 19;
const STRIDE: u32 = SIZE as u32 + 1;
/// The number of bits that the largest board takes up.
const BITS: usize = SIZE * STRIDE as usize;
const WORDS: usize = BITS.div_ceil(64);

/// A set of points, lowest word first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Large([u64; WORDS]);

static KEYS: [[u64; BITS]; 2] = keys();

static NEIGHBOURS: [Large; BITS] = {
    let mut neighbours = [Large([0; WORDS]); BITS];
    let mut point = 0;
    while point < BITS {
        let steps = [point + 1, point.wrapping_sub(1), point + STRIDE as usize, point.wrapping_sub(STRIDE as usize)];
        let mut i = 0;
        while i < steps.len() {
            if steps[i] < 64 * WORDS {
                neighbours[point].0[steps[i] / 64] |= 1 << (steps[i] % 64);
            }
            i += 1;
        }
        point += 1;
    }
    neighbours
};

/// The neighbours of each point, one by one.
static BESIDE: [[u16; 4]; BITS] = places_at([1, -1, STRIDE as isize, -(STRIDE as isize)]);

/// The points at the corners of each point.
static CORNERS: [[u16; 4]; BITS] = {
    let stride = STRIDE as isize;
    places_at([stride + 1, stride - 1, 1 - stride, -stride - 1])
};

/// The places at these distances from each point.
const fn places_at(steps: [isize; 4]) -> [[u16; 4]; BITS] {
    let mut places = [[Large::NOWHERE; 4]; BITS];
    let mut point = 0;
    while point < BITS {
        let mut i = 0;
        while i < steps.len() {
            let place = point.wrapping_add_signed(steps[i]);
            if place < BITS {
                places[point][i] = place as u16;
            }
            i += 1;
        }
        point += 1;
    }
    places
}

impl Large {
    #[inline]
    fn each_word(self, other: Large, join: impl Fn(u64, u64) -> u64) -> Large {
        Large(std::array::from_fn(|i| join(self.0[i], other.0[i])))
    }

    /// Moves each bit to a higher place.
    #[inline]
    fn higher(self, by: u32) -> Large {
        let word = |i: usize| if i < WORDS { self.0[i] } else { 0 };
        Large(std::array::from_fn(|i| word(i) << by | word(i.wrapping_sub(1)) >> (64 - by)))
    }

    /// Moves each bit to a lower place.
    #[inline]
    fn lower(self, by: u32) -> Large {
        let word = |i: usize| if i < WORDS { self.0[i] } else { 0 };
        Large(std::array::from_fn(|i| word(i) >> by | word(i + 1) << (64 - by)))
    }

    /// Five bits, of which the lowest has this number, which may be below 0 or above the last.
    #[inline]
    fn five_from(self, bit: i32) -> u64 {
        let word =
            |number: i32| usize::try_from(number).ok().and_then(|number| self.0.get(number)).copied().unwrap_or(0);
        let (number, shift) = (bit.div_euclid(64), bit.rem_euclid(64) as u32);
        let high = if shift > 59 { word(number + 1) << (64 - shift) } else { 0 };
        (word(number) >> shift | high) & 0b1_1111
    }
}

macro_rules! operators {
    ($($trait:ident $name:ident $assign_trait:ident $assign:ident $operator:tt),*) => {$(
        impl $trait for Large {
            type Output = Large;
            #[inline]
            fn $name(self, other: Large) -> Large {
                self.each_word(other, |a, b| a $operator b)
            }
        }
        impl $assign_trait for Large {
            #[inline]
            fn $assign(&mut self, other: Large) {
                *self = *self $operator other;
            }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign &,
    BitOr bitor BitOrAssign bitor_assign |,
    BitXor bitxor BitXorAssign bitxor_assign ^
}

impl Not for Large {
    type Output = Large;
    #[inline]
    fn not(self) -> Large {
        Large(self.0.map(|word| !word))
    }
}

impl Points for Large {
    const NONE: Large = Large([0; WORDS]);
    const MAX_SIZE: u8 = SIZE as u8;
    const NOWHERE: u16 = BITS as u16;
    const PASS: u16 = 511;
    const LOOKS_ONE_BY_ONE: bool = true;

    type OfPoints<T: Copy + Debug + Send + Sync> = [T; BITS];
    type IfOneByOne<T: Copy + Debug + Send + Sync> = [T; BITS + 1];
    type OfMoves<T: Copy + Debug + Send + Sync> = [T; 3 * SIZE * SIZE];
    type Marks = [u64; 128];

    #[inline]
    fn of_points<T: Copy + Debug + Send + Sync>(value: T) -> [T; BITS] {
        [value; BITS]
    }
    #[inline]
    fn if_one_by_one<T: Copy + Debug + Send + Sync>(value: T) -> [T; BITS + 1] {
        [value; BITS + 1]
    }
    #[inline]
    fn no_marks() -> Self::Marks {
        [0; _]
    }
    #[inline]
    fn of_moves<T: Copy + Debug + Send + Sync>(value: T) -> [T; 3 * SIZE * SIZE] {
        [value; _]
    }

    #[inline]
    fn one(point: u16) -> Large {
        let mut words = [0; WORDS];
        words[usize::from(point / 64)] = 1 << (point % 64);
        Large(words)
    }
    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    #[inline]
    fn first(self) -> u16 {
        let word = self.0.iter().position(|&word| word != 0).unwrap_or(0);
        64 * word as u16 + self.0[word].trailing_zeros() as u16
    }
    #[inline]
    fn without_first(mut self) -> Large {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }
    /// A comparison of arrays would be a call of the system's library, which takes longer than the rest of a move.
    #[inline]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }
    #[inline]
    fn at_most_one(self) -> bool {
        let all = self.0.iter().fold(0, |all, word| all | word);
        let words = self.0.iter().filter(|&&word| word != 0).count();
        words < 2 && all & all.wrapping_sub(1) == 0
    }
    /// Looks only at the words next to which there are points, and at no more once there are two.
    #[inline]
    fn two_beside(&self, others: &Large) -> Option<[u16; 2]> {
        let words = &self.0;
        let (mut below, mut found) = (0, None);
        for i in 0..WORDS {
            let (here, above) = (words[i], if i + 1 < WORDS { words[i + 1] } else { 0 });
            if here | below | above != 0 {
                let sideways = here << 1 | below >> 63 | here >> 1 | above << 63;
                let up_and_down = here << STRIDE | below >> (64 - STRIDE) | here >> STRIDE | above << (64 - STRIDE);
                let mut beside = (sideways | up_and_down) & others.0[i];
                while beside != 0 {
                    let point = 64 * i as u16 + beside.trailing_zeros() as u16;
                    match found {
                        None => found = Some(point),
                        Some(first) => return Some([first, point]),
                    }
                    beside &= beside - 1;
                }
            }
            below = here;
        }
        None
    }
    #[inline]
    fn touches_at_most_one_of(self, others: Large) -> bool {
        self.two_beside(&others).is_none()
    }
    #[inline]
    fn insert(&mut self, point: u16) {
        self.0[usize::from(point / 64)] |= 1 << (point % 64);
    }
    #[inline]
    fn remove(&mut self, point: u16) {
        self.0[usize::from(point / 64)] &= !(1 << (point % 64));
    }
    #[inline]
    fn beside(point: u16) -> [u16; 4] {
        BESIDE[usize::from(point)]
    }
    #[inline]
    fn corners(point: u16) -> [u16; 4] {
        CORNERS[usize::from(point)]
    }
    #[inline]
    fn each(self) -> impl Iterator<Item = u16> {
        let (mut word, mut bits) = (0, self.0[0]);
        std::iter::from_fn(move || {
            while bits == 0 {
                word += 1;
                bits = *self.0.get(word)?;
            }
            let point = 64 * word as u16 + bits.trailing_zeros() as u16;
            bits &= bits - 1;
            Some(point)
        })
    }
    #[inline]
    fn has(self, point: u16) -> bool {
        self.0[usize::from(point / 64)] >> (point % 64) & 1 == 1
    }
    #[inline]
    fn up(self) -> Large {
        self.higher(STRIDE)
    }
    #[inline]
    fn down(self) -> Large {
        self.lower(STRIDE)
    }
    #[inline]
    fn left(self) -> Large {
        self.lower(1)
    }
    #[inline]
    fn right(self) -> Large {
        self.higher(1)
    }
    #[inline]
    fn neighbours(point: u16) -> Large {
        NEIGHBOURS[usize::from(point)]
    }
    #[inline]
    fn key(player: usize, point: u16) -> u64 {
        KEYS[player][usize::from(point)]
    }
    #[inline]
    fn square(self, middle: u16) -> u64 {
        let corner = i32::from(middle) - 2 * STRIDE as i32 - 2;
        (0..5).fold(0, |square, row| square | self.five_from(corner + row * STRIDE as i32) << (10 * row))
    }
    #[inline]
    fn of_square(square: u64, middle: u16) -> Large {
        let corner = i32::from(middle) - 2 * STRIDE as i32 - 2;
        let mut points = Large::NONE;
        let mut left = square;
        while left != 0 {
            let at = left.trailing_zeros() as i32;
            points |= Large::one((corner + at / 10 * STRIDE as i32 + at % 10) as u16);
            left &= left - 1;
        }
        points
    }
    #[inline]
    fn pick(self, rng: &mut Rng) -> u16 {
        let counts = self.0.map(u64::count_ones);
        let mut n = rng.below(counts.iter().sum());
        let mut word = 0;
        while n >= counts[word] {
            n -= counts[word];
            word += 1;
        }
        64 * word as u16 + rng.pick_bit(self.0[word]) as u16
    }
}
