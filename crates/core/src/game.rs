//! The rules of a game, as the search needs them.

use crate::Rng;

/// The most players a game can have.
pub const MAX_PLAYERS: usize = 8;

/// The acting party in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The player with this number, counted from 0.
    Player(usize),
    /// No player: dice, a deck of cards or the like decide. [`Game::actions`] lists the possible outcomes.
    Chance,
    /// No player: the game is over and [`Game::reward`] says how it ended.
    Over,
}

impl Turn {
    /// The player who acts, if one does.
    #[inline]
    pub fn player(self) -> Option<usize> {
        match self {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        }
    }
}

/// A small value that names one move and converts to and from the `u32` that the tree stores.
///
/// Implemented for `u8`, `u16`, `u32` and `char`. A type of your own takes two one-line functions.
pub trait Action: Copy + Eq + std::fmt::Debug + Send + Sync + 'static {
    /// The greatest code. Where it is below 256 and rewards are [`halves`](Rewards::halves), the tree takes half the
    /// memory.
    const MAX_CODE: u32 = u32::MAX;

    /// The number of this action in the tree, in logs and in reports.
    fn code(self) -> u32;
    /// The action with this [`code`](Action::code). A number that is no action's code may give any action.
    fn from_code(code: u32) -> Self;
}

macro_rules! integer_actions {
    ($($integer:ty),*) => {$(
        impl Action for $integer {
            const MAX_CODE: u32 = <$integer>::MAX as u32;

            #[inline]
            fn code(self) -> u32 {
                u32::from(self)
            }
            #[inline]
            fn from_code(code: u32) -> Self {
                code as Self
            }
        }
    )*};
}
integer_actions!(u8, u16, u32);

impl Action for char {
    #[inline]
    fn code(self) -> u32 {
        u32::from(self)
    }
    #[inline]
    fn from_code(code: u32) -> Self {
        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// Facts that a game declares about its rewards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewards {
    /// True if every reward is 0, 1/2 or 1. A child in a plain tree with virtual loss then needs 16 bytes instead of
    /// 24; seven of them need 64 where [`Action::MAX_CODE`] is below 256.
    pub halves: bool,
    /// The sum of all players' rewards, if it is always the same.
    pub sum: Option<f64>,
    /// The least and the greatest possible reward. `None` if they are unknown; the search then learns them.
    pub bounds: Option<(f64, f64)>,
}

impl Rewards {
    /// Each player's reward is any number in 0..=1.
    pub const ANY: Rewards = Rewards { halves: false, sum: None, bounds: Some((0.0, 1.0)) };
    /// A win is 1, a loss is 0, and a draw is 1/2 for each of two players.
    pub const WIN_DRAW_LOSS: Rewards = Rewards { halves: true, sum: Some(1.0), ..Rewards::ANY };
    /// Scores without known bounds. Every score lies between -2^31 and 2^31.
    pub const SCORES: Rewards = Rewards { bounds: None, ..Rewards::ANY };

    /// Scores from `least` to `most`.
    pub const fn scores(least: f64, most: f64) -> Rewards {
        Rewards { bounds: Some((least, most)), ..Rewards::ANY }
    }

    /// Returns true if no reward is greater. Without bounds no reward is a win.
    #[inline]
    pub fn is_win(&self, reward: f64) -> bool {
        matches!(self.bounds, Some((_, most)) if reward >= most)
    }

    /// Returns true if no reward is less. Without bounds no reward is a loss.
    #[inline]
    pub fn is_loss(&self, reward: f64) -> bool {
        matches!(self.bounds, Some((least, _)) if reward <= least)
    }
}

/// The players' knowledge of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Information {
    /// Every player knows everything.
    Perfect,
    /// Every player knows everything but the choices that others make at the same time. Such choices are made one after
    /// the other. Each is kept in the position until the last one is made and all take effect; before that
    /// [`Game::information`] does not include them.
    Simultaneous,
    /// Players do not know everything: the cards of others are hidden from them, say.
    Hidden,
}

/// The order in which players act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnOrder {
    /// Any order. The rules decide it as the game goes.
    Any,
    /// Each player in turn, one action each. A pass is an action.
    Alternating,
}

/// The rules of a game, and one position of it.
///
/// A type and four methods are enough for a first search: [`Action`](Game::Action), [`turn`](Game::turn),
/// [`actions`](Game::actions), [`apply`](Game::apply) and [`reward`](Game::reward). Everything else has a default. An
/// implementation of your own makes the search faster, its output more readable, or the checks of
/// the engine's `conformance` stricter. Defaults are for two players, outcomes of chance with equal
/// probabilities, and perfect information; other games have to implement what differs.
///
/// ```
/// use boughs_core::{Budget, Game, LocalSearch, Settings, Turn};
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
///         if player == self.player { 0.0 } else { 1.0 } // the player who took the last stone has won
///     }
/// }
///
/// let mut search = LocalSearch::new(Nim { stones: 10, player: 0 }, Settings::DEFAULT);
/// assert_eq!(search.choose(Budget::iterations(10_000)), Some(2)); // leaves a multiple of four
/// ```
pub trait Game: Clone + Send + Sync + 'static {
    /// A move of this game.
    type Action: Action;

    /// Facts about the rewards. The default, any number in 0..=1, is right for every game whose rewards are in that
    /// range.
    const REWARDS: Rewards = Rewards::ANY;

    /// The order in which the players act. The search relies on it: where players alternate, it does not call
    /// [`turn`](Game::turn) inside the tree.
    const TURN_ORDER: TurnOrder = TurnOrder::Any;

    /// The players' knowledge. Unless it is perfect, [`information`](Game::information) and
    /// [`determinize`](Game::determinize) must be implemented.
    const INFORMATION: Information = Information::Perfect;

    /// The greatest length of a game in actions, those of chance included. A playout of this length is cut and scored
    /// by [`cut_reward`](Game::cut_reward), and the report has a warning.
    const MAX_PLIES: u32 = 10_000;

    /// True if an action means much the same whenever it is played in a game, as a stone on a point does. False where a
    /// player acts once, or where the same code stands for other things later. What a search learns of an action in one
    /// place (by RAVE, say) it then uses in no other.
    const ACTIONS_RECUR: bool = true;

    /// True if [`heavy_action`](Game::heavy_action) goes by knowledge of the game.
    const HEAVY_PLAYOUTS: bool = false;

    /// The number of players, from 1 to [`MAX_PLAYERS`]. It is the same in every position of a game.
    #[inline]
    fn players(&self) -> usize {
        2
    }

    /// The player who acts here, or chance, or the end of the game.
    fn turn(&self) -> Turn;

    /// Appends every legal action to `out`, always in the same order for the same position; where chance acts, every
    /// possible outcome. A game whose chance has too many outcomes to list appends none there. It implements
    /// [`chance`](Game::chance) and [`parse_outcome`](Game::parse_outcome), and can be searched open-loop.
    fn actions(&self, out: &mut Vec<Self::Action>);

    /// Plays an action, which must be legal here.
    fn apply(&mut self, action: Self::Action);

    /// The value of a finished game for `player`, within the bounds of [`REWARDS`](Game::REWARDS), by default 0..=1.
    /// Called only if [`turn`](Game::turn) is [`Turn::Over`].
    fn reward(&self, player: usize) -> f64;

    /// The value of an unfinished game for `player` when it is cut at [`MAX_PLIES`](Game::MAX_PLIES), by default one
    /// divided by the number of players. A game with scores should return the score so far.
    #[inline]
    fn cut_reward(&self, player: usize) -> f64 {
        let _ = player;
        1.0 / self.players() as f64
    }

    /// A heuristic value of an unfinished game for `player`, in all positions or in none. Beam and exhaustive search,
    /// expectimax and greedy playouts compare positions by it.
    ///
    /// An end of the game at a bound of [`REWARDS`](Game::REWARDS) is worse or better than every evaluation. Another
    /// end counts as the evaluation before it. In the searches it counts as its reward, though, if that evaluation is
    /// within the bounds, or the rewards have none: such an evaluation is taken for an estimate of the reward. So any
    /// scale will do where rewards have bounds and there is no chance. Expectimax and exhaustive search take means over
    /// the events of chance, which need an estimate of the reward.
    #[inline]
    fn evaluation(&self, player: usize) -> Option<f64> {
        let _ = player;
        None
    }

    /// Returns true if a chance node ends the current player's turn, as the deal of the next hand does. Returns false
    /// if chance decides the result of an action and the same player may go on, as with a card drawn in the middle of
    /// a turn. Used by turn searches only.
    #[inline]
    fn ends_turn(&self) -> bool {
        true
    }

    /// Parses an action that [`actions`](Game::actions) does not list, from the text that
    /// [`action_text`](Game::action_text) writes: an outcome of chance where there are too many to list, such as a
    /// deal of cards, or an action that only a referee may choose. Returns `None` if the text is no such action.
    fn parse_outcome(&self, text: &str) -> Option<Self::Action> {
        let _ = text;
        None
    }

    /// The weight of an outcome of chance: its probability is its weight divided by the sum of all weights. By default
    /// all are equally likely.
    #[inline]
    fn weight(&self, outcome: Self::Action) -> u32 {
        let _ = outcome;
        1
    }

    /// Draws an outcome where chance acts, by the [`weight`](Game::weight) of each; `None` if there is none. A game
    /// that can draw without listing is faster. `scratch` is a buffer to list into; its content means nothing.
    #[inline]
    fn chance(&self, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Option<Self::Action> {
        scratch.clear();
        self.actions(scratch);
        let drawn = rng.pick_weighted(scratch.iter().map(|&outcome| self.weight(outcome)))?;
        scratch.get(drawn).copied()
    }

    /// A number for the player's information set: everything that is public, and everything that `player` holds, has
    /// seen and has done. Two positions of one game have the same number exactly if the player cannot tell them apart.
    /// A good 64-bit hash will do. Called only where [`INFORMATION`](Game::INFORMATION) is not perfect.
    #[inline]
    fn information(&self, player: usize) -> u64 {
        let _ = player;
        0
    }

    /// Determinizes the position for `player`: draws everything that the player does not know anew, with the
    /// probabilities that the rules give it, and takes back the choices that others have made in secret at the same
    /// time and will make again. The player cannot tell the result from the position before.
    ///
    /// The result may depend on the player's information and `rng` alone. A search that saw more of the true position
    /// would cheat. The engine's `conformance` checks this.
    #[inline]
    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        let _ = (player, rng);
    }

    /// Appends the actions that a light playout picks from with equal probability, by default all legal ones. A game
    /// may leave out actions that are almost always bad, such as filling an own eye in Go, but never all of them.
    #[inline]
    fn playout_actions(&self, out: &mut Vec<Self::Action>) {
        self.actions(out);
    }

    /// Picks one of the [`playout_actions`](Game::playout_actions) uniformly; `None` if there is none.
    ///
    /// Light playouts spend nearly all their time here. A game that can pick without listing, from a bitboard say, is
    /// several times faster. `scratch` is a buffer to list into; its content means nothing.
    #[inline]
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Option<Self::Action> {
        scratch.clear();
        self.playout_actions(scratch);
        rng.pick(scratch)
    }

    /// An action of a heavy playout (`playout=heavy`): one that knowledge of the game makes likely, drawn at random
    /// from good ones so that playouts differ. A game that has such knowledge says so by
    /// [`HEAVY_PLAYOUTS`](Game::HEAVY_PLAYOUTS). `scratch` is a buffer to list into; its content means nothing.
    #[inline]
    fn heavy_action(&self, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Option<Self::Action> {
        self.random_action(rng, scratch)
    }

    /// An action by which the acting player wins at once: the game is over, and the player has the greatest reward that
    /// [`REWARDS`](Game::REWARDS) declares. `None` if there is none. By default all legal actions are tried.
    ///
    /// Playouts with decisive moves spend nearly all their time here. A game that sees such an
    /// action without trying all is several times faster. `scratch` is a buffer to list into.
    #[inline]
    fn winning_action(&self, scratch: &mut Vec<Self::Action>) -> Option<Self::Action> {
        let player = self.turn().player()?;
        scratch.clear();
        self.actions(scratch);
        let wins = |&action: &Self::Action| {
            let mut next = self.clone();
            next.apply(action);
            next.turn() == Turn::Over && Self::REWARDS.is_win(next.reward(player))
        };
        scratch.iter().copied().find(wins)
    }

    /// The text of an action. Every legal action of a position needs its own text, without white space.
    fn action_text(&self, action: Self::Action) -> String {
        action.code().to_string()
    }

    /// A drawing of the position in text, for people.
    fn board(&self) -> String {
        String::new()
    }

    /// The drawing as `player` may see it, without everything they do not know.
    fn board_for(&self, player: usize) -> String {
        let _ = player;
        self.board()
    }
}
