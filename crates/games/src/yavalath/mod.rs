//! Yavalath (Cameron Browne's program Ludi, 2007) for two or three: four in a line win, but three lose.
//!
//! The board is a hexagon with five cells along each side, or another number. In turn, each player puts a stone of
//! their own on any empty cell.
//!
//! - A player who makes a line of four or more own stones wins, even if the stone makes a line of three as well.
//! - A player who makes a line of three and none of four is out. Their stones stay, and the others play on.
//! - The last player who is not out wins.
//! - If the board is full before that, all players who are not out share the win.
//! - Of three players, each has to stop the one who acts next from winning with their next stone, if a stone can do
//!   that: where there is a single cell on which the next player would make four, a player may go nowhere else, but for
//!   making four themselves. It holds as well for a player whom that stone puts out, and for the two who are left when
//!   one is out.
//!
//! There is no swap.

use boughs::{Action, Game, Rewards, Rng, Turn};

mod lines;
#[cfg(test)]
mod tests;

use crate::{CellsShape, Colours, Content, Grid, NamedGame, Names, Options, Place, Symmetries};
use lines::{Line, MOST_SIZE, STRIDE, board, completions, ends, longest};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Yavalath {
    stones: [u128; 3],
    empty: u128,
    size: u8,
    players: u8,
    player: u8,
    /// The players who are out, a bit each.
    out: u8,
    /// The players who share the win, a bit each; none before the end of the game.
    winners: u8,
}

/// A cell of the board.
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

const LEAST_SIZE: u8 = 3;
const DEFAULT_SIZE: u8 = 5;

impl Yavalath {
    /// The empty board with `size` cells along each side, 3 to 6, for two or three players; `None` for any other
    /// numbers.
    pub fn new(size: u8, players: usize) -> Option<Yavalath> {
        let fits = (LEAST_SIZE..=MOST_SIZE).contains(&size) && (2..=3).contains(&players);
        let start = || Yavalath {
            stones: [0; 3],
            empty: board(size),
            size,
            players: players as u8,
            player: 0,
            out: 0,
            winners: 0,
        };
        fits.then(start)
    }

    /// The next player who is not out.
    #[inline]
    fn next(&self) -> u8 {
        let mut next = self.player;
        loop {
            next = if next + 1 == self.players { 0 } else { next + 1 };
            if self.out >> next & 1 == 0 || next == self.player {
                return next;
            }
        }
    }

    #[inline]
    fn legal(&self) -> u128 {
        if self.players == 2 {
            return self.empty;
        }
        let threats = completions(self.stones[usize::from(self.next())]) & self.empty;
        match threats.count_ones() {
            1 => threats | completions(self.stones[usize::from(self.player)]) & self.empty,
            _ => self.empty,
        }
    }

    /// The players who share the win after a stone was put.
    #[inline]
    fn winners_after(&self, line: Line) -> u8 {
        let in_play = !self.out & ((1 << self.players) - 1);
        if line == Line::Four {
            1 << self.player
        } else if self.empty == 0 || in_play.is_power_of_two() {
            in_play
        } else {
            0
        }
    }

    fn cells(&self, row: u8) -> impl Iterator<Item = u8> {
        let (first, last) = ends(self.size, row);
        (first..=last).map(move |column| row * STRIDE + column)
    }
}

impl Game for Yavalath {
    type Action = Cell;
    /// Three players who share a win have a third each.
    const REWARDS: Rewards = Rewards { sum: Some(1.0), ..Rewards::ANY };
    const MAX_PLIES: u32 = board(MOST_SIZE).count_ones();

    #[inline]
    fn players(&self) -> usize {
        usize::from(self.players)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.winners == 0 { Turn::Player(usize::from(self.player)) } else { Turn::Over }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Cell>) {
        let mut rest = self.legal();
        while rest != 0 {
            out.push(Cell(rest.trailing_zeros() as u8));
            rest &= rest - 1;
        }
    }

    #[inline]
    fn apply(&mut self, cell: Cell) {
        let stones = &mut self.stones[usize::from(self.player)];
        *stones |= 1 << cell.0;
        self.empty &= !(1 << cell.0);
        // A player who is not out has made no line before.
        let line = longest(*stones);
        self.out |= u8::from(line == Line::Three) << self.player;
        self.winners = self.winners_after(line);
        self.player = self.next();
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        f64::from(self.winners >> player & 1) / f64::from(self.winners.count_ones())
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Cell>) -> Option<Cell> {
        let legal = self.legal();
        let (low, high) = (legal as u64, (legal >> 64) as u64);
        let bit = match rng.below(legal.count_ones()) < low.count_ones() {
            true => rng.pick_bit(low),
            false => 64 + rng.pick_bit(high),
        };
        (bit < 128).then_some(Cell(bit as u8))
    }

    #[inline]
    fn winning_action(&self, _: &mut Vec<Cell>) -> Option<Cell> {
        // A line of four may be made where another player has to be stopped, too.
        let wins = completions(self.stones[usize::from(self.player)]) & self.empty;
        (wins != 0).then(|| Cell(wins.trailing_zeros() as u8))
    }

    fn action_text(&self, Cell(bit): Cell) -> String {
        let (row, column) = (bit / STRIDE, bit % STRIDE);
        format!("{}{}", char::from(b'a' + row), column - ends(self.size, row).0 + 1)
    }

    fn board(&self) -> String {
        const MARKS: [&str; 3] = ["X", "O", "Y"];
        let mut text = String::new();
        for row in 0..2 * self.size - 1 {
            text += &" ".repeat(usize::from(row.abs_diff(self.size - 1)));
            text.push(char::from(b'a' + row));
            for cell in self.cells(row) {
                let owner = self.stones.iter().position(|stones| stones >> cell & 1 == 1);
                text.push(' ');
                text += owner.map_or(".", |player| MARKS[player]);
            }
            text.push('\n');
        }
        let out = (0..self.players).filter(|player| self.out >> player & 1 == 1);
        out.for_each(|player| text += &format!("{} is out\n", MARKS[usize::from(player)]));
        text
    }
}

impl NamedGame for Yavalath {
    const NAME: &'static str = "yavalath";
    const SUMMARY: &'static str = "Yavalath for two or three: four in a line win, but a player who makes three is out.";
    const NOTATION: &'static str = "a move is the letter of a row, from the top, and the number of a cell in it, from \
                                    the left: e5 d4 f3";
    const OPTIONS: &'static str = "size=3..6 (default 5), players=2..3 (default 2)";
    const IN_A_LINE: Option<usize> = Some(3);
    const BENCH: [&'static str; 3] = [
        "",
        "b2 c4 f1 e5 c1 f2 d8 b3 i3 f7 i4 a1",
        "b2 c4 f1 e5 c1 f2 d8 b3 i3 f7 i4 a1 c6 a5 d5 h6 f8 g3 e6 g4 g2 i2 h4 c2 i1 e1 g7 h1 e8 b5",
    ];

    fn grid(&self) -> Option<Grid> {
        let rows = 2 * self.size - 1;
        let stone = |Place { column, row }: Place| {
            if !self.cells(row).any(|cell| cell == row * STRIDE + column) {
                return Content::Outside;
            }
            let cell = row * STRIDE + column;
            self.stones.iter().position(|stones| stones >> cell & 1 == 1).map_or(Content::Empty, Content::Stone)
        };
        (self.players == 2).then(|| Grid::new(rows, rows, Names::FromTop, stone).hexagonal())
    }

    fn cells_shape(&self) -> Option<CellsShape> {
        let rows = 2 * usize::from(self.size) - 1;
        let shape =
            CellsShape { columns: rows, rows, kinds: 3, symmetries: Symmetries::HalfTurn, colours: Colours::Differ };
        (self.players == 2).then_some(shape)
    }

    #[inline]
    fn cells(&self, out: &mut [u8]) {
        let columns = 2 * usize::from(self.size) - 1;
        for (row, kinds) in out.chunks_exact_mut(columns).enumerate() {
            let [first, second] = [0, 1].map(|player| self.stones[player] >> (row * usize::from(STRIDE)));
            for (column, kind) in kinds.iter_mut().enumerate() {
                *kind = (first >> column & 1) as u8 + 2 * (second >> column & 1) as u8;
            }
        }
    }

    fn place(&self, Cell(bit): Cell) -> Option<Place> {
        Some(Place { column: bit % STRIDE, row: bit / STRIDE })
    }

    fn start(options: &mut Options) -> Result<Yavalath, String> {
        let size = options.number("size", LEAST_SIZE.into()..=MOST_SIZE.into(), DEFAULT_SIZE.into())?;
        let players = options.number("players", 2..=3, 2)?;
        Yavalath::new(size as u8, players as usize)
            .ok_or_else(|| format!("there is no board of size {size} for {players} players"))
    }
}
