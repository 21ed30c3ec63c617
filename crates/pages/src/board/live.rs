//! Boards that a person plays on: a position as data for the script that draws it.

use boughs::{Session, Turn};
use boughs_games::{GameEntry, Part};
use serde_json::{Value, json};

use super::clicks::cells_of;
use super::picture;
use super::shape::Shape;

/// The script that draws boards and pictures: the functions `drawGrid`, `drawLines` and `pictureDrawer`.
pub const BOARD_SCRIPT: &str = include_str!("board.js");

/// The board of a position as a player, or an onlooker, sees it.
#[derive(Clone, Debug)]
pub struct LiveBoard {
    /// The board as text.
    pub text: String,
    shape: Option<Shape>,
    picture: Vec<Part>,
}

impl LiveBoard {
    /// The board of a position for a viewer; an onlooker, `None`, sees all.
    pub fn of(entry: &GameEntry, position: &dyn Session, viewer: Option<usize>) -> LiveBoard {
        let text = viewer.map_or_else(|| position.board(), |player| position.board_for(player));
        let shape = Shape::of_game(Some(entry), &[&text]);
        LiveBoard { text, shape, picture: entry.picture(position, viewer) }
    }

    /// The shape of the board for the script, null where it is drawn as text.
    pub fn shape(&self) -> Value {
        serde_json::to_value(&self.shape).unwrap_or(Value::Null)
    }

    /// The parts of the picture for the script.
    pub fn picture(&self) -> Value {
        json!(self.picture.iter().map(picture::part).collect::<Vec<_>>())
    }

    /// The cells that a legal move touches, in the order in which they are clicked. Empty for a move that changes no
    /// cell.
    pub fn cells_of(&self, position: &dyn Session, action: u32, viewer: Option<usize>) -> Vec<usize> {
        let Some(shape) = &self.shape else { return Vec::new() };
        let mover = match position.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        };
        let text = position.action_text(action);
        let mut after = position.clone_session();
        after.apply(action);
        let after = viewer.map_or_else(|| after.board(), |player| after.board_for(player));
        cells_of(shape, &text, &self.text, &after, mover)
    }
}
