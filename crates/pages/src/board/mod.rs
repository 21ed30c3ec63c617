//! Boards, which the viewer draws from their texts.

mod change;
pub(crate) mod picture;
mod shape;

pub(crate) use change::Change;
pub(crate) use shape::{Shape, common_shape};
