//! A measurement of scaling as text: a table, the scalability laws, and warnings.

use std::fmt::Write;

use boughs::notation::counted;
use boughs_lab::scale::{Law, ScaleReport, ScaleRow};
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanCount;

use super::{Column, percent, plain_table};
use crate::output::bold;

/// The report as text.
pub(crate) fn scaling(report: &ScaleReport) -> String {
    let mut text = table(report) + "\n";
    for line in report.method() {
        let _ = writeln!(text, " {line}");
    }
    text.push('\n');
    text.push_str(&laws(report));
    for warning in &report.warnings {
        let _ = writeln!(text, " {} {warning}", bold("warning"));
    }
    text
}

fn table(report: &ScaleReport) -> String {
    const COLUMNS: [Column; 9] = [
        ("mode", Left),
        ("threads", Right),
        ("playouts/s", Right),
        ("±", Right),
        ("speed-up", Right),
        ("±", Right),
        ("efficiency", Right),
        ("cores", Right),
        ("note", Left),
    ];
    let mut table = plain_table(&COLUMNS);
    for row in &report.rows {
        let known = |value: Option<f64>, text: fn(f64) -> String| value.map_or("-".to_string(), text);
        let two_digits = |value: f64| format!("{value:.2}");
        let count = |value: f64| HumanCount(value.round() as u64).to_string();
        table.add_row([
            row.mode.name().to_string(),
            row.threads.to_string(),
            known(row.playouts_per_second.value(), count),
            known(row.playouts_per_second.error(), count),
            known(row.speed_up.and_then(|mean| mean.value()), two_digits),
            known(row.speed_up.and_then(|mean| mean.error()), two_digits),
            known(row.efficiency.and_then(|mean| mean.value()), percent),
            known(row.cores_busy, two_digits),
            note(row, report),
        ]);
    }
    table.trim_fmt() + "\n"
}

/// The reason why a row does not count, or not all of its runs.
fn note(row: &ScaleRow, report: &ScaleReport) -> String {
    match (row.runs - row.counted, row.counted) {
        (0, _) => String::new(),
        _ if !report.machine.has_room_for(row.threads) => "more threads than cores".to_string(),
        (_, 0) => "disturbed".to_string(),
        (disturbed, _) => format!("{disturbed} of {} disturbed", row.runs),
    }
}

/// The scalability law of each mode, or the reason for none. Modes with the same reason share a line.
fn laws(report: &ScaleReport) -> String {
    let mut text = String::new();
    for law in &report.laws {
        let mode = law.mode.name();
        if let Some(fit) = &law.fit {
            let _ = writeln!(text, " {} of {mode}: {fit}", bold("scalability law"));
            let predicted: Vec<String> = fit
                .predictions
                .iter()
                .map(|at| format!("{} on {}", HumanCount(at.playouts_per_second as u64), counted(at.cores, "cores")))
                .collect();
            let _ = writeln!(text, "   predicted, not measured: playouts/s {}", predicted.join(", "));
        }
    }
    for (reason, modes) in Law::reasons(&report.laws) {
        let _ = writeln!(text, " no {} fitted for {}: {reason}", bold("scalability law"), modes.join(", "));
    }
    text
}
