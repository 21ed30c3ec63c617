//! The searches, on games whose values are known.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod decoupled;
mod grove;
mod tree;
