//! Yavalath (Cameron Browne's program Ludi, 2007) for two or three: four in a line win, but three lose.
//!
//! The board is a hexagon with five cells along each side, or another number. In turn, each player puts a stone of their
//! own on any empty cell.
//!
//! - Who makes a line of four stones or more of their own wins, whatever else that stone makes.
//! - Who makes a line of three and none of four is out. Their stones stay, and the others play on.
//! - The last player who is not out wins.
//! - If the board is full before that, all who are not out share the win.
//! - Of three players, each has to stop the one who acts next from winning with their next stone, if a stone can do
//!   that: where there is a single cell on which the next player would make four, a player may go nowhere else, but for
//!   making four themselves. It holds as well for a player whom that stone puts out, and for the two who are left when
//!   one is out.
//!
//! There is no swap.

use boughs::{Action, Game, Rewards, Rng, Turn};

mod lines;

use crate::{Listed, Options};
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
    /// Those who share the win, a bit each; none while the game goes on.
    winners: u8,
}

/// A cell of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl Action for Cell {
    fn code(self) -> u32 {
        u32::from(self.0)
    }
    fn from_code(code: u32) -> Cell {
        Cell(code as u8)
    }
}

const LEAST_SIZE: u8 = 3;
const DEFAULT_SIZE: u8 = 5;

impl Yavalath {
    /// The empty board with `size` cells along each side, 3 to 6, for two or three players; `None` for any others.
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

    /// Those who share the win now that a stone has been put.
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
    /// Of three players who share a win each has a third.
    const REWARDS: Rewards = Rewards { sum: Some(1.0), ..Rewards::ANY };
    const MAX_PLIES: u32 = board(MOST_SIZE).count_ones();

    fn players(&self) -> usize {
        usize::from(self.players)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.winners == 0 { Turn::Player(usize::from(self.player)) } else { Turn::Over }
    }

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
        // Whoever plays on has made no line before.
        let line = longest(*stones);
        self.out |= u8::from(line == Line::Three) << self.player;
        self.winners = self.winners_after(line);
        self.player = self.next();
    }

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

impl Listed for Yavalath {
    const NAME: &'static str = "yavalath";
    const SUMMARY: &'static str = "Yavalath for two or three: four in a line win, but who makes three is out.";
    const NOTATION: &'static str = "a move is the letter of a row, from the top, and the number of a cell in it, from the \
                                    left: e5 d4 f3";
    const OPTIONS: &'static str = "size=3..6 (default 5), players=2..3 (default 2)";
    const BENCH: [&'static str; 3] = [
        "",
        "b2 c4 f1 e5 c1 f2 d8 b3 i3 f7 i4 a1",
        "b2 c4 f1 e5 c1 f2 d8 b3 i3 f7 i4 a1 c6 a5 d5 h6 f8 g3 e6 g4 g2 i2 h4 c2 i1 e1 g7 h1 e8 b5",
    ];

    fn start(options: &mut Options) -> Result<Yavalath, String> {
        let size = options.number("size", LEAST_SIZE.into()..=MOST_SIZE.into(), DEFAULT_SIZE.into())?;
        let players = options.number("players", 2..=3, 2)?;
        Yavalath::new(size as u8, players as usize)
            .ok_or_else(|| format!("there is no board of size {size} for {players} players"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::{legal_moves, play_moves};

    fn after(size: u8, players: usize, moves: &str) -> Yavalath {
        let mut game = Yavalath::new(size, players).expect("a board");
        play_moves(&mut game, moves).expect(moves);
        game
    }

    fn rewards(game: &Yavalath) -> Vec<f64> {
        assert_eq!(game.turn(), Turn::Over, "\n{}", game.board());
        (0..game.players()).map(|player| game.reward(player)).collect()
    }

    fn texts(game: &Yavalath) -> Vec<String> {
        legal_moves(game).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn four_in_a_line_win_in_every_direction() {
        // Along a row, down to the right, and down to the left, each filled in the middle.
        for moves in ["e4 a1 e5 a2 e7 a4 e6", "c3 a1 d4 a2 f5 a4 e5", "c5 a1 d5 a2 f4 a4 e5"] {
            assert_eq!(rewards(&after(5, 2, moves)), [1.0, 0.0], "{moves}");
        }
    }

    #[test]
    fn three_in_a_line_lose() {
        for moves in ["e4 a1 e5 a2 e6", "c3 a1 d4 a2 e5", "c5 a1 d5 a2 e5"] {
            assert_eq!(rewards(&after(5, 2, moves)), [0.0, 1.0], "{moves}");
        }
        assert_eq!(rewards(&after(5, 2, "a1 e4 a2 e5 a4 e6")), [1.0, 0.0]);
    }

    #[test]
    fn a_stone_that_makes_three_and_four_wins() {
        let game = after(5, 2, "e4 a1 e5 a2 e7 a4 c4 a5 d5 b1 e6");
        assert_eq!(rewards(&game), [1.0, 0.0], "\n{}", game.board());
    }

    #[test]
    fn five_in_a_line_win_too() {
        assert_eq!(rewards(&after(5, 2, "e3 a1 e4 a2 e6 a4 e7 a5 e5")), [1.0, 0.0]);
    }

    #[test]
    fn of_three_players_who_makes_three_is_out_and_the_others_play_on() {
        let mut game = after(5, 3, "e4 a1 i1 e5 a2 i2 e6");
        assert_eq!(game.turn(), Turn::Player(1));
        play_moves(&mut game, "c1 c3").expect("two stones");
        assert_eq!(game.turn(), Turn::Player(1), "the first is passed over");
        assert!(game.board().ends_with("X is out\n"));
    }

    #[test]
    fn the_last_player_who_is_not_out_wins() {
        assert_eq!(rewards(&after(5, 3, "e4 a1 i1 e5 a2 i2 e6 a3")), [0.0, 0.0, 1.0]);
        assert_eq!(rewards(&after(5, 3, "e4 a1 i1 e5 a2 i2 e6 c1 i3")), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn of_three_players_each_stops_the_next_one_from_winning() {
        // The second player threatens to fill a3.
        let game = after(5, 3, "e1 a1 i1 e3 a2 i3 e6 a4 i5");
        assert_eq!(texts(&game), ["a3"]);
        assert_eq!(legal_moves(&after(5, 2, "e1 a1 e3 a2 e6 a4")).len(), 61 - 6, "of two players nobody has to");
    }

    /// The first player can make four on e2 and on e5, the second on a3, and the third is to move.
    const THREATS: &str = "e1 a1 i1 e3 a2 i3 e6 c1 c3 e4 a4";

    #[test]
    fn who_cannot_stop_the_next_player_may_go_anywhere() {
        assert_eq!(texts(&after(5, 3, THREATS)).len(), 61 - 11);
    }

    #[test]
    fn a_player_may_win_instead_of_stopping_another() {
        let mut game = after(5, 3, THREATS);
        play_moves(&mut game, "i5").expect("an empty cell");
        assert_eq!(texts(&game), ["a3", "e2", "e5"]);
    }

    #[test]
    fn a_full_board_is_shared_by_all_who_are_not_out() {
        let two = "b4 a1 b3 a3 c2 d2 c5 e3 d1 d4 d3 e2 c3 c1 e1 b2 a2 c4 b1";
        assert_eq!(rewards(&after(3, 2, two)), [0.5, 0.5]);
        let three = "c5 b4 d3 d2 c3 c4 e1 d4 e3 d1 e2 c1 b2 c2 a3 a1 b1 a2 b3";
        assert_eq!(rewards(&after(3, 3, three)), [1.0 / 3.0; 3]);
        let without_third = "a3 d1 c2 a1 d2 e5 c6 b2 g3 c1 a4 a2 c5 c4 b4 e1 d4 f5 d3 f2 e6 e3 f1 b3 c3 d5 f3 d6 g1 e2 f4 b1 \
                             g2 g4 d7 e4 b5";
        assert_eq!(rewards(&after(4, 3, without_third)), [0.5, 0.5, 0.0]);
    }

    #[test]
    fn random_actions_end_with_the_board() {
        let full = after(3, 2, "b4 a1 b3 a3 c2 d2 c5 e3 d1 d4 d3 e2 c3 c1 e1 b2 a2 c4 b1");
        assert_eq!(full.random_action(&mut Rng::new(1, 0), &mut Vec::new()), None);
    }

    #[test]
    fn the_board_is_a_hexagon() {
        let expected = "  a X . .\n b . . . .\nc . . O . .\n d . . . .\n  e . . X\n";
        assert_eq!(after(3, 2, "a1 c3 e3").board(), expected);
    }

    #[test]
    fn boards_have_three_to_six_cells_a_side_and_two_or_three_players() {
        assert!([(2, 2), (7, 2), (5, 1), (5, 4)].iter().all(|&(size, players)| Yavalath::new(size, players).is_none()));
        assert!((3..=6).all(|size| (2..=3).all(|players| Yavalath::new(size, players).is_some())));
    }
}
