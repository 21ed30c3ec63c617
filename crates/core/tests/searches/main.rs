//! The searches, on games whose values are known.

mod decoupled;
mod grove;
mod tree;
