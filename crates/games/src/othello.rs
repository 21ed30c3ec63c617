//! Othello on eight by eight.
//!
//! Bit `8 * row + column` is a square, a1 (top left) lowest. The moves of the player to act are kept with the
//! position, since `turn`, `actions` and `random_action` all need them.

use boughs::{Action, Game, Rewards, Rng, Turn, TurnOrder};

use crate::{Listed, Options};

/// A position, as the player to act sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Othello {
    mine: u64,
    theirs: u64,
    moves: u64,
    player: u8,
}

/// A square to put a disc on, or the pass of a player who cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u8);

impl Move {
    const PASS: Move = Move(64);
}

impl Action for Move {
    fn code(self) -> u32 {
        u32::from(self.0)
    }
    fn from_code(code: u32) -> Move {
        Move(code as u8)
    }
}

/// The squares where a disc of `mine` would enclose some of `theirs`.
#[inline]
fn moves(mine: u64, theirs: u64) -> u64 {
    // A line sideways or slanting must not run around an edge, so no disc on the edge columns can be enclosed there.
    let inner = theirs & 0x7e7e_7e7e_7e7e_7e7e;
    let (down, slanting) = (ends(mine, theirs, 8), ends(mine, inner, 7));
    // Told nothing about one direction, the compiler keeps all in plain registers. As AVX-512 vectors, which
    // `target-cpu=native` may mean, they can be had at a higher rate but much later, and the next move waits for them.
    let slanting = slanting | std::hint::black_box(ends(mine, inner, 9));
    (sideways(mine, inner) | down | slanting) & !(mine | theirs)
}

/// Where the runs of `theirs` that begin beside `mine` end, both ways along a direction: a parallel prefix fill of one,
/// two, four and six squares.
#[inline]
fn ends(mine: u64, theirs: u64, step: u32) -> u64 {
    let pairs = theirs & (theirs << step);
    let mut up = theirs & (mine << step);
    up |= theirs & (up << step);
    up |= pairs & (up << (2 * step));
    up |= pairs & (up << (2 * step));
    let pairs = pairs >> step;
    let mut down = theirs & (mine >> step);
    down |= theirs & (down >> step);
    down |= pairs & (down >> (2 * step));
    down |= pairs & (down >> (2 * step));
    up << step | down >> step
}

/// The same within the rows, where one way takes a sum: it carries through the runs that begin beside `mine`.
#[inline]
fn sideways(mine: u64, inner: u64) -> u64 {
    let right = inner + (inner & (mine << 1));
    let pairs = inner & (inner >> 1);
    let mut left = inner & (mine >> 1);
    left |= inner & (left >> 1);
    left |= pairs & (left >> 2);
    left |= pairs & (left >> 2);
    right | left >> 1
}

/// The squares in line with each square: towards higher squares, four directions, and towards lower ones.
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

static RAYS: [Rays; 64] = {
    let mut rays = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let steps = [(0, 1), (1, -1), (1, 0), (1, 1)];
    let mut i = 0;
    while i < 64 * 4 {
        let (square, direction) = (i / 4, i % 4);
        let (down, right) = steps[direction];
        rays[square].up[direction] = ray(square as i32, down, right);
        rays[square].down[direction] = ray(square as i32, -down, -right);
        i += 1;
    }
    rays
};

const fn ray(square: i32, down: i32, right: i32) -> u64 {
    let (mut row, mut column) = (square / 8 + down, square % 8 + right);
    let mut squares = 0;
    while row >= 0 && row < 8 && column >= 0 && column < 8 {
        squares |= 1 << (8 * row + column);
        row += down;
        column += right;
    }
    squares
}

/// The discs of `theirs` that a disc of `mine` on `square` encloses.
#[inline]
fn flips(mine: u64, theirs: u64, square: u8) -> u64 {
    let rays = &RAYS[usize::from(square % 64)];
    let mut flipped = 0;
    for direction in 0..4 {
        // The first square on the ray that is not theirs ends the run, which is enclosed if that square is mine.
        let ray = rays.up[direction];
        let stops = ray & !theirs;
        let end = stops & stops.wrapping_neg() & mine;
        flipped |= end.wrapping_sub(u64::from(end != 0)) & ray;
        let ray = rays.down[direction];
        let end = 63 - (ray & !theirs | 1).leading_zeros();
        flipped |= if ray & mine & (1 << end) != 0 { ray & (!1 << end) } else { 0 };
    }
    flipped
}

impl Othello {
    fn of(mine: u64, theirs: u64, player: u8) -> Othello {
        Othello { mine, theirs, moves: moves(mine, theirs), player }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.moves == 0 && !self.can_pass()
    }

    /// Whether the other player has a move: asked seldom, so kept out of the way.
    #[cold]
    #[inline(never)]
    fn can_pass(&self) -> bool {
        moves(self.theirs, self.mine) != 0
    }

    /// The discs of black and of white.
    fn discs(&self) -> [u64; 2] {
        if self.player == 0 { [self.mine, self.theirs] } else { [self.theirs, self.mine] }
    }
}

impl Default for Othello {
    fn default() -> Othello {
        Othello::of(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 0)
    }
}

impl Game for Othello {
    type Action = Move;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    /// Sixty discs, and at most one pass before each of them but the first.
    const MAX_PLIES: u32 = 119;

    #[inline]
    fn turn(&self) -> Turn {
        match self.is_over() {
            true => Turn::Over,
            false => Turn::Player(usize::from(self.player)),
        }
    }

    fn actions(&self, out: &mut Vec<Move>) {
        let mut rest = self.moves;
        if rest == 0 && !self.is_over() {
            out.push(Move::PASS);
        }
        while rest != 0 {
            out.push(Move(rest.trailing_zeros() as u8));
            rest &= rest - 1;
        }
    }

    #[inline]
    fn apply(&mut self, action: Move) {
        let Othello { mine, theirs, player, .. } = *self;
        *self = match action {
            Move::PASS => Othello::of(theirs, mine, player ^ 1),
            Move(square) => {
                let flipped = flips(mine, theirs, square);
                Othello::of(theirs ^ flipped, mine ^ flipped | 1 << square, player ^ 1)
            }
        };
    }

    fn reward(&self, player: usize) -> f64 {
        let discs = self.discs();
        match discs[player].count_ones().cmp(&discs[1 - player].count_ones()) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        match self.moves {
            0 => (!self.is_over()).then_some(Move::PASS),
            moves => Some(Move(rng.pick_bit(moves) as u8)),
        }
    }

    fn action_text(&self, action: Move) -> String {
        match action {
            Move::PASS => "pass".to_string(),
            Move(square) => format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1),
        }
    }

    fn board(&self) -> String {
        let letters = "   a b c d e f g h\n";
        let discs = self.discs();
        let mut text = letters.to_string();
        for row in 0..8 {
            text += &(row + 1).to_string();
            text.push(' ');
            for square in 8 * row..8 * row + 8 {
                text.push_str(match (discs[0] >> square & 1, discs[1] >> square & 1) {
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

impl Listed for Othello {
    const NAME: &'static str = "othello";
    const SUMMARY: &'static str = "Othello: enclosed discs change sides; who has more when nobody can move wins.";
    const NOTATION: &'static str = "squares are a1 to h8, a1 top left, and pass when there is no other move: d3c3c4";
    const OPTIONS: &'static str = "";
    const BENCH: [&'static str; 3] = [
        "",
        "c4 c5 b6 f3 f6 b3 c3 b5 a3 b7 e3 c2 c6 f5 a8 f7 a7 e2 f4 a4",
        "c4 c5 b6 f3 f6 b3 c3 b5 a3 b7 e3 c2 c6 f5 a8 f7 a7 e2 f4 a4 \
         f8 g7 h8 c7 e1 d3 g3 g6 d7 f2 f1 g2 h1 d6 d1 b2 a1 c8 b8 g1 a6 a5 d8 b1",
    ];

    fn start(_: &mut Options) -> Result<Othello, String> {
        Ok(Othello::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::{legal_moves, play_moves};

    fn after(moves: &str) -> Othello {
        let mut game = Othello::default();
        play_moves(&mut game, moves).expect(moves);
        game
    }

    /// The discs enclosed by a disc of `mine` on `square`, found by walking.
    fn flips_by_walking(mine: u64, theirs: u64, square: u8) -> u64 {
        let mut flipped = 0;
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let (mut run, mut row, mut column) = (0, i32::from(square / 8) + down, i32::from(square % 8) + right);
            while (0..8).contains(&row) && (0..8).contains(&column) {
                let disc = 1 << (8 * row + column);
                if mine & disc != 0 {
                    flipped |= run;
                }
                if theirs & disc == 0 {
                    break;
                }
                run |= disc;
                (row, column) = (row + down, column + right);
            }
        }
        flipped
    }

    #[test]
    fn moves_and_flips_are_those_found_by_walking_and_none_runs_around_an_edge() {
        let mut rng = Rng::new(4, 0);
        for round in 0..20_000 {
            let taken = rng.bits() | if round % 2 == 0 { 0 } else { rng.bits() };
            let mine = taken & rng.bits();
            let theirs = taken & !mine;
            for square in (0..64).filter(|square| taken >> square & 1 == 0) {
                let walked = flips_by_walking(mine, theirs, square);
                assert_eq!(flips(mine, theirs, square), walked, "{mine:#x} {theirs:#x} {square}");
                assert_eq!(moves(mine, theirs) >> square & 1 == 1, walked != 0, "{mine:#x} {theirs:#x} {square}");
            }
        }
    }

    #[test]
    fn who_cannot_move_passes_and_has_no_other_move() {
        let mut game = after("f5 f6 f7 g7 d3 f8 h8 h6");
        assert_eq!(game.turn(), Turn::Player(0));
        assert_eq!(legal_moves(&game), [(Move::PASS, "pass".to_string())]);
        assert_eq!(game.random_action(&mut Rng::new(1, 0), &mut Vec::new()), Some(Move::PASS));
        let discs = game.discs();
        game.apply(Move::PASS);
        assert_eq!((game.turn(), game.discs()), (Turn::Player(1), discs));
        assert!(!legal_moves(&game).is_empty());
    }

    #[test]
    fn the_game_is_over_when_all_discs_are_of_one_colour() {
        let game = after("e6f4e3f6g5d6e7f5c5");
        assert_eq!((game.turn(), game.reward(0), game.reward(1)), (Turn::Over, 1.0, 0.0));
        assert_eq!(game.discs().map(u64::count_ones), [13, 0]);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        assert!(actions.is_empty());
        assert_eq!(game.random_action(&mut Rng::new(1, 0), &mut Vec::new()), None);
    }

    #[test]
    fn equal_numbers_of_discs_are_a_draw() {
        let game = after(
            "f5f4d3f6g6c3b3h6e6c2g5h4h7a3f7c5b1c1b5d2b2d6g4h8h5b4h3a2c4g3g2g8e8a5a1f3f2h2e1e2a4g7c6a6e7c7a7d7d1e3d8c8b6\
             f8g1f1h1b8",
        );
        assert_eq!((game.turn(), game.reward(0), game.reward(1)), (Turn::Over, 0.5, 0.5));
    }

    #[test]
    fn the_board_shows_black_and_white() {
        let rows: Vec<String> = after("d3").board().lines().map(str::to_string).collect();
        assert_eq!(rows[0], "   a b c d e f g h");
        assert_eq!(rows[3..6], ["3  . . . X . . . .", "4  . . . X X . . .", "5  . . . X O . . ."]);
    }
}
