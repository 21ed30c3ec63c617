//! Agents for Green Circle.

mod builder2;
mod foresight;
mod weights;

pub use builder2::Builder2;
pub use foresight::Foresight;
