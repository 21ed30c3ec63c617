//! Plots of a measurement of scaling, as SVG that needs nothing else.

use std::fmt;

use plotters::coord::Shift;
use plotters::element::{DashedPathElement, ErrorBar};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::Axis;
use super::mark::{Mark, colour};
use super::{Fit, Line, Mode, Report};
use crate::estimate::Estimate;

/// A plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// What it shows, in a word.
    pub name: &'static str,
    /// Its text as SVG.
    pub svg: String,
}

/// Why there is no plot. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotError(String);

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the plots cannot be drawn: {}", self.0)
    }
}

impl std::error::Error for PlotError {}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for PlotError {
    fn from(error: DrawingAreaErrorKind<E>) -> PlotError {
        PlotError(error.to_string())
    }
}

/// All plots of a report.
///
/// # Errors
/// If the library cannot draw them.
pub fn plots(report: &Report) -> Result<Vec<Plot>, PlotError> {
    let fastest = report.lines.iter().map(|line| line.playouts_per_second.range().1).fold(0.0, f64::max);
    let (unit, speed_label) = match fastest {
        1e6.. => (1e-6, "million playouts a second"),
        1e3.. => (1e-3, "thousand playouts a second"),
        _ => (1.0, "playouts a second"),
    };
    let speeds = series(report, &|line| Some(line.playouts_per_second.times(unit)));
    let speed_ups = series(report, &|line| line.speed_up);
    let shares = series(report, &|line| line.efficiency.map(|share| share.times(100.0)));
    let charts = [
        Chart { kind: Kind::Throughput, y_label: speed_label, series: speeds },
        Chart { kind: Kind::SpeedUp, y_label: "speed-up", series: speed_ups },
        Chart { kind: Kind::Efficiency, y_label: "%", series: shares },
    ];
    charts.iter().map(|chart| Ok(Plot { name: chart.kind.name(), svg: chart.draw()? })).collect()
}

/// What a plot shows.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Throughput,
    /// With the ideal and the laws in it.
    SpeedUp,
    Efficiency,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Throughput => "throughput",
            Kind::SpeedUp => "speedup",
            Kind::Efficiency => "efficiency",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Kind::Throughput => "Throughput",
            Kind::SpeedUp => "Speed-up over one thread",
            Kind::Efficiency => "Efficiency: speed-up for each thread",
        }
    }
}

/// What a mode has in a plot.
struct Series<'r> {
    mode: Mode,
    points: Vec<Point>,
    law: Option<&'r Fit>,
}

struct Point {
    threads: f64,
    value: Estimate,
    /// Whether its runs count; a point that does not is hollow and on no line.
    counts: bool,
}

fn series<'r>(report: &'r Report, value: &dyn Fn(&Line) -> Option<Estimate>) -> Vec<Series<'r>> {
    let point =
        |line: &Line| Some(Point { threads: line.threads as f64, value: value(line)?, counts: line.counted > 0 });
    let of_mode = |mode| report.lines_of(mode).filter_map(point).collect();
    let with_law = |law: &'r super::Law| Series { mode: law.mode, points: of_mode(law.mode), law: law.fit.as_ref() };
    report.laws.iter().map(with_law).collect()
}

const SIZE: (u32, u32) = (760, 440);
/// The height of title and legend.
const HEAD: u32 = 70;
const INK: RGBColor = BLACK;
const PAPER: RGBColor = WHITE;
const FAINT: RGBColor = RGBColor(0xb4, 0xb4, 0xb4);

/// A plot on its way to SVG.
struct Chart<'r> {
    kind: Kind,
    y_label: &'static str,
    series: Vec<Series<'r>>,
}

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Context<'a, 's> = ChartContext<'a, SVGBackend<'s>, Cartesian2d<Axis, Axis>>;

impl Chart<'_> {
    fn draw(&self) -> Result<String, PlotError> {
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            area.fill(&PAPER)?;
            let (head, body) = area.split_vertically(HEAD);
            self.draw_head(&head)?;
            self.draw_body(&body)?;
            area.present()?;
        }
        Ok(svg)
    }

    /// The title, and what the lines mean.
    fn draw_head(&self, head: &Area<'_>) -> Result<(), PlotError> {
        const ROW: i32 = 50;
        let text = |size: i32| ("sans-serif", size).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
        head.draw(&Text::new(self.kind.title(), (16, 20), text(20)))?;
        let mut x = 18;
        for series in &self.series {
            let name = series.mode.name();
            head.draw(&PathElement::new([(x, ROW), (x + 20, ROW)], colour(series.mode).stroke_width(2)))?;
            head.draw(&Mark { mode: series.mode, place: (x + 10, ROW), is_solid: true })?;
            head.draw(&Text::new(name, (x + 27, ROW), text(15)))?;
            x += 50 + 8 * name.len() as i32;
        }
        if self.kind == Kind::SpeedUp {
            head.draw(&PathElement::new([(x, ROW), (x + 20, ROW)], FAINT))?;
            head.draw(&Text::new("ideal", (x + 27, ROW), text(15)))?;
        }
        if self.laws().next().is_some() {
            x += 90;
            head.draw(&DashedPathElement::new([(x, ROW), (x + 20, ROW)], 5, 4, INK))?;
            head.draw(&Text::new("predicted", (x + 27, ROW), text(15)))?;
        }
        Ok(())
    }

    fn draw_body(&self, body: &Area<'_>) -> Result<(), PlotError> {
        let mut context = ChartBuilder::on(body)
            .margin_right(24)
            .margin_bottom(8)
            .x_label_area_size(46)
            .y_label_area_size(70)
            .build_cartesian_2d(self.x_axis(), self.y_axis())?;
        let small = ("sans-serif", 14).into_font().color(&INK);
        let mut mesh = context.configure_mesh();
        mesh.disable_x_mesh().light_line_style(TRANSPARENT).bold_line_style(FAINT.mix(0.5)).axis_style(INK);
        mesh.label_style(small.clone()).axis_desc_style(small).x_desc("threads").y_desc(self.y_label).draw()?;
        if self.kind == Kind::SpeedUp {
            let ideal = [(1.0, 1.0), (self.most_threads(), self.most_threads())];
            context.draw_series(LineSeries::new(ideal, FAINT))?;
        }
        self.series.iter().try_for_each(|series| self.draw_series(&mut context, series))
    }

    fn draw_series(&self, context: &mut Context<'_, '_>, series: &Series<'_>) -> Result<(), PlotError> {
        let colour = colour(series.mode);
        match self.laws().find(|(mode, _)| *mode == series.mode) {
            Some((_, law)) => {
                let known = law.measured_to as f64;
                let curve = |from: f64, to: f64| {
                    // Enough steps to look smooth.
                    (0..=60).map(move |step| from * (to / from).powf(f64::from(step) / 60.0))
                };
                let at = |cores| (cores, law.speed_up(cores));
                context.draw_series(LineSeries::new(curve(1.0, known).map(at), colour.stroke_width(2)))?;
                let predicted = curve(known, self.most_threads()).map(at);
                context.draw_series(DashedLineSeries::new(predicted, 5, 4, colour.stroke_width(1)))?;
            }
            None => {
                let line = series.points.iter().filter(|point| point.counts);
                let line = line.map(|point| (point.threads, point.value.mean));
                context.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
            }
        }
        for &Point { threads, value, counts } in &series.points {
            let (low, high) = value.range();
            let bar = ErrorBar::new_vertical(threads, low, value.mean, high, colour.stroke_width(1), 10);
            context.draw_series([bar])?;
            context.draw_series([Mark { mode: series.mode, place: (threads, value.mean), is_solid: counts }])?;
        }
        Ok(())
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| &series.points)
    }

    /// The laws that stand in it, each with its mode.
    fn laws(&self) -> impl Iterator<Item = (Mode, &Fit)> {
        let series = self.series.iter().filter(|_| self.kind == Kind::SpeedUp);
        series.filter_map(|series| Some((series.mode, series.law?)))
    }

    /// The numbers of threads that something is said about.
    fn threads(&self) -> impl Iterator<Item = f64> {
        let predictions = self.laws().flat_map(|(_, law)| &law.predictions);
        self.points().map(|point| point.threads).chain(predictions.map(|prediction| prediction.cores as f64))
    }

    fn most_threads(&self) -> f64 {
        self.threads().fold(1.0, f64::max)
    }

    fn x_axis(&self) -> Axis {
        Axis::logarithmic(1.0, self.most_threads()).labelled(self.threads())
    }

    fn y_axis(&self) -> Axis {
        let most = self.points().map(|point| point.value.range().1).fold(0.0, f64::max);
        if self.kind == Kind::Efficiency {
            return Axis::linear(most);
        }
        let predicted = self.laws().map(|(_, law)| law.speed_up(self.most_threads()));
        let values = self.points().map(|point| point.value.mean).chain(predicted);
        if self.kind == Kind::SpeedUp {
            Axis::logarithmic(values.fold(1.0, f64::min), most.max(self.most_threads()))
        } else {
            Axis::logarithmic(values.fold(most.max(1.0), f64::min), most)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::synthetic;
    use super::*;

    fn drawn(report: &Report) -> Vec<Plot> {
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
        for line in &mut report.lines {
            (line.counted, line.speed_up, line.efficiency) = (0, None, None);
        }
        assert_eq!(drawn(&report).len(), 3);
        report.lines.clear();
        assert_eq!(drawn(&report).len(), 3);
    }
}
