//! Boards, which the viewer draws from their texts.

mod change;
mod shape;

pub(crate) use change::Change;
pub(crate) use shape::{Shape, common_shape};
