//! The sides of a contest: their time, their playouts, their faults, and their own counts.

use boughs_arena::Side;
use maud::{Markup, html};

use super::ContestPage;
use crate::document::table_of;
use crate::text::{grouped, letter, short};

/// The table of the contestants over all their games.
pub(super) fn sides(page: &ContestPage<'_>) -> Markup {
    let conditions = page.contest.conditions();
    let mut sides = vec![Side::default(); conditions.contestants.len()];
    for (pairing, standing) in conditions.pairings.iter().zip(page.contest.standings()) {
        pairing.iter().zip(standing.sides()).for_each(|(&contestant, side)| sides[contestant].add_side(side));
    }
    let mut columns: Vec<&String> = sides.iter().flat_map(|side| side.columns.keys()).collect();
    columns.sort();
    columns.dedup();
    let faults = |side: &Side| {
        let all: Vec<String> = side.faults.iter().map(|(fault, times)| format!("{fault} {times}")).collect();
        if all.is_empty() { "none".to_string() } else { all.join(", ") }
    };
    let mut titles = vec!["", "moves", "ms a move", "longest, ms", "playouts a move", "faults"];
    titles.extend(columns.iter().map(|column| column.as_str()));
    let row = |(contestant, side): (usize, &Side)| {
        let mut row = vec![
            html! { b { (letter(contestant)) } },
            html! { (grouped(side.moves)) },
            html! { (format!("{:.2}", side.ms_a_move())) },
            html! { (format!("{:.2}", side.longest_ms)) },
            html! { @if side.playouts > 0 { (grouped(side.playouts / side.moves.max(1))) } @else { "–" } },
            html! { span.forfeit[!side.faults.is_empty()] { (faults(side)) } },
        ];
        let mean = |column: &&String| side.columns.get(*column).map_or("–".to_string(), |mean| short(*mean, 3));
        row.extend(columns.iter().map(|column| html! { (mean(column)) }));
        row
    };
    html! {
        (table_of(&titles, sides.iter().enumerate().map(row).collect()))
        @for (contestant, side) in sides.iter().enumerate() {
            @if let Some(fault) = &side.last_fault {
                p.warning {
                    (letter(contestant)) " lost games by what it did; " (fault) (side.cure(conditions.limit)) "."
                }
            }
        }
    }
}
