//! The list of all games. The program, its help texts and the tests find every game here.

use std::sync::OnceLock;

use boughs::{Information, Rng, Session, Turn};

use crate::named_game::GameEntry;
use crate::options::{GameError, Options};

/// A game that has started, with its entry in the list.
#[derive(Clone)]
pub struct StartedGame {
    /// The game's entry in the list.
    pub entry: &'static GameEntry,
    /// The position at the start of the game.
    pub position: Box<dyn Session>,
}

impl StartedGame {
    /// Returns true if two play, see everything and have no luck, as in the board games that GTP is for. Luck is what a
    /// random game meets.
    pub fn is_open_and_for_two(&self) -> bool {
        let facts = self.position.facts();
        if self.position.players() != 2 || facts.information != Information::Perfect {
            return false;
        }
        let (mut position, mut rng) = (self.position.clone(), Rng::new(0, 0));
        for _ in 0..facts.max_plies {
            match position.turn() {
                Turn::Chance => return false,
                Turn::Over => break,
                Turn::Player(_) => {}
            }
            let Some(action) = position.random_action(&mut rng) else { break };
            position.apply(action);
        }
        true
    }
}

/// The list of this process: the games of this crate and those that the user added.
static LIST: OnceLock<Vec<GameEntry>> = OnceLock::new();

/// Reason why games cannot be added to the list. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListError {
    /// Two games have this name, apart from capitals.
    SameName(&'static str),
    /// No spec can name a game so: the name is empty, or has a colon, a comma or white space.
    BadName(&'static str),
    /// The list has been read or extended before.
    InUse,
}

impl std::fmt::Display for ListError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ListError::SameName(name) => write!(f, "two games are called '{name}'; give yours another name"),
            ListError::BadName(name) => {
                write!(f, "a game cannot be called '{name}'; a name has letters, digits and hyphens")
            }
            ListError::InUse => f.write_str(
                "the list of games is in use already; add all games in one call at the start of the program",
            ),
        }
    }
}

impl std::error::Error for ListError {}

/// Adds games at the end of the list. This has to happen once, before anything else asks for the list.
///
/// # Errors
/// If two games would have the same name, no spec can name one of them, or the list is in use. The list does not change
/// then.
pub fn add_games(games: &[GameEntry]) -> Result<(), ListError> {
    let all = [OWN, games].concat();
    for (place, game) in all.iter().enumerate() {
        if all[..place].iter().any(|earlier| earlier.name.eq_ignore_ascii_case(game.name)) {
            return Err(ListError::SameName(game.name));
        }
        if game.name.is_empty() || game.name.contains(|c: char| matches!(c, ':' | ',') || c.is_whitespace()) {
            return Err(ListError::BadName(game.name));
        }
    }
    LIST.set(all).map_err(|_| ListError::InUse)
}

/// Returns all games in the order of the list: the games of this crate, simple ones first, then those of [`add_games`].
/// From the first call on the list does not change.
pub fn entries() -> &'static [GameEntry] {
    LIST.get_or_init(|| OWN.to_vec())
}

/// Returns true if the list has games of [`add_games`].
pub fn has_added_games() -> bool {
    entries().len() > OWN.len()
}

/// Finds a game by its name, in capitals or not.
fn entry(name: &str) -> Option<&'static GameEntry> {
    entries().iter().find(|entry| name.eq_ignore_ascii_case(entry.name))
}

/// Finds the game of a position.
pub fn entry_of(position: &dyn Session) -> Option<&'static GameEntry> {
    entries().iter().find(|entry| entry.has(position))
}

/// Starts the game that `spec` names, `hex` or `hex:size=7`.
///
/// # Errors
/// One sentence that names the word at fault and what would be right there.
pub fn start(spec: &str) -> Result<StartedGame, GameError> {
    let (name, mut options) = Options::of_spec(spec)?;
    let entry = entry(name).ok_or_else(|| GameError::unknown_game(name))?;
    let game = || entry.name.to_string();
    let position = (entry.start)(&mut options).map_err(|what| GameError::BadValue { game: game(), what })?;
    match options.left_over() {
        None => Ok(StartedGame { entry, position }),
        Some(option) => Err(GameError::UnknownOption { game: game(), option, known: entry.options }),
    }
}

/// Returns the spec by which a game is played in matches: a spec without options gets [`NamedGame::IN_MATCHES`].
///
/// [`NamedGame::IN_MATCHES`]: crate::NamedGame::IN_MATCHES
///
/// ```
/// use boughs_games::in_match;
///
/// assert_eq!(in_match("photosynthesis"), "photosynthesis:seed=any");
/// assert_eq!(in_match("photosynthesis:seed=7"), "photosynthesis:seed=7");
/// assert_eq!(in_match("hex"), "hex");
/// ```
pub fn in_match(spec: &str) -> String {
    match entry(spec.trim()) {
        Some(entry) if !entry.in_matches.is_empty() => format!("{}:{}", entry.name, entry.in_matches),
        _ => spec.to_string(),
    }
}

/// The entries of some games, for [`add_games`] and for `boughs_cli::main_with`.
///
/// ```
/// use boughs_games::{games, hex::Hex, nim::Nim};
///
/// assert_eq!(games![Hex, Nim].map(|game| game.name), ["hex", "nim"]);
/// ```
#[macro_export]
macro_rules! games {
    ($($game:ty),* $(,)?) => {
        [$($crate::GameEntry::of::<$game>()),*]
    };
}

/// The games of this crate. Unit tests do without, because the search of every game takes minutes to compile.
const OWN: &[GameEntry] = if cfg!(test) { &[] } else { GAMES };

const GAMES: &[GameEntry] = &games![
    crate::tictactoe::TicTacToe,
    crate::connect4::Connect4,
    crate::othello::Othello,
    crate::hex::Hex,
    crate::breakthrough::Breakthrough,
    crate::matrix::Matrix,
    crate::goofspiel::Goofspiel,
    crate::kuhn::Kuhn,
    crate::whist::Whist,
    crate::go::Go,
    crate::pig::Pig,
    crate::game2048::Game2048,
    crate::nim::Nim,
    crate::yavalath::Yavalath,
    crate::ahc015::Ahc015,
    crate::photosynthesis::Photosynthesis,
    crate::green_circle::GreenCircle,
];
