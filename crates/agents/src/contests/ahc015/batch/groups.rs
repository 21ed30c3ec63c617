//! The worth of boxes side by side: their connected groups.

#![allow(clippy::needless_range_loop, reason = "a lane is a number: several vectors are gone through together")]

use boughs_games::ahc015::SIZE;

use super::WIDTH;
use super::boxes::Boxes;

impl Boxes {
    /// The sums of squares of full boxes.
    ///
    /// All boxes grow a group of each flavour at a time, from the lowest cell that is left, until no group of any box
    /// grows.
    #[inline(always)]
    pub(super) fn squares(&self, sums: &mut [u32; WIDTH]) {
        let flavours = self.halves();
        let mut along = [[0; WIDTH]; 2];
        let mut across = [[0; WIDTH]; 2];
        for [low, high] in &flavours {
            for lane in 0..WIDTH {
                let (low, high) = (low[lane], high[lane]);
                along[0][lane] |= low & low >> 1;
                along[1][lane] |= high & high >> 1;
                across[0][lane] |= low & (low >> ROW | high << (HALF - ROW));
                across[1][lane] |= high & high >> ROW;
            }
        }
        let mut rest = [[0; WIDTH]; 2];
        for lane in 0..WIDTH {
            let [low, high] = [0, 1].map(|half| along[half][lane] | along[half][lane] << 1);
            let (below, above) = (across[0][lane], across[1][lane]);
            rest[0][lane] = (low | below | below << ROW) & HALF_MASK;
            rest[1][lane] = high | above | above << ROW | below >> (HALF - ROW);
        }
        for lane in 0..WIDTH {
            // Cells without a neighbour of their flavour.
            sums[lane] = (SIZE * SIZE) as u32 - rest[0][lane].count_ones() - rest[1][lane].count_ones();
        }
        while any(&rest[0]) | any(&rest[1]) {
            let mut groups = [[0; WIDTH]; 2];
            for [lows, highs] in &flavours {
                for lane in 0..WIDTH {
                    let (low, high) = (lows[lane] & rest[0][lane], highs[lane] & rest[1][lane]);
                    groups[0][lane] |= low & low.wrapping_neg();
                    groups[1][lane] |= if low == 0 { high & high.wrapping_neg() } else { 0 };
                }
            }
            loop {
                let mut grown = [0; WIDTH];
                for lane in 0..WIDTH {
                    let (mut low, mut high) = (groups[0][lane], groups[1][lane]);
                    for _ in 0..2 {
                        low |= (low & along[0][lane]) << 1 | low >> 1 & along[0][lane];
                        high |= (high & along[1][lane]) << 1 | high >> 1 & along[1][lane];
                        let up = low & across[0][lane];
                        let (down, above) =
                            ((low >> ROW | high << (HALF - ROW)) & across[0][lane], high & across[1][lane]);
                        low |= up << ROW & HALF_MASK | down;
                        high |= above << ROW | up >> (HALF - ROW) | high >> ROW & across[1][lane];
                    }
                    grown[lane] = low ^ groups[0][lane] | high ^ groups[1][lane];
                    (groups[0][lane], groups[1][lane]) = (low, high);
                }
                if !any(&grown) {
                    break;
                }
            }
            for [lows, highs] in &flavours {
                for lane in 0..WIDTH {
                    let size =
                        (lows[lane] & groups[0][lane]).count_ones() + (highs[lane] & groups[1][lane]).count_ones();
                    sums[lane] += size * size;
                }
            }
            for half in 0..2 {
                for lane in 0..WIDTH {
                    rest[half][lane] &= !groups[half][lane];
                }
            }
        }
    }

    /// The cells of each flavour, in two words of five stacks each.
    #[inline(always)]
    fn halves(&self) -> [[[u64; WIDTH]; 2]; 3] {
        let mut halves = [[[0; WIDTH]; 2]; 3];
        for half in 0..2 {
            for stack in (0..SIZE / 2).rev() {
                let (lows, highs) = (&self.low[stack + half * SIZE / 2], &self.high[stack + half * SIZE / 2]);
                for lane in 0..WIDTH {
                    let (low, high) = (u64::from(lows[lane]), u64::from(highs[lane]));
                    for (flavour, cells) in [low & !high, high & !low, low & high].into_iter().enumerate() {
                        halves[flavour][half][lane] = halves[flavour][half][lane] << ROW | cells;
                    }
                }
            }
        }
        halves
    }
}

/// The bits of a stack in a word of several. The extra bit keeps a stack from shifting into the next one.
const ROW: u32 = SIZE as u32 + 1;
/// The bits of half a box.
const HALF: u32 = ROW * SIZE as u32 / 2;
const HALF_MASK: u64 = (1 << HALF) - 1;

#[inline(always)]
fn any(lanes: &[u64; WIDTH]) -> bool {
    lanes.iter().fold(0, |all, lane| all | lane) != 0
}
