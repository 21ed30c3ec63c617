//! A report as a table of moves and a summary.

use std::fmt::Write;

use boughs::notation::counted;
use boughs::{Child, Report, StopReason};
use comfy_table::{Attribute, Cell, CellAlignment, Color, Table, presets};
use indicatif::{BinaryBytes, HumanCount};

use super::json::remark;
use super::percent;
use crate::output::{bold, has_colours};

/// Moves beyond this many are summed up in one line.
const ROWS: usize = 20;

/// Moves of the best playout beyond this many are left out.
const PLAN: usize = 12;

/// The title and the alignment of a column.
pub(crate) type Column<'a> = (&'a str, CellAlignment);

/// A table without lines, for terminals and for scripts that split it.
pub(crate) fn plain_table(columns: &[Column<'_>]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if has_colours() {
        table.enforce_styling()
    } else {
        table.force_no_tty()
    };
    table.set_header(columns.iter().map(|&(title, _)| Cell::new(title).add_attribute(Attribute::Bold)));
    for (column, &(_, alignment)) in table.column_iter_mut().zip(columns) {
        column.set_cell_alignment(alignment);
    }
    table
}

/// The moves of the position that was searched, most playouts first.
pub(crate) fn children(report: &Report) -> String {
    use CellAlignment::{Left, Right};
    let worth = report.unit();
    let is_mixed = report.children.iter().any(|child| child.strategy.is_some());
    let mut columns = vec![("move", Left), ("playouts", Right), ("share", Right), (worth, Right)];
    if is_mixed {
        columns.push(("strategy", Right));
    }
    columns.push(("note", Left));
    let mut table = plain_table(&columns);
    let total: u64 = report.children.iter().map(|child| child.playouts).sum();
    let best = report.best.as_ref().map(|best| best.text.as_str());
    // A rest of one line would take as much room as the move itself.
    let shown = if report.children.len() <= ROWS + 1 { report.children.len() } else { ROWS };
    for child in &report.children[..shown] {
        let cells = row(report, child, total, is_mixed).into_iter().map(Cell::new);
        let is_best = best == Some(&child.text);
        table.add_row(cells.map(|cell| if is_best { cell.fg(Color::Green) } else { cell }));
    }
    let mut text = table.trim_fmt() + "\n";
    let rest = &report.children[shown..];
    if !rest.is_empty() {
        let playouts = HumanCount(rest.iter().map(|child| child.playouts).sum());
        let _ = writeln!(text, " and {} more moves with {}", rest.len(), counted(playouts, "playouts"));
    }
    text
}

fn row(report: &Report, child: &Child, total: u64, is_mixed: bool) -> Vec<String> {
    let seen = |text: String| if child.playouts > 0 { text } else { "-".to_string() };
    let mut cells = vec![
        child.text.clone(),
        HumanCount(child.playouts).to_string(),
        seen(percent(child.playouts as f64 / total.max(1) as f64)),
        seen(report.worth_of(child)),
    ];
    if is_mixed {
        cells.push(child.strategy.map(percent).unwrap_or_default());
    }
    cells.push(child.proven.map(|reward| verdict(report, reward)).unwrap_or_default());
    cells
}

/// The proven value of a move.
fn verdict(report: &Report, reward: f64) -> String {
    match reward {
        _ if report.scores => format!("ends the game with {reward}"),
        1.0 => "wins for certain".to_string(),
        0.5 => "draws for certain".to_string(),
        0.0 => "loses for certain".to_string(),
        other => format!("is worth {} for certain", percent(other)),
    }
}

/// The value of a move, with the name of its unit.
pub(crate) fn worth(report: &Report, child: &Child) -> String {
    if let Some(reward) = child.proven {
        return verdict(report, reward);
    }
    match child.playouts {
        0 => "without a playout".to_string(),
        _ => format!("{} {}", report.unit(), report.worth_of(child)),
    }
}

/// The best move, the expected line, and the statistics of a search, by this number of ranks if there are any.
pub(crate) fn summary(report: &Report, ranks: Option<usize>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, " {name:<9} {value}");
    };
    match report.best_child() {
        Some(best) => {
            let drawn = match best.strategy {
                Some(_) => "; drawn by the strategy, which is the answer",
                None => "",
            };
            line("best", format!("{}, {}{drawn}", bold(&best.text), worth(report, best)));
            line("line", report.line());
        }
        None if report.stop == StopReason::GameOver => line("best", "none: the game is over".to_string()),
        None if report.stop == StopReason::Chance => {
            line("best", "none: chance acts here; add an outcome to the moves".to_string());
        }
        None => line("best", "none: the search ended before its first playout".to_string()),
    }
    let mut playouts = format!(
        "{} in {:.3} s, {} a second",
        HumanCount(report.iterations),
        report.seconds,
        HumanCount(report.playouts_per_second as u64)
    );
    if report.inherited > 0 {
        let _ = write!(playouts, ", and {} from before", HumanCount(report.inherited));
    }
    line("playouts", playouts);
    if let Some(ranks) = ranks {
        line("ranks", ranks.to_string());
    }
    if let Some(plan) = &report.best_playout {
        let moves: Vec<&str> = plan.moves.iter().take(PLAN).map(|step| step.text.as_str()).collect();
        let more =
            if plan.moves.len() > PLAN { format!(" and {} more", plan.moves.len() - PLAN) } else { String::new() };
        line("luckiest", format!("{} by {}{more}", plan.score, moves.join(" ")));
    }
    line("depth", report.depth.to_string());
    line("memory", BinaryBytes(report.bytes as u64).to_string());
    line("ended by", report.stop.to_string());
    if let Some(remark) = remark(report) {
        line("", remark.to_string());
    }
    for warning in &report.warnings {
        line("warning", warning.to_string());
    }
    text
}
