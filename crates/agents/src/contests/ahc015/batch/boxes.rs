//! Boxes side by side: how candies come to them and how they are tilted.

#![allow(clippy::needless_range_loop, reason = "a lane is a number: several vectors are gone through together")]

use boughs_games::ahc015::{Board, SIZE, Tilt};

use super::{Lanes, Stacks, WIDTH};

/// Boxes side by side, one in each lane.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Boxes {
    pub(super) low: Stacks,
    pub(super) high: Stacks,
    pub(super) length: Stacks,
    pub(super) top: Stacks,
    pub(super) room: Stacks,
    pub(super) side: Tilt,
}

impl Boxes {
    /// Copies one box, whose loose candy must have slid, into every lane.
    #[inline(always)]
    pub(super) fn of(board: &Board) -> Boxes {
        let stacks = board.planes();
        let each = |word: fn((u16, u16, u16)) -> u16| std::array::from_fn(|stack| [word(stacks[stack]); WIDTH]);
        Boxes {
            low: each(|(low, ..)| low),
            high: each(|(_, high, _)| high),
            length: each(|(.., length)| length),
            top: each(|(.., length)| 1 << length),
            room: each(|(.., length)| 1 << (SIZE as u16 - length)),
            side: board.side(),
        }
    }

    /// Drops a candy into each box. It slides to the side where the others lie, or to the other side of the same
    /// stack.
    #[inline(always)]
    pub(super) fn push<const HIGH: bool>(&mut self, numbers: &Lanes, flavour: u8) {
        let (is_low, is_high) = (mask(flavour & 1 != 0), mask(flavour & 2 != 0));
        let mut left = *numbers;
        for stack in 0..SIZE {
            for lane in 0..WIDTH {
                let length = self.length[stack][lane];
                let free = SIZE as u16 - length;
                let here = mask(left[lane] < free);
                left[lane] = left[lane].wrapping_sub(free);
                let (low, high) = (self.low[stack][lane], self.high[stack][lane]);
                let (top, room) = (self.top[stack][lane], self.room[stack][lane]);
                if HIGH {
                    self.low[stack][lane] = (low + (low & here)) | (is_low & here & 1);
                    self.high[stack][lane] = (high + (high & here)) | (is_high & here & 1);
                } else {
                    self.low[stack][lane] = low | top & here & is_low;
                    self.high[stack][lane] = high | top & here & is_high;
                }
                self.length[stack][lane] = length.wrapping_sub(here);
                self.top[stack][lane] = top + (top & here);
                self.room[stack][lane] = room - (room >> 1 & here);
            }
        }
    }

    /// Drops a candy into each box and tilts the boxes along their other axis.
    #[inline(always)]
    pub(super) fn cross<const HIGH: bool>(&mut self, numbers: &Lanes, flavour: u8) {
        let (is_low, is_high) = (mask(flavour & 1 != 0), mask(flavour & 2 != 0));
        // The stack that the candy meets, and the place in it.
        let (mut left, mut stack_of, mut place_of) = (*numbers, [0; WIDTH], [0; WIDTH]);
        for stack in 0..SIZE {
            for lane in 0..WIDTH {
                let length = self.length[stack][lane];
                let free = SIZE as u16 - length;
                let here = mask(left[lane] < free);
                let place = if HIGH { left[lane] } else { left[lane].wrapping_add(length) };
                place_of[lane] |= place & here;
                stack_of[lane] |= stack as u16 & here;
                left[lane] = left[lane].wrapping_sub(free);
            }
        }
        let mut candy = [0; WIDTH];
        for place in 0..SIZE {
            for lane in 0..WIDTH {
                candy[lane] |= mask(place_of[lane] == place as u16) & 1 << place;
            }
        }
        let (mut low, mut high) = ([[0; WIDTH]; SIZE], [[0; WIDTH]; SIZE]);
        let (mut length, mut top, mut room) = ([[0; WIDTH]; SIZE], [[1; WIDTH]; SIZE], [[1 << SIZE; WIDTH]; SIZE]);
        for stack in 0..SIZE {
            let (mut lows, mut highs) = (self.low[stack], self.high[stack]);
            for lane in 0..WIDTH {
                if HIGH {
                    lows[lane] = lows[lane].wrapping_mul(self.room[stack][lane]);
                    highs[lane] = highs[lane].wrapping_mul(self.room[stack][lane]);
                }
                let candy = candy[lane] & mask(stack_of[lane] == stack as u16);
                lows[lane] |= candy & is_low;
                highs[lane] |= candy & is_high;
            }
            for row in 0..SIZE {
                for lane in 0..WIDTH {
                    let (is_low, is_high) = (mask(lows[lane] >> row & 1 != 0), mask(highs[lane] >> row & 1 != 0));
                    let here = is_low | is_high;
                    let on_top = top[row][lane];
                    low[row][lane] |= on_top & is_low;
                    high[row][lane] |= on_top & is_high;
                    top[row][lane] = on_top + (on_top & here);
                    length[row][lane] = u16::wrapping_sub(length[row][lane], here);
                    room[row][lane] -= room[row][lane] >> 1 & here;
                }
            }
        }
        (self.low, self.high, self.length, self.top, self.room) = (low, high, length, top, room);
    }
}

/// All bits set if the condition is true, else none.
#[inline(always)]
fn mask(is: bool) -> u16 {
    0u16.wrapping_sub(u16::from(is))
}
