//! What a search found, made into text for people and JSON for programs.

mod json;
mod scaling;
mod table;
mod tree;

pub(crate) use json::JsonReport;
pub(crate) use scaling::scaling;
pub(crate) use table::{Column, children, plain_table, summary};
pub(crate) use tree::TreeView;

/// A share of one as people write it.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// What a move is worth that ends the game.
pub(crate) fn verdict(reward: f64) -> String {
    match reward {
        1.0 => "wins at once".to_string(),
        0.5 => "ends in a draw".to_string(),
        0.0 => "loses at once".to_string(),
        other => format!("ends the game, worth {}", percent(other)),
    }
}
