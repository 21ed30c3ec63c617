//! Agents for Green Circle.

mod builder2;
mod foresight;

pub use builder2::Builder2;
pub use foresight::Foresight;
