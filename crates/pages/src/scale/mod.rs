//! The files of a measurement of scaling: a page, plots, CSV and JSON.

mod csv;
mod plot;

use boughs_arena::statistics::Mean;
use boughs_lab::scale::{Fit, Law, Mode, ScaleReport};
use maud::{Markup, html};

use crate::document::{MeasurementPage, table};
use crate::text::{grouped_within, unbroken};
use crate::{File, PageError, Plot};

/// The files that cannot be made again, to be saved while a measurement goes on: `scale.csv` and `scale.json`.
///
/// # Errors
/// If the report cannot be written as JSON.
pub fn data_files(report: &ScaleReport) -> Result<Vec<File>, PageError> {
    Ok(vec![File::new("scale.csv", csv::csv(&report.runs)), File::json("scale.json", report)?])
}

/// The names of all files of a measurement.
pub const NAMES: [&str; 6] =
    ["scale.csv", "scale.json", "scale.html", "throughput.svg", "speedup.svg", "efficiency.svg"];

/// All files of a measurement: those of [`data_files`], `scale.html`, and the plots.
///
/// # Errors
/// If the report cannot be written as JSON, or a plot cannot be drawn.
pub fn files(report: &ScaleReport) -> Result<Vec<File>, PageError> {
    let plots = plot::plots(report)?;
    let mut files = data_files(report)?;
    files.push(File::new("scale.html", page(report, &plots)));
    files.extend(plots.into_iter().map(File::svg));
    Ok(files)
}

/// The page of a report and its plots.
fn page(report: &ScaleReport, plots: &[Plot]) -> String {
    let page = MeasurementPage {
        title: &format!("Scaling of {}", report.game),
        method: &report.method(),
        command: &report.command,
        warnings: &report.warnings,
        plots,
        legend: "Bars are intervals of 95 % confidence. Hollow signs are of runs that do not count. Threads, \
                 throughput and speed-up have logarithmic axes.",
        tables: tables(report),
    };
    page.into_text()
}

fn tables(report: &ScaleReport) -> Markup {
    html! {
        h2 { "All configurations" }
        (configurations(report))
        h2 { "The universal scalability law" }
        p {
            "N cores do λN / (1 + σ(N−1) + κN(N−1)) playouts a second: σ is the share of the work that cannot be \
             divided, κ the cost of agreement between each pair of cores."
        }
        @for law in &report.laws { @if let Some(fit) = &law.fit { (self::law(law.mode, fit)) } }
        @for (reason, modes) in Law::reasons(&report.laws) {
            p { (modes.join(", ")) ": no fit, because " (reason) "." }
        }
    }
}

fn configurations(report: &ScaleReport) -> Markup {
    const TITLES: [&str; 7] = ["mode", "threads", "playouts/s", "speed-up", "efficiency", "cores busy", "runs counted"];
    let known = |mean: Option<Mean>, text: fn(Mean) -> String| mean.map_or("-".to_string(), text);
    let rows: Vec<Vec<String>> = report
        .rows
        .iter()
        .map(|row| {
            vec![
                row.mode.name().to_string(),
                row.threads.to_string(),
                unbroken(&grouped_within(&format!("{:.0}", row.playouts_per_second))),
                known(row.speed_up, |mean| unbroken(&format!("{mean:.2}"))),
                known(row.efficiency, |mean| unbroken(&format!("{:.1} %", mean.times(100.0)))),
                row.cores_busy.map_or("-".to_string(), |busy| format!("{busy:.2}")),
                format!("{} of {}", row.counted, row.runs),
            ]
        })
        .collect();
    table(&TITLES, &rows)
}

/// The law of a mode with its predictions.
fn law(mode: Mode, fit: &Fit) -> Markup {
    let mode = mode.name();
    let rows: Vec<Vec<String>> = fit
        .predictions
        .iter()
        .map(|prediction| {
            let speed = grouped_within(&format!("{:.0}", prediction.playouts_per_second));
            vec![prediction.cores.to_string(), speed, format!("{:.2}", prediction.speed_up)]
        })
        .collect();
    html! {
        p { (mode) ": " (fit) }
        (table(&["cores, predicted", "playouts/s", "speed-up"], &rows))
    }
}

#[cfg(test)]
mod tests {
    use boughs_lab::scale::synthetic::synthetic;

    use super::*;

    #[test]
    fn the_page_loads_nothing_and_runs_nothing() {
        let report = synthetic(&[1, 2, 4, 8], 8, 3);
        let page = page(&report, &plot::plots(&report).unwrap());
        assert_eq!(page.matches("<svg").count(), 2 * 3, "each plot for a wide and for a narrow page");
        let loads = page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "");
        for part in ["http", "<script", "src=", "href=", "url(", "@import"] {
            assert!(!loads.contains(part), "{part}");
        }
        assert!(!page.contains("NaN"));
    }

    #[test]
    fn the_page_has_warnings_and_reasons_in_its_own_words() {
        let report = synthetic(&[1, 2, 4], 2, 3);
        let page = page(&report, &[]);
        assert!(
            page.contains("class=\"warning\">more threads than the 2 cores") && page.contains("shared, roof: no fit")
        );
        assert!(page.contains("boughs scale &lt;synthetic&gt;") && !page.contains("<synthetic>"));
    }

    #[test]
    fn the_numbers_of_the_table_are_those_of_the_rows() {
        let mut report = synthetic(&[1, 2, 4, 8], 4, 3);
        report.rows.truncate(3);
        let page = page(&report, &[]);
        for row in &report.rows {
            let efficiency = 100.0 * row.efficiency.unwrap().value().unwrap();
            let cells = [
                format!(">{}</td>", row.threads),
                format!(">{:.2}\u{a0}±", row.speed_up.unwrap().value().unwrap()),
                format!(">{efficiency:.1}\u{a0}±\u{a0}{:.1}\u{a0}%", 100.0 * row.efficiency.unwrap().error().unwrap()),
            ];
            for cell in cells {
                assert!(page.contains(&cell), "{cell} {page}");
            }
        }
    }

    #[test]
    fn predictions_are_called_predictions() {
        let page = page(&synthetic(&[1, 2, 4, 8], 8, 3), &[]);
        assert!(page.contains("cores, predicted") && page.contains(">256</td>"));
    }

    #[test]
    fn data_are_saved_without_the_page_and_with_it() {
        let report = synthetic(&[1, 2], 2, 1);
        let names = |files: Vec<File>| files.into_iter().map(|file| file.name).collect::<Vec<_>>();
        assert_eq!(names(data_files(&report).unwrap()), ["scale.csv", "scale.json"]);
        assert_eq!(
            names(files(&report).unwrap()),
            ["scale.csv", "scale.json", "scale.html", "throughput.svg", "speedup.svg", "efficiency.svg"]
        );
    }
}
