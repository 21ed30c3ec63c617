//! Charts as SVG that loads nothing.

mod axis;
mod mark;

use plotters::coord::Shift;
use plotters::element::{DashedPathElement, ErrorBar};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(crate) use axis::Axis;
pub(crate) use mark::Look;
use mark::Mark;

use crate::PageError;

/// A plot in SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The name of its file, without the ending.
    pub name: &'static str,
    /// The text of the file.
    pub svg: String,
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

const SIZE: (u32, u32) = (760, 440);
/// The height of title and legend.
const HEAD: u32 = 70;
const INK: RGBColor = BLACK;
const PAPER: RGBColor = WHITE;
const FAINT: RGBColor = RGBColor(0xb4, 0xb4, 0xb4);

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Context<'a, 's> = ChartContext<'a, SVGBackend<'s>, Cartesian2d<Axis, Axis>>;

impl Chart {
    /// Draws the chart as a plot with this name.
    ///
    /// # Errors
    /// If the library cannot draw it.
    pub(crate) fn draw(self, name: &'static str) -> Result<Plot, PageError> {
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            area.fill(&PAPER)?;
            let (head, body) = area.split_vertically(HEAD);
            self.draw_head(&head)?;
            self.draw_body(&body)?;
            area.present()?;
        }
        Ok(Plot { name, svg })
    }

    /// Draws the title and the legend.
    fn draw_head(&self, head: &Area<'_>) -> Result<(), PageError> {
        const ROW: i32 = 50;
        let text = |size: i32| ("sans-serif", size).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
        let width = |name: &str| 50 + 8 * name.chars().count() as i32;
        head.draw(&Text::new(self.title, (16, 20), text(20)))?;
        let mut x = 18;
        for Series { name, look, .. } in &self.series {
            head.draw(&PathElement::new([(x, ROW), (x + 20, ROW)], look.colour.stroke_width(2)))?;
            head.draw(&Mark { look: *look, place: (x + 10, ROW), is_solid: true })?;
            head.draw(&Text::new(&name[..], (x + 27, ROW), text(15)))?;
            x += width(name);
        }
        if let Some(Guide { name, .. }) = &self.guide {
            head.draw(&PathElement::new([(x, ROW), (x + 20, ROW)], FAINT))?;
            head.draw(&Text::new(*name, (x + 27, ROW), text(15)))?;
            x += width(name);
        }
        if self.series.iter().any(|series| !series.dashed.is_empty()) {
            head.draw(&DashedPathElement::new([(x, ROW), (x + 20, ROW)], 5, 4, INK))?;
            head.draw(&Text::new("predicted", (x + 27, ROW), text(15)))?;
        }
        Ok(())
    }

    fn draw_body(self, body: &Area<'_>) -> Result<(), PageError> {
        let mut context = ChartBuilder::on(body)
            .margin_right(24)
            .margin_bottom(8)
            .x_label_area_size(46)
            .y_label_area_size(70)
            .build_cartesian_2d(self.x, self.y)?;
        let small = ("sans-serif", 14).into_font().color(&INK);
        let mut mesh = context.configure_mesh();
        mesh.disable_x_mesh().light_line_style(TRANSPARENT).bold_line_style(FAINT.mix(0.5)).axis_style(INK);
        mesh.label_style(small.clone()).axis_desc_style(small).x_desc(self.x_label).y_desc(self.y_label).draw()?;
        if let Some(Guide { line, .. }) = self.guide {
            context.draw_series(LineSeries::new(line, FAINT))?;
        }
        self.series.into_iter().try_for_each(|series| series.draw(&mut context))
    }
}

impl Series {
    fn draw(self, context: &mut Context<'_, '_>) -> Result<(), PageError> {
        let Series { look, points, line, dashed, .. } = self;
        context.draw_series(LineSeries::new(line, look.colour.stroke_width(2)))?;
        context.draw_series(DashedLineSeries::new(dashed, 5, 4, look.colour.stroke_width(1)))?;
        for Point { x, y, low, high, is_solid } in points {
            context.draw_series([ErrorBar::new_vertical(x, low, y, high, look.colour.stroke_width(1), 10)])?;
            context.draw_series([Mark { look, place: (x, y), is_solid }])?;
        }
        Ok(())
    }
}
