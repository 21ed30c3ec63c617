//! Results as text for people and JSON for programs.

pub(crate) mod contest;
pub(crate) mod game;
mod json;
pub(crate) mod judging;
pub(crate) mod learning;
pub(crate) mod matches;
mod scaling;
mod strength;
mod table;
pub(crate) mod tournament;
mod tree;
pub(crate) mod tuning;

pub(crate) use json::{JsonAnalysis, JsonQuestion, JsonRanks, JsonReport};
pub(crate) use scaling::scaling;
pub(crate) use strength::strength;
pub(crate) use table::{Column, children, plain_table, summary, worth};
pub(crate) use tree::TreeView;

/// A share of one as people write it.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
