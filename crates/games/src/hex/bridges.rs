//! Bridges, and the move that saves one: the knowledge of heavy playouts.
//!
//! A *bridge* is two stones of a player that do not touch, or a stone and a side, with two empty cells that touch both:
//!
//! ```text
//! X .
//!  . X
//! ```
//!
//! It joins them as surely as a third stone would: when the opponent intrudes on one of the cells, the player answers
//! on the other. Random playouts break most bridges. Playouts that save them judge a position far better (Raiko and
//! Peltonen 2008, "Application of UCT Search to the Connection Games of Hex, Y, *Star, and Renkula!"). MoHex plays them
//! (Arneson, Hayward and Henderson 2010, "Monte Carlo Tree Search in Hex").
//!
//! The six neighbours of a cell form a ring, in which each touches the next. Neighbours with one other between them do
//! not touch, and two cells touch both: the one between them and the cell in the middle of the ring. So a stone
//! intrudes into bridges exactly where its ring has an own stone, an empty cell and an own stone in a row. Stones
//! before the last one need no look: the player could answer them when they came.

use boughs::Rng;

use super::Rows;
use super::cells::Cell;

/// Returns a cell that saves a bridge of the player from the opponent's last stone, a random one if that stone intrudes
/// into several bridges, or `None` if it intrudes into none. Sides count as stones.
#[inline]
pub(super) fn save(mine: &Rows, theirs: &Rows, last: Cell, rng: &mut Rng) -> Option<Cell> {
    match saving(mine, theirs, last) {
        0 => None,
        directions => Some(last.neighbour(rng.pick_bit(u64::from(directions)))),
    }
}

/// The directions from the opponent's last stone to the cells that save a bridge, as bits.
#[inline]
fn saving(mine: &Rows, theirs: &Rows, last: Cell) -> u32 {
    let own = ring(mine, last);
    let twice = own << 6 | own;
    // Bit d of the two shifted words is the next neighbour and the one before.
    let between = twice >> 1 & twice >> 5 & !own & 0b11_1111;
    // Most moves end here, before they look at the opponent's stones.
    if between == 0 { 0 } else { between & !ring(theirs, last) }
}

/// The neighbours of a cell that are stones or sides of a player. Bit d is [`Cell::neighbour`] d.
#[inline]
fn ring(stones: &Rows, cell: Cell) -> u32 {
    // Bits 0 to 2 of the rows: the column before the cell's, its own, and the next one.
    let [above, beside, below] = [0, 1, 2].map(|row| stones[cell.row() + row] >> cell.column());
    above & 0b110 | beside & 0b1 | (beside & 0b100) << 1 | (below & 0b10) << 3 | (below & 0b1) << 5
}

#[cfg(test)]
mod tests {
    use super::super::Hex;
    use super::*;
    use boughs::notation::legal_moves;
    use boughs::{Game, Turn};
    use std::collections::HashSet;

    /// A player, the stones at the ends of a bridge, and its two cells.
    type Bridge = (u8, Vec<[i8; 2]>, [[i8; 2]; 2]);
    /// A stone or a side, and the cells that touch it.
    type End = (Option<[i8; 2]>, HashSet<[i8; 2]>);

    /// Steps (down, right) to the neighbours of a cell, each touching the next.
    const AROUND: [[i8; 2]; 6] = [[0, -1], [-1, 0], [-1, 1], [0, 1], [1, 0], [1, -1]];

    fn moved([row, column]: [i8; 2], steps: &[[i8; 2]]) -> [i8; 2] {
        steps.iter().fold([row, column], |[row, column], [down, right]| [row + down, column + right])
    }

    fn cell([row, column]: [i8; 2]) -> Cell {
        Cell::new(row as u8, column as u8)
    }

    /// The position after stones of players on a board of seven by seven. The opponent of the last stone's player is to
    /// move.
    fn after(stones: &[(u8, [i8; 2])]) -> Hex {
        let mut game = Hex::new(7).expect("a size within the range");
        for &(player, place) in stones {
            game.player = player;
            game.apply(cell(place));
        }
        game
    }

    /// The cells that the player to move may answer on to save a bridge.
    fn answers(game: &Hex) -> Vec<Cell> {
        let player = usize::from(game.player);
        let directions = saving(&game.stones[player], &game.stones[1 - player], game.last);
        (0..6).filter(|direction| directions >> direction & 1 == 1).map(|it| game.last.neighbour(it)).collect()
    }

    /// The ends of bridges and their two cells: stones of either player in all six directions, and a stone before each
    /// of its player's sides.
    fn bridges() -> Vec<Bridge> {
        let middle = [3, 3];
        let mut bridges = vec![
            (0, vec![[1, 3]], [[0, 3], [0, 4]]),
            (0, vec![[5, 3]], [[6, 3], [6, 2]]),
            (1, vec![[3, 1]], [[3, 0], [4, 0]]),
            (1, vec![[3, 5]], [[3, 6], [2, 6]]),
        ];
        for (direction, step) in AROUND.into_iter().enumerate() {
            let next = AROUND[(direction + 1) % 6];
            let (end, cells) = (moved(middle, &[step, next]), [step, next].map(|step| moved(middle, &[step])));
            bridges.extend([0, 1].map(|player| (player, vec![middle, end], cells)));
        }
        bridges
    }

    #[test]
    fn the_answer_to_a_stone_on_one_cell_of_a_bridge_is_the_other_cell() {
        for (player, ends, [one, other]) in bridges() {
            for [intruder, answer] in [[one, other], [other, one]] {
                let mut stones: Vec<_> = ends.iter().map(|&end| (player, end)).collect();
                stones.push((1 - player, intruder));
                let game = after(&stones);
                assert_eq!(answers(&game), [cell(answer)], "\n{}", game.board());
                let mut rng = Rng::new(1, 0);
                for _ in 0..20 {
                    let action = game.heavy_action(&mut rng, &mut Vec::new());
                    assert_eq!(action, Some(cell(answer)), "\n{}", game.board());
                }
            }
        }
    }

    #[test]
    fn there_is_no_answer_where_the_other_cell_is_taken() {
        for (player, ends, [one, other]) in bridges() {
            for owner in [0, 1] {
                let mut stones: Vec<_> = ends.iter().map(|&end| (player, end)).collect();
                stones.extend([(owner, other), (1 - player, one)]);
                let game = after(&stones);
                assert_eq!(answers(&game), [], "\n{}", game.board());
            }
        }
    }

    #[test]
    fn no_answer_is_due_to_a_bridge_of_the_player_who_moved_last_or_to_an_earlier_stone() {
        for (player, ends, [one, _]) in bridges() {
            let mut stones: Vec<_> = ends.iter().map(|&end| (player, end)).collect();
            stones.push((player, one));
            assert_eq!(answers(&after(&stones)), []);
            stones.pop();
            stones.extend([(1 - player, one), (1 - player, [0, 0])]);
            assert_eq!(answers(&after(&stones)), []);
        }
    }

    #[test]
    fn a_stone_that_intrudes_into_three_bridges_is_answered_at_each() {
        let mut stones: Vec<_> = [0, 2, 4].map(|direction| (0, moved([3, 3], &[AROUND[direction]]))).to_vec();
        stones.push((1, [3, 3]));
        let (game, mut rng) = (after(&stones), Rng::new(1, 0));
        let wanted = [1, 3, 5].map(|direction| cell(moved([3, 3], &[AROUND[direction]])));
        assert_eq!(answers(&game), wanted);
        for cell in wanted {
            let mut actions = (0..100).map(|_| game.heavy_action(&mut rng, &mut Vec::new()));
            assert!(actions.any(|action| action == Some(cell)), "{cell:?} does not come");
        }
    }

    /// The answers by the definition of a bridge: for two stones or a stone and a side of the player to move that do
    /// not touch, the last stone and an empty cell are the two cells that touch both.
    fn answers_by_definition(game: &Hex) -> HashSet<Cell> {
        let (player, size) = (usize::from(game.player), game.size as i8);
        let last = [game.last.row() as i8, game.last.column() as i8];
        let has = |player: usize, place: [i8; 2]| {
            let [row, column] = place.map(|along| along as usize + 1);
            game.stones[player][row] >> column & 1 == 1
        };
        let board = || (0..size).flat_map(|row| (0..size).map(move |column| [row, column]));
        // Sides and stones, each with the cells that touch it.
        let sides = [0, size - 1].map(|along| (None, board().filter(|place| place[player] == along).collect()));
        let stones = board().filter(|&place| has(player, place)).map(|place| {
            let touches = AROUND.map(|step| moved(place, &[step])).into_iter();
            (Some(place), touches.filter(|place| place.iter().all(|along| (0..size).contains(along))).collect())
        });
        let ends: Vec<End> = sides.into_iter().chain(stones).collect();
        let ends: Vec<_> = ends.into_iter().filter(|(_, touches)| touches.contains(&last)).collect();
        let mut answers = HashSet::new();
        for (index, (_, touches)) in ends.iter().enumerate() {
            for (stone, others) in &ends[index + 1..] {
                let is_apart = stone.is_some_and(|stone| !touches.contains(&stone));
                let shared: Vec<_> = touches.intersection(others).copied().collect();
                if is_apart && shared.len() == 2 {
                    let is_empty = |&place: &[i8; 2]| !has(0, place) && !has(1, place);
                    answers.extend(shared.into_iter().filter(is_empty).map(cell));
                }
            }
        }
        answers
    }

    #[test]
    fn in_random_games_the_answers_are_those_of_the_definition() {
        let mut count = 0;
        for (size, games) in [(3, 60), (4, 60), (5, 60), (7, 20), (11, 5), (19, 1)] {
            for seed in 0..games {
                let (mut game, mut rng) = (Hex::new(size).expect("a size"), Rng::new(seed, u64::from(size)));
                while game.turn() != Turn::Over {
                    let found: HashSet<_> = answers(&game).into_iter().collect();
                    assert_eq!(found, answers_by_definition(&game), "{:?}\n{}", game.last, game.board());
                    count += found.len();
                    game.apply(game.random_action(&mut rng, &mut Vec::new()).expect("an empty cell"));
                }
            }
        }
        assert!(count > 500, "{count} answers");
    }

    #[test]
    fn heavy_playouts_play_empty_cells_until_the_game_is_over() {
        for size in [3, 5, 11, 19] {
            let (mut game, mut rng) = (Hex::new(size).expect("a size"), Rng::new(3, u64::from(size)));
            while game.turn() != Turn::Over {
                let action = game.heavy_action(&mut rng, &mut Vec::new()).expect("an empty cell");
                assert!(legal_moves(&game).iter().any(|&(legal, _)| legal == action), "\n{}", game.board());
                game.apply(action);
            }
        }
    }
}
