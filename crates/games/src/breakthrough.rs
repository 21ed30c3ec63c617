//! Breakthrough on eight by eight: the first to reach the far row wins.
//!
//! A piece moves one square straight or diagonally ahead; it captures diagonally only. The first player, white, moves
//! up from rows 1 and 2. A player without pieces has lost. Until then there is always a move: ahead of a player's
//! foremost piece, at least one diagonal square is on the board and has no piece of that player.
//!
//! Bit `8 * row + column` is a square, a1 lowest.

use boughs::{Action, Game, Rewards, Rng, Turn, TurnOrder};

use crate::cells::write_stones;
use crate::{CellsShape, Change, Choices, Colours, NamedGame, Options, Symmetries};

/// A position: the pieces of white and of black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Breakthrough {
    pieces: [u64; 2],
    player: u8,
}

/// A move of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    from: u8,
    to: u8,
}

impl Action for Step {
    const MAX_CODE: u32 = 63 << 6 | 63;

    #[inline]
    fn code(self) -> u32 {
        u32::from(self.from) << 6 | u32::from(self.to)
    }
    #[inline]
    fn from_code(code: u32) -> Step {
        Step { from: (code >> 6 & 63) as u8, to: (code & 63) as u8 }
    }
}

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;
/// The row each player wants to reach.
const GOAL: [u64; 2] = [0xff << 56, 0xff];
/// Distances of the squares straight ahead, ahead to the left and ahead to the right, as rotations of the board.
const AHEAD: [[u32; 3]; 2] = [[8, 7, 9], [56, 55, 57]];

impl Breakthrough {
    /// The squares that pieces can move to straight ahead, to the left and to the right.
    #[inline]
    fn targets(&self) -> [u64; 3] {
        let player = usize::from(self.player);
        let (mine, theirs) = (self.pieces[player], self.pieces[1 - player]);
        let [straight, left, right] = AHEAD[player];
        [
            mine.rotate_left(straight) & !(mine | theirs),
            (mine & !COLUMN_A).rotate_left(left) & !mine,
            (mine & !COLUMN_H).rotate_left(right) & !mine,
        ]
    }

    #[inline]
    fn step(&self, direction: usize, to: u32) -> Step {
        let ahead = AHEAD[usize::from(self.player)][direction];
        Step { from: (to.wrapping_sub(ahead) % 64) as u8, to: to as u8 }
    }

    /// Returns true if the player has reached the far row or captured all pieces.
    #[inline]
    fn has_won(&self, player: usize) -> bool {
        self.pieces[player] & GOAL[player] != 0 || self.pieces[1 - player] == 0
    }
}

impl Default for Breakthrough {
    fn default() -> Breakthrough {
        Breakthrough { pieces: [0xffff, 0xffff << 48], player: 0 }
    }
}

impl Game for Breakthrough {
    type Action = Step;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    /// Every move brings a piece one row ahead: 88 such steps for each player short of the far row, and the last one.
    const MAX_PLIES: u32 = 2 * (8 * 6 + 8 * 5) + 1;

    #[inline]
    fn turn(&self) -> Turn {
        match self.has_won(1 - usize::from(self.player)) {
            true => Turn::Over,
            false => Turn::Player(usize::from(self.player)),
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Step>) {
        for (direction, mut targets) in self.targets().into_iter().enumerate() {
            while targets != 0 {
                out.push(self.step(direction, targets.trailing_zeros()));
                targets &= targets - 1;
            }
        }
    }

    #[inline]
    fn apply(&mut self, step: Step) {
        let player = usize::from(self.player);
        self.pieces[player] ^= 1 << step.from | 1 << step.to;
        self.pieces[1 - player] &= !(1 << step.to);
        self.player ^= 1;
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        f64::from(u8::from(self.has_won(player)))
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Step>) -> Option<Step> {
        let targets = self.targets();
        let [straight, left, right] = targets.map(u64::count_ones);
        let choice = rng.below(straight + left + right);
        let direction = usize::from(choice >= straight) + usize::from(choice >= straight + left);
        match rng.pick_bit(targets[direction]) {
            64 => None,
            to => Some(self.step(direction, to)),
        }
    }

    #[inline]
    fn winning_action(&self, _: &mut Vec<Step>) -> Option<Step> {
        let player = usize::from(self.player);
        let theirs = self.pieces[1 - player];
        let wins = if theirs.is_power_of_two() { GOAL[player] | theirs } else { GOAL[player] };
        let found = self.targets().into_iter().enumerate().find(|(_, targets)| targets & wins != 0);
        found.map(|(direction, targets)| self.step(direction, (targets & wins).trailing_zeros()))
    }

    fn action_text(&self, step: Step) -> String {
        let square = |square: u8| format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1);
        square(step.from) + &square(step.to)
    }

    fn board(&self) -> String {
        let mut text = String::new();
        for row in (0..8).rev() {
            text += &(row + 1).to_string();
            text.push(' ');
            for square in 8 * row..8 * row + 8 {
                text.push_str(match (self.pieces[0] >> square & 1, self.pieces[1] >> square & 1) {
                    (1, _) => " W",
                    (_, 1) => " B",
                    _ => " .",
                });
            }
            text.push('\n');
        }
        text + "   a b c d e f g h\n"
    }
}

impl NamedGame for Breakthrough {
    const NAME: &'static str = "breakthrough";
    const SUMMARY: &'static str = "Breakthrough: pieces step ahead and capture diagonally; the far row wins.";
    const NOTATION: &'static str = "a move is its two squares, a1 to h8, white below: a2a3 h7g6";
    const OPTIONS: &'static str = "";
    const WHITE_BEGINS: bool = true;
    const BENCH: [&'static str; 3] = [
        "",
        "g2f3 d7d6 f3e4 b7c6 e4f5 e7f6 f5e6 f7e6 a2a3 e6e5 e2f3 e5e4 f3e4 d6e5 e4f5 e5d4",
        "g2f3 d7d6 f3e4 b7c6 e4f5 e7f6 f5e6 f7e6 a2a3 e6e5 e2f3 e5e4 f3e4 d6e5 e4f5 e5d4 \
         f5e6 d4e3 d2e3 c8d7 e6d7 e8d7 e3e4 f6e5 e4f5 e5d4 f5e6 d7e6 h1g2 d4d3",
    ];

    fn start(_: &mut Options) -> Result<Breakthrough, String> {
        Ok(Breakthrough::default())
    }

    fn cells_shape(&self) -> Option<CellsShape> {
        Some(CellsShape {
            columns: 8,
            rows: 8,
            kinds: 3,
            symmetries: Symmetries::LeftRight,
            colours: Colours::UpsideDown,
        })
    }

    #[inline]
    fn cells(&self, out: &mut [u8]) {
        // The board stands on its head in the order of the squares: row 8 is the top one.
        write_stones(self.pieces.map(u64::swap_bytes), out);
    }

    fn list_choices(&self, out: &mut Choices) {
        let (mut steps, player) = (Vec::new(), usize::from(self.player));
        self.actions(&mut steps);
        for step in steps {
            let mut next = *self;
            next.apply(step);
            let [from, to] = [step.from, step.to].map(|square| u16::from(square ^ 56));
            let left = Change { cell: from, kind: 0 };
            let reached = Change { cell: to, kind: 1 + self.player };
            let changes = if from < to { [left, reached] } else { [reached, left] };
            out.add(step.code(), next.has_won(player).then_some(1.0), changes);
        }
    }

    fn board_size(&self) -> Option<(u8, u8)> {
        Some((8, 8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::check_exchange;
    use boughs::notation::{legal_moves, play_moves};

    #[test]
    fn the_players_can_be_exchanged() {
        let (mut rng, mut game) = (boughs::Rng::new(3, 0), Breakthrough::default());
        while let Some(action) = game.random_action(&mut rng, &mut Vec::new()) {
            let [white, black] = game.pieces.map(u64::swap_bytes);
            check_exchange(&game, &Breakthrough { pieces: [black, white], player: 1 - game.player });
            game.apply(action);
        }
    }

    /// Makes a position of these pieces, with the player to move.
    fn set_up(white: &str, black: &str, player: u8) -> Breakthrough {
        let squares = |text: &str| {
            let square = |name: &[u8]| 1 << (8 * (name[1] - b'1') + (name[0] - b'a'));
            text.as_bytes().chunks(2).fold(0, |squares, name| squares | square(name))
        };
        Breakthrough { pieces: [squares(white), squares(black)], player }
    }

    fn moves(game: &Breakthrough) -> Vec<String> {
        legal_moves(game).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_piece_moves_straight_or_diagonally_and_captures_only_diagonally() {
        assert_eq!(moves(&set_up("d4", "h8", 0)), ["d4d5", "d4c5", "d4e5"]);
        assert_eq!(moves(&set_up("d4", "d5e5", 0)), ["d4c5", "d4e5"]);
        assert_eq!(moves(&set_up("d4d5c5", "e5", 0)), ["c5c6", "d5d6", "c5b6", "d5c6", "d4e5", "c5d6", "d5e6"]);
        let mut game = set_up("d4", "e5h8", 0);
        play_moves(&mut game, "d4e5").expect("a capture");
        assert_eq!(game, set_up("e5", "h8", 1));
    }

    #[test]
    fn no_move_or_capture_runs_around_an_edge() {
        assert_eq!(moves(&set_up("a4", "h4h5h6", 0)), ["a4a5", "a4b5"]);
        assert_eq!(moves(&set_up("h4", "a5a6", 0)), ["h4h5", "h4g5"]);
        assert_eq!(moves(&set_up("h3h4h5", "a5", 1)), ["a5a4", "a5b4"]);
        assert_eq!(moves(&set_up("a3a4", "h5", 1)), ["h5h4", "h5g4"]);
    }

    #[test]
    fn the_far_row_wins() {
        for (mut game, text, winner) in
            [(set_up("b7", "c8", 0), "b7b8", 0), (set_up("h7", "g8", 0), "h7g8", 0), (set_up("c1", "b2", 1), "b2a1", 1)]
        {
            assert_eq!(game.turn(), Turn::Player(winner));
            play_moves(&mut game, text).expect(text);
            assert_eq!((game.turn(), game.reward(winner), game.reward(1 - winner)), (Turn::Over, 1.0, 0.0));
        }
    }

    #[test]
    fn who_has_no_pieces_left_has_lost() {
        let mut game = set_up("d4", "e5", 1);
        play_moves(&mut game, "e5d4").expect("a capture");
        assert_eq!((game.turn(), game.reward(0), game.reward(1)), (Turn::Over, 0.0, 1.0));
    }

    #[test]
    fn the_board_shows_white_below() {
        let board = Breakthrough::default().board();
        let rows: Vec<&str> = board.lines().collect();
        assert_eq!(rows[0], "8  B B B B B B B B");
        assert_eq!(rows[7], "1  W W W W W W W W");
        assert_eq!(rows[8], "   a b c d e f g h");
    }
}
