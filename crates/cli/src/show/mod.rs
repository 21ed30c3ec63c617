//! What a search found, made into text for people and JSON for programs.

mod json;
mod scaling;
mod table;
mod tree;

pub(crate) use json::JsonReport;
pub(crate) use scaling::scaling;
pub(crate) use table::{Column, children, plain_table, summary, worth};
pub(crate) use tree::TreeView;

/// A share of one as people write it.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
