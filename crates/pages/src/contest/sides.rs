//! The sides of a contest: their time, their playouts, their faults, and their own counts.

use boughs_arena::Side;
use maud::{Markup, html};

use super::ContestPage;
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
    html! {
        div.wide { table {
            tr {
                th.words { "" } th { "moves" } th { "ms a move" } th { "longest, ms" } th { "playouts a move" }
                th { "faults" }
                @for column in &columns { th { (column) } }
            }
            @for (contestant, side) in sides.iter().enumerate() {
                tr {
                    td.words { b { (letter(contestant)) } }
                    td { (grouped(side.moves)) }
                    td { (format!("{:.2}", side.ms_a_move())) }
                    td { (format!("{:.2}", side.longest_ms)) }
                    td { @if side.playouts > 0 { (grouped(side.playouts / side.moves.max(1))) } @else { "–" } }
                    td.forfeit[!side.faults.is_empty()] { (faults(side)) }
                    @for column in &columns {
                        td { @if let Some(mean) = side.columns.get(*column) { (short(*mean, 3)) } @else { "–" } }
                    }
                }
            }
        } }
        @for (contestant, side) in sides.iter().enumerate() {
            @if let Some(fault) = &side.last_fault {
                p.warning { (letter(contestant)) " lost games by what it did; " (fault) "." }
            }
        }
    }
}
