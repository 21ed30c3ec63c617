//! A game with a name, and the entry by which a list of games knows it.

use std::sync::Arc;

use boughs::run::guarded;
use boughs::{Action, Evaluator, Game, Knowledge, Rng, Search, SearchError, Session, Settings, TreeSearch, Turn};

use crate::cells::{cells_of_grid, shape_of_grid};
use crate::contest_protocol::{ContestReferee, Referee};
use crate::{CellsShape, Choices, Grid, Options, Part, Place};

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

    /// The knowledge of [`evaluator`](NamedGame::evaluator), the same as its [`Evaluator::knowledge`]. Any other is an
    /// error of searches with that evaluator.
    const EVALUATOR: Knowledge = Knowledge::None;

    /// True if the player who moves first is White to programs that know players by colours.
    const WHITE_BEGINS: bool = false;

    /// True if pieces stand on the intersections of lines, as in Go, and not in squares.
    const INTERSECTIONS: bool = false;

    /// True if the first player's pieces are black and the second one's white, as in Go and Othello.
    const BLACK_AND_WHITE: bool = false;

    /// The pieces in a line that decide the game, which pages mark at its end.
    const IN_A_LINE: Option<usize> = None;

    /// The seat to which the top and the bottom of the board belong, and the one to which its left and its right do,
    /// where players connect sides.
    const SIDES: Option<[usize; 2]> = None;

    /// Legend of the drawn board on pages: the meaning of what is neither a piece nor a free cell.
    const LEGEND: &'static str = "";
    /// Names of the kinds of cards in [`picture`](NamedGame::picture).
    const CARDS: &'static [&'static str] = &[];

    /// Makes the start position from the options of a spec. An option that this does not ask for is refused.
    ///
    /// # Errors
    /// One sentence about the option at fault.
    fn start(options: &mut Options) -> Result<Self, String>;

    /// The start position behind [`Session`]. A game whose larger boards have another type makes it here.
    ///
    /// # Errors
    /// Those of [`start`](NamedGame::start).
    fn session(options: &mut Options) -> Result<Box<dyn Session>, String> {
        Self::start(options).map(|start| Box::new(start) as Box<dyn Session>)
    }

    /// The evaluator that comes with the game, for a search with `eval=on` ([`Settings::evaluator`]). A game that
    /// returns one says so by [`EVALUATOR`](NamedGame::EVALUATOR).
    fn evaluator(&self) -> Option<Arc<dyn Evaluator<Self>>> {
        None
    }

    /// The board of this position, if every move is a single point of a grid, or a pass, and two play.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// The columns and rows of the board, if it has any.
    fn board_size(&self) -> Option<(u8, u8)> {
        self.grid().map(|grid| (grid.columns, grid.rows))
    }

    /// The point of an action that is legal in this position, if the board is a [`grid`](NamedGame::grid); `None` for a
    /// pass.
    fn place(&self, action: Self::Action) -> Option<Place> {
        let _ = action;
        None
    }

    /// The board as networks see it that learn to value positions; `None` if the game has none. By default it is the
    /// [`grid`](NamedGame::grid), without symmetries.
    #[inline]
    fn cells_shape(&self) -> Option<CellsShape> {
        shape_of_grid(self)
    }

    /// Writes the kind of what stands in each cell, row by row from the top. Networks learn faster from a game that
    /// does it without a grid.
    #[inline]
    fn cells(&self, out: &mut [u8]) {
        cells_of_grid(self, out);
    }

    /// Adds the actions of the player who acts to a list, with the cells that each changes. Networks search and learn
    /// faster with a game that knows them without comparing the boards before and after.
    fn list_choices(&self, out: &mut Choices) {
        out.compare_boards(self);
    }

    /// An action that gives the turn to the other player and counts for nothing else, for programs that let a player
    /// move twice in a row. It is not legal in a game.
    fn skip(&self) -> Option<Self::Action> {
        None
    }

    /// The game of a position behind [`Session`]. A game whose larger boards have another type finds both here.
    fn view(position: &dyn Session) -> Option<&dyn View> {
        position.downcast_ref::<Self>().map(|game| game as &dyn View)
    }

    /// Quantities of the players in this position.
    fn tallies(&self) -> Tallies {
        Vec::new()
    }

    /// Names that moves use for the cells of the board, in the order of the board's text; empty if the board shows
    /// them.
    fn cell_names() -> Vec<String> {
        Vec::new()
    }

    /// The picture of this position on pages as a player sees it, or as an onlooker does, `None`, who sees all; empty
    /// if pages draw the text of the board.
    fn picture(&self, viewer: Option<usize>) -> Vec<Part> {
        let _ = viewer;
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

/// A position as programs search and show it that know no game. Every [`NamedGame`] is one.
pub trait View {
    /// Builds a tree search of this position, by [`NamedGame::evaluator`] if the settings ask for it.
    ///
    /// # Errors
    /// Those of [`Session::tree_search`], and if [`NamedGame::EVALUATOR`] says another knowledge than the evaluator.
    fn tree_search(&self, settings: Settings) -> Result<Box<dyn TreeSearch>, SearchError>;
    /// See [`NamedGame::grid`].
    fn grid(&self) -> Option<Grid>;
    /// See [`NamedGame::board_size`].
    fn board_size(&self) -> Option<(u8, u8)>;
    /// See [`NamedGame::place`].
    fn place(&self, action: u32) -> Option<Place>;
    /// See [`NamedGame::cells_shape`].
    fn cells_shape(&self) -> Option<CellsShape>;
    /// See [`NamedGame::cells`].
    fn cells(&self, out: &mut [u8]);
    /// Lists the moves of the player who acts.
    fn list_choices(&self, out: &mut Choices);
    /// See [`NamedGame::skip`].
    fn skip(&self) -> Option<u32>;
    /// See [`NamedGame::tallies`].
    fn tallies(&self) -> Tallies;
    /// See [`NamedGame::picture`].
    fn picture(&self, viewer: Option<usize>) -> Vec<Part>;
    /// See [`NamedGame::action_words`].
    fn action_words(&self, action: u32) -> String;
}

impl<G: NamedGame> View for G {
    fn tree_search(&self, settings: Settings) -> Result<Box<dyn TreeSearch>, SearchError> {
        let position = guarded(|| self.clone())?;
        Ok(Box::new(Search::with_evaluator_of_game(position, settings, G::EVALUATOR, G::evaluator)?))
    }
    fn grid(&self) -> Option<Grid> {
        NamedGame::grid(self)
    }
    fn board_size(&self) -> Option<(u8, u8)> {
        NamedGame::board_size(self)
    }
    fn place(&self, action: u32) -> Option<Place> {
        NamedGame::place(self, G::Action::from_code(action))
    }
    fn cells_shape(&self) -> Option<CellsShape> {
        NamedGame::cells_shape(self)
    }
    fn cells(&self, out: &mut [u8]) {
        NamedGame::cells(self, out);
    }
    fn list_choices(&self, out: &mut Choices) {
        out.list(self);
    }
    fn skip(&self) -> Option<u32> {
        NamedGame::skip(self).map(Action::code)
    }
    fn tallies(&self) -> Tallies {
        NamedGame::tallies(self)
    }
    fn picture(&self, viewer: Option<usize>) -> Vec<Part> {
        NamedGame::picture(self, viewer)
    }
    fn action_words(&self, action: u32) -> String {
        NamedGame::action_words(self, G::Action::from_code(action))
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
    /// See [`NamedGame::WHITE_BEGINS`].
    pub white_begins: bool,
    /// See [`NamedGame::INTERSECTIONS`].
    pub intersections: bool,
    /// See [`NamedGame::BLACK_AND_WHITE`].
    pub black_and_white: bool,
    /// See [`NamedGame::IN_A_LINE`].
    pub in_a_line: Option<usize>,
    /// See [`NamedGame::SIDES`].
    pub sides: Option<[usize; 2]>,
    /// See [`NamedGame::LEGEND`].
    pub legend: &'static str,
    /// See [`NamedGame::CARDS`].
    pub cards: &'static [&'static str],
    pub(crate) start: fn(&mut Options) -> Result<Box<dyn Session>, String>,
    view: fn(&dyn Session) -> Option<&dyn View>,
    cell_names: fn() -> Vec<String>,
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
            white_begins: G::WHITE_BEGINS,
            intersections: G::INTERSECTIONS,
            black_and_white: G::BLACK_AND_WHITE,
            in_a_line: G::IN_A_LINE,
            sides: G::SIDES,
            legend: G::LEGEND,
            cards: G::CARDS,
            start: G::session,
            view: G::view,
            cell_names: G::cell_names,
            referee: |start, luck| Some(Box::new(start.downcast_ref::<G>()?.referee(luck)?)),
        }
    }

    /// See [`View::tree_search`]. A position of another game is searched without an evaluator.
    ///
    /// # Errors
    /// Those of [`View::tree_search`].
    pub fn tree_search(&self, position: &dyn Session, settings: Settings) -> Result<Box<dyn TreeSearch>, SearchError> {
        match (self.view)(position) {
            Some(game) => game.tree_search(settings),
            None => position.tree_search(settings),
        }
    }

    /// See [`NamedGame::grid`].
    pub fn grid(&self, position: &dyn Session) -> Option<Grid> {
        (self.view)(position)?.grid()
    }

    /// See [`NamedGame::board_size`].
    pub fn board_size(&self, position: &dyn Session) -> Option<(u8, u8)> {
        (self.view)(position)?.board_size()
    }

    /// See [`NamedGame::place`].
    pub fn place(&self, position: &dyn Session, action: u32) -> Option<Place> {
        (self.view)(position)?.place(action)
    }

    /// See [`NamedGame::cells_shape`].
    pub fn cells_shape(&self, position: &dyn Session) -> Option<CellsShape> {
        (self.view)(position)?.cells_shape()
    }

    /// Writes the kind of what stands in each cell; nothing if the game has no cells.
    pub fn cells(&self, position: &dyn Session, out: &mut [u8]) {
        if let Some(game) = (self.view)(position) {
            game.cells(out);
        }
    }

    /// Returns true if a position is of this game.
    pub fn has(&self, position: &dyn Session) -> bool {
        (self.view)(position).is_some()
    }

    /// Lists the moves of the player who acts, with the cells that each changes; none if the game has no cells.
    pub fn list_choices(&self, position: &dyn Session, out: &mut Choices) {
        match (self.view)(position) {
            Some(game) => game.list_choices(out),
            None => *out = Choices::default(),
        }
    }

    /// The actions that make it a player's turn: none if it is, or the one of [`skip`](GameEntry::skip). `None` if the
    /// game has no way to do that.
    pub fn turn_to(&self, position: &dyn Session, player: usize) -> Option<Option<u32>> {
        if position.turn() == Turn::Player(player) {
            return Some(None);
        }
        let skip = self.skip(position)?;
        let mut after = position.clone_session();
        after.apply(skip);
        (after.turn() == Turn::Player(player)).then_some(Some(skip))
    }

    /// The action that makes it the turn of the other player: the game's own one, or else a pass if one is legal.
    pub fn skip(&self, position: &dyn Session) -> Option<u32> {
        let own = (self.view)(position).and_then(View::skip);
        own.or_else(|| position.find_move("pass"))
    }

    /// The name of an action to programs that know no game: its point, as in `D4`, if the board is a
    /// [`grid`](NamedGame::grid), or else its text.
    pub fn vertex(&self, position: &dyn Session, action: u32) -> String {
        match (self.grid(position), self.place(position, action)) {
            (Some(grid), Some(place)) => grid.name(place),
            _ => position.action_text(action),
        }
    }

    /// The colours of both players, to programs that know players by them.
    pub fn colours(&self) -> [&'static str; 2] {
        if self.white_begins { ["white", "black"] } else { ["black", "white"] }
    }

    /// See [`NamedGame::tallies`]. Empty for a position of another game.
    pub fn tallies(&self, position: &dyn Session) -> Tallies {
        (self.view)(position).map(View::tallies).unwrap_or_default()
    }

    /// See [`NamedGame::cell_names`].
    pub fn cell_names(&self) -> Vec<String> {
        (self.cell_names)()
    }

    /// See [`NamedGame::picture`]. Empty for a position of another game.
    pub fn picture(&self, position: &dyn Session, viewer: Option<usize>) -> Vec<Part> {
        (self.view)(position).map(|game| game.picture(viewer)).unwrap_or_default()
    }

    /// See [`NamedGame::action_words`]. Empty for a position of another game.
    pub fn action_words(&self, position: &dyn Session, code: u32) -> String {
        (self.view)(position).map(|game| game.action_words(code)).unwrap_or_default()
    }

    /// See [`NamedGame::referee`]. `start` is the start of a game.
    pub fn referee(&self, start: &dyn Session, luck: Rng) -> Option<Box<dyn Referee>> {
        (self.referee)(start, luck)
    }
}
