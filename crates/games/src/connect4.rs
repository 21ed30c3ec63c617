//! Connect Four: drop stones into seven columns of six; four in a line win.
//!
//! Seven bits a column, the lowest cell lowest: six cells and one bit that stays clear, so that a shift along a line
//! never runs from the top of one column into the next.

use std::sync::Arc;

use boughs::{Action, Evaluations, Evaluator, Game, Knowledge, Leaf, Rewards, Rng, Turn, TurnOrder};

use crate::{CellsShape, Colours, Content, Grid, NamedGame, Names, Options, Place, Symmetries};

/// A position: all stones, and the stones of the player who moved last, so that a move is three operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Connect4 {
    stones: u64,
    last_movers: u64,
}

/// A column to drop a stone into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(u8);

impl Action for Column {
    const MAX_CODE: u32 = u8::MAX as u32;

    #[inline]
    fn code(self) -> u32 {
        u32::from(self.0)
    }
    #[inline]
    fn from_code(code: u32) -> Column {
        Column(code as u8)
    }
}

const COLUMNS: u8 = 7;
const ROWS: u8 = 6;
const STRIDE: u8 = ROWS + 1;

/// The lowest cell of each column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
const FULL: u64 = BOTTOM * 0x3f;

/// Returns true if four of these stones stand in a line.
#[inline]
fn has_four(stones: u64) -> bool {
    let line = |step: u8| {
        let pairs = stones & (stones >> step);
        pairs & (pairs >> (2 * step))
    };
    // Upwards, sideways, and both diagonals.
    line(1) | line(STRIDE) | line(STRIDE - 1) | line(STRIDE + 1) != 0
}

/// The cells that make four with three of these stones, stones or not, on the board or not.
fn cells_of_four(stones: u64) -> u64 {
    let line = |step: u8| {
        let (up, down) = (|cells: u64, by: u8| cells << (by * step), |cells: u64, by: u8| cells >> (by * step));
        let (above, below) = (up(stones, 1) & up(stones, 2), down(stones, 1) & down(stones, 2));
        above & (up(stones, 3) | down(stones, 1)) | below & (down(stones, 3) | up(stones, 1))
    };
    line(1) | line(STRIDE) | line(STRIDE - 1) | line(STRIDE + 1)
}

/// The rows in which a cell that makes four is worth most, for the first and the second player: where both fill the
/// other columns, each row comes to the same player again and again.
const GOOD_ROWS: [u64; 2] = [BOTTOM * 0b01_0101, BOTTOM * 0b10_1010];
const MIDDLE_COLUMN: u64 = 0b11_1111 << (COLUMNS / 2 * STRIDE);

/// Values a position by the empty cells that make four, and by the stones in the middle. A player who can make four
/// now wins, and one whose opponent can in two ways loses.
struct Threats;

impl Evaluator<Connect4> for Threats {
    fn evaluate(&self, leaves: &[Leaf<'_, Connect4>], out: &mut Evaluations) {
        for &Leaf { position: &Connect4 { stones, last_movers }, .. } in leaves {
            let (mover, next) = (stones.count_ones() as usize % 2, stones + BOTTOM);
            let sides = [(stones ^ last_movers, mover), (last_movers, 1 - mover)];
            // The cells that win now, and the worth of all.
            let [(now, own), (others_now, other)] = sides.map(|(side, player)| {
                let cells = cells_of_four(side) & FULL & !stones;
                let later = cells & GOOD_ROWS[player] & !next;
                let middle = (side & MIDDLE_COLUMN).count_ones();
                (cells & next, f64::from(10 * cells.count_ones() + 20 * later.count_ones() + 3 * middle))
            });
            let value = match (now.count_ones(), others_now.count_ones()) {
                (1.., _) => 1.0,
                (_, 2..) => 0.0,
                _ => 0.5 + 0.5 * (own - other) / (60.0 + (own - other).abs()),
            };
            let mut values = [1.0 - value; 2];
            values[mover] = value;
            out.push(&values, &[]);
        }
    }
}

impl Connect4 {
    /// The stones of a player, a bit a cell: seven bits a column, of which the highest stays clear.
    pub fn stones(&self, player: usize) -> u64 {
        if player == self.player() { self.stones ^ self.last_movers } else { self.last_movers }
    }

    #[inline]
    fn player(&self) -> usize {
        self.stones.count_ones() as usize % 2
    }

    /// Returns true if the player who moved last has won.
    #[inline]
    fn has_winner(&self) -> bool {
        has_four(self.last_movers)
    }

    #[inline]
    fn has_room(&self, column: u8) -> bool {
        self.stones >> (column * STRIDE + ROWS - 1) & 1 == 0
    }
}

impl Game for Connect4 {
    type Action = Column;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    const MAX_PLIES: u32 = COLUMNS as u32 * ROWS as u32;
    const HEAVY_PLAYOUTS: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        match self.stones == FULL || self.has_winner() {
            true => Turn::Over,
            false => Turn::Player(self.player()),
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Column>) {
        out.extend((0..COLUMNS).filter(|&column| self.has_room(column)).map(Column));
    }

    #[inline]
    fn apply(&mut self, column: Column) {
        // The sum carries through the stones of the column into its first free cell.
        self.stones |= self.stones + (1 << (column.0 * STRIDE));
        self.last_movers ^= self.stones;
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        // In whole numbers, because a processor cannot foresee who has won and nothing should branch on it.
        let halves = if self.has_winner() { 2 * u8::from(player != self.player()) } else { 1 };
        f64::from(halves) * 0.5
    }

    /// Draws columns until one has room. The first draw nearly always fits, so it does not wait for the board.
    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Column>) -> Option<Column> {
        if self.stones == FULL {
            return None;
        }
        loop {
            let column = rng.below(u32::from(COLUMNS)) as u8;
            if self.has_room(column) {
                return Some(Column(column));
            }
        }
    }

    #[inline]
    fn winning_action(&self, _: &mut Vec<Column>) -> Option<Column> {
        let side = self.stones ^ self.last_movers;
        let wins = cells_of_four(side) & (self.stones + BOTTOM) & FULL;
        (wins != 0).then(|| Column(wins.trailing_zeros() as u8 / STRIDE))
    }

    /// Wins at once or stops a win, and otherwise plays where the next stone in the column makes four for neither, if
    /// there is such a column. Who plays below such a cell gives it away, so the one who runs out of other columns
    /// loses it (zugzwang: Allis 1988, "A Knowledge-based Approach of Connect-Four").
    #[inline]
    fn heavy_action(&self, rng: &mut Rng, _: &mut Vec<Column>) -> Option<Column> {
        let open = (self.stones + BOTTOM) & FULL;
        // Two calls and no `map`, which the compiler inlines in some builds only.
        let own = cells_of_four(self.stones ^ self.last_movers) & FULL;
        let others = cells_of_four(self.last_movers) & FULL;
        let kept = open & !(others >> 1);
        let choices = [own & open, others & open, kept & !(own >> 1), kept, open];
        let cells = choices.into_iter().find(|&cells| cells != 0)?;
        Some(Column(rng.pick_bit(cells) as u8 / STRIDE))
    }

    fn action_text(&self, column: Column) -> String {
        (column.0 + 1).to_string()
    }

    fn board(&self) -> String {
        let last = self.last_movers;
        let (first, second) = if self.player() == 1 { (last, last ^ self.stones) } else { (last ^ self.stones, last) };
        let mut text = String::new();
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                let cell = column * STRIDE + row;
                text.push_str(match (first >> cell & 1, second >> cell & 1) {
                    (1, _) => " X",
                    (_, 1) => " O",
                    _ => " .",
                });
            }
            text.push('\n');
        }
        text + " 1 2 3 4 5 6 7\n"
    }
}

impl NamedGame for Connect4 {
    const NAME: &'static str = "connect4";
    const SUMMARY: &'static str = "Connect Four: drop stones into seven columns of six; four in a line win.";
    const NOTATION: &'static str = "a move is the number of its column, 1 to 7 from the left: 4453";
    const OPTIONS: &'static str = "";
    const IN_A_LINE: Option<usize> = Some(4);
    const BENCH: [&'static str; 3] = ["", "44326562", "44326562322366441343"];
    const EVALUATOR: Knowledge = Knowledge::Values;

    fn evaluator(&self) -> Option<Arc<dyn Evaluator<Connect4>>> {
        Some(Arc::new(Threats))
    }

    fn grid(&self) -> Option<Grid> {
        let stone = |place: Place| {
            let cell = place.column * STRIDE + ROWS - 1 - place.row;
            (0..2).find(|&player| self.stones(player) >> cell & 1 == 1).map_or(Content::Empty, Content::Stone)
        };
        Some(Grid::new(COLUMNS, ROWS, Names::FromBottom, stone))
    }

    fn place(&self, column: Column) -> Option<Place> {
        let stones = (self.stones >> (column.0 * STRIDE) & 0x3f).count_ones() as u8;
        Some(Place { column: column.0, row: (ROWS - 1).checked_sub(stones)? })
    }

    fn cells_shape(&self) -> Option<CellsShape> {
        let (columns, rows) = (usize::from(COLUMNS), usize::from(ROWS));
        Some(CellsShape { columns, rows, kinds: 4, symmetries: Symmetries::LeftRight, colours: Colours::Differ })
    }

    /// The kind of a stone is one more than the number of its player, and 3 stands for an empty cell that the next
    /// stone can fall into: with it a network tells a threat of now from one of later (Thill, Koch and Konen 2012).
    #[inline]
    fn cells(&self, out: &mut [u8]) {
        let [first, second] = [0, 1].map(|player| self.stones(player));
        let next = self.stones + BOTTOM;
        let places = (0..ROWS).rev().flat_map(|row| (0..COLUMNS).map(move |column| column * STRIDE + row));
        for (kind, cell) in out.iter_mut().zip(places) {
            *kind = (first >> cell & 1) as u8 + 2 * (second >> cell & 1) as u8 + 3 * (next >> cell & 1) as u8;
        }
    }

    fn start(_: &mut Options) -> Result<Connect4, String> {
        Ok(Connect4::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::play_moves;

    fn after(moves: &str) -> Connect4 {
        let mut game = Connect4::default();
        play_moves(&mut game, moves).expect(moves);
        game
    }

    /// Returns true if the cells of `stones` hold four in a line, counted cell by cell.
    fn has_four_by_counting(stones: u64) -> bool {
        let at = |column: i32, row: i32| {
            (0..7).contains(&column) && (0..6).contains(&row) && stones >> (column * 7 + row) & 1 == 1
        };
        (0..7).any(|column| {
            (0..6).any(|row| {
                [(0, 1), (1, 0), (1, 1), (1, -1)]
                    .iter()
                    .any(|(right, up)| (0..4).all(|step| at(column + step * right, row + step * up)))
            })
        })
    }

    #[test]
    fn four_in_a_line_win_in_every_direction() {
        for moves in [
            "7471727",
            "4726361",
            "7244635",
            "12432347344",
            "5567747766",
            "42233114324162314344",
            "12426123311",
            "46745465465",
            "12172271112447441323323",
        ] {
            let game = after(moves);
            let winner = 1 - moves.len() % 2;
            assert_eq!((game.turn(), game.reward(winner), game.reward(1 - winner)), (Turn::Over, 1.0, 0.0), "{moves}");
        }
    }

    #[test]
    fn lines_are_found_everywhere_and_never_run_around_an_edge() {
        let mut rng = Rng::new(3, 0);
        for _ in 0..200_000 {
            let stones = rng.bits() & FULL;
            assert_eq!(has_four(stones), has_four_by_counting(stones), "{stones:#x}");
            let fewer = stones & rng.bits();
            assert_eq!(has_four(fewer), has_four_by_counting(fewer), "{fewer:#x}");
        }
        let cells: Vec<u64> = (0..49).filter(|cell| cell % 7 < 6).map(|cell| 1 << cell).collect();
        for (i, a) in cells.iter().enumerate() {
            for (j, b) in cells[..i].iter().enumerate() {
                for (k, c) in cells[..j].iter().enumerate() {
                    for d in &cells[..k] {
                        assert_eq!(has_four(a | b | c | d), has_four_by_counting(a | b | c | d));
                    }
                }
            }
        }
    }

    #[test]
    fn cells_of_four_are_those_whose_stone_makes_four() {
        let mut rng = Rng::new(5, 0);
        for _ in 0..20_000 {
            let stones = rng.bits() & rng.bits() & FULL;
            if has_four(stones) {
                continue;
            }
            let cells = (0..49).filter(|cell| cell % 7 < 6).map(|cell| 1 << cell);
            let found = cells.filter(|cell| stones & cell == 0 && has_four(stones | cell)).sum::<u64>();
            assert_eq!(cells_of_four(stones) & FULL & !stones, found, "{stones:#x}");
        }
    }

    /// The columns that heavy playouts choose from.
    fn heavy_columns(game: &Connect4) -> Vec<u8> {
        let choose = |seed| game.heavy_action(&mut Rng::new(seed, 0), &mut Vec::new()).expect("a column has room").0;
        let columns: std::collections::BTreeSet<u8> = (0..200).map(choose).collect();
        columns.into_iter().collect()
    }

    /// The same by trying what happens.
    fn heavy_columns_by_trying(game: &Connect4) -> Vec<u8> {
        let other = Connect4 { last_movers: game.stones ^ game.last_movers, ..*game };
        let played = |game: &Connect4, column| {
            let mut next = *game;
            next.apply(Column(column));
            next
        };
        let wins = |game: &Connect4, column| game.has_room(column) && played(game, column).has_winner();
        // A stone in the column, and then one of the other player that wins above it.
        let gives_away = |column| wins(&played(game, column), column);
        let wastes = |column| wins(&played(&other, column), column);
        let open: Vec<u8> = (0..COLUMNS).filter(|&column| game.has_room(column)).collect();
        let of = |is_in: &dyn Fn(u8) -> bool| open.iter().copied().filter(|&it| is_in(it)).collect::<Vec<u8>>();
        let choices = [
            of(&|column| wins(game, column)),
            of(&|column| wins(&other, column)),
            of(&|column| !gives_away(column) && !wastes(column)),
            of(&|column| !gives_away(column)),
            open.clone(),
        ];
        choices.into_iter().find(|columns| !columns.is_empty()).expect("a column has room")
    }

    #[test]
    fn a_heavy_playout_sees_the_cells_that_make_four() {
        let (mut rng, mut narrowed) = (Rng::new(9, 0), 0);
        for _ in 0..2_000 {
            let mut game = Connect4::default();
            for _ in 0..4 + rng.below(34) {
                match game.turn() {
                    Turn::Player(_) => game.apply(game.random_action(&mut rng, &mut Vec::new()).expect("room")),
                    _ => break,
                }
            }
            if let Turn::Player(_) = game.turn() {
                let columns = heavy_columns(&game);
                assert_eq!(columns, heavy_columns_by_trying(&game), "\n{}", game.board());
                narrowed += usize::from(columns.len() < (0..COLUMNS).filter(|&it| game.has_room(it)).count());
            }
        }
        assert!(narrowed > 500, "{narrowed}");
    }

    #[test]
    fn a_full_column_takes_no_stone() {
        let error = play_moves(&mut Connect4::default(), "4444444").expect_err("the column is full");
        assert_eq!(error.to_string(), "move 7, column 7: '4' is not a legal move here; legal are 1 2 3 5 6 7");
    }

    #[test]
    fn a_full_board_without_a_line_is_a_draw() {
        let game = after("547125662261271266215743771576315353334444");
        assert_eq!((game.turn(), game.reward(0), game.reward(1)), (Turn::Over, 0.5, 0.5));
        assert_eq!(game.random_action(&mut Rng::new(1, 0), &mut Vec::new()), None);
    }

    #[test]
    fn the_board_shows_the_stones_of_both() {
        let empty = " . . . . . . .\n".repeat(4);
        assert_eq!(after("443").board(), format!("{empty} . . . O . . .\n . . X X . . .\n 1 2 3 4 5 6 7\n"));
    }
}
