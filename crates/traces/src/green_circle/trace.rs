//! A recorded game: its start, its decisions with the referee's state before each, and its end, one object of JSON a
//! line.

use serde::{Deserialize, Serialize};

/// Counts by kind.
pub(super) type Counts = [u8; 10];

/// A line of the file.
#[derive(Debug, Deserialize)]
#[serde(tag = "rec", rename_all = "lowercase")]
pub(super) enum Record {
    Game(Box<Game>),
    Step(Box<Step>),
    End(Box<End>),
}

/// The start of a game.
#[derive(Debug, Deserialize)]
pub(super) struct Game {
    pub(super) g: u64,
    pub(super) league: u32,
    pub(super) max_turns: u8,
    pub(super) applications: Vec<Application>,
    /// The names of the players.
    pub(super) policies: [String; 2],
    pub(super) init: State,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Application {
    pub(super) id: u8,
    pub(super) need: [u8; 8],
}

/// A decision: the position before it, the question to the player, and the outcome of the answer.
#[derive(Debug, Deserialize)]
pub(super) struct Step {
    pub(super) g: u64,
    pub(super) n: u32,
    pub(super) phase: String,
    pub(super) active: usize,
    pub(super) state: State,
    pub(super) input: Vec<String>,
    pub(super) legal: Vec<String>,
    pub(super) out: Option<String>,
    pub(super) status: String,
    pub(super) resolved: Option<String>,
    pub(super) chance: Vec<Chance>,
}

/// An outcome of chance: one of the two.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Chance {
    pub(super) shuffle: Option<Vec<u8>>,
    pub(super) draw: Option<u8>,
    pub(super) why: Option<String>,
}

/// The end of a game.
#[derive(Debug, Deserialize)]
pub(super) struct End {
    pub(super) g: u64,
    pub(super) steps: u32,
    pub(super) reason: String,
    pub(super) last_status: String,
    pub(super) released: [i32; 2],
    pub(super) technical_debt: [u32; 2],
    pub(super) ref_score: [i32; 2],
    pub(super) winner: i32,
    pub(super) by: String,
    #[serde(rename = "final")]
    pub(super) last: State,
}

/// The whole state of the referee.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct State {
    pub(super) phase: String,
    pub(super) active: usize,
    pub(super) last_turn: bool,
    pub(super) over: bool,
    pub(super) apps: Vec<u8>,
    pub(super) desks: [u8; 8],
    pub(super) bonus_pool: u8,
    pub(super) td_pool: u8,
    pub(super) players: [Player; 2],
}

/// The cards and counts of a player.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Player {
    pub(super) loc: i8,
    pub(super) score: i32,
    pub(super) daily: u8,
    pub(super) arch: u8,
    pub(super) plays_left: u8,
    pub(super) to_throw: u8,
    pub(super) must_give: bool,
    pub(super) pending_take: i8,
    pub(super) hand: Counts,
    pub(super) draw: Counts,
    pub(super) discard: Counts,
    pub(super) played: Counts,
    pub(super) auto: Counts,
    pub(super) perm: Counts,
    pub(super) hand_order: Vec<u8>,
    pub(super) draw_order: Vec<u8>,
}
