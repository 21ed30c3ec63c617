//! The data of a game for the viewer's script.

use serde::Serialize;
use serde_json::Value;

use crate::board::Change;

/// A game.
#[derive(Serialize)]
pub(crate) struct GameData<'a> {
    pub(crate) number: u64,
    /// The name of the game; `None` for its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<&'a str>,
    /// The contestant of each seat.
    pub(crate) seats: &'a [usize],
    /// The results of each seat, in words.
    pub(crate) did: Vec<String>,
    pub(crate) ending: String,
    /// The number of plies of the opening.
    pub(crate) opening: usize,
    /// The board before the first move.
    pub(crate) start: String,
    pub(crate) plies: Vec<PlyData<'a>>,
    /// The index of the shape of the boards among those of the page; `None` for boards that are shown as text.
    pub(crate) shape: Option<usize>,
    /// The parts of the picture before the first move; empty for boards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) picture: Vec<Value>,
    /// The output of each seat's program.
    pub(crate) notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) remarks: Vec<Remark<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) graphs: Vec<Graph>,
    /// The command that plays the game again.
    pub(crate) replay: &'a str,
}

impl GameData<'_> {
    /// The data in JSON.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A move of a game.
#[derive(Serialize)]
pub(crate) struct PlyData<'a> {
    /// The seat that moves; `None` where chance acts.
    pub(crate) seat: Option<usize>,
    #[serde(rename = "move")]
    pub(crate) text: &'a str,
    /// The move in words, if its text is a code.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) words: &'a str,
    pub(crate) change: Change,
    /// The parts of the picture that the move changed, with their indices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<(usize, Value)>,
    /// The estimated value of each choice, by its text.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) values: &'a [(String, String)],
}

impl<'a> PlyData<'a> {
    /// A move without a board.
    pub(crate) fn of_text(text: &'a str) -> PlyData<'a> {
        PlyData { seat: None, text, words: "", change: Change::Parts(Vec::new()), parts: Vec::new(), values: &[] }
    }
}

/// A remark of the referee on a move.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Remark<'a> {
    pub(crate) seat: usize,
    /// The number of the move, counted from 1.
    pub(crate) ply: usize,
    pub(crate) text: &'a str,
}

/// A number of each player before the first move and after every move.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Graph {
    pub(crate) name: &'static str,
    /// A line for each player.
    pub(crate) lines: Vec<Vec<f64>>,
}
