//! The server as pages and strangers meet it: over real connections.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod client;
mod connections;
#[cfg(target_os = "linux")]
mod memory;
mod positions;
mod results;
mod searches;
mod secrets;
mod strangers;
