//! The positions of a played game as an onlooker sees them.

use boughs::{Session, Turn};
use boughs_games::{GameEntry, Part, StartedGame, start};

use crate::ArenaError;

/// A position of a game as an onlooker sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The board as text.
    pub board: String,
    /// The player who acts, chance, or the end of the game.
    pub turn: Turn,
    /// Numbers of each player that can be drawn as graphs. See [`GameEntry::tallies`].
    pub tallies: Vec<(&'static str, Vec<f64>)>,
    /// The parts of its picture, if the game has pictures. See [`GameEntry::picture`].
    pub picture: Vec<Part>,
    /// The move that led here in words, if its text is not enough. See [`GameEntry::action_words`].
    pub words: String,
}

impl Frame {
    fn of(entry: &GameEntry, position: &dyn Session, words: String) -> Frame {
        Frame {
            board: position.board(),
            turn: position.turn(),
            tallies: entry.tallies(position),
            picture: entry.picture(position, None),
            words,
        }
    }
}

/// Plays the moves of a game and returns the frame before the first move and after each.
///
/// # Errors
/// If there is no such game, or a move is not legal.
pub fn frames(game: &str, moves: &[String]) -> Result<Vec<Frame>, ArenaError> {
    let StartedGame { entry, mut position } = start(game)?;
    let mut frames = vec![Frame::of(entry, &*position, String::new())];
    for text in moves {
        let action = position.find_move(text).ok_or_else(|| {
            ArenaError::new(format!("'{text}' is no legal move there, so the game was played by other rules"))
        })?;
        let words = entry.action_words(&*position, action);
        position.apply(action);
        frames.push(Frame::of(entry, &*position, words));
    }
    Ok(frames)
}

/// Returns the boards of [`frames`].
///
/// # Errors
/// If there is no such game, or a move is not legal.
pub fn boards(game: &str, moves: &[String]) -> Result<Vec<String>, ArenaError> {
    Ok(frames(game, moves)?.into_iter().map(|frame| frame.board).collect())
}
