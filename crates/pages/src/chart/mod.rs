//! Charts as SVG that loads nothing.

mod axis;
mod head;
mod mark;
#[cfg(test)]
pub(crate) mod reading;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(crate) use axis::Axis;
use head::{Head, draw_reason, height_of_reason};
pub(crate) use mark::Look;
use mark::{Bar, Mark};

use crate::PageError;

/// A plot in SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The name of its file, without the ending.
    pub name: &'static str,
    /// The text of the file.
    pub svg: String,
    /// The same plot for a narrow page.
    pub(crate) narrow: String,
}

/// A chart to be drawn.
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    pub(crate) x_label: &'static str,
    pub(crate) y_label: &'static str,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
    pub(crate) guide: Option<Guide>,
    /// The reason why there is nothing to draw, which is shown if no series has a point.
    pub(crate) if_empty: &'static str,
}

/// Points of a line.
pub(crate) type Curve = Vec<(f64, f64)>;

/// Values that are drawn in one colour.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) look: Look,
    pub(crate) points: Vec<Point>,
    /// The line through the values.
    pub(crate) line: Curve,
    /// The line beyond the measured values.
    pub(crate) dashed: Curve,
}

/// A value with its interval.
#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// True if the value counts; other points are hollow and on no line.
    pub(crate) is_solid: bool,
}

/// A faint line for comparison.
pub(crate) struct Guide {
    pub(crate) name: &'static str,
    pub(crate) line: Curve,
}

impl Series {
    /// A series with a line from point to point.
    pub(crate) fn of(name: impl Into<String>, look: Look, points: Vec<Point>) -> Series {
        let line = points.iter().filter(|point| point.is_solid).map(|point| (point.x, point.y)).collect();
        Series { name: name.into(), look, points, line, dashed: Vec::new() }
    }
}

/// The sizes of a chart, for a screen and for a telephone.
const SIZES: [(u32, u32); 2] = [(760, 460), (360, 380)];
/// The sizes of the letters of the title, and of all other words, in pixels.
const TITLE: f64 = 17.0;
const TEXT: f64 = 14.0;
const INK: RGBColor = BLACK;
const PAPER: RGBColor = WHITE;
const FAINT: RGBColor = RGBColor(0xb4, 0xb4, 0xb4);
const MIDDLE_LEFT: Pos = Pos { h_pos: HPos::Left, v_pos: VPos::Center };

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Context<'a, 's> = ChartContext<'a, SVGBackend<'s>, Cartesian2d<Axis, Axis>>;

/// A font whose letters have this size in the SVG. The library takes a size for more than it is.
fn font(size: f64) -> FontDesc<'static> {
    const LIBRARY: f64 = 1.24;
    ("sans-serif", size * LIBRARY).into_font()
}

fn left(size: f64) -> TextStyle<'static> {
    font(size).color(&INK).pos(MIDDLE_LEFT)
}

impl Chart {
    /// Draws the chart as a plot with this name.
    ///
    /// # Errors
    /// If the library cannot draw it.
    pub(crate) fn draw(&self, name: &'static str) -> Result<Plot, PageError> {
        let [svg, narrow] = SIZES.map(|size| self.drawn(size));
        Ok(Plot { name, svg: svg?, narrow: narrow? })
    }

    fn drawn(&self, (width, height): (u32, u32)) -> Result<String, PageError> {
        let is_empty = self.series.iter().all(|series| series.points.is_empty());
        let height = if is_empty { height_of_reason(self.title, self.if_empty, width) } else { height };
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            area.fill(&PAPER)?;
            if is_empty {
                draw_reason(&area, self.title, self.if_empty, width)?;
            } else {
                let head = Head::of(self, width);
                let (top, body) = area.split_vertically(head.height);
                head.draw(&top)?;
                self.draw_body(&body)?;
            }
            area.present()?;
        }
        Ok(svg)
    }

    fn draw_body(&self, body: &Area<'_>) -> Result<(), PageError> {
        const RIGHT: u32 = 20;
        const BELOW: u32 = 8;
        const BOTTOM: u32 = 50;
        const BESIDE: u32 = 70;
        let (width, height) = body.dim_in_pixel();
        let x = self.x.clone().thinned_across(f64::from(width.saturating_sub(BESIDE + RIGHT)));
        let y = self.y.clone().thinned_up(f64::from(height.saturating_sub(BELOW + BOTTOM)));
        let mut context = ChartBuilder::on(body)
            .margin_right(RIGHT)
            .margin_bottom(BELOW)
            .x_label_area_size(BOTTOM)
            .y_label_area_size(BESIDE)
            .build_cartesian_2d(x, y)?;
        let text = font(TEXT).color(&INK);
        let mut mesh = context.configure_mesh();
        mesh.disable_x_mesh().light_line_style(TRANSPARENT).bold_line_style(FAINT.mix(0.5)).axis_style(INK);
        mesh.label_style(text.clone()).axis_desc_style(text).x_desc(self.x_label).y_desc(self.y_label).draw()?;
        if let Some(Guide { line, .. }) = &self.guide {
            context.draw_series(LineSeries::new(line.iter().copied(), FAINT))?;
        }
        self.series.iter().try_for_each(|series| series.draw(&mut context))
    }
}

impl Series {
    fn draw(&self, context: &mut Context<'_, '_>) -> Result<(), PageError> {
        let Series { look, points, line, dashed, .. } = self;
        context.draw_series(LineSeries::new(line.iter().copied(), look.colour.stroke_width(2)))?;
        context.draw_series(DashedLineSeries::new(dashed.iter().copied(), 5, 4, look.colour.stroke_width(1)))?;
        for &Point { x, y, low, high, is_solid } in points {
            if low < high {
                context.draw_series([Bar { look: *look, ends: [(x, low), (x, high)] }])?;
            }
            context.draw_series([Mark { look: *look, place: (x, y), is_solid }])?;
        }
        Ok(())
    }
}
