//! Logs of parallel searches that can be checked: every playout as it was made, and the tree that came of them.
//!
//! [`record()`] searches and writes; [`Log::verify`] replays on one thread: it checks that every line is a legal game with
//! the rewards the rules give it, adds its part inside the tree, and compares the counters of every node with those
//! the search ended with. Sums are integers, so the order in which threads finished makes no difference.
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
//! A playout has its number, its tree, the actions that received counts, the actions after those, the reward of each
//! player, and a check word over this and all lines before it, so that a line that was changed, dropped or doubled is
//! named. A node has its tree, its path, its visits and the sum of its chooser's rewards in units (`units` make 1).
//! The last line counts both.

mod record;
mod text;
mod verify;

pub use record::{RecordError, record};
pub use text::{Fault, Header};
pub use verify::{Log, Verified};
