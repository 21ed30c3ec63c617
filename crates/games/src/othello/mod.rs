//! Othello on eight by eight.
//!
//! Bit `8 * row + column` is a square, a1 (top left) lowest. The moves of the player to act are kept with the
//! position, since `turn`, `actions` and `random_action` all need them.

use std::sync::Arc;

use boughs::{Action, Evaluator, Game, Knowledge, Rewards, Rng, Turn, TurnOrder};

mod endgame;
mod evaluator;
mod lines;
mod squares;
mod stable;

use crate::cells::write_stones;
use crate::comparison::reward_for_more;
use crate::{CellsShape, Change, Choices, Colours, Content, Grid, NamedGame, Names, Options, Place, Symmetries};
use evaluator::Lookahead;
use lines::{flips, moves};
use squares::{CORNERS, X_SQUARES, around, numbers_of};

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

impl Othello {
    #[inline]
    fn of(mine: u64, theirs: u64, player: u8) -> Othello {
        Othello { mine, theirs, moves: moves(mine, theirs), player }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.moves == 0 && !self.can_pass()
    }

    /// Returns true if the other player has a move. This is rarely needed, so it stays out of line.
    #[cold]
    #[inline(never)]
    fn can_pass(&self) -> bool {
        moves(self.theirs, self.mine) != 0
    }

    /// The square that an action puts a disc on, and those whose discs it flips.
    #[inline]
    fn effect(&self, action: Move) -> [u64; 2] {
        match action {
            Move::PASS => [0, 0],
            Move(square) => [1 << square, flips(self.mine, self.theirs, square)],
        }
    }

    /// The position after an action with this effect.
    #[inline]
    fn after(&self, [placed, flipped]: [u64; 2]) -> Othello {
        Othello::of(self.theirs ^ flipped, self.mine ^ flipped | placed, self.player ^ 1)
    }

    /// The discs of black and of white.
    #[inline]
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
    const HEAVY_PLAYOUTS: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        match self.is_over() {
            true => Turn::Over,
            false => Turn::Player(usize::from(self.player)),
        }
    }

    #[inline]
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
        *self = self.after(self.effect(action));
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        let discs = self.discs();
        reward_for_more(discs[player].count_ones(), discs[1 - player].count_ones())
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        match self.moves {
            0 => (!self.is_over()).then_some(Move::PASS),
            moves => Some(Move(rng.pick_bit(moves) as u8)),
        }
    }

    /// A corner if there is one to take, and else no X square beside an empty corner if that can be avoided.
    #[inline]
    fn heavy_action(&self, rng: &mut Rng, scratch: &mut Vec<Move>) -> Option<Move> {
        let corners = self.moves & CORNERS;
        let safe = self.moves & !(X_SQUARES & around(CORNERS & !(self.mine | self.theirs)));
        match (corners, safe) {
            (0, 0) => self.random_action(rng, scratch),
            (0, safe) => Some(Move(rng.pick_bit(safe) as u8)),
            (corners, _) => Some(Move(rng.pick_bit(corners) as u8)),
        }
    }

    fn evaluation(&self, player: usize) -> Option<f64> {
        Some(evaluator::win_probability(self, player))
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

impl NamedGame for Othello {
    const NAME: &'static str = "othello";
    const SUMMARY: &'static str = "Othello: enclosed discs change sides; the player with more discs at the end wins.";
    const NOTATION: &'static str = "squares are a1 to h8, a1 top left, and pass when there is no other move: d3c3c4";
    const OPTIONS: &'static str = "";
    const BLACK_AND_WHITE: bool = true;
    const BENCH: [&'static str; 3] = [
        "",
        "c4 c5 b6 f3 f6 b3 c3 b5 a3 b7 e3 c2 c6 f5 a8 f7 a7 e2 f4 a4",
        "c4 c5 b6 f3 f6 b3 c3 b5 a3 b7 e3 c2 c6 f5 a8 f7 a7 e2 f4 a4 \
         f8 g7 h8 c7 e1 d3 g3 g6 d7 f2 f1 g2 h1 d6 d1 b2 a1 c8 b8 g1 a6 a5 d8 b1",
    ];
    const EVALUATOR: Knowledge = Knowledge::ValuesAndPriors;

    fn evaluator(&self) -> Option<Arc<dyn Evaluator<Othello>>> {
        Some(Arc::new(Lookahead))
    }

    fn grid(&self) -> Option<Grid> {
        let discs = self.discs();
        let disc = |place: Place| {
            let square = 8 * place.row + place.column;
            discs.iter().position(|discs| discs >> square & 1 == 1).map_or(Content::Empty, Content::Stone)
        };
        Some(Grid::new(8, 8, Names::FromTop, disc))
    }

    fn cells_shape(&self) -> Option<CellsShape> {
        Some(CellsShape { columns: 8, rows: 8, kinds: 3, symmetries: Symmetries::Square, colours: Colours::Alike })
    }

    #[inline]
    fn cells(&self, out: &mut [u8]) {
        write_stones(self.discs(), out);
    }

    fn list_choices(&self, out: &mut Choices) {
        let (mut actions, player) = (Vec::new(), usize::from(self.player));
        self.actions(&mut actions);
        for action in actions {
            let effect = self.effect(action);
            let next = self.after(effect);
            let end = next.is_over().then(|| next.reward(player) as f32);
            let changes = numbers_of(effect[0] | effect[1]).map(|cell| Change { cell, kind: 1 + self.player });
            out.add(action.code(), end, changes);
        }
    }

    fn place(&self, action: Move) -> Option<Place> {
        (action != Move::PASS).then_some(Place { column: action.0 % 8, row: action.0 / 8 })
    }

    fn start(_: &mut Options) -> Result<Othello, String> {
        Ok(Othello::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::check_exchange;
    use boughs::notation::{legal_moves, play_moves};

    pub(super) fn after(moves: &str) -> Othello {
        let mut game = Othello::default();
        play_moves(&mut game, moves).expect(moves);
        game
    }

    #[test]
    fn the_players_can_be_exchanged() {
        let (mut rng, mut game) = (boughs::Rng::new(3, 0), Othello::default());
        while let Some(action) = game.random_action(&mut rng, &mut Vec::new()) {
            check_exchange(&game, &Othello { player: 1 - game.player, ..game });
            game.apply(action);
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
    fn heavy_playouts_take_corners_and_keep_off_x_squares() {
        let (mut rng, mut seen) = (Rng::new(3, 0), [0; 2]);
        for _ in 0..300 {
            let mut game = Othello::default();
            while let Some(Move(square)) = game.heavy_action(&mut rng, &mut Vec::new()) {
                if game.moves & CORNERS != 0 {
                    assert!(CORNERS >> square & 1 == 1, "{square}{}", game.board());
                    seen[0] += 1;
                } else if game.moves & !X_SQUARES != 0 && square == 9 {
                    assert!((game.mine | game.theirs) & 1 == 1, "a1 is empty{}", game.board());
                    seen[1] += 1;
                }
                game.apply(Move(square));
            }
            assert_eq!(game.turn(), Turn::Over);
        }
        assert!(seen.iter().all(|&times| times > 20), "{seen:?}");
    }

    #[test]
    fn the_board_shows_black_and_white() {
        let rows: Vec<String> = after("d3").board().lines().map(str::to_string).collect();
        assert_eq!(rows[0], "   a b c d e f g h");
        assert_eq!(rows[3..6], ["3  . . . X . . . .", "4  . . . X X . . .", "5  . . . X O . . ."]);
    }
}
