//! A measurement of strength as text: tables and warnings.

use std::fmt::Write;

use boughs_arena::statistics::{Estimate, tells_nothing};
use boughs_lab::strength::{Kind, StrengthReport, StrengthRow};
use comfy_table::CellAlignment::{self, Left, Right};
use indicatif::HumanCount;

use super::{Column, plain_table};
use crate::output::bold;

/// The report as text.
pub(crate) fn strength(report: &StrengthReport) -> String {
    let mut text = String::new();
    for kind in Kind::ALL {
        if report.rows_of(kind).next().is_some() {
            let _ = writeln!(text, " {}\n{}", bold(kind.title()), table(report, kind));
        }
    }
    for line in report.method() {
        let _ = writeln!(text, " {line}");
    }
    text.push('\n');
    for warning in &report.warnings {
        let _ = writeln!(text, " {} {warning}", bold("warning"));
    }
    if report.interrupted {
        let _ = writeln!(text, " ended by an interruption; the same command goes on from here");
    }
    text
}

/// The cell of a row in a column.
type Says = fn(&StrengthRow) -> String;

/// The columns of a table. A column that would be empty in every row is left out.
fn columns(kind: Kind, has_solved: bool) -> Vec<(&'static str, CellAlignment, Says)> {
    let mut columns: Vec<(&str, CellAlignment, Says)> = match kind {
        Kind::Price | Kind::Gain => vec![("way", Left, |row| row.name.clone()), ("threads", Right, size)],
        Kind::Workers => vec![("rule", Left, |row| row.name.clone()), ("workers", Right, size)],
        Kind::Ranks => vec![("ranks", Right, size)],
        Kind::HandicapCurve => vec![("limit", Left, |row| row.limit.clone()), ("times", Right, size)],
    };
    columns.extend::<[(&str, CellAlignment, Says); 3]>([
        ("games", Right, |row| HumanCount(row.games.count()).to_string()),
        ("win rate", Right, |row| around(row.share.times(100.0), 1, " %")),
        ("Elo", Right, |row| elo(row.elo)),
    ]);
    if has_solved {
        columns.push(("optimal", Right, |row| known(row.optimal, |share| around(share.times(100.0), 1, " %"))));
    }
    match kind {
        Kind::Gain | Kind::Ranks => columns.push(("speed-up", Right, |row| known(row.speed_up, ratio))),
        Kind::Price | Kind::Workers => columns.extend::<[(&str, CellAlignment, Says); 2]>([
            ("needs", Right, |row| known(row.equal_to, ratio)),
            ("ideal speed-up", Right, |row| known(row.speed_up, ratio)),
        ]),
        Kind::HandicapCurve => {}
    }
    columns
        .push(("games more", Right, |row| row.games_more.map_or("-".to_string(), |more| HumanCount(more).to_string())));
    columns
}

fn table(report: &StrengthReport, kind: Kind) -> String {
    let columns = columns(kind, report.rows_of(kind).any(|row| row.optimal.is_some()));
    let heads: Vec<Column> = columns.iter().map(|&(title, alignment, _)| (title, alignment)).collect();
    let mut table = plain_table(&heads);
    for row in report.rows_of(kind) {
        table.add_row(columns.iter().map(|(_, _, says)| says(row)));
    }
    table.trim_fmt() + "\n"
}

fn size(row: &StrengthRow) -> String {
    row.size.to_string()
}

fn known(estimate: Option<Estimate>, text: fn(Estimate) -> String) -> String {
    estimate.map_or("-".to_string(), text)
}

/// An Elo difference, if its bound tells anything.
fn elo(elo: Estimate) -> String {
    if tells_nothing(elo) { "too few games".to_string() } else { around(elo, 0, "") }
}

/// A value and half its interval, or its bound.
fn around(estimate: Estimate, digits: usize, unit: &str) -> String {
    match estimate {
        Estimate::Between { value, low, high } => format!("{value:.digits$}{unit} ± {:.digits$}", (high - low) / 2.0),
        Estimate::AtLeast { low, .. } => format!("≥ {low:.digits$}{unit}"),
        Estimate::AtMost { high, .. } => format!("≤ {high:.digits$}{unit}"),
        Estimate::Unknown { .. } => "-".to_string(),
    }
}

/// A ratio and both ends of its interval, which is not symmetric.
fn ratio(estimate: Estimate) -> String {
    // Three digits tell any two ratios apart.
    let digits = |value: f64| if value >= 10.0 { 0 } else { 2 };
    match estimate {
        Estimate::Between { value, low, high } => {
            let digits = digits(high);
            format!("{value:.digits$} ({low:.digits$} to {high:.digits$})")
        }
        Estimate::AtLeast { low: bound, .. } | Estimate::AtMost { high: bound, .. } => {
            around(estimate, digits(bound), "")
        }
        Estimate::Unknown { .. } => "-".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_has_both_ends_and_a_bound_its_side() {
        assert_eq!(ratio(Estimate::Between { value: 1.7, low: 1.3, high: 2.4 }), "1.70 (1.30 to 2.40)");
        assert_eq!(ratio(Estimate::Between { value: 57.2, low: 40.0, high: 64.4 }), "57 (40 to 64)");
        assert_eq!(ratio(Estimate::AtMost { high: 0.125, why: "" }), "≤ 0.12");
        assert_eq!(elo(Estimate::AtLeast { low: 182.4, why: "" }), "≥ 182");
        assert_eq!(elo(Estimate::AtLeast { low: -511.5, why: "" }), "too few games");
    }
}
