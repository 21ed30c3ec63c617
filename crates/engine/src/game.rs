//! What a game is to the search: whose turn it is, what they may do, what it leads to, and who won.

use crate::Rng;

/// The most players a game can have.
pub const MAX_PLAYERS: usize = 8;

/// Who acts in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The player with this number, counted from 0.
    Player(usize),
    /// Nobody: the game is over and [`Game::reward`] says how it ended.
    Over,
}

/// A small value that names one move and converts to and from the `u32` the tree stores.
///
/// Implemented for `u8`, `u16`, `u32` and `char`; a type of your own takes two one-line functions.
pub trait Action: Copy + Eq + std::fmt::Debug + Send + Sync + 'static {
    /// The number the tree, the logs and the replay know this action by.
    fn code(self) -> u32;
    /// The action of a number that [`code`](Action::code) gave. Any other number may give any action.
    fn from_code(code: u32) -> Self;
}

macro_rules! integer_actions {
    ($($integer:ty),*) => {$(
        impl Action for $integer {
            fn code(self) -> u32 {
                u32::from(self)
            }
            fn from_code(code: u32) -> Self {
                code as Self
            }
        }
    )*};
}
integer_actions!(u8, u16, u32);

impl Action for char {
    fn code(self) -> u32 {
        u32::from(self)
    }
    fn from_code(code: u32) -> Self {
        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// What a game promises about its rewards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewards {
    /// Every reward is 0, 1/2 or 1, so a child of the tree needs 16 bytes instead of 24.
    pub halves: bool,
    /// What the rewards of all players add up to, where that is always the same.
    pub sum: Option<f64>,
}

impl Rewards {
    /// Any number in 0..=1 for each player.
    pub const ANY: Rewards = Rewards { halves: false, sum: None };
    /// One player's win is the other's loss, and a draw is 1/2 for each.
    pub const WIN_DRAW_LOSS: Rewards = Rewards { halves: true, sum: Some(1.0) };
}

/// The order in which players act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnOrder {
    /// Any order, decided by the rules as the game goes.
    Any,
    /// Each player in turn, one action each; a pass is an action.
    Alternating,
}

/// The rules of a game, and one position of it.
///
/// Five functions are enough for a first search; everything with a default makes the search faster, its output
/// more readable, or the checks of [`conformance`](crate::conformance) stricter.
///
/// ```
/// use boughs::{Budget, Game, Search, Settings, Turn};
///
/// #[derive(Clone)]
/// struct Nim { stones: u8, player: usize }
///
/// impl Game for Nim {
///     type Action = u8;
///     fn turn(&self) -> Turn {
///         if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) }
///     }
///     fn actions(&self, out: &mut Vec<u8>) {
///         out.extend(1..=self.stones.min(3));
///     }
///     fn apply(&mut self, take: u8) {
///         self.stones -= take;
///         self.player = 1 - self.player;
///     }
///     fn reward(&self, player: usize) -> f64 {
///         if player == self.player { 0.0 } else { 1.0 } // who took the last stone has won
///     }
/// }
///
/// let mut search = Search::new(Nim { stones: 10, player: 0 }, Settings::default()).unwrap();
/// let report = search.run(Budget::iterations(10_000)).unwrap();
/// assert_eq!(report.best_action(), Some(2)); // leaves a multiple of four
/// ```
pub trait Game: Clone + Send + Sync + 'static {
    /// A move of this game.
    type Action: Action;

    /// What is promised about rewards. The default promises nothing and is always right.
    const REWARDS: Rewards = Rewards::ANY;

    /// In which order the players act. The search relies on it: where they alternate it does not ask whose turn it is
    /// inside the tree.
    const TURN_ORDER: TurnOrder = TurnOrder::Any;

    /// The longest a game can last, in actions. A playout that gets this far is cut, scored by
    /// [`cut_reward`](Game::cut_reward), and warned of in the report.
    const MAX_PLIES: u32 = 10_000;

    /// How many players there are, from 1 to [`MAX_PLAYERS`]; the same in every position of a game.
    fn players(&self) -> usize {
        2
    }

    /// Who acts here.
    fn turn(&self) -> Turn;

    /// Appends every legal action to `out`, always in the same order for the same position.
    fn actions(&self, out: &mut Vec<Self::Action>);

    /// Plays an action, which must be legal here.
    fn apply(&mut self, action: Self::Action);

    /// What a finished game is worth to `player`, in 0..=1. Asked only when [`turn`](Game::turn) is
    /// [`Turn::Over`].
    fn reward(&self, player: usize) -> f64;

    /// What an unfinished game is worth to `player` when it is cut at [`MAX_PLIES`](Game::MAX_PLIES).
    fn cut_reward(&self, player: usize) -> f64 {
        let _ = player;
        1.0 / self.players() as f64
    }

    /// The actions a light playout picks from, each as likely as the other: by default all legal ones. A game
    /// leaves out what only a fool would play, an own eye filled in Go for example, but never everything.
    fn playout_actions(&self, out: &mut Vec<Self::Action>) {
        self.actions(out);
    }

    /// One of the [`playout_actions`](Game::playout_actions), picked uniformly; `None` if there is none.
    ///
    /// Light playouts spend nearly all their time here. A game that can pick without listing, from a bitboard say,
    /// is several times faster. `scratch` is a buffer to list into; its content means nothing.
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Option<Self::Action> {
        scratch.clear();
        self.playout_actions(scratch);
        rng.pick(scratch)
    }

    /// How an action is written. Every legal action of a position needs its own text, without white space.
    fn action_text(&self, action: Self::Action) -> String {
        action.code().to_string()
    }

    /// The position drawn for a person, in as many lines as it takes.
    fn board(&self) -> String {
        String::new()
    }
}
