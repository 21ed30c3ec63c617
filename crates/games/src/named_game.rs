//! A game with a name, and the entry by which a list of games knows it.

use boughs::{Action, Game, Rng, Session};

use crate::contest_protocol::{ContestReferee, Referee};
use crate::{Options, Part};

/// Quantities of the players that can be drawn as a graph: names, each with a number for every player.
pub type Tallies = Vec<(&'static str, Vec<f64>)>;

/// A game that the user asks for by name. A game of your own needs [`NAME`](NamedGame::NAME) and
/// [`start`](NamedGame::start).
///
/// ```
/// # use boughs::{Game, Turn};
/// use boughs_games::{GameEntry, NamedGame, Options};
///
/// /// Players take one to three stones in turn; the player who takes the last one wins.
/// #[derive(Clone)]
/// struct Stones { left: u8, player: usize }
///
/// impl Game for Stones {
///     // ...
///     # type Action = u8;
///     # fn turn(&self) -> Turn {
///     #     if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
///     # }
///     # fn actions(&self, out: &mut Vec<u8>) {
///     #     out.extend(1..=self.left.min(3));
///     # }
///     # fn apply(&mut self, take: u8) {
///     #     self.left -= take;
///     #     self.player = 1 - self.player;
///     # }
///     # fn reward(&self, player: usize) -> f64 {
///     #     if player == self.player { 0.0 } else { 1.0 }
///     # }
/// }
///
/// impl NamedGame for Stones {
///     const NAME: &'static str = "stones";
///     fn start(options: &mut Options) -> Result<Stones, String> {
///         Ok(Stones { left: options.number("count", 1..=100, 21)? as u8, player: 0 })
///     }
/// }
///
/// assert_eq!(GameEntry::of::<Stones>().name, "stones");
/// ```
pub trait NamedGame: Game {
    /// Name of the game, in lower case.
    const NAME: &'static str;
    /// Description of the game in one sentence.
    const SUMMARY: &'static str = "a game of your own";
    /// Notation of the moves, with an example of a position.
    const NOTATION: &'static str = "";
    /// Options of the game with their ranges and defaults, separated by commas; empty if it takes none.
    const OPTIONS: &'static str = "";
    /// Moves to three positions worth measuring, with the default options: the first in which a player acts, which is
    /// the start unless chance comes first; one in the middle of a game; and a late one.
    const BENCH: [&'static str; 3] = [""; 3];
    /// Options for matches where the spec gives none. They make every game of a match different.
    const IN_MATCHES: &'static str = "";

    /// Legend of the drawn board on pages: the meaning of what is neither a piece nor a free cell.
    const LEGEND: &'static str = "";
    /// Names of the kinds of cards in [`picture`](NamedGame::picture).
    const CARDS: &'static [&'static str] = &[];

    /// Makes the start position from the options of a spec. An option that this does not ask for is refused.
    ///
    /// # Errors
    /// One sentence about the option at fault.
    fn start(options: &mut Options) -> Result<Self, String>;

    /// Quantities of the players in this position.
    fn tallies(&self) -> Tallies {
        Vec::new()
    }

    /// Names that moves use for the cells of the board, in the order of the board's text; empty if the board shows
    /// them.
    fn cell_names() -> Vec<String> {
        Vec::new()
    }

    /// The picture of this position on pages; empty if pages draw the text of the board.
    fn picture(&self) -> Vec<Part> {
        Vec::new()
    }

    /// An action that is legal in this position in a few words, for pages; empty if its text says enough.
    fn action_words(&self, action: Self::Action) -> String {
        let _ = action;
        String::new()
    }

    /// Makes the official referee of the contest that the game comes from. `self` is the start of the game; the referee
    /// uses `luck` for the choices that the contest leaves to chance. A game with a referee is played by programs in
    /// the lines of the contest.
    fn referee(&self, luck: Rng) -> Option<Box<dyn ContestReferee<Self>>> {
        let _ = luck;
        None
    }
}

/// A game of the list: its constants, and its functions for callers that know no game.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// See [`NamedGame::NAME`].
    pub name: &'static str,
    /// See [`NamedGame::SUMMARY`].
    pub summary: &'static str,
    /// See [`NamedGame::NOTATION`].
    pub notation: &'static str,
    /// See [`NamedGame::OPTIONS`].
    pub options: &'static str,
    /// See [`NamedGame::BENCH`].
    pub bench: [&'static str; 3],
    /// See [`NamedGame::IN_MATCHES`].
    pub in_matches: &'static str,
    /// See [`NamedGame::LEGEND`].
    pub legend: &'static str,
    /// See [`NamedGame::CARDS`].
    pub cards: &'static [&'static str],
    pub(crate) start: fn(&mut Options) -> Result<Box<dyn Session>, String>,
    tallies: fn(&dyn Session) -> Tallies,
    cell_names: fn() -> Vec<String>,
    picture: fn(&dyn Session) -> Vec<Part>,
    action_words: fn(&dyn Session, u32) -> String,
    referee: fn(&dyn Session, Rng) -> Option<Box<dyn Referee>>,
}

impl GameEntry {
    /// The entry of a game. This call compiles the game's search and playouts, once for everything behind [`Session`].
    pub const fn of<G: NamedGame>() -> GameEntry {
        GameEntry {
            name: G::NAME,
            summary: G::SUMMARY,
            notation: G::NOTATION,
            options: G::OPTIONS,
            bench: G::BENCH,
            in_matches: G::IN_MATCHES,
            legend: G::LEGEND,
            cards: G::CARDS,
            start: |options| G::start(options).map(|start| Box::new(start) as Box<dyn Session>),
            tallies: |position| position.downcast_ref::<G>().map(G::tallies).unwrap_or_default(),
            cell_names: G::cell_names,
            picture: |position| position.downcast_ref::<G>().map(G::picture).unwrap_or_default(),
            action_words: |position, code| match position.downcast_ref::<G>() {
                Some(position) => position.action_words(G::Action::from_code(code)),
                None => String::new(),
            },
            referee: |start, luck| Some(Box::new(start.downcast_ref::<G>()?.referee(luck)?)),
        }
    }

    /// See [`NamedGame::tallies`]. Empty for a position of another game.
    pub fn tallies(&self, position: &dyn Session) -> Tallies {
        (self.tallies)(position)
    }

    /// See [`NamedGame::cell_names`].
    pub fn cell_names(&self) -> Vec<String> {
        (self.cell_names)()
    }

    /// See [`NamedGame::picture`]. Empty for a position of another game.
    pub fn picture(&self, position: &dyn Session) -> Vec<Part> {
        (self.picture)(position)
    }

    /// See [`NamedGame::action_words`]. Empty for a position of another game.
    pub fn action_words(&self, position: &dyn Session, code: u32) -> String {
        (self.action_words)(position, code)
    }

    /// See [`NamedGame::referee`]. `start` is the start of a game.
    pub fn referee(&self, start: &dyn Session, luck: Rng) -> Option<Box<dyn Referee>> {
        (self.referee)(start, luck)
    }
}
