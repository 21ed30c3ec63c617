//! The reasons why a search cannot be made.

use std::fmt;

use crate::notation::counted;
use crate::spec::SpecError;

/// The reason why a search could not be made. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchError {
    /// The memory bound has no room for the position and its actions.
    Memory {
        /// The bound.
        bytes: usize,
    },
    /// The system gives too little memory for a tree: neither as much as asked for nor a half, a quarter and so on of
    /// that down to 256 KiB.
    NoMemory,
    /// The position is one of another game.
    OtherGame,
    /// The system gives no more threads.
    Threads(String),
    /// The game panicked with this message. The search can be used again.
    GamePanicked(String),
    /// The evaluator of leaves panicked, or what it returned is no evaluation of its leaves.
    Evaluator(String),
    /// The action is not legal here.
    IllegalAction(String),
    /// The player to move has an action whose code is above [`Action::MAX_CODE`](crate::Action::MAX_CODE). Only the
    /// position to search is checked; a deeper one with such an action may stay a leaf.
    CodeAboveMax {
        /// The code.
        code: u32,
        /// The greatest code that the game declares.
        most: u32,
    },
    /// A setting is out of its range. The sentence names the key, the value and the range.
    Setting(SpecError),
    /// The settings do not go with the game.
    Unsupported {
        /// The reason.
        reason: String,
        /// The nearest agent that goes with it.
        instead: String,
    },
    /// A search with such settings cannot be recorded: a log has plain trees and playouts to the end.
    RecordOfOtherTree,
    /// A search is recorded from its first playout, so it cannot continue a tree that has some.
    RecordOfReusedTree,
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Memory { bytes } => {
                let size = crate::memory::write_size(*bytes);
                let size =
                    if size.ends_with(|last: char| last.is_ascii_digit()) { counted(size, "bytes") } else { size };
                write!(
                    f,
                    "{size} of memory cannot hold a tree here: it has to fit the position and all its actions; \
                     try 64M"
                )
            }
            SearchError::NoMemory => f.write_str(
                "the system gives this process no memory for a tree; raise its limit (ulimit -v), or use fewer threads",
            ),
            SearchError::CodeAboveMax { code, most } => write!(
                f,
                "the game lists an action with the code {code}, but MAX_CODE of its actions is {most}; raise MAX_CODE"
            ),
            SearchError::OtherGame => f.write_str("the position is one of another game; give one of the same game"),
            SearchError::Threads(error) => {
                write!(
                    f,
                    "the system gives no more threads ({error}); ask for fewer, or raise its limits (ulimit -u, -v)"
                )
            }
            SearchError::GamePanicked(text) => write!(f, "the rules of the game panicked: {text}"),
            SearchError::Evaluator(fault) => write!(f, "the evaluator of leaves failed: {fault}"),
            SearchError::IllegalAction(text) => write!(f, "'{text}' is not a legal move here"),
            SearchError::Setting(error) => error.fmt(f),
            SearchError::Unsupported { reason, instead } => write!(f, "{reason}; try {instead}"),
            SearchError::RecordOfOtherTree => f.write_str(
                "only searches with tree=plain, solver=off, eval=off and playouts=1 can be recorded, of games in which \
                 everything is open and chance can be listed",
            ),
            SearchError::RecordOfReusedTree => {
                f.write_str("only a fresh search can be recorded, and this one goes on from playouts made before")
            }
        }
    }
}

impl std::error::Error for SearchError {}
