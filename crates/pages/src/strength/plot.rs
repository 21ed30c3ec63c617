//! The plots of a measurement of strength: win rate and strength speed-up, by threads, by workers and by ranks.

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

const PLOTS: [Shown; 4] = [
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
    (
        Kind::Ranks,
        "ranks",
        ["Win rate against one rank at equal playouts of each", "Strength speed-up of ranks"],
        ["ranks-win-rate", "ranks-speed-up"],
    ),
];

fn win_rate(report: &StrengthReport, kind: Kind, title: &'static str, x_label: &'static str) -> Chart {
    let series = series(report, kind, &|row| Some(row.share.times(100.0)), 100.0);
    let most = most_size(&series);
    let guide = Some(Guide { name: "equally strong", line: vec![(1.0, 50.0), (most, 50.0)] });
    let (x, y) = (sizes(&series), Axis::linear(100.0));
    let if_empty = "No pair of games is complete.";
    Chart { title, x_label, y_label: "win rate, %", x, y, series, guide, if_empty }
}

fn speed_up(report: &StrengthReport, kind: Kind, title: &'static str, x_label: &'static str) -> Chart {
    let highest = report.rows_of(kind).filter_map(|row| row.speed_up).map(|speed_up| ends(speed_up).1);
    let highest = highest.filter(|high| high.is_finite()).fold(1.0, f64::max);
    let series = series(report, kind, &|row| row.speed_up, highest);
    let most = most_size(&series);
    let least = series.iter().flat_map(|series| &series.points).map(|point| point.low).filter(|&low| low > 0.0);
    let y = Axis::logarithmic(least.fold(1.0, f64::min), highest.max(most));
    let guide = Some(Guide { name: "ideal", line: vec![(1.0, 1.0), (most, most)] });
    let if_empty = "No speed-up is known: none of the strengths lies within the yardstick. Play more games.";
    Chart { title, x_label, y_label: "strength speed-up", x: sizes(&series), y, series, guide, if_empty }
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
    Axis::logarithmic(1.0, most_size(series)).labelled(sizes.chain([1.0]))
}

#[cfg(test)]
mod tests {
    use boughs::InFlight;
    use boughs_arena::Store;
    use boughs_lab::scale::Mode;
    use boughs_lab::strength::synthetic::{make_up, plan, replay};
    use boughs_lab::strength::{Config, StrengthExperiment, StrengthPlan};

    use super::*;
    use crate::chart::reading::{Read, Reading, Scale};

    fn report() -> StrengthReport {
        let mut store = Store::in_memory().unwrap();
        let plan = StrengthPlan { threads: vec![1, 2, 4], workers: vec![1, 4], games: 200, ..plan() };
        let threads = |threads| Config::Threads { mode: Mode::Shared, threads };
        make_up(&mut store, &plan, threads(2), [30, 40, 30]);
        make_up(&mut store, &plan, threads(4), [0, 0, 100]);
        make_up(&mut store, &plan, Config::Workers { rule: None, workers: 1 }, [20, 60, 20]);
        make_up(&mut store, &plan, Config::Workers { rule: Some(InFlight::Unobserved), workers: 4 }, [15, 60, 25]);
        for (times, pairs) in [(0.125, [0, 0, 100]), (0.25, [0, 10, 90]), (0.5, [10, 30, 60]), (2.0, [60, 30, 10])] {
            make_up(&mut store, &plan, Config::Alone { times }, pairs);
        }
        StrengthExperiment::new(plan, &mut store, replay).unwrap().report(false)
    }

    /// The value of a row as it should be read in a plot that ends at `most`.
    fn read(size: f64, estimate: Estimate, most: f64) -> Option<Read> {
        let value = |y, low, high: f64, is_solid| Some(Read { x: size, y, low, high: high.min(most), is_solid });
        match estimate {
            Estimate::Between { value: y, low, high } => value(y, low, high, true),
            Estimate::AtLeast { low, .. } => value(low, low, most, false),
            Estimate::AtMost { high, .. } => value(high, 0.0, high, false),
            Estimate::Unknown { .. } => None,
        }
    }

    #[test]
    fn every_win_rate_and_every_bound_stands_at_its_number() {
        let report = report();
        let plots = plots(&report).unwrap();
        let named = |name: &str| plots.iter().find(|plot| plot.name == name).unwrap();
        let rows: Vec<&StrengthRow> = report.rows_of(Kind::Price).collect();
        let rates: Vec<Read> = rows.iter().filter_map(|row| read(row.size, row.share.times(100.0), 100.0)).collect();
        assert_eq!((rates.len(), rates[0].y, rates[1].y), (2, 50.0, 0.0));
        let speed_ups = rows.iter().filter_map(|row| row.speed_up);
        let highest = speed_ups.filter_map(|speed_up| match speed_up {
            Estimate::Between { high, .. } | Estimate::AtMost { high, .. } => Some(high),
            _ => None,
        });
        let most = highest.fold(1.0, f64::max);
        let speed_ups: Vec<Read> = rows.iter().filter_map(|row| read(row.size, row.speed_up?, most)).collect();
        assert!(speed_ups.iter().any(|value| value.is_solid) && speed_ups.iter().any(|value| !value.is_solid));
        for (plot, scale, values) in [
            (named("price-win-rate"), Scale::Linear, &rates),
            (named("price-speed-up"), Scale::Logarithmic, &speed_ups),
        ] {
            for svg in [&plot.svg, &plot.narrow] {
                let reading = Reading::of(svg, Scale::Logarithmic, scale);
                reading.assert_values(Look::BLUE, values);
            }
        }
    }

    #[test]
    fn labels_differ_over_fifteen_orders_of_magnitude() {
        for size in (-7..=8).map(|order| 10f64.powi(order)) {
            let mut report = report();
            report.rows.iter_mut().for_each(|row| row.speed_up = row.speed_up.map(|it| it.times(size)));
            for plot in plots(&report).unwrap() {
                let y = if plot.name.ends_with("speed-up") { Scale::Logarithmic } else { Scale::Linear };
                for svg in [&plot.svg, &plot.narrow] {
                    let _ = Reading::of(svg, Scale::Logarithmic, y);
                }
            }
        }
    }

    #[test]
    fn the_series_of_every_rule_begins_with_one_worker() {
        let report = report();
        let plot = plots(&report).unwrap().into_iter().find(|plot| plot.name == "workers-win-rate").unwrap();
        let rows: Vec<&StrengthRow> = report.rows_of(Kind::Workers).collect();
        let values: Vec<Read> = rows.iter().filter_map(|row| read(row.size, row.share.times(100.0), 100.0)).collect();
        assert_eq!((values.len(), values[0].y, values[1].y), (2, 50.0, 45.0));
        let reading = Reading::of(&plot.svg, Scale::Logarithmic, Scale::Linear);
        reading.assert_values(Look::ORANGE, &values);
        reading.assert_line(Look::ORANGE, &[(1.0, 50.0), (4.0, 45.0)]);
    }

    #[test]
    fn a_plot_without_a_speed_up_says_so() {
        let mut report = report();
        let files = crate::strength::files(&report).unwrap();
        assert!(files.len() > 3 && files.iter().all(|file| crate::strength::NAMES.contains(&&*file.name)));
        report.rows.iter_mut().for_each(|row| row.speed_up = None);
        for plot in plots(&report).unwrap().iter().filter(|plot| plot.name.ends_with("speed-up")) {
            assert!(plot.svg.contains("No speed-up is known") && plot.narrow.contains("No speed-up is known"));
        }
    }
}
