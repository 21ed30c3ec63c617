//! Go on boards up to nine by nine: surround more than the other.
//!
//! The rules are those of Tromp and Taylor with one change, as usual in computer Go: stones and surrounded empty points
//! count (area scoring), no board may repeat, with either player to move (positional superko), two passes in a row end
//! the game, and, as the change, a move may not leave its own stones without a liberty (no suicide). No stones are
//! removed as dead at the end; a player who thinks that stones are dead captures them. A game of 243 moves is over and
//! counted as it stands: three moves for each point of the largest board, while random games take 111.
//!
//! Random playouts play anything legal except into own eyes, and pass when there is nothing else. Heavy playouts answer
//! the last move as MoGo did (`heavy.rs`).

use boughs::{Action, Game, Rewards, Rng, Turn, TurnOrder};

mod board;
mod heavy;
mod history;
mod nakade;
mod patterns;
mod tactics;
#[cfg(test)]
mod tests;

use crate::comparison::reward_for_more;
use crate::{NamedGame, Options};
use board::{Board, MAX_SIZE, each, point, row_and_column, without};
use history::History;

const MAX_MOVES: usize = 3 * MAX_SIZE * MAX_SIZE;

/// A position, with all boards that led to it.
#[derive(Clone, Debug)]
pub struct Go {
    board: Board,
    history: History<MAX_MOVES>,
    plies: u16,
    /// Passes in a row.
    passes: u8,
    /// The last move, for heavy playouts; a pass before the first one.
    last: Move,
    size: u8,
    half_points: u8,
}

/// A point to put a stone on, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u8);

impl Move {
    const PASS: Move = Move(127);
}

impl Action for Move {
    const MAX_CODE: u32 = u8::MAX as u32;

    #[inline]
    fn code(self) -> u32 {
        u32::from(self.0)
    }
    #[inline]
    fn from_code(code: u32) -> Move {
        Move(code as u8)
    }
}

impl Go {
    /// The empty board of a size from 2 to 9, or `None` for any other size. The second player, White, gets
    /// `half_points` as komi: 14 are seven points.
    pub fn new(size: u8, half_points: u8) -> Option<Go> {
        (2..=MAX_SIZE).contains(&usize::from(size)).then(|| Go {
            board: Board::new(size),
            history: History::new(),
            plies: 0,
            passes: 0,
            last: Move::PASS,
            size,
            half_points,
        })
    }

    /// The points of Black and White on the board as it stands, without komi: stones, and empty points from which only
    /// their stones are reached.
    #[inline]
    pub fn area(&self) -> [u32; 2] {
        self.in_order(self.board.area())
    }

    #[inline]
    fn player(&self) -> usize {
        usize::from(self.plies % 2)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.passes == 2 || usize::from(self.plies) == MAX_MOVES
    }

    /// Reorders a pair for the player to move and the other into a pair for the first player and the second.
    #[inline]
    fn in_order<T>(&self, [mover, other]: [T; 2]) -> [T; 2] {
        if self.player() == 0 { [mover, other] } else { [other, mover] }
    }

    #[inline]
    fn repeats(&self, point: u8) -> bool {
        self.history.would_repeat(self.player(), point, self.board.captured(point))
    }

    /// The points on which a random playout may play, before repetition is checked.
    #[inline]
    fn candidates(&self) -> u128 {
        self.board.without_eyes(self.board.playable())
    }

    /// Draws a point that repeats no board and that a rule accepts; `None` if there is none.
    #[inline]
    fn draw(&self, rng: &mut Rng, mut points: u128, accepts: impl Fn(u8) -> bool) -> Option<Move> {
        while points != 0 {
            let point = rng.pick_bit_wide(points) as u8;
            if accepts(point) && !self.repeats(point) {
                return Some(Move(point));
            }
            points = without(points, point);
        }
        None
    }
}

impl Default for Go {
    fn default() -> Go {
        Go::new(MAX_SIZE as u8, DEFAULT_HALF_POINTS).expect("a size within the range")
    }
}

/// Seven points. The strongest programs draw with it on nine by nine.
const DEFAULT_HALF_POINTS: u8 = 14;

impl Game for Go {
    type Action = Move;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    const MAX_PLIES: u32 = MAX_MOVES as u32;
    const HEAVY_PLAYOUTS: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.is_over() { Turn::Over } else { Turn::Player(self.player()) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Move>) {
        out.extend(each(self.board.playable()).filter(|&point| !self.repeats(point)).map(Move));
        out.push(Move::PASS);
    }

    #[inline]
    fn apply(&mut self, action: Move) {
        match action {
            Move::PASS => {
                self.board.pass();
                self.passes += 1;
            }
            Move(point) => {
                let captured = self.board.place(point);
                self.history.add(self.player(), point, captured);
                self.passes = 0;
            }
        }
        self.last = action;
        self.plies += 1;
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        let area = self.area().map(|points| 2 * points);
        let halves = [area[0], area[1] + u32::from(self.half_points)];
        reward_for_more(halves[player], halves[1 - player])
    }

    #[inline]
    fn cut_reward(&self, player: usize) -> f64 {
        self.reward(player)
    }

    #[inline]
    fn playout_actions(&self, out: &mut Vec<Move>) {
        let before = out.len();
        out.extend(each(self.candidates()).filter(|&point| !self.repeats(point)).map(Move));
        if out.len() == before {
            out.push(Move::PASS);
        }
    }

    /// Draws from all candidates. A candidate that would repeat a board is removed, and another is drawn.
    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        self.draw(rng, self.candidates(), |_| true).or(Some(Move::PASS))
    }

    #[inline]
    fn heavy_action(&self, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        Some(self.heavy_move(rng))
    }

    fn action_text(&self, action: Move) -> String {
        match action {
            Move::PASS => "pass".to_string(),
            Move(point) => {
                let (row, column) = row_and_column(point);
                format!("{}{}", letter(column), row + 1)
            }
        }
    }

    fn board(&self) -> String {
        let [black, white] = self.in_order(self.board.stones());
        let letters: String = (0..self.size).flat_map(|column| [' ', letter(column)]).collect();
        let mut text = format!(" {letters}\n");
        for row in (0..self.size).rev() {
            text += &(row + 1).to_string();
            for column in 0..self.size {
                let point = point(row, column);
                text.push_str(match (black >> point & 1, white >> point & 1) {
                    (1, _) => " X",
                    (_, 1) => " O",
                    _ => " .",
                });
            }
            text.push('\n');
        }
        text
    }
}

/// The letter of a column. The letter i is left out, because it is easily taken for a j or a 1.
fn letter(column: u8) -> char {
    char::from(b"abcdefghj"[usize::from(column)])
}

impl NamedGame for Go {
    const NAME: &'static str = "go";
    const SUMMARY: &'static str =
        "Go by area: X and O surround points; no board may come back, two passes end the game.";
    const NOTATION: &'static str =
        "a move is a column letter without i and a row number, a1 bottom left, or pass: e5 c3 g4";
    const OPTIONS: &'static str = "size=2..9 (default 9), komi=0..81 with halves (default 7)";
    const BENCH: [&'static str; 3] = [
        "",
        "d6 e4 f5 e5 e6 f6 g6 f7 f4 f3 e3 g5 g4 g3 h4 h5 d4 h3 d5 j4",
        "d6 e4 f5 e5 e6 f6 g6 f7 f4 f3 e3 g5 g4 g3 h4 h5 d4 h3 d5 j4 \
         e4 h6 e7 g7 e8 e2 d2 c2 d3 d1 j3 j2 c3 b2 b3 a2 f2 e1 c1 b1 f1 c1 a3 g2 a1 j5 e9 b8 b6 b7 c6 d8",
    ];

    fn start(options: &mut Options) -> Result<Go, String> {
        let size = options.number("size", 2..=MAX_SIZE as u32, MAX_SIZE as u32)?;
        let half_points = options.halves("komi", 0..=81, u32::from(DEFAULT_HALF_POINTS))?;
        Go::new(size as u8, half_points as u8).ok_or_else(|| format!("there is no board of size {size}"))
    }
}
