//! The box, held as ten stacks of candies.
//!
//! After a tilt the candies lie against one side in ten stacks, columns or rows. A stack is a word of two bits a candy,
//! the candy of the lowest row or column first; a separate field tells the side. A tilt along the same axis changes the
//! side only, and the one candy that came since goes to one end of its stack. A tilt along the other axis deals the ten
//! stacks out, one after the other, to the ten that cross them: each crossing stack gets the candy at its own height,
//! if there is one, on its top. Vector lanes do this for all crossing stacks at once.

use super::Tilt;

/// Rows and columns.
pub const SIZE: usize = 10;
/// Cells.
pub const CELLS: usize = SIZE * SIZE;

/// Lanes of a vector of stacks; those beyond the tenth are empty.
const LANES: usize = 16;
/// Bits of a full stack.
const FULL: u32 = 2 * SIZE as u32;

/// The box and the candies in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Board {
    /// Candies of each stack, two bits each, without gaps, in the order of rows or columns.
    stacks: [u32; LANES],
    /// Bits of each stack.
    bits: [u32; LANES],
    /// The side against which the stacks lie.
    side: Tilt,
    /// The candy that came after the last tilt.
    loose: Option<Loose>,
}

/// A candy that has not slid yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loose {
    stack: u8,
    height: u8,
    flavour: u8,
}

impl Default for Board {
    fn default() -> Board {
        Board { stacks: [0; LANES], bits: [0; LANES], side: Tilt::Front, loose: None }
    }
}

impl Board {
    /// The number of candies in the box.
    pub fn candies(&self) -> usize {
        self.bits.iter().sum::<u32>() as usize / 2 + usize::from(self.loose.is_some())
    }

    /// The side to which the box was tilted last; the front for a new box.
    #[inline]
    pub fn side(&self) -> Tilt {
        self.side
    }

    /// The flavour in a cell, 1 to 3, or 0 if it is empty.
    pub fn flavour(&self, row: usize, column: usize) -> u8 {
        let (stack, height) = if self.side.is_vertical() { (column, row) } else { (row, column) };
        if let Some(loose) = self.loose.filter(|loose| (loose.stack, loose.height) == (stack as u8, height as u8)) {
            return loose.flavour;
        }
        (self.in_place(stack) >> (2 * height) & 3) as u8
    }

    /// A stack as a word whose lowest two bits are the candy in row or column 0.
    #[inline(always)]
    fn in_place(&self, stack: usize) -> u32 {
        self.stacks[stack] << if self.side.is_high() { FULL - self.bits[stack] } else { 0 }
    }

    /// Puts a candy into the empty cell with this number, counted from 0 row by row from the front, left to right in a
    /// row. The cell must exist, and no other candy may have come since the last tilt.
    #[inline]
    pub fn place(&mut self, number: usize, flavour: u8) {
        if !self.side.is_vertical() {
            return self.drop(number as u32, flavour);
        }
        let mut left = number;
        for row in 0..SIZE {
            let is_free = |column: &usize| self.in_place(*column) >> (2 * row) & 3 == 0;
            let free = (0..SIZE).filter(is_free).count();
            if left < free {
                let stack = (0..SIZE).filter(is_free).nth(left).unwrap_or(0) as u8;
                self.loose = Some(Loose { stack, height: row as u8, flavour });
                return;
            }
            left -= free;
        }
    }

    /// Puts a candy into the empty cell with this number, counted from 0 stack by stack. For random numbers this order
    /// is as good as any other, and the cell is quick to find.
    #[inline(always)]
    pub fn drop(&mut self, number: u32, flavour: u8) {
        let (mut stack, mut before, mut sum) = (0, 0, 0);
        for bits in &self.bits[..SIZE - 1] {
            sum += (FULL - bits) / 2;
            let is_further = number >= sum;
            stack += u8::from(is_further);
            before = if is_further { sum } else { before };
        }
        let base = if self.side.is_high() { 0 } else { self.bits[usize::from(stack) % LANES] / 2 };
        self.loose = Some(Loose { stack, height: (base + number - before) as u8, flavour });
    }

    /// Tilts the box.
    #[inline(always)]
    pub fn tilt(&mut self, to: Tilt) {
        if to.is_vertical() == self.side.is_vertical() {
            self.settle();
        } else {
            self.turn();
        }
        self.side = to;
    }

    /// Lets the loose candy slide along its stack.
    #[inline(always)]
    fn settle(&mut self) {
        let Some(Loose { stack, flavour, .. }) = self.loose.take() else { return };
        let stack = usize::from(stack) % LANES;
        let (candies, bits) = (self.stacks[stack], self.bits[stack]);
        let flavour = u32::from(flavour);
        // The candy lies on the free end.
        self.stacks[stack] = if self.side.is_high() { candies << 2 | flavour } else { candies | flavour << bits };
        self.bits[stack] = bits + 2;
    }

    /// Returns each stack as the low bits and the high bits of its candies' flavours, lowest row or column first, and
    /// its length.
    pub fn planes(&self) -> [(u16, u16, u16); SIZE] {
        let (lows, highs) = (even_bits(&self.stacks), even_bits(&self.stacks.map(|word| word >> 1)));
        std::array::from_fn(|stack| (lows[stack] as u16, highs[stack] as u16, self.bits[stack] as u16 / 2))
    }

    /// Makes rows of columns, or columns of rows.
    #[inline(always)]
    fn turn(&mut self) {
        let mut words = self.stacks;
        if self.side.is_high() {
            raise(&mut words, &self.bits);
        }
        if let Some(Loose { stack, height, flavour }) = self.loose.take() {
            words[usize::from(stack) % LANES] |= u32::from(flavour) << (2 * height);
        }
        (self.stacks, self.bits) = cross(&words);
    }

    /// Returns for each flavour the cells of its candies, with [`STRIDE`] bits a stack, without a candy that has not
    /// slid yet.
    #[inline(always)]
    pub(super) fn masks(&self) -> [u128; 3] {
        let mut words = self.stacks;
        if self.side.is_high() {
            raise(&mut words, &self.bits);
        }
        let join =
            |lanes: &[u32; LANES]| lanes[..SIZE].iter().rev().fold(0, |mask, &lane| mask << STRIDE | u128::from(lane));
        let (low, high) = (join(&even_bits(&words)), join(&even_bits(&words.map(|word| word >> 1))));
        [low & !high, high & !low, low & high]
    }
}

/// Moves stacks to their high end.
#[inline(always)]
fn raise(words: &mut [u32; LANES], bits: &[u32; LANES]) {
    for (word, bits) in words.iter_mut().zip(bits) {
        *word <<= FULL - bits;
    }
}

/// Returns the stacks that cross these, which may have gaps, and their lengths in bits.
#[inline(always)]
fn cross(words: &[u32; LANES]) -> ([u32; LANES], [u32; LANES]) {
    let (mut stacks, mut bits) = ([0; LANES], [0; LANES]);
    for &word in &words[..SIZE] {
        for lane in 0..LANES {
            let candy = word >> (2 * lane) & 3;
            stacks[lane] |= candy << bits[lane];
            bits[lane] += if candy == 0 { 0 } else { 2 };
        }
    }
    (stacks, bits)
}

/// The bits of a stack in a mask: one more than its cells, so that shifts never run from one stack into the next.
pub(super) const STRIDE: u32 = SIZE as u32 + 1;

/// Gathers every second bit of each word, beginning with the lowest.
#[inline(always)]
fn even_bits(words: &[u32; LANES]) -> [u32; LANES] {
    words.map(|word| {
        let word = word & 0x0005_5555;
        let word = (word | word >> 1) & 0x0003_3333;
        let word = (word | word >> 2) & 0x000f_0f0f;
        let word = (word | word >> 4) & 0x00ff_00ff;
        (word | word >> 8) & 0x3ff
    })
}
