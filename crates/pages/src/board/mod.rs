//! Boards, which the viewer draws from their texts.

mod change;
mod clicks;
mod live;
pub(crate) mod picture;
mod shape;

pub(crate) use change::Change;
pub use live::{BOARD_SCRIPT, LiveBoard};
pub(crate) use shape::{Shape, index_of};
