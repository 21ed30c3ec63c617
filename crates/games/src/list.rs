//! The one list of all games, from which the program, its help texts and the tests learn what there is.

use boughs::{Game, Rng};

use crate::official::Official;
use crate::options::{GameError, Options};

/// A game that can be asked for by name.
pub trait Listed: Game {
    /// What the game is called, in lower case.
    const NAME: &'static str;
    /// What the game is, in one sentence.
    const SUMMARY: &'static str;
    /// How its moves are written, with an example of a position.
    const NOTATION: &'static str;
    /// The options it takes with their ranges and defaults, separated by commas; empty if it takes none.
    const OPTIONS: &'static str;
    /// The moves to three positions worth measuring, with the default options: the first in which a player acts, which is
    /// the start unless chance comes first, the middle of a game, and a late one.
    const BENCH: [&'static str; 3];
    /// The agent that suits the game, where the program is not told another.
    const AGENT: &'static str = "mcts";

    /// The options it is played with in matches, where none are given: those with which no game is like the other.
    const IN_MATCHES: &'static str = "";

    /// The position in which the game starts, given the options of its spec.
    ///
    /// # Errors
    /// One sentence about the option at fault.
    fn start(options: &mut Options) -> Result<Self, String>;

    /// What players have that can be drawn as a graph: names, each with a number for every player.
    fn tallies(&self) -> Vec<(&'static str, Vec<f64>)> {
        Vec::new()
    }

    /// What moves call the cells of the board, in the order in which they stand in its text; empty where the board says it.
    fn cell_names() -> Vec<String> {
        Vec::new()
    }

    /// The official referee of the contest that the game comes from, from the start on; `luck` is for what it leaves to chance.
    /// With one, programs play by the lines of the contest.
    fn official(&self, luck: Rng) -> Option<Box<dyn Official<Self>>> {
        let _ = luck;
        None
    }
}

/// What to do with a game once its name has been turned into its type.
pub trait Visitor {
    /// What comes out.
    type Output;
    /// Does it, from the game's start.
    fn visit<G: Listed>(self, start: G) -> Self::Output;
}

/// What the list says about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// See [`Listed::NAME`].
    pub name: &'static str,
    /// See [`Listed::SUMMARY`].
    pub summary: &'static str,
    /// See [`Listed::NOTATION`].
    pub notation: &'static str,
    /// See [`Listed::OPTIONS`].
    pub options: &'static str,
    /// See [`Listed::BENCH`].
    pub bench: [&'static str; 3],
    /// See [`Listed::AGENT`].
    pub agent: &'static str,
    /// See [`Listed::IN_MATCHES`].
    pub in_matches: &'static str,
}

impl Entry {
    const fn of<G: Listed>() -> Entry {
        Entry {
            name: G::NAME,
            summary: G::SUMMARY,
            notation: G::NOTATION,
            options: G::OPTIONS,
            bench: G::BENCH,
            agent: G::AGENT,
            in_matches: G::IN_MATCHES,
        }
    }
}

/// The spec by which the game of a spec is played in matches: with options of its own for them where none are given.
///
/// ```
/// use boughs_games::in_match;
///
/// assert_eq!(in_match("photosynthesis"), "photosynthesis:seed=any");
/// assert_eq!(in_match("photosynthesis:seed=7"), "photosynthesis:seed=7");
/// assert_eq!(in_match("hex"), "hex");
/// ```
pub fn in_match(spec: &str) -> String {
    let entry = entries().iter().find(|entry| entry.name.eq_ignore_ascii_case(spec.trim()));
    match entry {
        Some(entry) if !entry.in_matches.is_empty() => format!("{}:{}", entry.name, entry.in_matches),
        _ => spec.to_string(),
    }
}

macro_rules! games {
    ($($module:ident::$game:ident,)*) => {
        /// All games, in the order of the list.
        pub fn entries() -> &'static [Entry] {
            const { &[$(Entry::of::<crate::$module::$game>()),*] }
        }

        /// Starts the game that `spec` names, `hex` or `hex:size=7`, and hands it to the visitor.
        ///
        /// # Errors
        /// One sentence that names the word at fault and what would be right there.
        pub fn visit<V: Visitor>(spec: &str, visitor: V) -> Result<V::Output, GameError> {
            let (name, mut options) = Options::of_spec(spec)?;
            $(if name.eq_ignore_ascii_case(<crate::$module::$game as Listed>::NAME) {
                return Ok(visitor.visit(options.start::<crate::$module::$game>()?));
            })*
            Err(GameError::unknown_game(name))
        }
    };
}

games! {
    tictactoe::TicTacToe,
    connect4::Connect4,
    othello::Othello,
    hex::Hex,
    breakthrough::Breakthrough,
    matrix::Matrix,
    goofspiel::Goofspiel,
    kuhn::Kuhn,
    whist::Whist,
    go::Go,
    pig::Pig,
    game2048::Game2048,
    nim::Nim,
    yavalath::Yavalath,
    ahc015::Ahc015,
    photosynthesis::Photosynthesis,
    green_circle::GreenCircle,
}
