//! Go on boards up to nineteen by nineteen: surround more than the other.
//!
//! The rules are those of Tromp and Taylor with one change, as usual in computer Go: stones and surrounded empty points
//! count (area scoring), no board may repeat, with either player to move (positional superko), two passes in a row end
//! the game, and, as the change, a move may not leave its own stones without a liberty (no suicide). No stones are
//! removed as dead at the end; a player who thinks that stones are dead captures them. A game is over and counted as it
//! stands after 243 moves in a `Go` and after 1,083 in a `LargeGo`: three moves for each point of
//! the largest board, while random games of nine by nine take 111.
//!
//! A position of a board up to nine by nine is a `Go`, one of a larger board a [`LargeGo`], which has longer sets.
//!
//! Random playouts play anything legal except into own eyes, and pass when there is nothing else. Heavy playouts answer
//! the last move as MoGo did (`heavy.rs`).

use std::marker::PhantomData;

use boughs::{Action, Game, Rewards, Rng, Session, Turn, TurnOrder};

mod board;
mod heavy;
mod history;
mod kept;
mod nakade;
mod patterns;
mod points;
mod tactics;
#[cfg(test)]
mod tests;

use crate::comparison::reward_for_more;
use crate::{CellsShape, Colours, Content, Grid, NamedGame, Names, Options, Place, Symmetries, Tallies, View};
use board::Board;
use history::History;
pub use points::{Large, Points};

/// The name of the game, on boards of any size.
pub const NAME: &str = "go";

/// A position on boards whose sets of points are of type `P`, with all boards that led to it: a [`Go`] or a
/// [`LargeGo`].
#[derive(Clone, Debug)]
pub struct GoOf<P: Points> {
    board: Board<P>,
    history: History<P>,
    plies: u16,
    /// Passes in a row.
    passes: u8,
    /// The last move, for heavy playouts; a pass before the first one.
    last: Move<P>,
    size: u8,
    half_points: i16,
}

/// A position of a board up to nine by nine.
pub type Go = GoOf<u128>;

/// A position of a board of any size up to nineteen by nineteen. The list of games uses it for those above nine by
/// nine.
pub type LargeGo = GoOf<Large>;

/// A point to put a stone on, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move<P: Points = u128> {
    point: u16,
    of: PhantomData<P>,
}

impl<P: Points> Move<P> {
    #[inline]
    fn on(point: u16) -> Move<P> {
        Move { point, of: PhantomData }
    }

    #[inline]
    fn pass() -> Move<P> {
        Move::on(P::PASS)
    }

    /// Gives the turn to the other player, and is no pass that could end the game. It is never legal.
    #[inline]
    fn skip() -> Move<P> {
        Move::on(P::PASS - 1)
    }

    #[inline]
    fn is_pass(self) -> bool {
        self.point == P::PASS
    }

    /// Returns true if this puts a stone on a point.
    #[inline]
    fn is_on_a_point(self) -> bool {
        self.point < P::PASS - 1
    }
}

impl<P: Points> Action for Move<P> {
    const MAX_CODE: u32 = if P::PASS < 256 { 255 } else { 511 };

    #[inline]
    fn code(self) -> u32 {
        u32::from(self.point)
    }
    #[inline]
    fn from_code(code: u32) -> Move<P> {
        Move::on((code & Self::MAX_CODE) as u16)
    }
}

impl Go {
    /// The empty board of a size from 2 to 9, or `None` for any other size. The second player, White, gets
    /// `half_points` as komi: 14 are seven points.
    pub fn new(size: u8, half_points: i16) -> Option<Go> {
        GoOf::empty(size, half_points)
    }
}

impl LargeGo {
    /// The empty board of a size from 2 to 19, or `None` for any other size.
    pub fn large(size: u8, half_points: i16) -> Option<LargeGo> {
        GoOf::empty(size, half_points)
    }
}

impl<P: Points> GoOf<P> {
    fn empty(size: u8, half_points: i16) -> Option<GoOf<P>> {
        (2..=P::MAX_SIZE).contains(&size).then(|| GoOf {
            board: Board::new(size),
            history: History::new(),
            plies: 0,
            passes: 0,
            last: Move::pass(),
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
        self.passes == 2 || usize::from(self.plies) == P::MOST_MOVES
    }

    /// Reorders a pair for the player to move and the other into a pair for the first player and the second.
    #[inline]
    fn in_order<T>(&self, [mover, other]: [T; 2]) -> [T; 2] {
        if self.player() == 0 { [mover, other] } else { [other, mover] }
    }

    #[inline]
    fn repeats(&self, point: u16) -> bool {
        let captured = if self.board.may_capture(point) { self.board.captured(point) } else { P::NONE };
        self.history.would_repeat(self.player(), point, captured)
    }

    /// The points on which a random playout may play, before repetition is checked.
    #[inline]
    fn candidates(&self) -> P {
        self.board.without_eyes(self.board.playable())
    }

    /// Draws a point that repeats no board and that a rule accepts; `None` if there is none.
    #[inline]
    fn draw(&self, rng: &mut Rng, mut points: P, accepts: impl Fn(u16) -> bool) -> Option<Move<P>> {
        while !points.is_empty() {
            let point = points.pick(rng);
            if accepts(point) && !self.repeats(point) {
                return Some(Move::on(point));
            }
            points = points.without(point);
        }
        None
    }
}

/// The random points that a playout tries before it looks for all candidates.
const TRIES: u32 = 16;

impl<P: Points> GoOf<P> {
    /// Draws empty points until one is a candidate that repeats no board. After some that are none it draws from all
    /// candidates, so every candidate is equally likely.
    #[inline]
    fn draw_one_by_one(&self, rng: &mut Rng) -> Option<Move<P>> {
        for _ in 0..TRIES {
            let point = self.board.random_empty(rng);
            if self.board.is_candidate(point) && !self.repeats(point) {
                return Some(Move::on(point));
            }
        }
        self.draw(rng, self.candidates(), |_| true)
    }
}

impl Default for Go {
    fn default() -> Go {
        Go::new(u128::MAX_SIZE, DEFAULT_HALF_POINTS).expect("a size within the range")
    }
}

/// Seven points. The strongest programs draw with it on nine by nine.
const DEFAULT_HALF_POINTS: i16 = 14;

impl<P: Points> Game for GoOf<P> {
    type Action = Move<P>;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    const MAX_PLIES: u32 = P::MOST_MOVES as u32;
    const HEAVY_PLAYOUTS: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.is_over() { Turn::Over } else { Turn::Player(self.player()) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Move<P>>) {
        out.extend(self.board.playable().each().filter(|&point| !self.repeats(point)).map(Move::on));
        out.push(Move::pass());
    }

    #[inline]
    fn apply(&mut self, action: Move<P>) {
        if action.is_on_a_point() {
            let captured = self.board.place(action.point);
            self.history.add(self.player(), action.point, captured);
            self.passes = 0;
            self.last = action;
        } else {
            self.board.pass();
            self.passes = if action.is_pass() { self.passes + 1 } else { 0 };
            self.last = Move::pass();
        }
        self.plies += 1;
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        let area = self.area().map(|points| 2 * points as i32);
        let halves = [area[0], area[1] + i32::from(self.half_points)];
        reward_for_more(halves[player], halves[1 - player])
    }

    #[inline]
    fn cut_reward(&self, player: usize) -> f64 {
        self.reward(player)
    }

    #[inline]
    fn playout_actions(&self, out: &mut Vec<Move<P>>) {
        let before = out.len();
        out.extend(self.candidates().each().filter(|&point| !self.repeats(point)).map(Move::on));
        if out.len() == before {
            out.push(Move::pass());
        }
    }

    /// Draws from all candidates. A candidate that would repeat a board is removed, and another is drawn.
    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Move<P>>) -> Option<Move<P>> {
        let drawn =
            if P::LOOKS_ONE_BY_ONE { self.draw_one_by_one(rng) } else { self.draw(rng, self.candidates(), |_| true) };
        drawn.or(Some(Move::pass()))
    }

    #[inline]
    fn heavy_action(&self, rng: &mut Rng, _: &mut Vec<Move<P>>) -> Option<Move<P>> {
        Some(self.heavy_move(rng))
    }

    fn action_text(&self, action: Move<P>) -> String {
        if !action.is_on_a_point() {
            return "pass".to_string();
        }
        let (row, column) = P::row_and_column(action.point);
        format!("{}{}", letter(column), row + 1)
    }

    fn board(&self) -> String {
        let [black, white] = self.in_order(self.board.stones());
        let letters: String = (0..self.size).flat_map(|column| [' ', letter(column)]).collect();
        let width = if self.size > 9 { 2 } else { 1 };
        let mut text = format!("{:width$}{letters}\n", "");
        for row in (0..self.size).rev() {
            text += &format!("{:>width$}", row + 1);
            for column in 0..self.size {
                let point = P::point(row, column);
                text.push_str(match (black.has(point), white.has(point)) {
                    (true, _) => " X",
                    (_, true) => " O",
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
    char::from(b"abcdefghjklmnopqrst"[usize::from(column)])
}

impl<P: Points> NamedGame for GoOf<P> {
    const NAME: &'static str = NAME;
    const SUMMARY: &'static str =
        "Go by area: X and O surround points; no board may come back, two passes end the game.";
    const NOTATION: &'static str =
        "a move is a column letter without i and a row number, a1 bottom left, or pass: e5 c3 g4";
    const OPTIONS: &'static str = "size=2..19 (default 9), komi=-361..361 with halves (default 7)";
    const INTERSECTIONS: bool = true;
    const BLACK_AND_WHITE: bool = true;
    const BENCH: [&'static str; 3] = [
        "",
        "d6 e4 f5 e5 e6 f6 g6 f7 f4 f3 e3 g5 g4 g3 h4 h5 d4 h3 d5 j4",
        "d6 e4 f5 e5 e6 f6 g6 f7 f4 f3 e3 g5 g4 g3 h4 h5 d4 h3 d5 j4 \
         e4 h6 e7 g7 e8 e2 d2 c2 d3 d1 j3 j2 c3 b2 b3 a2 f2 e1 c1 b1 f1 c1 a3 g2 a1 j5 e9 b8 b6 b7 c6 d8",
    ];

    fn start(options: &mut Options) -> Result<GoOf<P>, String> {
        let (size, half_points) = size_and_komi(options)?;
        GoOf::empty(size, half_points).ok_or_else(|| format!("a board of size {size} takes a LargeGo"))
    }

    fn view(position: &dyn Session) -> Option<&dyn View> {
        let small = position.downcast_ref::<Go>().map(|game| game as &dyn View);
        small.or_else(|| position.downcast_ref::<LargeGo>().map(|game| game as &dyn View))
    }

    fn grid(&self) -> Option<Grid> {
        let stones = self.in_order(self.board.stones());
        let stone = |Place { column, row }: Place| {
            let point = P::point(self.size - 1 - row, column);
            stones.iter().position(|stones| stones.has(point)).map_or(Content::Empty, Content::Stone)
        };
        Some(Grid::new(self.size, self.size, Names::Go, stone))
    }

    fn cells_shape(&self) -> Option<CellsShape> {
        let size = usize::from(self.size);
        Some(CellsShape {
            columns: size,
            rows: size,
            kinds: 3,
            symmetries: Symmetries::Square,
            colours: Colours::Differ,
        })
    }

    fn place(&self, action: Move<P>) -> Option<Place> {
        let (row, column) = P::row_and_column(action.point);
        action.is_on_a_point().then(|| Place { column, row: self.size - 1 - row })
    }

    fn skip(&self) -> Option<Move<P>> {
        Some(Move::skip())
    }

    fn tallies(&self) -> Tallies {
        let [black, white] = self.area().map(f64::from);
        vec![("points", vec![black, white + f64::from(self.half_points) / 2.0])]
    }

    fn session(options: &mut Options) -> Result<Box<dyn Session>, String> {
        let (size, half_points) = size_and_komi(options)?;
        let small = Go::new(size, half_points).map(|game| Box::new(game) as Box<dyn Session>);
        let game = small.or_else(|| Some(Box::new(LargeGo::large(size, half_points)?)));
        game.ok_or_else(|| format!("there is no board of size {size}"))
    }
}

/// The options of a game: the size of the board, and the komi in half points.
fn size_and_komi(options: &mut Options) -> Result<(u8, i16), String> {
    let size = options.number("size", 2..=u32::from(Large::MAX_SIZE), u32::from(u128::MAX_SIZE))?;
    let half_points = options.halves("komi", -361..=361, i32::from(DEFAULT_HALF_POINTS))?;
    Ok((size as u8, half_points as i16))
}
