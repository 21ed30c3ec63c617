//! Verifiable logs of parallel searches: every playout, and the tree at the end.
//!
//! [`record()`] searches and writes. [`Log::verify`] replays on one thread: it checks that every line is a legal game
//! with the rewards that the rules give it, backpropagates it, and compares the counters of every node with those
//! that the search ended with. Sums are integers, so the order in which threads finished makes no difference.
//!
//! # Format
//! Lines of words separated by one space; lists are joined by commas, `-` is the empty list. Actions are codes.
//! ```text
//! boughs-log 1
//! game connect4
//! position 4453
//! agent mcts:threads=2
//! seed 7
//! units 2
//! playout 1 0 3,2 4,4,1,6 1,0 8c1f0a52e9b3d477
//! node 0 3,2 17 9
//! end 1 1
//! ```
//! A playout has its number, its tree, its actions inside the tree, its actions after those, the reward of each
//! player, and a check word over this line and all lines before it, so that a changed, dropped or doubled line is
//! named. A node has its tree, its path, its visits and the sum of its chooser's rewards in units (`units` make 1).
//! The last line counts both.

mod record;
mod text;
mod verify;

pub(crate) use record::write;
pub use record::{RecordError, record};
pub use text::{Fault, Header};
pub use verify::{Log, Verified};
