//! The plots of a measurement of scaling.

use boughs_arena::statistics::Mean;
use boughs_lab::scale::{Fit, Mode, ScaleReport, ScaleRow};

use crate::PageError;
use crate::chart::{Axis, Chart, Curve, Guide, Look, Plot, Point, Series};

/// Plots throughput, speed-up and efficiency by the number of threads.
///
/// # Errors
/// If the library cannot draw them.
pub(super) fn plots(report: &ScaleReport) -> Result<Vec<Plot>, PageError> {
    let fastest = report.rows.iter().map(|row| row.playouts_per_second.range().1).fold(0.0, f64::max);
    let (unit, speed_label) = match fastest {
        1e6.. => (1e-6, "million playouts a second"),
        1e3.. => (1e-3, "thousand playouts a second"),
        _ => (1.0, "playouts a second"),
    };
    Ok(vec![
        throughput(report, unit, speed_label).draw("throughput")?,
        speed_up(report).draw("speedup")?,
        efficiency(report).draw("efficiency")?,
    ])
}

fn throughput(report: &ScaleReport, unit: f64, y_label: &'static str) -> Chart {
    let series = series(report, &|row| Some(row.playouts_per_second.times(unit)));
    let most = most(&series);
    Chart {
        title: "Throughput",
        x_label: "threads",
        y_label,
        x: threads(&series),
        y: Axis::logarithmic(values(&series).fold(most.max(1.0), f64::min), most),
        series,
        guide: None,
        if_empty: "No run is complete.",
    }
}

/// The reason why a plot of speed-ups is empty.
const NO_SPEED_UP: &str = "No speed-up is claimed: in no round did the run with one thread and one with more threads \
                           both get a core for each thread.";

/// The speed-up with the ideal and the fitted laws.
fn speed_up(report: &ScaleReport) -> Chart {
    let mut series = if claims(report) { series(report, &|row| row.speed_up) } else { Vec::new() };
    let laws = || report.laws.iter().filter_map(|law| law.fit.as_ref());
    let predicted_to = laws().flat_map(|law| &law.predictions).map(|prediction| prediction.cores as f64);
    let most_threads = xs(&series).chain(predicted_to.clone()).fold(1.0, f64::max);
    let x = Axis::logarithmic(1.0, most_threads).labelled(xs(&series).chain(predicted_to));
    let measured = values(&series).fold(1.0, f64::min);
    let least = laws().map(|law| law.speed_up(most_threads)).fold(measured, f64::min);
    let y = Axis::logarithmic(least, most(&series).max(most_threads));
    for (series, law) in series.iter_mut().zip(&report.laws) {
        if let Some(law) = &law.fit {
            (series.line, series.dashed) = curves(law, most_threads);
        }
    }
    let guide = Some(Guide { name: "ideal", line: vec![(1.0, 1.0), (most_threads, most_threads)] });
    let if_empty = NO_SPEED_UP;
    Chart { title: "Speed-up over one thread", x_label: "threads", y_label: "speed-up", x, y, series, guide, if_empty }
}

fn efficiency(report: &ScaleReport) -> Chart {
    let percent = |row: &ScaleRow| row.efficiency.map(|share| share.times(100.0));
    let series = if claims(report) { series(report, &percent) } else { Vec::new() };
    Chart {
        title: "Efficiency: speed-up for each thread",
        x_label: "threads",
        y_label: "%",
        x: threads(&series),
        y: Axis::linear(most(&series)),
        series,
        guide: None,
        if_empty: NO_SPEED_UP,
    }
}

/// Returns true if a speed-up is claimed for more than one thread. That of one thread over itself says nothing.
fn claims(report: &ScaleReport) -> bool {
    report.rows.iter().any(|row| row.threads > 1 && row.speed_up.is_some())
}

/// The curve of a law within the measured range, and beyond it.
fn curves(law: &Fit, most_threads: f64) -> (Curve, Curve) {
    let known = law.measured_to as f64;
    // Enough steps to look smooth.
    let curve = |from: f64, to: f64| (0..=60).map(move |step| from * (to / from).powf(f64::from(step) / 60.0));
    let at = |cores| (cores, law.speed_up(cores));
    (curve(1.0, known).map(at).collect(), curve(known, most_threads).map(at).collect())
}

/// The look of a mode in every plot.
fn look(mode: Mode) -> Look {
    match mode {
        Mode::Shared => Look::BLUE,
        Mode::Independent => Look::ORANGE,
        Mode::Batched => Look::GREEN,
        Mode::NoTree => Look::GREY,
    }
}

/// The rows of each mode as a series.
fn series(report: &ScaleReport, value: &dyn Fn(&ScaleRow) -> Option<Mean>) -> Vec<Series> {
    let point = |row: &ScaleRow| {
        let value = value(row)?;
        let (low, high) = value.range();
        Some(Point { x: row.threads as f64, y: value.value()?, low, high, is_solid: row.counted > 0 })
    };
    let of_mode = |mode: Mode| Series::of(mode.name(), look(mode), report.rows_of(mode).filter_map(point).collect());
    report.laws.iter().map(|law| of_mode(law.mode)).collect()
}

fn points(series: &[Series]) -> impl Iterator<Item = &Point> {
    series.iter().flat_map(|series| &series.points)
}

fn xs(series: &[Series]) -> impl Iterator<Item = f64> {
    points(series).map(|point| point.x)
}

fn values(series: &[Series]) -> impl Iterator<Item = f64> {
    points(series).map(|point| point.y)
}

fn most(series: &[Series]) -> f64 {
    points(series).map(|point| point.high).fold(0.0, f64::max)
}

fn threads(series: &[Series]) -> Axis {
    Axis::logarithmic(1.0, xs(series).fold(1.0, f64::max)).labelled(xs(series))
}

#[cfg(test)]
mod tests {
    use boughs_lab::scale::synthetic::synthetic;

    use super::*;
    use crate::chart::reading::{Read, Reading, Scale};

    /// Asserts that a plot has the mean and the interval of each row, at its number of threads, in both sizes.
    fn assert_rows(report: &ScaleReport, plot: &Plot, y: Scale, mean: &dyn Fn(&ScaleRow) -> Option<Mean>) {
        for svg in [&plot.svg, &plot.narrow] {
            let reading = Reading::of(svg, Scale::Logarithmic, y);
            for mode in [Mode::Shared, Mode::NoTree] {
                let read = |row: &ScaleRow| {
                    let (mean, error) = (mean(row)?.value()?, mean(row)?.error()?);
                    let is_solid = row.counted > 0;
                    Some(Read { x: row.threads as f64, y: mean, low: mean - error, high: mean + error, is_solid })
                };
                let values: Vec<Read> = report.rows_of(mode).filter_map(read).collect();
                assert!(!values.is_empty());
                reading.assert_values(look(mode), &values);
            }
        }
    }

    #[test]
    fn every_value_stands_at_its_number_and_its_threads() {
        // With four cores the rows of eight threads do not count: they are hollow, and have no speed-up.
        for (threads, cores) in [(&[1, 2, 4, 8][..], 8), (&[1, 2, 4, 8], 4), (&[1, 3, 48], 64)] {
            let report = synthetic(threads, cores, 5);
            let plots = drawn(&report);
            assert_rows(&report, &plots[0], Scale::Logarithmic, &|row| Some(row.playouts_per_second.times(1e-6)));
            assert_rows(&report, &plots[1], Scale::Logarithmic, &|row| row.speed_up);
            assert_rows(&report, &plots[2], Scale::Linear, &|row| row.efficiency.map(|mean| mean.times(100.0)));
        }
    }

    #[test]
    fn labels_differ_over_fifteen_orders_of_magnitude() {
        for size in (-7..=8).map(|order| 10f64.powi(order)) {
            let mut report = synthetic(&[1, 2, 4, 8], 8, 3);
            for row in &mut report.rows {
                row.playouts_per_second = row.playouts_per_second.times(size);
                (row.speed_up, row.efficiency) =
                    (row.speed_up.map(|mean| mean.times(size)), row.efficiency.map(|mean| mean.times(size)));
            }
            for (plot, y) in drawn(&report).iter().zip([Scale::Logarithmic, Scale::Logarithmic, Scale::Linear]) {
                for svg in [&plot.svg, &plot.narrow] {
                    let _ = Reading::of(svg, Scale::Logarithmic, y);
                }
            }
        }
    }

    #[test]
    fn the_line_of_a_law_is_its_formula() {
        let report = synthetic(&[1, 2, 4, 8], 8, 3);
        let fit = report.laws[0].fit.as_ref().unwrap();
        let line: Vec<(f64, f64)> = (0..=60)
            .map(|step| 8f64.powf(f64::from(step) / 60.0))
            .map(|n| (n, n / (1.0 + fit.sigma * (n - 1.0) + fit.kappa * n * (n - 1.0))))
            .collect();
        let svg = drawn(&report).remove(1).svg;
        Reading::of(&svg, Scale::Logarithmic, Scale::Logarithmic).assert_line(look(Mode::Shared), &line);
    }

    #[test]
    fn predictions_are_dashes_on_the_formula_from_the_last_measurement_on() {
        let report = synthetic(&[1, 2, 4, 8], 8, 3);
        let fit = report.laws[0].fit.as_ref().unwrap();
        let most = fit.predictions.iter().map(|prediction| prediction.cores).max().unwrap() as f64;
        let line: Vec<(f64, f64)> = (0..=200)
            .map(|step| 8.0 * (most / 8.0).powf(f64::from(step) / 200.0))
            .map(|n| (n, n / (1.0 + fit.sigma * (n - 1.0) + fit.kappa * n * (n - 1.0))))
            .collect();
        let plot = drawn(&report).remove(1);
        for svg in [&plot.svg, &plot.narrow] {
            Reading::of(svg, Scale::Logarithmic, Scale::Logarithmic).assert_dashes(look(Mode::Shared), &line);
        }
    }

    #[test]
    fn a_plot_without_a_speed_up_says_why() {
        let mut report = synthetic(&[1, 2, 4], 4, 3);
        for row in report.rows.iter_mut().filter(|row| row.threads > 1) {
            (row.counted, row.speed_up, row.efficiency) = (0, None, None);
        }
        for plot in &drawn(&report)[1..] {
            for svg in [&plot.svg, &plot.narrow] {
                assert!(svg.contains("No speed-up is claimed") && !svg.contains("<circle"), "{svg}");
            }
        }
    }

    fn drawn(report: &ScaleReport) -> Vec<Plot> {
        plots(report).unwrap()
    }

    #[test]
    fn plots_are_svg_with_every_mode_and_number_of_threads() {
        let report = synthetic(&[1, 2, 4], 4, 3);
        assert!(crate::scale::files(&report).unwrap().iter().map(|file| &*file.name).eq(crate::scale::NAMES));
        let found = drawn(&report);
        assert_eq!(found.iter().map(|plot| plot.name).collect::<Vec<_>>(), ["throughput", "speedup", "efficiency"]);
        for Plot { name, svg, .. } in found {
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
            for text in ["shared", "roof", "threads", "\n1\n", "\n2\n", "\n4\n"] {
                assert!(svg.contains(text), "no {text:?} in {name}: {svg}");
            }
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
        }
    }

    #[test]
    fn laws_are_drawn_where_they_were_fitted() {
        let speed_up = |threads: &[usize]| drawn(&synthetic(threads, 16, 3)).remove(1).svg;
        assert!(speed_up(&[1, 2, 4, 16]).contains("predicted") && speed_up(&[1, 2, 4, 16]).contains("\n256\n"));
        assert!(!speed_up(&[1, 2, 4]).contains("predicted"));
    }

    #[test]
    fn measurements_without_a_claim_can_be_drawn() {
        let mut report = synthetic(&[1, 2], 2, 1);
        for row in &mut report.rows {
            (row.counted, row.speed_up, row.efficiency) = (0, None, None);
        }
        assert_eq!(drawn(&report).len(), 3);
        report.rows.clear();
        assert_eq!(drawn(&report).len(), 3);
    }
}
