//! AHC015 "Halloween Candy": tilt a box so that candies of one flavour lie together. A game for one player, with a
//! score.
//!
//! The box has ten rows, row 0 in front, and ten columns. A hundred candies of three flavours come one by one; all
//! flavours are known from the beginning. Each candy is put into an empty cell that chance chooses, and then the player
//! tilts the box to one of its four sides, and all candies slide there. In the end a group of n connected candies of
//! one flavour scores n^2. The result is the sum divided by the sum for one group a flavour, in millionths (AtCoder
//! Heuristic Contest 015, 2022).

mod board;
mod case;
mod score;
mod tilt;

use boughs::{Action, Game, Rewards, Rng, Session, Turn};

pub use self::board::{Board, CELLS, SIZE};
pub use self::case::{Case, CaseError, flavours_of};
pub use self::score::{MOST, scaled, score, squares};
pub use self::tilt::Tilt;
use crate::{NamedGame, Options};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahc015 {
    board: Board,
    flavours: Flavours,
    /// The number of candies that have come.
    come: u8,
    /// True if the player has tilted the box after the last candy.
    is_settled: bool,
    /// Directions of the last tilts: true if the one along columns was to the back, and if the one along rows was to
    /// the right.
    leans: [bool; 2],
}

/// The flavours of all candies, in the order they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Flavours {
    low: u128,
    high: u128,
}

impl Flavours {
    #[inline]
    fn of(self, turn: usize) -> u8 {
        (self.low >> turn & 1) as u8 | ((self.high >> turn & 1) as u8) << 1
    }
}

/// An outcome of chance, which places a candy, or the player's tilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The candy is put into the empty cell with this number, counted from 1 row by row from the front.
    Place(u8),
    /// The box is tilted.
    Tilt(Tilt),
}

/// Codes of tilts begin after those of placements.
const FIRST_TILT: u32 = CELLS as u32 + 1;

impl Action for Step {
    #[inline]
    fn code(self) -> u32 {
        match self {
            Step::Place(number) => u32::from(number),
            Step::Tilt(tilt) => FIRST_TILT + tilt.index() as u32,
        }
    }
    #[inline]
    fn from_code(code: u32) -> Step {
        match Tilt::ALL.get(code.wrapping_sub(FIRST_TILT) as usize) {
            Some(&tilt) => Step::Tilt(tilt),
            None => Step::Place(code as u8),
        }
    }
}

impl Ahc015 {
    /// The start of a case with these flavours, each 1 to 3.
    pub fn new(flavours: [u8; CELLS]) -> Ahc015 {
        let plane =
            |bit: u8| flavours.iter().rev().fold(0, |plane, &flavour| plane << 1 | u128::from(flavour >> bit & 1));
        let flavours = Flavours { low: plane(0), high: plane(1) };
        Ahc015 { board: Board::default(), flavours, come: 0, is_settled: true, leans: [false; 2] }
    }

    /// The position as a session. Another crate calls this instead of coercing, because a coercion compiles the search
    /// of the game again where it is written.
    #[inline(never)]
    pub fn as_session(&self) -> &dyn Session {
        self
    }

    /// The box.
    #[inline]
    pub fn board_now(&self) -> &Board {
        &self.board
    }

    /// The flavour of the candy that comes in a turn, counted from 0.
    #[inline]
    pub fn flavour(&self, turn: usize) -> u8 {
        self.flavours.of(turn)
    }

    /// The number of candies that have come.
    #[inline]
    pub fn come(&self) -> usize {
        usize::from(self.come)
    }

    /// Directions of the last tilts, for rules that depend on them: true if the one along columns was to the back, and
    /// if the one along rows was to the right.
    pub fn leans(&self) -> [bool; 2] {
        self.leans
    }

    /// The numbers of candies of each flavour in the whole case.
    #[inline]
    pub fn counts(&self) -> [u32; 3] {
        let Flavours { low, high } = self.flavours;
        [low & !high, high & !low, low & high].map(u128::count_ones)
    }

    /// The score if no more candies came.
    #[inline]
    pub fn score(&self) -> u32 {
        score(&self.board, self.counts())
    }

    /// The number of empty cells.
    #[inline]
    fn empty(&self) -> u32 {
        CELLS as u32 - u32::from(self.come)
    }
}

impl Game for Ahc015 {
    type Action = Step;
    const REWARDS: Rewards = Rewards::scores(0.0, MOST as f64);
    const MAX_PLIES: u32 = 2 * CELLS as u32;

    #[inline]
    fn players(&self) -> usize {
        1
    }

    #[inline]
    fn turn(&self) -> Turn {
        match (self.is_settled, self.empty()) {
            (false, _) => Turn::Player(0),
            (true, 0) => Turn::Over,
            (true, _) => Turn::Chance,
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Step>) {
        match self.is_settled {
            true => out.extend((1..=self.empty() as u8).map(Step::Place)),
            false => out.extend(Tilt::ALL.map(Step::Tilt)),
        }
    }

    #[inline]
    fn apply(&mut self, step: Step) {
        match step {
            Step::Place(number) => {
                self.board.place(usize::from(number).saturating_sub(1), self.flavours.of(self.come.into()));
                self.come += 1;
                self.is_settled = false;
            }
            Step::Tilt(tilt) => {
                self.board.tilt(tilt);
                self.is_settled = true;
                self.leans[usize::from(!tilt.is_vertical())] = tilt.is_high();
            }
        }
    }

    #[inline]
    fn reward(&self, _: usize) -> f64 {
        f64::from(self.score())
    }

    #[inline]
    fn cut_reward(&self, _: usize) -> f64 {
        f64::from(self.score())
    }

    #[inline]
    fn chance(&self, rng: &mut Rng, _: &mut Vec<Step>) -> Option<Step> {
        Some(Step::Place(1 + rng.below(self.empty()) as u8))
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Step>) -> Option<Step> {
        match self.is_settled {
            true => self.chance(rng, scratch),
            false => rng.pick(&Tilt::ALL).map(Step::Tilt),
        }
    }

    fn action_text(&self, step: Step) -> String {
        match step {
            Step::Place(number) => number.to_string(),
            Step::Tilt(tilt) => tilt.letter().to_string(),
        }
    }

    fn board(&self) -> String {
        let cell = |row, column| char::from(b".123"[usize::from(self.board.flavour(row, column))]);
        let line = |row: usize| (0..SIZE).map(|column| cell(row, column)).collect::<String>() + "\n";
        let next: String =
            (self.come()..CELLS.min(self.come() + 10)).map(|turn| self.flavour(turn).to_string()).collect();
        let ahead = if next.is_empty() { String::new() } else { format!(", next {next}") };
        (0..SIZE).map(line).collect::<String>() + &format!("score {}{ahead}\n", self.score())
    }
}

impl NamedGame for Ahc015 {
    const NAME: &'static str = "ahc015";
    const SUMMARY: &'static str =
        "AHC015 Halloween Candy: tilt a box so that candies of one flavour lie together, alone.";
    const NOTATION: &'static str = "the number of the empty cell a candy is put in, from 1 row by row from the front, \
                                    and then a tilt to the front, back, left or right, F B L R: 13F8R";
    const OPTIONS: &'static str = "case=0..4294967295 (default 0)";
    const BENCH: [&'static str; 3] = [
        "57",
        "57B77B42F81B20F74R51L33R38L37B88F76B59F55B43F66L82B83F6B48F15R45B27B37F1R45R4B4F57L47B12F20R67B47F13R56L56R \
         63R38R18L49R1B8B53F40L18R19L29L10L22",
        "57B77B42F81B20F74R51L33R38L37B88F76B59F55B43F66L82B83F6B48F15R45B27B37F1R45R4B4F57L47B12F20R67B47F13R56L56R \
         63R38R18L49R1B8B53F40L18R19L29L10L22B43B8F21L29L16B41F22R8B27F23B16F36L26R12R29B31F26R32B26B14F10R9B12F3R1L \
         16L15R4R6B21B18F18L4R14L11R8L4L5L3R11",
    ];

    fn start(options: &mut Options) -> Result<Ahc015, String> {
        let seed = options.number("case", 0..=u32::MAX, 0)?;
        Ok(Ahc015::new(Case::generate(u64::from(seed)).flavours))
    }
}

#[cfg(test)]
mod tests;
