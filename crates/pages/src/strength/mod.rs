//! The files of a measurement of strength: a page, plots, CSV and JSON.

mod csv;
mod plot;

use boughs_arena::statistics::{Estimate, tells_nothing};
use boughs_lab::strength::{Kind, StrengthReport, StrengthRow};
use maud::{Markup, html};

use crate::document::{MeasurementPage, table};
use crate::text::unbroken;
use crate::{File, PageError, Plot};

/// The names of all files that a measurement may have.
pub const NAMES: [&str; 11] = [
    "strength.csv",
    "strength.json",
    "strength.html",
    "price-win-rate.svg",
    "price-speed-up.svg",
    "gain-win-rate.svg",
    "gain-speed-up.svg",
    "workers-win-rate.svg",
    "workers-speed-up.svg",
    "ranks-win-rate.svg",
    "ranks-speed-up.svg",
];

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
        title: &format!("Strength of {} by {}", report.game, sizes(report)),
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

/// The sizes that a report compares.
fn sizes(report: &StrengthReport) -> &'static str {
    let has = |kind| report.rows_of(kind).next().is_some();
    let has_threads = has(Kind::Price) || has(Kind::Gain) || has(Kind::Workers);
    match (has_threads, has(Kind::Ranks)) {
        (false, true) => "ranks",
        (true, true) => "threads and ranks",
        (_, false) => "threads",
    }
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
        unbroken(&row.limit),
        row.games.count().to_string(),
        percent(row.share),
        if tells_nothing(row.elo) { unbroken("too few games") } else { interval(row.elo, 0) },
        known(row.optimal.map(percent)),
        known(row.equal_to.map(|times| interval(times, 2))),
        known(row.speed_up.map(|times| interval(times, 2))),
        known(row.games_more.map(|more| more.to_string())),
    ]
}

/// Writes a value with both ends of its interval, which need not be symmetric.
fn interval(estimate: Estimate, digits: usize) -> String {
    match estimate {
        Estimate::Between { value, low, high } => {
            // A narrow column breaks before its interval only.
            format!("{value:.digits$} {}", unbroken(&format!("({low:.digits$} to {high:.digits$})")))
        }
        Estimate::AtLeast { low, .. } => unbroken(&format!("≥ {low:.digits$}")),
        Estimate::AtMost { high, .. } => unbroken(&format!("≤ {high:.digits$}")),
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
    fn the_rows_of_the_handicap_curve_have_their_numbers() {
        let mut store = Store::in_memory().unwrap();
        let plan = StrengthPlan { threads: vec![1], workers: Vec::new(), games: 200, ..plan() };
        make_up(&mut store, &plan, Config::Alone { times: 2.0 }, [60, 30, 10]);
        make_up(&mut store, &plan, Config::Alone { times: 0.5 }, [0, 0, 100]);
        let report = StrengthExperiment::new(plan, &mut store, replay).unwrap().report(false);
        let page = page(&report, &[]);
        // 75 % of the points are 400 log10 3 Elo. Of 100 pairs that were all lost, 1 - 0.05^(1/100) may be won.
        for cells in [
            ["size\">2<", "games\">200<", "win rate, %\">75.0 (", "Elo\">191 ("],
            ["size\">0.5<", "games\">200<", "win rate, %\">0.0 (0.0\u{a0}to\u{a0}3.0)", "Elo\">≤\u{a0}-607<"],
        ] {
            let is_row = |row: &&str| cells.iter().all(|cell| row.contains(&format!("data-title=\"{cell}")));
            assert_eq!(page.split("<tr>").filter(is_row).count(), 1, "{cells:?} {page}");
        }
    }

    #[test]
    fn a_bound_that_tells_nothing_is_no_number() {
        let mut store = Store::in_memory().unwrap();
        let plan = StrengthPlan { threads: vec![1], workers: Vec::new(), games: 2, ..plan() };
        make_up(&mut store, &plan, Config::Alone { times: 2.0 }, [1, 0, 0]);
        let page = page(&StrengthExperiment::new(plan, &mut store, replay).unwrap().report(false), &[]);
        assert!(page.contains("Elo\">too\u{a0}few\u{a0}games<"), "{page}");
    }

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

    #[test]
    fn ranks_have_a_table_a_title_and_plots_of_their_own() {
        let mut store = Store::in_memory().unwrap();
        let ranks = StrengthPlan { threads: vec![], workers: vec![], ranks: vec![8], games: 200, ..plan() };
        let both = StrengthPlan { workers: vec![4], ..ranks.clone() };
        make_up(&mut store, &ranks, Config::Ranks { ranks: 8 }, [45, 50, 5]);
        make_up(&mut store, &ranks, Config::Alone { times: 2.0 }, [45, 50, 5]);
        make_up(&mut store, &ranks, Config::Alone { times: 8.0 }, [90, 10, 0]);
        let [ranks, both] =
            [ranks, both].map(|plan| StrengthExperiment::new(plan, &mut store, replay).unwrap().report(false));
        assert_eq!([sizes(&ranks), sizes(&both)], ["ranks", "threads and ranks"]);
        let files = files(&ranks).unwrap();
        let read = |name: &str| &files.iter().find(|file| file.name == name).unwrap().text;
        assert!(read("strength.csv").contains("ranks,20 playouts,merging ranks,8,\"ranks:ranks=8,"), "{files:?}");
        let page = read("strength.html");
        let row = page.split("<tr>").find(|row| row.contains("size\">8<")).unwrap();
        assert!(row.contains("win rate, %\">70.0 (") && row.contains("speed-up\">2.00 ("), "{row}");
        assert!(page.contains("Strength of tictactoe by ranks") && page.contains(Kind::Ranks.title()), "{page}");
        assert!(read("ranks-win-rate.svg").contains("ranks") && read("ranks-speed-up.svg").contains("ideal"));
        assert!(files.iter().all(|file| NAMES.contains(&&*file.name)));
    }
}
