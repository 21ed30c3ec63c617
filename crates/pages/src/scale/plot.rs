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
    }
}

/// The speed-up with the ideal and the fitted laws.
fn speed_up(report: &ScaleReport) -> Chart {
    let mut series = series(report, &|row| row.speed_up);
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
    Chart { title: "Speed-up over one thread", x_label: "threads", y_label: "speed-up", x, y, series, guide }
}

fn efficiency(report: &ScaleReport) -> Chart {
    let series = series(report, &|row| row.efficiency.map(|share| share.times(100.0)));
    Chart {
        title: "Efficiency: speed-up for each thread",
        x_label: "threads",
        y_label: "%",
        x: threads(&series),
        y: Axis::linear(most(&series)),
        series,
        guide: None,
    }
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

    fn drawn(report: &ScaleReport) -> Vec<Plot> {
        plots(report).unwrap()
    }

    #[test]
    fn plots_are_svg_with_every_mode_and_number_of_threads() {
        let report = synthetic(&[1, 2, 4], 4, 3);
        let found = drawn(&report);
        assert_eq!(found.iter().map(|plot| plot.name).collect::<Vec<_>>(), ["throughput", "speedup", "efficiency"]);
        for Plot { name, svg } in found {
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
