//! Tic-tac-toe: three in a row on nine cells.

use boughs::{Action, Game, Rewards, Rng, Turn, TurnOrder};

use crate::cells::write_stones;
use crate::{CellsShape, Colours, Content, Grid, NamedGame, Names, Options, Place, Symmetries};

/// A position: the cells of each player as the bits of a number, cell 1 of the text lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    cells: [u16; 2],
    plies: u8,
}

/// One of the nine cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl Action for Cell {
    const MAX_CODE: u32 = u8::MAX as u32;

    #[inline]
    fn code(self) -> u32 {
        u32::from(self.0)
    }
    #[inline]
    fn from_code(code: u32) -> Cell {
        Cell(code as u8)
    }
}

const ALL: u16 = 0o777;

/// Rows, columns and diagonals.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// True for each set of cells that holds a line.
static HAS_LINE: [bool; 512] = {
    let mut table = [false; 512];
    let mut i = 0;
    while i < 512 * LINES.len() {
        let (cells, line) = (i / LINES.len(), LINES[i % LINES.len()]);
        table[cells] |= cells as u16 & line == line;
        i += 1;
    }
    table
};

/// The cells of each set, four bits a cell, the lowest cell in the lowest bits.
static CELLS_OF: [u64; 512] = {
    let mut table = [0; 512];
    let mut i = 0;
    while i < 512 * 9 {
        let (cells, cell) = (i / 9, 8 - i % 9);
        if cells >> cell & 1 == 1 {
            table[cells] = table[cells] << 4 | cell as u64;
        }
        i += 1;
    }
    table
};

impl TicTacToe {
    #[inline]
    fn player(&self) -> usize {
        usize::from(self.plies % 2)
    }

    #[inline]
    fn empty(&self) -> u16 {
        ALL & !(self.cells[0] | self.cells[1])
    }

    #[inline]
    fn has_won(&self, player: usize) -> bool {
        HAS_LINE[usize::from(self.cells[player] & ALL)]
    }
}

impl Game for TicTacToe {
    type Action = Cell;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    const MAX_PLIES: u32 = 9;

    #[inline]
    fn turn(&self) -> Turn {
        match self.has_won(1 - self.player()) || self.plies == 9 {
            true => Turn::Over,
            false => Turn::Player(self.player()),
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Cell>) {
        out.extend((0..9).filter(|cell| self.empty() >> cell & 1 == 1).map(Cell));
    }

    #[inline]
    fn apply(&mut self, cell: Cell) {
        self.cells[self.player()] |= 1 << cell.0;
        self.plies += 1;
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        match (self.has_won(player), self.has_won(1 - player)) {
            (true, _) => 1.0,
            (_, true) => 0.0,
            _ => 0.5,
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Cell>) -> Option<Cell> {
        let count = 9_u32.checked_sub(u32::from(self.plies)).filter(|&count| count > 0)?;
        let cells = CELLS_OF[usize::from(self.empty())];
        Some(Cell((cells >> (4 * rng.below(count)) & 15) as u8))
    }

    fn action_text(&self, cell: Cell) -> String {
        (cell.0 + 1).to_string()
    }

    fn board(&self) -> String {
        let mark = |cell: usize| match (self.cells[0] >> cell & 1, self.cells[1] >> cell & 1) {
            (1, _) => "X".to_string(),
            (_, 1) => "O".to_string(),
            _ => (cell + 1).to_string(),
        };
        let row = |row: usize| format!(" {} | {} | {}\n", mark(3 * row), mark(3 * row + 1), mark(3 * row + 2));
        [row(0), row(1), row(2)].join("---+---+---\n")
    }
}

impl NamedGame for TicTacToe {
    const NAME: &'static str = "tictactoe";
    const SUMMARY: &'static str = "Tic-tac-toe: the first to have three in a row wins.";
    const NOTATION: &'static str = "the cells are 1 to 9, row by row from the top left: 519 is X in the middle, \
                                    O top left, X bottom right";
    const OPTIONS: &'static str = "";
    const IN_A_LINE: Option<usize> = Some(3);
    const BENCH: [&'static str; 3] = ["", "51", "5193"];

    fn grid(&self) -> Option<Grid> {
        let stone = |place: Place| {
            let cell = 3 * place.row + place.column;
            self.cells.iter().position(|cells| cells >> cell & 1 == 1).map_or(Content::Empty, Content::Stone)
        };
        Some(Grid::new(3, 3, Names::FromBottom, stone))
    }

    fn cells_shape(&self) -> Option<CellsShape> {
        Some(CellsShape { columns: 3, rows: 3, kinds: 3, symmetries: Symmetries::Square, colours: Colours::Differ })
    }

    #[inline]
    fn cells(&self, out: &mut [u8]) {
        write_stones(self.cells.map(u64::from), out);
    }

    fn place(&self, cell: Cell) -> Option<Place> {
        Some(Place { column: cell.0 % 3, row: cell.0 / 3 })
    }

    fn start(_: &mut Options) -> Result<TicTacToe, String> {
        Ok(TicTacToe::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::play_moves;

    fn after(moves: &str) -> TicTacToe {
        let mut game = TicTacToe::default();
        play_moves(&mut game, moves).expect(moves);
        game
    }

    #[test]
    fn each_line_wins_for_either_player() {
        for line in ["123", "456", "789", "147", "258", "369", "159", "357"] {
            let others: Vec<char> = "123456789".chars().filter(|&cell| !line.contains(cell)).collect();
            let cells: Vec<char> = line.chars().collect();
            let [a, b, c] = cells[..] else { panic!("three cells") };
            // Three cells off the line that are no line themselves, because X needs a third move when O wins.
            let spare = [others[0], others[1], others[3]];
            let first = after(&format!("{a}{}{b}{}{c}", spare[0], spare[1]));
            assert_eq!((first.turn(), first.reward(0), first.reward(1)), (Turn::Over, 1.0, 0.0), "{line}");
            let second = after(&format!("{}{a}{}{b}{}{c}", spare[0], spare[1], spare[2]));
            assert_eq!((second.turn(), second.reward(0), second.reward(1)), (Turn::Over, 0.0, 1.0), "{line}");
        }
    }

    #[test]
    fn three_cells_that_wrap_around_an_edge_do_not_win() {
        assert_eq!(after("31425").turn(), Turn::Player(1));
    }

    #[test]
    fn a_full_board_without_a_line_is_a_draw() {
        let game = after("789543216");
        assert_eq!((game.turn(), game.reward(0), game.reward(1)), (Turn::Over, 0.5, 0.5));
    }

    #[test]
    fn the_board_shows_marks_and_free_cells() {
        assert_eq!(after("51").board(), " O | 2 | 3\n---+---+---\n 4 | X | 6\n---+---+---\n 7 | 8 | 9\n");
    }
}
