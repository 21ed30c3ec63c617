//! The plots of a measurement of strength: win rate and strength speed-up, by threads and by workers.

use boughs_arena::statistics::Estimate;
use boughs_lab::strength::{ANY_RULE, Kind, StrengthReport, StrengthRow};

use crate::PageError;
use crate::chart::{Axis, Chart, Guide, Look, Plot, Point, Series};

/// Plots the win rate and the strength speed-up of each table that has rows.
///
/// # Errors
/// If the library cannot draw them.
pub(super) fn plots(report: &StrengthReport) -> Result<Vec<Plot>, PageError> {
    let mut plots = Vec::new();
    for (kind, x_label, titles, names) in PLOTS {
        if report.rows_of(kind).next().is_some() {
            plots.push(win_rate(report, kind, titles[0], x_label).draw(names[0])?);
            plots.push(speed_up(report, kind, titles[1], x_label).draw(names[1])?);
        }
    }
    Ok(plots)
}

/// The plots of a table: the table, the label of its sizes, titles, and names.
type Shown = (Kind, &'static str, [&'static str; 2], [&'static str; 2]);

const PLOTS: [Shown; 3] = [
    (
        Kind::Price,
        "threads",
        ["Win rate against one thread at equal playouts", "Strength speed-up if no thread slowed another down"],
        ["price-win-rate", "price-speed-up"],
    ),
    (
        Kind::Gain,
        "threads",
        ["Win rate against one thread at equal time", "Strength speed-up at equal time"],
        ["gain-win-rate", "gain-speed-up"],
    ),
    (
        Kind::Workers,
        "workers",
        ["Win rate against one worker at equal playouts", "Strength speed-up of ideal workers"],
        ["workers-win-rate", "workers-speed-up"],
    ),
];

fn win_rate(report: &StrengthReport, kind: Kind, title: &'static str, x_label: &'static str) -> Chart {
    let series = series(report, kind, &|row| Some(row.share.times(100.0)), 100.0);
    let most = most_size(&series);
    let guide = Some(Guide { name: "equally strong", line: vec![(1.0, 50.0), (most, 50.0)] });
    let (x, y) = (sizes(&series), Axis::linear(100.0));
    Chart { title, x_label, y_label: "win rate, %", x, y, series, guide }
}

fn speed_up(report: &StrengthReport, kind: Kind, title: &'static str, x_label: &'static str) -> Chart {
    let highest = report.rows_of(kind).filter_map(|row| row.speed_up).map(|speed_up| ends(speed_up).1);
    let highest = highest.filter(|high| high.is_finite()).fold(1.0, f64::max);
    let series = series(report, kind, &|row| row.speed_up, highest);
    let most = most_size(&series);
    let least = series.iter().flat_map(|series| &series.points).map(|point| point.low).filter(|&low| low > 0.0);
    let y = Axis::logarithmic(least.fold(1.0, f64::min), highest.max(most));
    let guide = Some(Guide { name: "ideal", line: vec![(1.0, 1.0), (most, most)] });
    Chart { title, x_label, y_label: "strength speed-up", x: sizes(&series), y, series, guide }
}

/// The ends of an interval; a missing end is 0 or infinity.
fn ends(estimate: Estimate) -> (f64, f64) {
    match estimate {
        Estimate::Between { low, high, .. } => (low, high),
        Estimate::AtLeast { low, .. } => (low, f64::INFINITY),
        Estimate::AtMost { high, .. } => (0.0, high),
        Estimate::Unknown { .. } => (0.0, f64::INFINITY),
    }
}

/// The rows of a table, a series for each name. A bound without a value is hollow, and its bar goes to the end of the
/// plot.
fn series(
    report: &StrengthReport,
    kind: Kind,
    value: &dyn Fn(&StrengthRow) -> Option<Estimate>,
    most: f64,
) -> Vec<Series> {
    const LOOKS: [Look; 4] = [Look::BLUE, Look::ORANGE, Look::GREEN, Look::GREY];
    let mut series: Vec<Series> = Vec::new();
    for row in report.rows_of(kind) {
        let place = series.iter().position(|series| series.name == row.name).unwrap_or_else(|| {
            series.push(Series::of(&row.name, LOOKS[series.len() % LOOKS.len()], Vec::new()));
            series.len() - 1
        });
        let Some(estimate) = value(row) else { continue };
        let (low, high) = ends(estimate);
        let bound = match estimate {
            Estimate::Between { value, .. } => Some((value, true)),
            Estimate::AtLeast { low, .. } => Some((low, false)),
            Estimate::AtMost { high, .. } => Some((high, false)),
            Estimate::Unknown { .. } => None,
        };
        if let Some((y, is_solid)) = bound {
            series[place].points.push(Point { x: row.size, y, low, high: high.min(most), is_solid });
        }
    }
    begin_with_one_worker(&mut series);
    series.into_iter().map(|Series { name, look, points, .. }| Series::of(name, look, points)).collect()
}

/// Begins the series of every rule with the point of one worker, for which all rules are the same.
fn begin_with_one_worker(series: &mut Vec<Series>) {
    let Some(place) = series.iter().position(|series| series.name == ANY_RULE).filter(|_| series.len() > 1) else {
        return;
    };
    let one = series.remove(place);
    for series in series {
        series.points.splice(..0, one.points.iter().copied());
    }
}

fn most_size(series: &[Series]) -> f64 {
    series.iter().flat_map(|series| &series.points).map(|point| point.x).fold(1.0, f64::max)
}

fn sizes(series: &[Series]) -> Axis {
    let sizes = series.iter().flat_map(|series| &series.points).map(|point| point.x);
    Axis::logarithmic(1.0, most_size(series)).labelled(sizes)
}
