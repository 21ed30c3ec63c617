//! Many cases played side by side, in the lanes of vectors.
//!
//! Tilts that are planned in advance do not look at the box, so one list of them tilts any number of boxes at once;
//! only the placements differ. A box is ten stacks, columns or rows, as in the game itself. Here a stack is two words
//! of ten bits, the low and the high bits of its candies' flavours, with the candy of the lowest row or column first.
//! Three more words are kept for each stack: its length n; 2^n, by which a candy is put on its top; and 2^(10-n), by
//! which a stack is moved to its high end, because not every processor can shift each lane by its own number.

mod boxes;
mod groups;

use boughs::Rng;
use boughs_games::ahc015::{Ahc015, Board, CELLS, MOST, SIZE, Tilt};

use self::boxes::Boxes;

/// The number of boxes side by side.
pub const WIDTH: usize = 32;
/// One word of each box.
type Lanes = [u16; WIDTH];
/// One word of each stack of each box.
type Stacks = [Lanes; SIZE];

/// The placements of the candies to come: for each turn and box the number of an empty cell, counted stack by stack.
pub type Luck = [Lanes; CELLS];

/// A plan: the tilts that answer all candies from the present one on.
pub type Tilts = [Tilt; CELLS];

/// Draws the placements of a block of boxes, for the turns from `from` on.
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

/// The points by which a square of a group's size raises the score.
pub fn worth_of_square(position: &Ahc015) -> f64 {
    f64::from(MOST) / f64::from(position.counts().map(|count| count * count).iter().sum::<u32>().max(1))
}

/// Plays a box on to the end in every lane, each with its own placements: tilts, lets the next candy come, and so on.
/// The candy of `turn` lies in the box already, and the first tilt answers it. Returns the sums of squares.
#[cfg_attr(
    feature = "crates",
    multiversion::multiversion(targets(
        "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt",
        "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"
    ))
)]
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
