//! Games as somebody sees them who looks on.

use boughs::Turn;
use boughs::notation::find_move;
use boughs_games::{Listed, Visitor, visit};

use crate::ArenaError;

/// The board after each move of a game, and the first before any.
///
/// # Errors
/// If a move is not legal there.
pub fn boards(game: &str, moves: &[String]) -> Result<Vec<String>, ArenaError> {
    Ok(scenes(game, moves)?.into_iter().map(|scene| scene.board).collect())
}

/// See [`Listed::cell_names`].
pub(crate) fn cell_names(game: &str) -> Vec<String> {
    struct Names;

    impl Visitor for Names {
        type Output = Vec<String>;
        fn visit<G: Listed>(self, _: G) -> Vec<String> {
            G::cell_names()
        }
    }

    visit(game, Names).unwrap_or_default()
}

/// A position as somebody sees it who looks on.
pub(crate) struct Scene {
    /// The board as text.
    pub(crate) board: String,
    /// Who acts there.
    pub(crate) turn: Turn,
    /// See [`Listed::tallies`].
    pub(crate) tallies: Vec<(&'static str, Vec<f64>)>,
}

/// What there is to see after each move of a game, and first before any.
pub(crate) fn scenes(game: &str, moves: &[String]) -> Result<Vec<Scene>, ArenaError> {
    struct Show<'m>(&'m [String]);

    impl Visitor for Show<'_> {
        type Output = Result<Vec<Scene>, ArenaError>;
        fn visit<G: Listed>(self, start: G) -> Self::Output {
            let scene =
                |position: &G| Scene { board: position.board(), turn: position.turn(), tallies: position.tallies() };
            let mut position = start;
            let mut scenes = vec![scene(&position)];
            for text in self.0 {
                let action = find_move(&position, text).ok_or_else(|| {
                    ArenaError(format!("'{text}' is no legal move there, so the game is of other rules"))
                })?;
                position.apply(action);
                scenes.push(scene(&position));
            }
            Ok(scenes)
        }
    }

    visit(game, Show(moves)).map_err(|error| ArenaError(error.to_string()))?
}
