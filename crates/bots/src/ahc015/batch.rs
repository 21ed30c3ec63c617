//! Many cases played on side by side, in the lanes of vectors.
//!
//! Tilts that are written down before do not look at the box, so with one list of them any number of boxes can be tilted at
//! once; only the placements differ. A box is ten stacks, columns or rows, as in the game itself, but here a stack is two words
//! of ten bits, the low and the high bits of its candies' flavours, the candy of the lowest row or column first. Three more words
//! are kept for each stack: its length n, 2^n, by which something is put on its top, and 2^(10-n), by which a stack is moved to
//! its high end, because not every processor shifts each lane by a number of its own.

use boughs::Rng;
use boughs_games::ahc015::{Ahc015, Board, CELLS, MOST, SIZE, Tilt};
use multiversion::multiversion;

/// Boxes side by side.
pub const WIDTH: usize = 32;
/// A word of each box.
type Lanes = [u16; WIDTH];
/// A word of each stack of each box.
type Stacks = [Lanes; SIZE];

/// Where the candies to come are put in each box: for each turn the number of an empty cell, stack by stack.
pub type Luck = [Lanes; CELLS];

/// The tilts that answer all candies from the present one on.
pub type Tilts = [Tilt; CELLS];

/// Draws the luck of a block of boxes, for the turns from `from` on.
pub fn draw(luck: &mut Luck, seed: u64, block: u64, from: usize) {
    let mut rng = Rng::new(seed, block);
    for (turn, lanes) in luck.iter_mut().enumerate().skip(from) {
        let empty = (CELLS - turn) as u64;
        for four in lanes.chunks_exact_mut(4) {
            let bits = rng.bits();
            for (place, lane) in four.iter_mut().enumerate() {
                *lane = ((bits >> (16 * place) & 0xffff) * empty >> 16) as u16;
            }
        }
    }
}

/// All flavours, as a list.
pub fn flavours(position: &Ahc015) -> [u8; CELLS] {
    std::array::from_fn(|turn| position.flavour(turn))
}

/// What each square of a group's size adds to the score.
pub fn worth_of_square(position: &Ahc015) -> f64 {
    f64::from(MOST) / f64::from(position.counts().map(|count| count * count).iter().sum::<u32>().max(1))
}

/// Boxes side by side.
#[derive(Clone)]
#[repr(align(64))]
struct Boxes {
    low: Stacks,
    high: Stacks,
    length: Stacks,
    top: Stacks,
    room: Stacks,
    side: Tilt,
}

impl Boxes {
    /// Copies of one box, whose loose candy must have slid.
    #[inline(always)]
    fn of(board: &Board) -> Boxes {
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

    /// A candy comes to each box and slides to the side where the others lie, or to the other side of the same stack.
    #[inline(always)]
    fn push<const HIGH: bool>(&mut self, numbers: &Lanes, flavour: u8) {
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
                    self.low[stack][lane] = low + (low & here) | is_low & here & 1;
                    self.high[stack][lane] = high + (high & here) | is_high & here & 1;
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

    /// A candy comes to each box and the boxes are tilted along their other axis.
    #[inline(always)]
    fn cross<const HIGH: bool>(&mut self, numbers: &Lanes, flavour: u8) {
        let (is_low, is_high) = (mask(flavour & 1 != 0), mask(flavour & 2 != 0));
        // Which stack the candy meets, and where in it.
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

    /// The sums of squares of full boxes.
    ///
    /// All boxes grow a group of each flavour at a time, from the lowest cell that is left, until no group of any box grows.
    #[inline(always)]
    fn squares(&self, sums: &mut [u32; WIDTH]) {
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
            // Whatever has no neighbour of its flavour.
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

/// Bits of a stack in a word of several, with one between so that nothing slips from one stack into the next.
const ROW: u32 = SIZE as u32 + 1;
/// Bits of half a box.
const HALF: u32 = ROW * SIZE as u32 / 2;
const HALF_MASK: u64 = (1 << HALF) - 1;

#[inline(always)]
fn any(lanes: &[u64; WIDTH]) -> bool {
    lanes.iter().fold(0, |all, lane| all | lane) != 0
}

/// All bits, if this is true.
#[inline(always)]
fn mask(is: bool) -> u16 {
    0u16.wrapping_sub(u16::from(is))
}

/// Plays a box on to the end many times, each with a luck of its own: tilts, then lets the next candy come, and so on. The
/// candy of `turn` lies in the box already, and the first tilt answers it. Gives the sums of squares.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"
))]
pub fn play_out(board: &Board, turn: usize, tilts: &Tilts, flavours: &[u8; CELLS], luck: &Luck) -> [u32; WIDTH] {
    let mut board = *board;
    board.tilt(tilts[turn.min(CELLS - 1)]);
    let mut boxes = Boxes::of(&board);
    for turn in turn + 1..CELLS {
        // After the last candy nothing changes any more.
        let to = if turn + 1 < CELLS { tilts[turn] } else { boxes.side };
        match (to.is_vertical() == boxes.side.is_vertical(), boxes.side.is_high()) {
            (true, false) => boxes.push::<false>(&luck[turn], flavours[turn]),
            (true, true) => boxes.push::<true>(&luck[turn], flavours[turn]),
            (false, false) => boxes.cross::<false>(&luck[turn], flavours[turn]),
            (false, true) => boxes.cross::<true>(&luck[turn], flavours[turn]),
        }
        boxes.side = to;
    }
    let mut sums = [0; WIDTH];
    boxes.squares(&mut sums);
    sums
}
