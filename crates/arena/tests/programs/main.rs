//! Whatever a program does, its fault is named, nothing of it is left, and nobody waits for ever.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod answers;
mod common;
mod contest;
mod endings;
mod page;
mod starts;
