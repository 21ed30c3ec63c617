//! 2048: slide the tiles of a four by four board; two equal tiles merge, and the value of the new tile is scored.
//!
//! The player slides, and chance places a 2 nine times in ten, else a 4, on any empty cell. Two tiles come before the
//! first slide. Tiles above 32768 do not fit into a cell's four bits, so two of 32768 do not merge.

use std::sync::Arc;

use boughs::{Action, Evaluator, Game, Knowledge, Rewards, Rng, Turn};

mod board;
mod evaluator;

pub use board::Direction;

use crate::{CellsShape, Colours, NamedGame, Options, Symmetries};
use board::{CELLS, occupied, slide, slides};
use evaluator::Lookahead;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Game2048 {
    board: u64,
    /// The slides that move a tile, one bit each; 0 while a tile is to be placed and when the game is over.
    slides: u8,
    /// Tiles that chance has still to place.
    tiles_to_place: u8,
    /// Fours that chance has placed.
    fours: u32,
}

/// An action of the player or an outcome of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Slides all tiles in a direction.
    Slide(Direction),
    /// Places a tile.
    Place(Tile),
}

/// A tile that chance places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    cell: u8,
    is_four: bool,
}

impl Move {
    const SLIDES: [Move; 4] = [
        Move::Slide(Direction::Up),
        Move::Slide(Direction::Down),
        Move::Slide(Direction::Left),
        Move::Slide(Direction::Right),
    ];
}

impl Action for Move {
    #[inline]
    fn code(self) -> u32 {
        match self {
            Move::Slide(direction) => direction as u32,
            Move::Place(Tile { cell, is_four }) => 4 + 2 * u32::from(cell) + u32::from(is_four),
        }
    }
    #[inline]
    fn from_code(code: u32) -> Move {
        match code.checked_sub(4) {
            None => Move::SLIDES[code as usize],
            Some(tile) => Move::Place(Tile { cell: (tile / 2) as u8, is_four: tile % 2 == 1 }),
        }
    }
}

/// Weights of a 2 and of a 4 as the new tile.
const WEIGHT_OF_TWO: u32 = 9;
const WEIGHT_OF_FOUR: u32 = 1;

impl Game2048 {
    /// The lowest bit of each empty cell.
    #[inline]
    fn empty(&self) -> u64 {
        CELLS & !occupied(self.board)
    }

    /// The sum of the values of all merged tiles. The board gives it: a tile made of twos alone has scored, with all
    /// the tiles it was made of, its value times one less than its exponent. Each 4 that chance has placed was not
    /// merged, which is 4 less.
    #[inline]
    fn score(&self) -> u32 {
        let exponents = (0..16).map(|cell| (self.board >> (4 * cell) & 15) as u32);
        let as_if_from_twos: u32 = exponents.map(|exponent| exponent.saturating_sub(1) << exponent).sum();
        as_if_from_twos - 4 * self.fours
    }
}

/// Starts with the empty board, on which chance places two tiles.
impl Default for Game2048 {
    fn default() -> Game2048 {
        Game2048 { board: 0, slides: 0, tiles_to_place: 2, fours: 0 }
    }
}

impl Game for Game2048 {
    type Action = Move;
    const REWARDS: Rewards = Rewards::SCORES;
    const HEAVY_PLAYOUTS: bool = true;
    /// A slide and the tile after it add at least 2 to the sum of the board, which is at most sixteen times 32768.
    const MAX_PLIES: u32 = 16 * 32_768;

    #[inline]
    fn players(&self) -> usize {
        1
    }

    #[inline]
    fn turn(&self) -> Turn {
        match (self.tiles_to_place, self.slides) {
            (0, 0) => Turn::Over,
            (0, _) => Turn::Player(0),
            _ => Turn::Chance,
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Move>) {
        if self.tiles_to_place == 0 {
            out.extend((0..4).filter(|slide| self.slides >> slide & 1 == 1).map(|slide| Move::SLIDES[slide]));
            return;
        }
        let mut rest = self.empty();
        while rest != 0 {
            let cell = (rest.trailing_zeros() / 4) as u8;
            out.extend([false, true].map(|is_four| Move::Place(Tile { cell, is_four })));
            rest &= rest - 1;
        }
    }

    #[inline]
    fn apply(&mut self, action: Move) {
        match action {
            Move::Slide(direction) => {
                self.board = slide(self.board, direction);
                self.slides = 0;
                self.tiles_to_place = 1;
            }
            Move::Place(Tile { cell, is_four }) => {
                self.board |= (1 + u64::from(is_four)) << (4 * cell);
                self.fours += u32::from(is_four);
                self.tiles_to_place -= 1;
                if self.tiles_to_place == 0 {
                    self.slides = slides(self.board);
                }
            }
        }
    }

    #[inline]
    fn reward(&self, _: usize) -> f64 {
        f64::from(self.score())
    }

    #[inline]
    fn cut_reward(&self, player: usize) -> f64 {
        self.reward(player)
    }

    #[inline]
    fn weight(&self, outcome: Move) -> u32 {
        match outcome {
            Move::Place(Tile { is_four: true, .. }) => WEIGHT_OF_FOUR,
            _ => WEIGHT_OF_TWO,
        }
    }

    #[inline]
    fn chance(&self, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        let cell = (rng.pick_bit(self.empty()) / 4) as u8;
        let is_four = rng.below(WEIGHT_OF_TWO + WEIGHT_OF_FOUR) < WEIGHT_OF_FOUR;
        (cell < 16).then_some(Move::Place(Tile { cell, is_four }))
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Move>) -> Option<Move> {
        if self.slides == 0 {
            return self.chance(rng, scratch);
        }
        Move::SLIDES.get(rng.pick_bit(u64::from(self.slides)) as usize).copied()
    }

    /// The slide that leaves most cells empty, one of equals at random.
    #[inline]
    fn heavy_action(&self, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        let (mut best, draws) = (None, rng.bits());
        for (index, action) in Move::SLIDES.into_iter().enumerate() {
            if let Move::Slide(direction) = action
                && self.slides >> index & 1 == 1
            {
                let empty = (CELLS & !occupied(slide(self.board, direction))).count_ones();
                let merit = empty << 8 | (draws >> (8 * index)) as u32 & 0xff;
                best = best.max(Some((merit, index)));
            }
        }
        best.map(|(_, index)| Move::SLIDES[index])
    }

    fn action_text(&self, action: Move) -> String {
        match action {
            Move::Slide(Direction::Up) => "up".to_string(),
            Move::Slide(Direction::Down) => "down".to_string(),
            Move::Slide(Direction::Left) => "left".to_string(),
            Move::Slide(Direction::Right) => "right".to_string(),
            Move::Place(Tile { cell, is_four }) => {
                format!("{}{}={}", char::from(b'a' + cell % 4), cell / 4 + 1, 2 << u32::from(is_four))
            }
        }
    }

    fn board(&self) -> String {
        let mut text = String::from("      a       b       c       d\n");
        for row in 0..4 {
            text += &format!("{} |", row + 1);
            for column in 0..4 {
                text += &match self.board >> (4 * (4 * row + column)) & 15 {
                    0 => format!("{:^7}|", '.'),
                    exponent => format!("{:^7}|", 1 << exponent),
                };
            }
            text.push('\n');
        }
        text + &format!("score {}\n", self.score())
    }
}

impl NamedGame for Game2048 {
    const NAME: &'static str = "2048";
    const SUMMARY: &'static str =
        "2048: slide the tiles of a board, alone; equal ones merge, and the new tiles are scored.";
    const NOTATION: &'static str = "a slide is up, down, left or right, and then a tile comes, a1 top left; two tiles \
                                    come first: a1=2 b3=2 left d4=4";
    const OPTIONS: &'static str = "";
    const BENCH: [&'static str; 3] = [
        "d1=2 c2=4",
        "d1=2 c2=4 left d1=2 right d3=2 down b1=2 up d4=2 up c2=2 down c2=2 down a1=2 down a2=2 up a4=2 right b2=4 up \
         c3=2 left d2=2 down c2=2 right a1=2 up b4=2 right b4=2 down a2=2 right a1=2 down b2=2",
        "d1=2 c2=4 left d1=2 right d3=2 down b1=2 up d4=2 up c2=2 down c2=2 down a1=2 down a2=2 up a4=2 right b2=4 up \
         c3=2 left d2=2 down c2=2 right a1=2 up b4=2 right b4=2 down a2=2 right a1=2 down b2=2 left c3=2 down d3=2 \
         left b1=2 right a1=4 right a1=2 down b1=2 up a4=2 right a4=2 down a1=2 up a3=2 right a2=2 down a2=2 left \
         d3=2 right a3=2 left c4=2 down c1=2 up d4=2 down d2=2 left b1=2 right a1=2 right a2=2 right a4=2 up b4=4 \
         right b3=2 right b4=2 down a2=2 right a2=4 down a2=2 left d1=4 right a2=4 right b1=4 left c1=2 left d2=2 \
         right b1=2 up a4=2 up d4=2 right a4=4 down c1=2 up a4=2 down b1=2 left d1=2 right a4=2 down d1=2 right b2=2 \
         up a2=4",
    ];
    const EVALUATOR: Knowledge = Knowledge::ValuesAndPriors;

    fn evaluator(&self) -> Option<Arc<dyn Evaluator<Game2048>>> {
        Some(Arc::new(Lookahead::new()))
    }

    fn cells_shape(&self) -> Option<CellsShape> {
        Some(CellsShape { columns: 4, rows: 4, kinds: 16, symmetries: Symmetries::Square, colours: Colours::Differ })
    }

    /// The kind of a tile is its exponent.
    #[inline]
    fn cells(&self, out: &mut [u8]) {
        out.iter_mut().enumerate().for_each(|(cell, kind)| *kind = (self.board >> (4 * cell)) as u8 & 15);
    }

    fn start(_: &mut Options) -> Result<Game2048, String> {
        Ok(Game2048::default())
    }
}

#[cfg(test)]
mod tests {
    use super::board::tests::{cells_of, slide_by_hand};
    use super::*;
    use boughs::notation::{legal_moves, play_moves};

    fn after(moves: &str) -> Game2048 {
        let mut game = Game2048::default();
        play_moves(&mut game, moves).expect(moves);
        game
    }

    #[test]
    fn a_heavy_playout_keeps_the_board_empty() {
        let slides_of = |game: &Game2048| -> std::collections::BTreeSet<String> {
            let choose = |seed| game.heavy_action(&mut Rng::new(seed, 0), &mut Vec::new()).expect("a slide");
            (0..100).map(|seed| game.action_text(choose(seed))).collect()
        };
        assert!(slides_of(&after("a1=2 c1=2")).iter().eq(["left", "right"]), "both merge");
        assert_eq!(slides_of(&after("a1=2 c2=4")).len(), 4, "none merges");
    }

    #[test]
    fn the_score_is_the_sum_of_all_that_merging_made() {
        for seed in 0..50 {
            let (mut game, mut rng, mut score) = (Game2048::default(), Rng::new(seed, 0), 0);
            while game.turn() != Turn::Over {
                let action = game.random_action(&mut rng, &mut Vec::new()).expect("a slide or a tile");
                if let Move::Slide(direction) = action {
                    score += slide_by_hand(cells_of(game.board), direction).1;
                }
                game.apply(action);
                assert_eq!(game.cut_reward(0), f64::from(score));
            }
            assert_eq!((game.reward(0), occupied(game.board)), (f64::from(score), CELLS));
        }
    }

    #[test]
    fn two_tiles_are_placed_first_and_one_after_each_slide() {
        assert_eq!(legal_moves(&after("")).len(), 32);
        assert_eq!((after("a1=2").turn(), legal_moves(&after("a1=2")).len()), (Turn::Chance, 30));
        assert_eq!(after("a1=2 b1=2").turn(), Turn::Player(0));
        assert_eq!(after("a1=2 b1=2 left").turn(), Turn::Chance);
        assert_eq!(after("a1=2 b1=2 left b1=4").turn(), Turn::Player(0));
    }

    #[test]
    fn one_new_tile_in_ten_is_a_four() {
        let (game, mut rng) = (after("a1=2"), Rng::new(1, 0));
        let mut counts = [0; 36];
        for _ in 0..150_000 {
            let outcome = game.chance(&mut rng, &mut Vec::new()).expect("there is room");
            counts[outcome.code() as usize] += 1;
        }
        let expected = |code: u32| match legal_moves(&game).iter().find(|(outcome, _)| outcome.code() == code) {
            Some((outcome, _)) => 1_000 * game.weight(*outcome) as i32,
            None => 0,
        };
        // Six standard deviations of the more likely outcomes.
        assert!((0..36).all(|code| (counts[code as usize] - expected(code)).abs() < 570), "{counts:?}");
    }

    #[test]
    fn the_board_shows_tiles_and_score() {
        let expected = "      a       b       c       d\n\
                        1 |   4   |   .   |   .   |   .   |\n\
                        2 |   .   |   .   |   .   |   .   |\n\
                        3 |   .   |   .   |   .   |   4   |\n\
                        4 |   .   |   .   |   .   |   .   |\n\
                        score 4\n";
        assert_eq!(after("a1=2 c1=2 left d3=4").board(), expected);
    }
}
