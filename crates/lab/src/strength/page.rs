//! A measurement of strength as a page: everything in one file that loads nothing, in light or dark.

use std::fmt::Write;

use boughs_arena::statistics::Estimate;

use super::{Kind, Line, Report};
use crate::chart::Plot;
use crate::html::{self, escape, row};

/// The page of a report and its plots.
pub fn html(report: &Report, plots: &[Plot]) -> String {
    let mut page = html::head(&format!("Strength of {} by threads", escape(&report.game)));
    for line in report.method() {
        let _ = writeln!(page, "<p>{}</p>", escape(&line));
    }
    let _ = writeln!(page, "<p><code>{}</code></p>", escape(&report.command));
    for warning in &report.warnings {
        let _ = writeln!(page, "<p class=\"warning\">{}</p>", escape(warning));
    }
    for plot in plots {
        let _ = writeln!(page, "<figure>\n{}</figure>", plot.svg);
    }
    page.push_str(
        "<p>Bars are intervals of 95 % confidence. Hollow signs are bounds: the bar goes on beyond the plot.</p>\n",
    );
    for kind in Kind::ALL {
        if report.lines_of(kind).next().is_some() {
            page.push_str(&table(report, kind));
        }
    }
    page.push_str("</html>\n");
    page
}

/// A table of the report, without columns in which nobody has anything.
fn table(report: &Report, kind: Kind) -> String {
    const TITLES: [&str; 10] =
        ["", "size", "limit", "games", "win rate, %", "Elo", "optimal, %", "needs", "speed-up", "games more"];
    let lines: Vec<[String; 10]> = report.lines_of(kind).map(cells).collect();
    let is_used = |column: &usize| lines.iter().any(|line| line[*column] != NOTHING);
    let used: Vec<usize> = (0..TITLES.len()).filter(is_used).collect();
    let mut table = format!("<h2>{}</h2>\n<table>\n", escape(kind.title()));
    table.push_str(&row("th", &used.iter().map(|&column| TITLES[column]).collect::<Vec<_>>()));
    for line in &lines {
        table.push_str(&row("td", &used.iter().map(|&column| line[column].as_str()).collect::<Vec<_>>()));
    }
    table + "</table>\n"
}

const NOTHING: &str = "-";

fn cells(line: &Line) -> [String; 10] {
    let percent = |share: Estimate| interval(share.times(100.0), 1);
    let known = |estimate: Option<String>| estimate.unwrap_or(NOTHING.to_string());
    [
        escape(&line.name),
        line.size.to_string(),
        escape(&line.limit),
        line.games.count().to_string(),
        percent(line.share),
        interval(line.elo, 0),
        known(line.optimal.map(percent)),
        known(line.equal_to.map(|times| interval(times, 2))),
        known(line.speed_up.map(|times| interval(times, 2))),
        known(line.games_more.map(|more| more.to_string())),
    ]
}

/// The value with both ends, which need not be equally far off.
fn interval(estimate: Estimate, digits: usize) -> String {
    match estimate {
        Estimate::Between { value, low, high } => format!("{value:.digits$} ({low:.digits$} to {high:.digits$})"),
        Estimate::AtLeast { low, .. } => format!("&ge; {low:.digits$}"),
        Estimate::AtMost { high, .. } => format!("&le; {high:.digits$}"),
        Estimate::Unknown { .. } => NOTHING.to_string(),
    }
}
