//! What a game is to the search: whose turn it is, what they may do, what it leads to, and who won.

use crate::Rng;

/// The most players a game can have.
pub const MAX_PLAYERS: usize = 8;

/// Who acts in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The player with this number, counted from 0.
    Player(usize),
    /// Nobody: dice, a deck of cards or the like decide. [`Game::actions`] lists what may come of it.
    Chance,
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
    /// The least and the greatest reward there can be; `None` where nobody knows, so that the search learns them.
    pub bounds: Option<(f64, f64)>,
}

impl Rewards {
    /// Any number in 0..=1 for each player.
    pub const ANY: Rewards = Rewards { halves: false, sum: None, bounds: Some((0.0, 1.0)) };
    /// One player's win is the other's loss, and a draw is 1/2 for each.
    pub const WIN_DRAW_LOSS: Rewards = Rewards { halves: true, sum: Some(1.0), ..Rewards::ANY };
    /// Scores of which nobody knows how small or large they can be, but for -2^31 and 2^31, which no score goes beyond.
    pub const SCORES: Rewards = Rewards { bounds: None, ..Rewards::ANY };

    /// Scores from `least` to `most`.
    pub const fn scores(least: f64, most: f64) -> Rewards {
        Rewards { bounds: Some((least, most)), ..Rewards::ANY }
    }
}

/// What players know of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Information {
    /// Everything.
    Perfect,
    /// Everything but what others choose at the same time. Such choices are made one after the other, each kept in the
    /// position until the last of them is made and all take effect; [`Game::information`] does not tell them before.
    Simultaneous,
    /// There is more that is hidden from some: the cards of others, say.
    Hidden,
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

    /// What players know. Where that is not everything, [`information`](Game::information) and
    /// [`determinise`](Game::determinise) have to say what.
    const INFORMATION: Information = Information::Perfect;

    /// The longest a game can last, in actions, those of chance included. A playout that gets this far is cut, scored by
    /// [`cut_reward`](Game::cut_reward), and warned of in the report.
    const MAX_PLIES: u32 = 10_000;

    /// Whether [`evaluation`](Game::evaluation) says more of a position than [`cut_reward`](Game::cut_reward) does.
    const EVALUATES: bool = false;

    /// How many players there are, from 1 to [`MAX_PLAYERS`]; the same in every position of a game.
    fn players(&self) -> usize {
        2
    }

    /// Who acts here.
    fn turn(&self) -> Turn;

    /// Appends every legal action to `out`, always in the same order for the same position; where chance acts, every
    /// outcome there can be. A game whose chance has too many outcomes to list appends none there: it implements
    /// [`chance`](Game::chance) and [`unlisted`](Game::unlisted), and can be searched open-loop.
    fn actions(&self, out: &mut Vec<Self::Action>);

    /// Plays an action, which must be legal here.
    fn apply(&mut self, action: Self::Action);

    /// What a finished game is worth to `player`, within the [`REWARDS`](Game::REWARDS)' bounds, by default 0..=1. Asked
    /// only when [`turn`](Game::turn) is [`Turn::Over`].
    fn reward(&self, player: usize) -> f64;

    /// What an unfinished game is worth to `player` when it is cut at [`MAX_PLIES`](Game::MAX_PLIES). A game with scores
    /// of its own gives the score so far.
    fn cut_reward(&self, player: usize) -> f64 {
        let _ = player;
        1.0 / self.players() as f64
    }

    /// A quick guess of what an unfinished game is worth to `player`, for searches that compare positions without playing
    /// them out. Only the order of guesses counts.
    fn evaluation(&self, player: usize) -> f64 {
        self.cut_reward(player)
    }

    /// Whether a player's turn is over where chance acts here, as when the next hand is dealt. It is not where chance decides
    /// what comes of an action and the same player may go on: a card drawn in the middle of a turn. Searches of whole turns ask.
    fn ends_turn(&self) -> bool {
        true
    }

    /// What [`action_text`](Game::action_text) writes so and may happen here without being listed: an outcome where chance has too
    /// many of them to list, the deal or the map of a number, say, or what a referee does, which no player may choose. `None` if
    /// there is nothing of that name.
    fn unlisted(&self, text: &str) -> Option<Self::Action> {
        let _ = text;
        None
    }

    /// How likely an outcome is where chance acts, relative to the others: by default each as likely as the other.
    fn weight(&self, outcome: Self::Action) -> u32 {
        let _ = outcome;
        1
    }

    /// One outcome where chance acts, drawn by the [`weight`](Game::weight) of each; `None` if there is none. A game that
    /// can draw without listing is faster. `scratch` is a buffer to list into; its content means nothing.
    fn chance(&self, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Option<Self::Action> {
        scratch.clear();
        self.actions(scratch);
        let total = scratch.iter().map(|&outcome| self.weight(outcome)).sum();
        let mut left = rng.below(total);
        scratch.iter().copied().find(|&outcome| {
            let weight = self.weight(outcome);
            let found = left < weight;
            left = left.wrapping_sub(weight);
            found
        })
    }

    /// A number for all that `player` knows here: what lies open, what they hold, what they have seen and done. Two
    /// positions that may come of one start have the same number exactly where the player cannot tell them apart; a hash
    /// of 64 good bits will do. Asked only where [`INFORMATION`](Game::INFORMATION) is not perfect.
    fn information(&self, player: usize) -> u64 {
        let _ = player;
        0
    }

    /// Turns this into a position that `player` cannot tell from it, with all they do not know drawn anew as likely as the
    /// rules make it, and with choices taken back that others have made in secret at the same time and will make again.
    ///
    /// What comes out depends on nothing but what the player knows and `rng`: searches think with what this gives them,
    /// so whatever is left of the true position is cheating. [`conformance`](crate::conformance) notices.
    fn determinise(&mut self, player: usize, rng: &mut Rng) {
        let _ = (player, rng);
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

    /// The same as `player` may see it: without what they do not know.
    fn board_for(&self, player: usize) -> String {
        let _ = player;
        self.board()
    }
}

/// Whether a player's turn goes on in a position: they act there, or chance decides what comes of what they did.
#[inline]
pub fn turn_goes_on<G: Game>(position: &G, player: usize) -> bool {
    match position.turn() {
        Turn::Player(other) => other == player,
        Turn::Chance => !position.ends_turn(),
        Turn::Over => false,
    }
}
