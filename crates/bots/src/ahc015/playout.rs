//! Cases played on from a position, with given tilts and given luck.
//!
//! A rule that looks at flavours only tilts the same way whatever happens, so its tilts are written down once and then played
//! with many different placements. The processor's widest vectors are used, as is found out when the program runs.

use boughs::Rng;
use boughs_games::ahc015::{Ahc015, Board, CELLS, MOST, Tilt, squares};
use multiversion::multiversion;

/// Where the candies to come will be put: for each turn the number of an empty cell.
pub type Luck = [u8; CELLS];

/// The luck with this number.
pub fn luck(seed: u64, number: u64, from: usize) -> Luck {
    let mut rng = Rng::new(seed, number);
    let mut luck = [0; CELLS];
    for (turn, cell) in luck.iter_mut().enumerate().skip(from) {
        *cell = rng.below((CELLS - turn) as u32) as u8;
    }
    luck
}

/// The tilts that answer all candies from the present one on.
pub type Tilts = [Tilt; CELLS];

/// All flavours, as a list.
pub fn flavours(position: &Ahc015) -> [u8; CELLS] {
    std::array::from_fn(|turn| position.flavour(turn))
}

/// What each square of a group's size adds to the score.
pub fn worth_of_square(position: &Ahc015) -> f64 {
    f64::from(MOST) / f64::from(position.counts().map(|count| count * count).iter().sum::<u32>().max(1))
}

/// Plays on to the end: tilts, then lets the next candy come, and so on. `turn` is that of the first tilt. Gives the sum of
/// squares.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"
))]
pub fn play_out(board: &Board, turn: usize, tilts: &Tilts, flavours: &[u8; CELLS], luck: &Luck) -> u32 {
    let mut board = *board;
    for turn in turn..CELLS - 1 {
        board.tilt(tilts[turn]);
        board.drop(u32::from(luck[turn + 1]), flavours[turn + 1]);
    }
    // The last tilt changes nothing but that the last candy counts as one of its stack.
    board.tilt(board.side());
    squares(&board)
}
