//! The program as its users meet it: real processes, their output and their exit codes.

// Everything here is a test; the lint only knows functions that are marked as one.
#![allow(clippy::unwrap_used)]

mod analyze;
mod check;
mod common;
mod games;
#[cfg(target_os = "linux")]
mod terminal;
mod tree;
