//! Hex: connect your two sides of a rhombus of hexagons; one of the players always does.
//!
//! The first player connects the top row to the bottom row, the second the left column to the right column. There is
//! no swap.
//!
//! A row of the board is a row of bits. Beside the stones, the position knows which of them are *reached*: joined to
//! the player's own first side (top or left) by stones of that player. A new stone that touches a reached one is
//! reached, and so are all stones that it joins; the game is won when the player's second side is reached. So each
//! stone is reached once a game, and most moves look at three rows only.

use std::hash::{Hash, Hasher};

use boughs::{Action, Game, Rewards, Rng, Turn, TurnOrder};

mod bridges;
mod cells;

pub use cells::Cell;

use crate::{CellsShape, Change, Choices, Colours, Content, Grid, NamedGame, Names, Options, Place, Symmetries};
use cells::Empty;

const MAX_SIZE: usize = 19;

/// The rows of the board, its cells in rows and bits 1 to size. Around them stand the players' sides as if they were
/// stones: rows 0 and size + 1 are the first player's, bits 0 and size + 1 of the rows between are the second player's.
/// The first sides are reached, so a stone beside its first side touches a reached one.
type Rows = [u32; MAX_SIZE + 2];

/// A position.
#[derive(Clone, Debug)]
pub struct Hex {
    stones: [Rows; 2],
    reached: Rows,
    empty: Empty,
    /// The cell of the last stone; before the first one any cell.
    last: Cell,
    size: u8,
    player: u8,
    is_won: bool,
}

impl Hex {
    /// The empty board of a size from 3 to 19, or `None` for any other size.
    pub fn new(size: u8) -> Option<Hex> {
        if !(3..=MAX_SIZE).contains(&usize::from(size)) {
            return None;
        }
        let (mut stones, mut reached) = ([[0; MAX_SIZE + 2]; 2], [0; MAX_SIZE + 2]);
        let (rows, right) = (1..=usize::from(size), 2 << size);
        stones[0][0] = !0;
        stones[0][usize::from(size) + 1] = !0;
        stones[1][rows.clone()].fill(1 | right);
        reached[0] = !0;
        reached[rows].fill(1);
        Some(Hex { stones, reached, empty: Empty::new(size), last: Cell::new(1, 1), size, player: 0, is_won: false })
    }

    /// Returns true if a cell touches a reached stone of the player who acts.
    #[inline(always)]
    fn joins_reached(&self, cell: Cell) -> bool {
        let (row, stone) = (cell.row() + 1, 2 << cell.column());
        let (stones, reached) = (&self.stones[usize::from(self.player)], &self.reached);
        // A cell touches the one above it and the next one there, two in its row, and two below as well.
        let above = stones[row - 1] & reached[row - 1] & (stone | stone << 1);
        let aside = stones[row] & reached[row] & (stone << 1 | stone >> 1);
        let below = stones[row + 1] & reached[row + 1] & (stone | stone >> 1);
        above | aside | below != 0
    }

    /// Marks stones of a row and all of their player's stones that they join as reached, until the game is won.
    fn reach(&mut self, row: usize, fresh: u32) {
        let stones = &self.stones[usize::from(self.player)];
        let mut loose = stones[row] & !self.reached[row];
        // To higher columns, a sum carries through the runs that begin at a fresh stone; to lower ones, a parallel
        // prefix fill of 1, 2, 4, 8 and 16 columns.
        let mut run = fresh | loose & !(loose + fresh);
        for columns in [1, 2, 4, 8, 16] {
            run |= loose & run >> columns;
            loose &= loose >> columns;
        }
        self.reached[row] |= run;
        self.is_won |= if self.player == 0 { row == usize::from(self.size) } else { run >> self.size & 1 == 1 };
        if self.is_won {
            return;
        }
        let above = stones[row - 1] & !self.reached[row - 1] & (run | run << 1);
        let below = stones[row + 1] & !self.reached[row + 1] & (run | run >> 1);
        if above != 0 {
            self.reach(row - 1, above);
        }
        // The stones above may have reached some of those below.
        let below = below & !self.reached[row + 1];
        if below != 0 {
            self.reach(row + 1, below);
        }
    }
}

/// Compares the stones only, not the order in which they were put.
impl PartialEq for Hex {
    fn eq(&self, other: &Hex) -> bool {
        (self.size, self.stones) == (other.size, other.stones)
    }
}

impl Eq for Hex {}

impl Hash for Hex {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.size, self.stones).hash(state);
    }
}

impl Default for Hex {
    fn default() -> Hex {
        Hex::new(DEFAULT_SIZE).expect("a size within the range")
    }
}

const DEFAULT_SIZE: u8 = 11;

impl Game for Hex {
    type Action = Cell;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    const MAX_PLIES: u32 = (MAX_SIZE * MAX_SIZE) as u32;
    const HEAVY_PLAYOUTS: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.is_won { Turn::Over } else { Turn::Player(usize::from(self.player)) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Cell>) {
        for row in 0..self.size {
            let rows = self.stones.map(|stones| stones[usize::from(row) + 1] >> 1);
            let mut cells = !(rows[0] | rows[1]) & ((1 << self.size) - 1);
            while cells != 0 {
                out.push(Cell::new(row, cells.trailing_zeros() as u8));
                cells &= cells - 1;
            }
        }
    }

    #[inline]
    fn apply(&mut self, cell: Cell) {
        let (row, stone) = (cell.row() + 1, 2 << cell.column());
        let joins = self.joins_reached(cell);
        self.stones[usize::from(self.player)][row] |= stone;
        self.empty.remove(cell);
        self.last = cell;
        if joins {
            self.reach(row, stone);
        }
        self.player ^= 1;
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        f64::from(u8::from(player != usize::from(self.player)))
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Cell>) -> Option<Cell> {
        rng.pick(self.empty.cells())
    }

    /// Saves a bridge from the opponent's last stone, or else picks any cell.
    #[inline]
    fn heavy_action(&self, rng: &mut Rng, scratch: &mut Vec<Cell>) -> Option<Cell> {
        let [mine, theirs] = [self.player, self.player ^ 1].map(|player| &self.stones[usize::from(player)]);
        bridges::save(mine, theirs, self.last, rng).or_else(|| self.random_action(rng, scratch))
    }

    fn action_text(&self, cell: Cell) -> String {
        format!("{}{}", char::from(b'a' + cell.column() as u8), cell.row() + 1)
    }

    fn board(&self) -> String {
        let mut text = String::from("  ");
        (0..self.size).for_each(|column| text.extend([' ', char::from(b'a' + column)]));
        text.push('\n');
        for row in 0..self.size {
            text += &format!("{}{:>2}", " ".repeat(usize::from(row)), row + 1);
            for column in 0..self.size {
                let stone = |player: usize| self.stones[player][usize::from(row) + 1] >> (column + 1) & 1 == 1;
                text.push_str(if stone(0) {
                    " X"
                } else if stone(1) {
                    " O"
                } else {
                    " ."
                });
            }
            text.push('\n');
        }
        text
    }
}

impl NamedGame for Hex {
    const NAME: &'static str = "hex";
    const SUMMARY: &'static str = "Hex: X connects top and bottom, O left and right; there is no draw.";
    const NOTATION: &'static str = "a move is a column letter and a row number, a1 top left: f6 g5 e7";
    const OPTIONS: &'static str = "size=3..19 (default 11)";
    const SIDES: Option<[usize; 2]> = Some([0, 1]);
    const BENCH: [&'static str; 3] = [
        "",
        "i5 f10 d9 c11 b11 b10 c10 b7 h2 g5",
        "i5 f10 d9 c11 b11 b10 c10 b7 h2 g5 g4 e5 f5 d8 e8 f6 e7 e6 i4 h4 i3 g7",
    ];

    fn grid(&self) -> Option<Grid> {
        let stone = |Place { column, row }: Place| {
            let has = |player: usize| self.stones[player][usize::from(row) + 1] >> (column + 1) & 1 == 1;
            (0..2).find(|&player| has(player)).map_or(Content::Empty, Content::Stone)
        };
        Some(Grid::new(self.size, self.size, Names::FromTop, stone).hexagonal())
    }

    fn cells_shape(&self) -> Option<CellsShape> {
        let size = usize::from(self.size);
        Some(CellsShape {
            columns: size,
            rows: size,
            kinds: 3,
            symmetries: Symmetries::HalfTurn,
            colours: Colours::Transposed,
        })
    }

    #[inline]
    fn cells(&self, out: &mut [u8]) {
        let [first, second] = &self.stones;
        let rows = first.iter().zip(second).skip(1);
        for ((first, second), row) in rows.zip(out.chunks_exact_mut(usize::from(self.size))) {
            for (column, kind) in row.iter_mut().enumerate() {
                *kind = (first >> (column + 1) & 1) as u8 + 2 * (second >> (column + 1) & 1) as u8;
            }
        }
    }

    fn list_choices(&self, out: &mut Choices) {
        let (mut cells, size) = (Vec::new(), u16::from(self.size));
        self.actions(&mut cells);
        // Only the cells beside the reached stones are worth a look for a stone that wins.
        for cell in cells {
            let is_won = self.joins_reached(cell) && {
                let mut next = self.clone();
                next.apply(cell);
                next.is_won
            };
            let change = Change { cell: cell.row() as u16 * size + cell.column() as u16, kind: 1 + self.player };
            out.add(cell.code(), is_won.then_some(1.0), [change]);
        }
    }

    fn place(&self, cell: Cell) -> Option<Place> {
        Some(Place { column: cell.column() as u8, row: cell.row() as u8 })
    }

    fn start(options: &mut Options) -> Result<Hex, String> {
        let size = options.number("size", 3..=MAX_SIZE as u32, u32::from(DEFAULT_SIZE))?;
        Hex::new(size as u8).ok_or_else(|| format!("there is no board of size {size}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::check_exchange;
    use boughs::notation::play_moves;

    #[test]
    fn the_players_can_be_exchanged() {
        for seed in 0..20 {
            let (mut rng, mut game) = (boughs::Rng::new(seed, 0), Hex::new(4).expect("a size"));
            let mut image = game.clone();
            image.player = 1;
            while let Some(action) = game.random_action(&mut rng, &mut Vec::new()) {
                check_exchange(&game, &image);
                let place = game.place(action).expect("a cell");
                let other = Place { column: place.row, row: place.column };
                let mut actions = Vec::new();
                image.actions(&mut actions);
                image.apply(actions.into_iter().find(|&cell| image.place(cell) == Some(other)).expect("an empty cell"));
                game.apply(action);
            }
            check_exchange(&game, &image);
            assert_eq!((game.turn(), game.reward(0)), (image.turn(), image.reward(1)));
        }
    }

    fn after(size: u8, moves: &str) -> Hex {
        let mut game = Hex::new(size).expect("a size within the range");
        play_moves(&mut game, moves).expect(moves);
        game
    }

    /// Returns true if a player's stones join the player's two sides, by a flood fill from the first side.
    fn joins_sides(game: &Hex, player: usize) -> bool {
        let size = i32::from(game.size);
        let has = |row: i32, column: i32| {
            (0..size).contains(&row)
                && (0..size).contains(&column)
                && game.stones[player][row as usize + 1] >> (column + 1) & 1 == 1
        };
        let first_side = (0..size).map(|along| if player == 0 { (0, along) } else { (along, 0) });
        let mut stack: Vec<_> = first_side.filter(|&(row, column)| has(row, column)).collect();
        let mut seen = stack.clone();
        while let Some((row, column)) = stack.pop() {
            if [row, column][player] == size - 1 {
                return true;
            }
            for (down, right) in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)] {
                let next = (row + down, column + right);
                if has(next.0, next.1) && !seen.contains(&next) {
                    seen.push(next);
                    stack.push(next);
                }
            }
        }
        false
    }

    #[test]
    fn the_game_ends_exactly_when_a_flood_fill_finds_a_connection() {
        for size in [3, 4, 5, 8, 11, 14, 19] {
            for seed in 0..60 {
                let (mut game, mut rng) = (Hex::new(size).expect("a size"), Rng::new(seed, u64::from(size)));
                while let Turn::Player(player) = game.turn() {
                    assert!(!joins_sides(&game, 0) && !joins_sides(&game, 1), "missed:\n{}", game.board());
                    let action = game.random_action(&mut rng, &mut Vec::new()).expect("an empty cell");
                    game.apply(action);
                    assert_eq!(game.turn() == Turn::Over, joins_sides(&game, player), "\n{}", game.board());
                }
                let winner = usize::from(joins_sides(&game, 1));
                assert_eq!((game.reward(winner), game.reward(1 - winner)), (1.0, 0.0), "\n{}", game.board());
            }
        }
    }

    #[test]
    fn the_first_player_connects_top_and_bottom_and_the_second_left_and_right() {
        let first = after(3, "b1 a1 b2 a2 b3");
        assert_eq!((first.turn(), first.reward(0), first.reward(1)), (Turn::Over, 1.0, 0.0));
        let second = after(3, "a1 a2 b1 b2 a3 c2");
        assert_eq!((second.turn(), second.reward(0), second.reward(1)), (Turn::Over, 0.0, 1.0));
    }

    #[test]
    fn a_cell_touches_up_right_and_down_left_but_not_up_left_and_down_right() {
        assert_eq!(after(3, "c1 a1 b2 a2 a3").turn(), Turn::Over);
        assert_eq!(after(3, "a1 c1 b2 a2 c3").turn(), Turn::Player(1));
    }

    #[test]
    fn the_right_edge_of_a_row_does_not_touch_the_left_edge_of_another() {
        assert_eq!(after(3, "a1 b1 c1 b2 a3 c2").turn(), Turn::Player(0));
        assert_eq!(after(3, "c1 a1 a2 b1 a3 b2").turn(), Turn::Player(0));
    }

    #[test]
    fn positions_are_equal_in_every_order_of_their_moves() {
        assert_eq!(after(3, "a1 b2 c3"), after(3, "c3 b2 a1"));
        assert_ne!(after(3, "a1 b2 c3"), after(3, "b2 a1 c3"));
        assert_ne!(after(3, ""), after(4, ""));
    }

    #[test]
    fn sizes_are_from_3_to_19() {
        assert!([0, 2, 20, 255].iter().all(|&size| Hex::new(size).is_none()));
        assert!((3..=19).all(|size| Hex::new(size).is_some()));
    }

    #[test]
    fn the_board_leans_right() {
        assert_eq!(after(3, "a1 b2").board(), "   a b c\n 1 X . .\n  2 . O .\n   3 . . .\n");
    }
}
