//! The answer to a query, with the names of KataGo. Win rates are Black's.

use boughs::{Child, Report, Session, Turn};
use serde_json::{Value, json};

use super::jobs::Job;
use crate::protocols::board_game::Words;
use crate::protocols::expected_line;

/// The report of a position.
pub(super) fn answer(job: &Job, position: &dyn Session, report: &Report, is_during_search: bool) -> Value {
    let black = usize::from(job.start.entry.colours()[0] != "black");
    let is_black = match position.turn() {
        Turn::Player(player) => player == black,
        Turn::Chance | Turn::Over => true,
    };
    let black_rate = |mean: f64| if is_black { mean } else { 1.0 - mean };
    let words = Words::of(job.start.entry);
    let searched = report.children.iter().filter(|child| child.playouts > 0).enumerate();
    let moves: Vec<Value> = searched
        .map(|(order, child)| {
            let mut info = json!({
                "order": order,
                "visits": child.playouts,
                "edgeVisits": child.playouts,
                "winrate": black_rate(child.mean),
                "lcb": black_rate(expected_line::lower_bound(child)),
                "utility": 2.0 * black_rate(child.mean) - 1.0,
            });
            let line = expected_line::vertices(words, position, child);
            info["move"] = json!(line[0]);
            info["pv"] = json!(line);
            if job.includes_visits {
                info["pvVisits"] = json!(expected_line::visits(child));
            }
            info
        })
        .collect();
    let visits: u64 = report.children.iter().map(|child| child.playouts).sum();
    let rate = match position.turn() {
        Turn::Over => position.reward(black),
        Turn::Player(_) | Turn::Chance => black_rate(mean_of(&report.children)),
    };
    json!({
        "id": job.id,
        "isDuringSearch": is_during_search,
        "turnNumber": job.turn,
        "moveInfos": moves,
        "rootInfo": {
            "currentPlayer": if is_black { "B" } else { "W" },
            "visits": visits,
            "winrate": rate,
            "utility": 2.0 * rate - 1.0,
        },
    })
}

/// The mean of all playouts.
fn mean_of(children: &[Child]) -> f64 {
    let visits: u64 = children.iter().map(|child| child.playouts).sum();
    let sum: f64 = children.iter().map(|child| child.playouts as f64 * child.mean).sum();
    if visits > 0 { sum / visits as f64 } else { 0.5 }
}
