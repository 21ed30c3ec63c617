//! Many cases played on side by side, in the lanes of vectors.
//!
//! Tilts that are written down before do not look at the box, so with one list of them any number of boxes can be tilted at
//! once; only the placements differ. A box is ten stacks, columns or rows, as in the game itself, but here a stack is two words
//! of ten bits, the low and the high bits of its candies' flavours, the candy of the lowest row or column first. Three more words
//! are kept for each stack: its length n, 2^n, by which something is put on its top, and 2^(10-n), by which a stack is moved to
//! its high end, because not every processor shifts each lane by a number of its own.

mod boxes;
mod groups;

use boughs::Rng;
use boughs_games::ahc015::{Ahc015, Board, CELLS, MOST, SIZE, Tilt};
use multiversion::multiversion;

use self::boxes::Boxes;

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
                *lane = (((bits >> (16 * place) & 0xffff) * empty) >> 16) as u16;
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
