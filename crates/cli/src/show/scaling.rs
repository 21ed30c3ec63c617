//! A measurement of scaling as a table, its laws, and what to beware of.

use std::fmt::Write;

use boughs_lab::scale::{Line, Report};
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanCount;

use super::{Column, percent, plain_table};
use crate::output::bold;

/// All there is to say about it in the terminal.
pub(crate) fn scaling(report: &Report) -> String {
    let mut text = lines(report) + "\n";
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

fn lines(report: &Report) -> String {
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
    for line in &report.lines {
        let known = |value: Option<f64>, text: fn(f64) -> String| value.map_or("-".to_string(), text);
        let two_digits = |value: f64| format!("{value:.2}");
        let count = |value: f64| HumanCount(value.round() as u64).to_string();
        table.add_row([
            line.mode.name().to_string(),
            line.threads.to_string(),
            count(line.playouts_per_second.mean),
            known(line.playouts_per_second.plus_minus, count),
            known(line.speed_up.map(|speed_up| speed_up.mean), two_digits),
            known(line.speed_up.and_then(|speed_up| speed_up.plus_minus), two_digits),
            known(line.efficiency.map(|share| share.mean), percent),
            known(line.cores_busy, two_digits),
            note(line, report),
        ]);
    }
    table.trim_fmt() + "\n"
}

/// Why a line does not count, or not all of it.
fn note(line: &Line, report: &Report) -> String {
    match (line.runs - line.counted, line.counted) {
        (0, _) => String::new(),
        _ if !report.machine.has_room_for(line.threads) => "more threads than cores".to_string(),
        (_, 0) => "disturbed".to_string(),
        (disturbed, _) => format!("{disturbed} of {} disturbed", line.runs),
    }
}

/// The law of each mode, or why there is none, which is often the same for all.
fn laws(report: &Report) -> String {
    let mut text = String::new();
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for law in &report.laws {
        let mode = law.mode.name();
        if let Some(fit) = &law.fit {
            let _ = writeln!(text, " {} of {mode}: {fit}", bold("scalability law"));
            let predicted: Vec<String> = fit
                .predictions
                .iter()
                .map(|at| format!("{} on {} cores", HumanCount(at.playouts_per_second as u64), at.cores))
                .collect();
            let _ = writeln!(text, "   predicted, not measured: playouts/s {}", predicted.join(", "));
        } else if let Some(why) = &law.why_none {
            match reasons.iter_mut().find(|(reason, _)| reason == why) {
                Some((_, modes)) => modes.push(mode),
                None => reasons.push((why, vec![mode])),
            }
        }
    }
    for (reason, modes) in reasons {
        let _ = writeln!(text, " no {} fitted for {}: {reason}", bold("scalability law"), modes.join(", "));
    }
    text
}
