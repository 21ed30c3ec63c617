//! The page of `boughs serve` in headless Chromium, as a person uses it. `BOUGHS` is the program; chromedriver has to
//! be on the path. `AXE` is the script of axe-core, if it is there.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod browser;
mod games;
mod layout;
mod play;
mod results;
mod search;
