//! The files of a measurement of strength: a page, plots, CSV and JSON.

mod csv;
mod plot;

use boughs_arena::statistics::Estimate;
use boughs_lab::strength::{Kind, StrengthReport, StrengthRow};
use maud::{Markup, html};

use crate::document::{MeasurementPage, table};
use crate::{File, PageError, Plot};

/// All files of a measurement: `strength.csv`, `strength.json`, `strength.html`, and the plots.
///
/// # Errors
/// If the report cannot be written as JSON, or a plot cannot be drawn.
pub fn files(report: &StrengthReport) -> Result<Vec<File>, PageError> {
    let plots = plot::plots(report)?;
    let mut files = vec![
        File::new("strength.csv", csv::csv(report)),
        File::json("strength.json", report)?,
        File::new("strength.html", page(report, &plots)),
    ];
    files.extend(plots.into_iter().map(File::svg));
    Ok(files)
}

/// The page of a report and its plots.
fn page(report: &StrengthReport, plots: &[Plot]) -> String {
    let page = MeasurementPage {
        title: &format!("Strength of {} by threads", report.game),
        method: &report.method(),
        command: &report.command,
        warnings: &report.warnings,
        plots,
        legend: "Bars are intervals of 95 % confidence. Hollow signs are bounds: the bar goes on beyond the plot.",
        tables: html! {
            @for kind in Kind::ALL {
                @if report.rows_of(kind).next().is_some() {
                    h2 { (kind.title()) }
                    (rows(report, kind))
                }
            }
        },
    };
    page.into_text()
}

/// The rows of a table. Columns without any value are left out.
fn rows(report: &StrengthReport, kind: Kind) -> Markup {
    const TITLES: [&str; 10] =
        ["", "size", "limit", "games", "win rate, %", "Elo", "optimal, %", "needs", "speed-up", "games more"];
    let rows: Vec<[String; 10]> = report.rows_of(kind).map(cells).collect();
    let is_used = |column: &usize| rows.iter().any(|row| row[*column] != NOTHING);
    let used: Vec<usize> = (0..TITLES.len()).filter(is_used).collect();
    let titles: Vec<&str> = used.iter().map(|&column| TITLES[column]).collect();
    let cells: Vec<Vec<&str>> =
        rows.iter().map(|row| used.iter().map(|&column| row[column].as_str()).collect()).collect();
    table(&titles, &cells)
}

const NOTHING: &str = "-";

fn cells(row: &StrengthRow) -> [String; 10] {
    let percent = |share: Estimate| interval(share.times(100.0), 1);
    let known = |estimate: Option<String>| estimate.unwrap_or(NOTHING.to_string());
    [
        row.name.clone(),
        row.size.to_string(),
        row.limit.clone(),
        row.games.count().to_string(),
        percent(row.share),
        interval(row.elo, 0),
        known(row.optimal.map(percent)),
        known(row.equal_to.map(|times| interval(times, 2))),
        known(row.speed_up.map(|times| interval(times, 2))),
        known(row.games_more.map(|more| more.to_string())),
    ]
}

/// Writes a value with both ends of its interval, which need not be symmetric.
fn interval(estimate: Estimate, digits: usize) -> String {
    match estimate {
        Estimate::Between { value, low, high } => format!("{value:.digits$} ({low:.digits$} to {high:.digits$})"),
        Estimate::AtLeast { low, .. } => format!("≥ {low:.digits$}"),
        Estimate::AtMost { high, .. } => format!("≤ {high:.digits$}"),
        Estimate::Unknown { .. } => NOTHING.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use boughs::InFlight;
    use boughs_arena::Store;
    use boughs_lab::scale::Mode;
    use boughs_lab::strength::synthetic::{make_up, plan, replay};
    use boughs_lab::strength::{Config, StrengthExperiment, StrengthPlan};

    use super::*;

    #[test]
    fn a_report_has_all_its_numbers_in_the_page_and_the_csv() {
        let mut store = Store::in_memory().unwrap();
        let plan = StrengthPlan { threads: vec![1, 2], workers: vec![1, 4], games: 200, ..plan() };
        let unobserved = Some(InFlight::Unobserved);
        make_up(&mut store, &plan, Config::Workers { rule: None, workers: 1 }, [20, 60, 20]);
        make_up(&mut store, &plan, Config::Workers { rule: unobserved, workers: 4 }, [15, 60, 25]);
        make_up(&mut store, &plan, Config::Threads { mode: Mode::Shared, threads: 2 }, [0, 0, 100]);
        let report = StrengthExperiment::new(plan, &mut store, replay).unwrap().report(false);
        let plots = plot::plots(&report).unwrap();
        assert_eq!(plots.len(), 4);
        let page = page(&report, &plots);
        assert!(page.contains("45.0 (") && page.contains("WU-UCT") && page.contains("&lt;made up&gt;"), "{page}");
        for text in [page, csv::csv(&report)] {
            assert!(!text.contains("NaN") && !text.contains("inf,") && !text.contains("inf "), "{text}");
        }
        assert_eq!(files(&report).unwrap().len(), 3 + 4);
    }
}
