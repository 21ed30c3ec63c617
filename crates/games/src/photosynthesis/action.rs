//! Actions of players, and their outcomes.

use boughs::Action as _;

use super::cell::Cell;

/// An action of a player in a turn, or of chance before the first one. `Display` writes players' actions as the
/// official referee does: `SEED 22 9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Sleep until the next day.
    Wait,
    /// Let the tree on a cell grow.
    Grow(Cell),
    /// Cut the tall tree on a cell for points.
    Complete(Cell),
    /// Throw a seed from the tree on one cell to another.
    Seed {
        /// The cell of the tree.
        from: Cell,
        /// The cell where the seed lands.
        to: Cell,
    },
    /// Chance makes the map of a seed below [`MAPS`].
    Map(u32),
    /// The referee disqualifies the player. The other player's action of the same turn still counts, and the game is
    /// over after it.
    Disqualified,
}

/// The number of maps that chance draws from. Seeds have 64 bits, but an action's code leaves room for 31.
pub const MAPS: u32 = 1 << 31;

/// A player's answer to the question of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// An action, legal or not.
    Act(Action),
    /// An action on a cell that the board does not have.
    Nowhere,
    /// A line that cannot be understood, or no line in time.
    Fault,
}

/// The outcome of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The action was done.
    Done,
    /// The player sleeps as asked for.
    Asleep,
    /// The action was not legal, so the player sleeps.
    Refused,
    /// Both players threw a seed at the same cell: neither lands, and neither is paid for.
    Clash,
    /// The player is disqualified.
    Disqualified,
}

const WAIT: u32 = 0;
const GROW: u32 = 1;
const COMPLETE: u32 = 2;
const SEED: u32 = 3;
const DISQUALIFIED: u32 = 4;
/// The word for the action.
const DISQUALIFIED_WORD: &str = "disqualified";

impl boughs::Action for Action {
    #[inline]
    fn code(self) -> u32 {
        let code = |kind, from: Cell, to: Cell| kind << 12 | from.place() << 6 | to.place();
        match self {
            Action::Wait => WAIT,
            Action::Grow(cell) => code(GROW, cell, cell),
            Action::Complete(cell) => code(COMPLETE, cell, cell),
            Action::Seed { from, to } => code(SEED, from, to),
            Action::Map(seed) => MAPS | seed,
            Action::Disqualified => DISQUALIFIED << 12,
        }
    }

    #[inline]
    fn from_code(code: u32) -> Action {
        let (from, to) = (Cell::of_bit(code >> 6), Cell::of_bit(code));
        match code >> 12 {
            _ if code & MAPS != 0 => Action::Map(code & !MAPS),
            GROW => Action::Grow(to),
            COMPLETE => Action::Complete(to),
            SEED => Action::Seed { from, to },
            DISQUALIFIED => Action::Disqualified,
            _ => Action::Wait,
        }
    }
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Action::Wait => write!(f, "WAIT"),
            Action::Grow(cell) => write!(f, "GROW {}", cell.index()),
            Action::Complete(cell) => write!(f, "COMPLETE {}", cell.index()),
            Action::Seed { from, to } => write!(f, "SEED {} {}", from.index(), to.index()),
            Action::Map(seed) => write!(f, "MAP {seed}"),
            Action::Disqualified => write!(f, "DISQUALIFIED"),
        }
    }
}

impl Action {
    /// The action as one word: `wait`, `grow:5`, `complete:4`, `seed:3-12`, `map:7`, `disqualified`.
    pub fn word(self) -> String {
        match self {
            Action::Wait => "wait".into(),
            Action::Grow(cell) => format!("grow:{}", cell.index()),
            Action::Complete(cell) => format!("complete:{}", cell.index()),
            Action::Seed { from, to } => format!("seed:{}-{}", from.index(), to.index()),
            Action::Map(seed) => format!("map:{seed}"),
            Action::Disqualified => DISQUALIFIED_WORD.into(),
        }
    }

    /// Returns true if a word stands for the referee's own action.
    pub(super) fn is_disqualified_word(word: &str) -> bool {
        word.eq_ignore_ascii_case(DISQUALIFIED_WORD)
    }

    /// Reads a map's word.
    pub(super) fn map_of_word(word: &str) -> Option<Action> {
        let seed = word.get(..4).filter(|name| name.eq_ignore_ascii_case("map:")).and_then(|_| word[4..].parse().ok());
        seed.filter(|&seed| seed < MAPS).map(Action::Map)
    }

    /// One more than the action's code, and so never 0.
    #[inline]
    pub fn mark(self) -> u64 {
        u64::from(self.code()) + 1
    }
}
