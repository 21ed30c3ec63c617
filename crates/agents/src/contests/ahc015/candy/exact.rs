//! The last turns, searched to the end: every placement and the best answer to each, with no random numbers.

use boughs::StopReason;
use boughs_games::ahc015::{Ahc015, Board, CELLS, Step, Tilt, squares};

use crate::contests::ahc015::batch::worth_of_square;
use crate::contests::{Decision, DecisionIn};

/// The most empty cells for which there are not too many ends.
const MOST_EMPTY: usize = 5;

/// The cost of scoring a box, in late playouts, which are made side by side.
const COST: u64 = 8;

/// The best tilt, if this many playouts are enough for the search.
pub(super) fn answer(position: &Ahc015, most: u64) -> Option<DecisionIn<Ahc015>> {
    let empty = CELLS - position.come();
    if empty == 0 || empty > MOST_EMPTY || COST * ends(empty) > most {
        return None;
    }
    let mut ahead = Ahead { position, scored: 0 };
    let sums = ahead.sums(position.board_now(), position.come());
    let orders = (1..=empty as u64).product::<u64>();
    let worth = worth_of_square(position) / orders as f64;
    let best = (0..4).max_by_key(|&place| (sums[place], std::cmp::Reverse(place)));
    let child = |place: usize| (Step::Tilt(Tilt::ALL[place]), ahead.scored.div_ceil(4), sums[place] as f64 * worth);
    Some(Decision {
        best: best.map(|place| Step::Tilt(Tilt::ALL[place])),
        children: (0..4).map(child).collect(),
        iterations: ahead.scored,
        depth: empty as u32,
        stop: StopReason::Complete,
    })
}

/// The number of final boxes from this many empty cells: four tilts before each candy, and any of the cells for it.
fn ends(empty: usize) -> u64 {
    (1..=empty as u64).map(|empty| 4 * empty).product()
}

/// A search to the end.
struct Ahead<'p> {
    position: &'p Ahc015,
    scored: u64,
}

impl Ahead<'_> {
    /// For each tilt the sum of squares with the best play, summed over all placements of all candies to come.
    fn sums(&mut self, board: &Board, come: usize) -> [u64; 4] {
        let mut boards = [*board; 4];
        let mut sums = [0; 4];
        for (place, tilt) in Tilt::ALL.into_iter().enumerate() {
            boards[place].tilt(tilt);
            // Many tilts of a nearly full box give the same box.
            let same = (0..place).find(|&before| boards[before] == boards[place]);
            sums[place] = same.map_or_else(|| self.sum(&boards[place], come), |before| sums[before]);
        }
        sums
    }

    /// The same sum for a box that has been tilted, before candy number `come`, counted from 0.
    fn sum(&mut self, tilted: &Board, come: usize) -> u64 {
        let mut sum = 0;
        for number in 0..(CELLS - come) as u32 {
            let mut board = *tilted;
            board.drop(number, self.position.flavour(come));
            sum += if come + 1 < CELLS {
                self.sums(&board, come + 1).into_iter().max().unwrap_or(0)
            } else {
                self.scored += 1;
                board.tilt(board.side());
                u64::from(squares(&board))
            };
        }
        sum
    }
}
