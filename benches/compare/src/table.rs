//! The comparison as text.

use std::fmt::Write;

use comfy_table::CellAlignment::{Left, Right};
use comfy_table::{CellAlignment, ColumnConstraint, Table, presets};
use indicatif::HumanCount;

use crate::rounds::Comparison;
use crate::summary::{Row, Scaling, Summary};

/// The place of the ratio to the other build, which is hidden where there is none.
const OF_OTHER: usize = 7;

const COLUMNS: [(&str, CellAlignment); 13] = [
    ("engine", Left),
    ("threads", Right),
    ("playouts/s", Right),
    ("from", Right),
    ("to", Right),
    ("of roof", Right),
    ("of best rival", Right),
    ("of other", Right),
    ("over 1 thread", Right),
    ("bytes/playout", Right),
    ("free ms", Right),
    ("reset ms", Right),
    ("games", Right),
];

/// A table for each case, and what it takes to read them.
pub(crate) fn report(comparison: &Comparison) -> String {
    let mut text = String::new();
    for summary in &comparison.summaries {
        let _ = writeln!(text, "{}\n{}\n", summary.case, table(summary));
    }
    let Comparison { machine, rounds_done, .. } = comparison;
    let processor = machine.processor.as_deref().unwrap_or("unknown processor");
    let _ = writeln!(text, "{processor}, {} cores; {}", machine.cores, machine.compiler);
    let flags = if machine.flags.is_empty() { "no RUSTFLAGS" } else { machine.flags };
    let instructions = match machine.instructions.is_empty() {
        true => "no instruction sets beyond the baseline".to_string(),
        false => machine.instructions.join(" "),
    };
    let commit = machine.commit.as_deref().unwrap_or("unknown commit");
    let _ = writeln!(text, "{flags}, {instructions}; {commit}; medians of {rounds_done} rounds\n");
    for entry in &comparison.engines {
        let _ = writeln!(text, "{:<14} {}", entry.name, entry.settings);
    }
    for failure in &comparison.failures {
        let _ = writeln!(text, "\n{failure}");
    }
    text
}

fn table(summary: &Summary) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).force_no_tty();
    table.set_header(COLUMNS.iter().map(|(title, _)| *title).chain(["disturbed"]));
    for (column, (_, alignment)) in table.column_iter_mut().zip(COLUMNS) {
        column.set_cell_alignment(alignment);
    }
    let is_alone = summary.rows.iter().all(|row| row.of_other.is_none());
    if let Some(column) = table.column_mut(OF_OTHER).filter(|_| is_alone) {
        column.set_constraint(ColumnConstraint::Hidden);
    }
    for row in &summary.rows {
        table.add_row(cells(row));
    }
    table.trim_fmt()
}

fn cells(row: &Row) -> [String; 14] {
    let count = |value: f64| HumanCount(value as u64).to_string();
    let some = |value: Option<f64>, digits: usize| value.map_or("-".to_string(), |value| format!("{value:.digits$}"));
    [
        row.engine.to_string(),
        row.threads.to_string(),
        count(row.playouts_per_second.median),
        count(row.playouts_per_second.low),
        count(row.playouts_per_second.high),
        some(row.of_roof.map(|spread| spread.median), 3),
        some(row.of_best_rival.map(|spread| spread.median), 2),
        some(row.of_other.map(|spread| spread.median), 2),
        match row.over_one_thread {
            Scaling::None => "-".to_string(),
            Scaling::TooDisturbed => "too disturbed".to_string(),
            Scaling::Measured(spread) => format!("{:.2}", spread.median),
        },
        some(row.bytes_per_playout, 1),
        some(row.free_ms, 2),
        some(row.reset_ms, 2),
        some(row.games, 3),
        match row.disturbed {
            0 => String::new(),
            disturbed => format!("* {disturbed} of {}", row.runs),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::comparison;

    #[test]
    fn disturbed_runs_are_marked_and_claim_no_scaling() {
        let text = report(&comparison(&[("boughs", 1, 1, 10.0, false), ("boughs", 2, 1, 12.0, true)]));
        let row = |threads| text.lines().find(|line| line.starts_with(&format!(" boughs  {threads:>7}"))).unwrap();
        assert!(!row(1).contains('*'), "{text}");
        assert!(row(2).contains("too disturbed") && row(2).contains("* 1 of 1"), "{text}");
        assert!(text.contains("with_rollouts_before_expanding(1)"), "{text}");
    }

    #[test]
    fn the_ratio_to_another_build_is_shown_where_there_is_one() {
        let (boughs, before) = (("boughs", 1, 1, 30.0, false), ("before", 1, 1, 20.0, false));
        let shown = |runs: &[_]| report(&comparison(runs)).contains("of best rival  of other  over 1 thread");
        assert!(!report(&comparison(&[boughs])).contains("of other"));
        assert!(shown(&[boughs, before]) && report(&comparison(&[boughs, before])).contains("  1.50  "));
    }
}
