//! The program as its users meet it: real processes, their output and their exit codes.

// Everything here is a test; the lint only knows functions that are marked as one.
#![allow(clippy::unwrap_used)]

#[path = "../../../engine/tests/common/process.rs"]
mod process;

mod agents;
mod analysis;
mod analyze;
mod bad_input;
mod bench;
mod bot;
mod check;
#[cfg(unix)]
mod check_engine;
#[cfg(unix)]
mod closed_pipe;
mod common;
mod contest_bots;
#[cfg(unix)]
mod export;
mod games;
mod gtp;
mod help;
#[cfg(target_os = "linux")]
mod interrupt;
mod judge;
#[cfg(unix)]
mod learn;
mod learn_net;
mod matches;
#[cfg(unix)]
mod named_files;
mod play;
mod plurals;
mod record;
mod replay;
mod scale;
mod serve;
mod sgf;
mod shards;
mod strength;
mod stress;
#[cfg(target_os = "linux")]
mod terminal;
mod tree;
mod ugi;
