//! The positions of a played game as an onlooker sees them.

use boughs::{Session, Turn};
use boughs_games::{GameEntry, StartedGame, start};

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
}

impl Frame {
    fn of(entry: &GameEntry, position: &dyn Session) -> Frame {
        Frame { board: position.board(), turn: position.turn(), tallies: entry.tallies(position) }
    }
}

/// Plays the moves of a game and returns the frame before the first move and after each.
///
/// # Errors
/// If there is no such game, or a move is not legal.
pub fn frames(game: &str, moves: &[String]) -> Result<Vec<Frame>, ArenaError> {
    let StartedGame { entry, mut position } = start(game)?;
    let mut frames = vec![Frame::of(entry, &*position)];
    for text in moves {
        let action = position.find_move(text).ok_or_else(|| {
            ArenaError::new(format!("'{text}' is no legal move there, so the game was played by other rules"))
        })?;
        position.apply(action);
        frames.push(Frame::of(entry, &*position));
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
