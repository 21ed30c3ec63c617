//! Programs that misbehave: every fault is named, no process is left, and no wait is endless.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "../../../engine/tests/common/process.rs"]
mod process;

mod answers;
mod common;
mod contest;
mod endings;
mod gtp;
mod starts;
mod ugi;
