//! A recorded game: one object of JSON a line, with the referee's state before and after each turn.

use serde::Deserialize;

/// A tree: cell, size, owner, and if it is dormant.
pub(super) type Tree = [u32; 4];

/// One game.
#[derive(Debug, Deserialize)]
pub(super) struct Trace {
    /// The version of the format.
    pub(super) v: u32,
    pub(super) seed: String,
    pub(super) league: u32,
    pub(super) start_nutrients: u8,
    /// The policies of the players.
    pub(super) mix: String,
    /// Index, richness and neighbours of each cell.
    pub(super) cells: Vec<(u32, u32, [i32; 6])>,
    pub(super) initial_trees: Vec<Tree>,
    pub(super) events: Vec<Event>,
    #[serde(rename = "final")]
    pub(super) end: End,
}

/// The events of the game, in order.
#[derive(Debug, Deserialize)]
#[serde(tag = "ev", rename_all = "lowercase")]
pub(super) enum Event {
    Day(Day),
    Turn(Turn),
}

/// A day after its harvest.
#[derive(Debug, Deserialize)]
pub(super) struct Day {
    pub(super) day: u8,
    pub(super) sun_dir: usize,
    /// Cells in a shadow, with the size of the tree that casts it.
    pub(super) shadows: Vec<[u32; 2]>,
    pub(super) gain: [u16; 2],
    pub(super) sun: [u16; 2],
}

/// A turn: the position before it, the legal actions and the actions of both players, and their outcomes.
#[derive(Debug, Deserialize)]
pub(super) struct Turn {
    pub(super) t: u32,
    pub(super) day: u8,
    pub(super) nut: u8,
    pub(super) sun: [u16; 2],
    pub(super) score: [i32; 2],
    pub(super) wait: [u8; 2],
    pub(super) trees: Vec<Tree>,
    pub(super) legal: [Option<Vec<String>>; 2],
    pub(super) act: [Option<String>; 2],
    pub(super) res: [Option<String>; 2],
}

/// The position after the last turn, and the scores of the game.
#[derive(Debug, Deserialize)]
pub(super) struct End {
    pub(super) trees: Vec<Tree>,
    pub(super) nut: u8,
    pub(super) days_played: u8,
    pub(super) sun: [u16; 2],
    pub(super) active: [u8; 2],
    pub(super) score_before_end: [i32; 2],
    pub(super) tree_count: [u32; 2],
    pub(super) score: [i32; 2],
    pub(super) winner: i32,
    pub(super) turns: u32,
    pub(super) player_turns: u32,
}
